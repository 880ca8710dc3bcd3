internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// Follows NetworkManager over one connection to the bus, for as long as that lasts.
///
/// A signal is taken as "something changed", and the property is then asked for.
struct NetworkManagerLine {
    private let connection: BusConnection
    private let answerTimeout: Duration
    private var subscriptions: Set<UInt64> = []
    private var inquiry = MeteredInquiry()

    /// True when the bus has accepted that it sends us signals.
    private(set) var isHeard = false

    /// Messages taken in one go, so that a storm cannot keep the thread from seeing that it shall end.
    private static let batch = 64

    /// Connects, listens and asks, in this order: a change in between is then seen, not lost.
    init?(_ library: SystemBus, address: String?, answerTimeout: Duration) {
        guard let connection = BusConnection(library, address: address) else { return nil }
        self.connection = connection
        self.answerTimeout = answerTimeout
        for rule in Self.rules {
            guard let cookie = connection.call(.addMatch, rule) else { return nil }
            subscriptions.insert(cookie)
        }
        guard ask() else { return nil }
    }

    /// Handles what has come.
    ///
    /// - Parameter deliver: Called with each answer.
    /// - Returns: False when the connection is of no more use.
    mutating func serve(_ deliver: (Metered) -> Void) -> Bool {
        if inquiry.expire() { deliver(.unknown) }
        for _ in 0..<Self.batch {
            switch connection.step() {
            case .message(let message):
                guard receive(message, deliver) else { return false }
            case .progress: continue
            case .idle: return true
            case .lost: return false
            }
        }
        return true
    }

    /// What poll(2) shall wait for.
    var pollEntry: pollfd? { connection.pollEntry }

    /// When to go on even if nothing comes.
    var due: [Deadline] { [connection.due, inquiry.due].compactMap { $0 } }

    private mutating func receive(_ message: BusMessage, _ deliver: (Metered) -> Void) -> Bool {
        switch message.kind {
        case .signal: return receiveSignal(message)
        case .answer, .error: return receiveAnswer(message, deliver)
        case .call, nil: return true
        }
    }

    private mutating func receiveSignal(_ signal: BusMessage) -> Bool {
        switch signal.member {
        case "PropertiesChanged": return inquiry.changed() ? ask() : true
        // Who has gone will not answer, so a question that is on its way is of no use.
        case "NameOwnerChanged" where signal.sender == BusMethod.bus: return ask()
        default: return true
        }
    }

    private mutating func receiveAnswer(_ answer: BusMessage, _ deliver: (Metered) -> Void) -> Bool {
        if let cookie = answer.replyCookie, subscriptions.remove(cookie) != nil {
            isHeard = answer.kind == .answer
            return isHeard
        }
        guard let asksAgain = inquiry.answered(answer.replyCookie) else { return true }
        let number = answer.kind == .answer ? answer.readNumberInVariant() : nil
        deliver(Metered(networkManager: number))
        return asksAgain ? ask() : true
    }

    private mutating func ask() -> Bool {
        let cookie = connection.call(.getProperty, BusMethod.networkManager, "Metered")
        guard let cookie else { return false }
        inquiry.asked(cookie, until: Deadline(after: answerTimeout))
        return true
    }

    private static let rules = [
        """
        type='signal',sender='\(BusMethod.networkManager)',path='\(BusMethod.networkManagerPath)',\
        interface='\(BusMethod.properties)',member='PropertiesChanged',arg0='\(BusMethod.networkManager)'
        """,
        """
        type='signal',sender='\(BusMethod.bus)',path='\(BusMethod.busPath)',interface='\(BusMethod.bus)',\
        member='NameOwnerChanged',arg0='\(BusMethod.networkManager)'
        """,
    ]
}

extension BusMethod {
    static let bus = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"
    static let properties = "org.freedesktop.DBus.Properties"
    static let networkManager = "org.freedesktop.NetworkManager"
    static let networkManagerPath = "/org/freedesktop/NetworkManager"

    static let addMatch = BusMethod(destination: bus, path: busPath, interface: bus, member: "AddMatch")
    static let getProperty = BusMethod(
        destination: networkManager,
        path: networkManagerPath,
        interface: properties,
        member: "Get"
    )
}

extension Metered {
    /// The value of NetworkManager's property `Metered`, NMMetered; a number that came after this was written, or
    /// none, is nobody's word.
    init(networkManager number: UInt32?) {
        switch number {
        case 1: self = .yes
        case 2: self = .no
        case 3: self = .guessYes
        case 4: self = .guessNo
        default: self = .unknown
        }
    }
}
