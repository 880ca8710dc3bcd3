import AsyncPrimitives
import Glibc
import Support

@testable import AsyncReachability

/// A service that looks like NetworkManager on a private bus, as far as one property goes.
final class FakeNetworkManager: Sendable {
    /// How it answers for the property.
    enum Answer {
        case number(UInt32)
        /// A string instead, as another version might.
        case text(String)
        /// Not at all; callers wait until it answers otherwise.
        case silence
    }

    private enum Order {
        case announce
        case leave
    }

    private struct Script {
        var answer: Answer
        var orders: [Order] = []
    }

    private let script: Lock<Script>
    private let bell: WakeBell

    /// How often it was asked.
    let questions = State(0)

    /// Takes the name on the bus; returns when it has it.
    init(on bus: PrivateBus, _ answer: Answer) async throws {
        guard let bell = WakeBell() else { throw BusFailure(description: "no descriptor for a bell") }
        self.bell = bell
        script = Lock(Script(answer: answer))
        let isReady = OneShot<Bool>()
        let address = bus.address
        _ = SystemThread.start(name: "fake-manager") { [script, questions] in
            let service = BusService(address: address) { isReady.resolve(.success($0)) }
            service?.run(until: bell) { service in
                Self.serve(service, script, questions)
            }
            isReady.resolve(.success(false))
        }
        guard try await isReady.value() else { throw BusFailure(description: "the name could not be taken") }
    }

    deinit {
        leave()
    }

    /// Changes what it answers, also those who wait for an answer.
    func change(_ answer: Answer, announces: Bool = true) {
        script.withLock { script in
            script.answer = answer
            if announces { script.orders.append(.announce) }
        }
        bell.ring()
    }

    /// Ends its connection to the bus, soon.
    func leave() {
        script.withLock { $0.orders.append(.leave) }
        bell.ring()
    }

    /// Returns false when it shall end.
    private static func serve(_ service: BusService, _ script: Lock<Script>, _ questions: State<Int>) -> Bool
    {
        let (answer, orders) = script.withLock { script in
            defer { script.orders = [] }
            return (script.answer, script.orders)
        }
        for order in orders {
            switch order {
            case .announce: service.announce(answer)
            case .leave: return false
            }
        }
        service.answerCalls(answer) { questions.update { $0 += 1 } }
        return true
    }
}
