import AsyncPrimitives

/// What the threads around a client's thread and the thread itself agree on: a state machine without effects.
struct Mailbox {
    /// What is to be done once the lock is free.
    enum Step {
        case none
        case wake(WakeBell)
        case startThread
        case ended
    }

    /// What the thread takes in one go.
    struct Mail {
        var arrivals: [Transfer] = []
        var cancellations: [Transfer] = []
        /// Those whose readers have caught up.
        var resumptions: [Transfer] = []
        var isClosing = false
    }

    private enum Stage {
        case withoutThread
        case awake
        case asleep(WakeBell)
        case closed
    }

    private let maximum: Int
    private var stage = Stage.withoutThread
    private var mail = Mail()
    private var underWay = 0

    init(maximum: Int) {
        self.maximum = maximum
    }
}

extension Mailbox {
    mutating func submit(_ transfer: Transfer) throws(HTTPClient.Error) -> Step {
        if mail.isClosing { throw .closed }
        if underWay >= maximum { throw .overloaded(limit: maximum) }
        underWay += 1
        mail.arrivals.append(transfer)
        return rouse()
    }

    mutating func cancel(_ transfer: Transfer) -> Step {
        if case .withoutThread = stage { return .none }
        if case .closed = stage { return .none }
        mail.cancellations.append(transfer)
        return rouse()
    }

    mutating func release(_ transfer: Transfer) -> Step {
        if case .withoutThread = stage { return .none }
        if case .closed = stage { return .none }
        mail.resumptions.append(transfer)
        return rouse()
    }

    mutating func close() -> Step {
        mail.isClosing = true
        switch stage {
        case .withoutThread, .closed:
            stage = .closed
            return .ended
        case .awake, .asleep:
            return rouse()
        }
    }

    private mutating func rouse() -> Step {
        defer { stage = .awake }
        switch stage {
        case .withoutThread: return .startThread
        case .asleep(let bell): return .wake(bell)
        case .awake, .closed: return .none
        }
    }
}

extension Mailbox {
    mutating func collect(settled: Int) -> Mail {
        underWay -= settled
        stage = .awake
        defer { mail = Mail(isClosing: mail.isClosing) }
        return mail
    }

    /// Takes note of how many transfers were settled, and lets the thread sleep unless there is mail.
    mutating func sleep(_ bell: WakeBell, settled: Int) -> Bool {
        underWay -= settled
        guard mail.arrivals.isEmpty, mail.cancellations.isEmpty, mail.resumptions.isEmpty, !mail.isClosing
        else { return false }
        stage = .asleep(bell)
        return true
    }

    /// Whether the thread may end, having cleaned up; if not, something came in the meantime.
    mutating func endThread() -> (mayEnd: Bool, step: Step) {
        if mail.isClosing && mail.arrivals.isEmpty {
            stage = .closed
            return (true, .ended)
        }
        guard mail.arrivals.isEmpty else { return (false, .none) }
        (mail.cancellations, mail.resumptions) = ([], [])
        stage = .withoutThread
        return (true, .none)
    }

    /// Takes the transfers that no thread took, because it can't work.
    mutating func withdrawArrivals() -> [Transfer] {
        defer { mail.arrivals = [] }
        underWay -= mail.arrivals.count
        return mail.arrivals
    }
}
