import AsyncPrimitives
import CLinux
import Glibc

@testable import AsyncReachability

/// The connection of a ``FakeNetworkManager``; for one thread.
final class BusService {
    private let connection: BusConnection
    private let maker: MessageMaker
    private let nameTaken: (Bool) -> Void
    private var nameCookie: UInt64?
    private var waiting: [BusMessage] = []
    private var isLost = false

    init?(address: String, nameTaken: @escaping (Bool) -> Void) {
        guard let library = SystemBus.installed, let maker = MessageMaker(),
            let connection = BusConnection(library, address: address)
        else { return nil }
        self.connection = connection
        self.maker = maker
        self.nameTaken = nameTaken
        nameCookie = maker.requestName(BusMethod.networkManager, connection)
    }

    /// Calls the body whenever something may have happened, until it returns false or the bus is gone.
    func run(until bell: WakeBell, _ body: (BusService) -> Bool) {
        while body(self), !isLost, let entry = connection.pollEntry {
            var entries = [entry, pollfd(fd: bell.descriptor.number, events: Int16(POLLIN), revents: 0)]
            let milliseconds = connection.due.map { $0.remaining.wholeNanoseconds / 1_000_000 + 1 } ?? -1
            poll(&entries, 2, Int32(clamping: milliseconds))
            bell.silence()
        }
    }

    /// Answers everybody who has asked, unless the answer is silence.
    func answerCalls(_ answer: FakeNetworkManager.Answer, asked: () -> Void) {
        takeMessages(asked)
        if case .silence = answer { return }
        for call in waiting { maker.answer(call, answer, connection) }
        waiting = []
    }

    /// Tells everybody that the property has changed.
    func announce(_ answer: FakeNetworkManager.Answer) {
        maker.signalChange(answer, connection)
    }

    private func takeMessages(_ asked: () -> Void) {
        while true {
            switch connection.step() {
            case .message(let message): take(message, asked)
            case .progress: continue
            case .idle: return
            case .lost:
                isLost = true
                return
            }
        }
    }

    private func take(_ message: BusMessage, _ asked: () -> Void) {
        if message.kind == .call, message.member == "Get" {
            waiting.append(message)
            asked()
        } else if let cookie = message.replyCookie, cookie == nameCookie {
            nameTaken(message.kind == .answer)
        }
    }
}
