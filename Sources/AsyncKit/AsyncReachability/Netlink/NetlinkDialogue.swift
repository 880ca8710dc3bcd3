internal import CLinux
internal import Glibc

/// Questions to the kernel, one after the other, in the network namespace it was made in; for one thread.
final class NetlinkDialogue {
    private let socket: NetlinkSocket
    private var sequence: UInt32 = 0

    /// Opens a socket.
    ///
    /// - Parameter family: Whom to ask: `NETLINK_ROUTE`, or `NETLINK_GENERIC`.
    /// - Throws: Why the system gives none.
    init(_ family: Int32 = NETLINK_ROUTE) throws(NetlinkFailure) {
        socket = try NetlinkSocket(family)
        // The kernel answers before send returns; should it ever not, the thread must not be lost.
        try socket.set(SO_RCVTIMEO, level: SOL_SOCKET, to: timeval(tv_sec: 1, tv_usec: 0))
    }

    /// Asks again, a few times, when the tables changed during a dump or memory was short.
    func ask(_ question: NetlinkQuestion) -> Result<[NetlinkMessage], NetlinkFailure> {
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
