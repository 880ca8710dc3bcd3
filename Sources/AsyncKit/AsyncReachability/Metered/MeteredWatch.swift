internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// What runs on the thread of a watch: it sleeps until the bus has something to say.
struct MeteredWatch {
    private enum State {
        case closed(until: Deadline?)
        case open(NetworkManagerLine)
    }

    private let library: SystemBus
    private let settings: NetworkManagerSource.Settings
    private let bell: WakeBell
    private let deliver: (Metered) -> Void
    private var state = State.closed(until: nil)
    private var backoff = Backoff(limit: .seconds(30))
    private var last: Metered?

    /// Prepares a watch whose `deliver` gets the first answer and each other one, in order, on the thread of the run.
    init(
        _ library: SystemBus,
        _ settings: NetworkManagerSource.Settings,
        endsWith bell: WakeBell,
        deliver: @escaping (Metered) -> Void
    ) {
        self.library = library
        self.settings = settings
        self.bell = bell
        self.deliver = deliver
    }

    /// Returns when the bell rings.
    mutating func run() {
        repeat {
            switch state {
            case .closed(let until): if until?.hasPassed ?? true { connect() }
            case .open(let line): serve(line)
            }
        } while sleep()
    }

    private mutating func connect() {
        let line = NetworkManagerLine(
            library,
            address: settings.busAddress,
            answerTimeout: settings.answerTimeout
        )
        if let line { serve(line) } else { lose() }
    }

    private mutating func serve(_ line: NetworkManagerLine) {
        var line = line
        var answers: [Metered] = []
        let isAlive = line.serve { answers.append($0) }
        for answer in answers { say(answer) }
        if line.isHeard { backoff.reset() }
        if isAlive { state = .open(line) } else { lose() }
    }

    private mutating func lose() {
        state = .closed(until: Deadline(after: backoff.pause()))
        say(.unknown)
    }

    private mutating func say(_ answer: Metered) {
        guard answer != last else { return }
        last = answer
        deliver(answer)
    }

    /// Sleeps until there is something to do; false when the bell has rung, which it then does for good.
    private func sleep() -> Bool {
        var entries = [pollfd(fd: bell.descriptor.number, events: Int16(POLLIN), revents: 0)]
        var due: [Deadline] = []
        switch state {
        case .closed(let until): due = [until].compactMap { $0 }
        case .open(let line):
            due = line.due
            if let entry = line.pollEntry {
                entries.append(entry)
            } else {
                due.append(Deadline(after: .zero))
            }
        }
        poll(&entries, nfds_t(entries.count), Self.milliseconds(until: due))
        return entries[0].revents == 0
    }

    /// As poll(2) wants it: rounded up, so as not to come too early and spin; -1 is for ever.
    private static func milliseconds(until due: [Deadline]) -> Int32 {
        guard let nanoseconds = due.map(\.remaining.wholeNanoseconds).min() else { return -1 }
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }
}
