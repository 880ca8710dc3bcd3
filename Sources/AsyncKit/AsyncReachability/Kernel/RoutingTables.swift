internal import CLinux
internal import Glibc

/// What the kernel can be asked about routes, links and addresses.
///
/// Nothing is remembered between two questions, so nothing can get out of step with the kernel.
protocol RoutingTables {
    /// Which route leads to an address, through a given interface only if one is given.
    func route(to address: IPAddress, flags: UInt32, interface: Int32?) -> Result<Route, NetlinkFailure>
    func link(_ index: Int32) -> Link?
    func links() -> [Link]
    func addresses() -> [InterfaceAddress]
}

/// The tables of the network namespace in which the object was made; for one thread.
final class KernelRoutingTables: RoutingTables {
    private let socket: NetlinkSocket
    private var sequence: UInt32 = 0

    init() throws(NetlinkFailure) {
        socket = try NetlinkSocket()
        // The kernel answers before send returns; should it ever not, the thread must not be lost.
        try socket.set(SO_RCVTIMEO, level: SOL_SOCKET, to: timeval(tv_sec: 1, tv_usec: 0))
    }

    func route(to address: IPAddress, flags: UInt32, interface: Int32?) -> Result<Route, NetlinkFailure> {
        ask(NetlinkRequest.route(to: address, flags: flags, interface: interface)).flatMap { messages in
            guard let route = messages.lazy.compactMap(Route.init).first else {
                return .failure(NetlinkFailure(code: EPROTO))
            }
            return .success(route)
        }
    }

    func link(_ index: Int32) -> Link? {
        (try? ask(NetlinkRequest.link(index)).get())?.lazy.compactMap(Link.init).first
    }

    func links() -> [Link] {
        (try? ask(NetlinkRequest.links).get())?.compactMap(Link.init) ?? []
    }

    func addresses() -> [InterfaceAddress] {
        (try? ask(NetlinkRequest.addresses).get())?.compactMap(InterfaceAddress.init) ?? []
    }

    /// Asks again, a few times, when the tables changed during a dump or memory was short.
    private func ask(_ question: NetlinkQuestion) -> Result<[NetlinkMessage], NetlinkFailure> {
        var answer = askOnce(question)
        for _ in 0..<3 {
            guard case .failure(let failure) = answer, failure.isPassing else { return answer }
            answer = askOnce(question)
        }
        return answer
    }

    private func askOnce(_ question: NetlinkQuestion) -> Result<[NetlinkMessage], NetlinkFailure> {
        sequence &+= 1
        do {
            try socket.send(question.bytes(sequence: sequence))
        } catch {
            return .failure(error)
        }
        var answer = NetlinkAnswer(sequence: sequence, isDump: question.isDump)
        while true {
            switch socket.receive(waits: true) {
            case .datagram(let bytes): if let result = answer.add(bytes) { return result }
            case .foreign: continue
            case .overrun: return .failure(NetlinkFailure(code: ENOBUFS))
            case .empty: return .failure(NetlinkFailure(code: ETIMEDOUT))
            case .failed(let failure): return .failure(failure)
            }
        }
    }
}

extension NetlinkFailure {
    fileprivate var isPassing: Bool { [EAGAIN, EINTR, ENOBUFS, ENOMEM].contains(code) }
}
