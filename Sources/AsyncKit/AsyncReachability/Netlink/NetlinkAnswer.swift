internal import CLinux
internal import Glibc

/// Puts the answer to one question together from the datagrams it comes in; pure.
struct NetlinkAnswer {
    let sequence: UInt32
    let isDump: Bool
    private var messages: [NetlinkMessage] = []
    private var wasInterrupted = false

    init(sequence: UInt32, isDump: Bool) {
        self.sequence = sequence
        self.isDump = isDump
    }

    /// Takes in a datagram.
    ///
    /// - Returns: The outcome when the answer is complete. A dump during which the tables changed, and may
    ///   thus have lost an entry, is the failure EAGAIN.
    mutating func add(_ datagram: [UInt8]) -> Result<[NetlinkMessage], NetlinkFailure>? {
        for message in NetlinkMessages(datagram) where message.sequence == sequence {
            if message.flags & UInt16(NLM_F_DUMP_INTR) != 0 { wasInterrupted = true }
            switch Int32(message.type) {
            case NLMSG_ERROR, NLMSG_DONE: return finish(message.errorCode ?? EPROTO)
            default: messages.append(message)
            }
            if !isDump { return .success(messages) }
        }
        return nil
    }

    private func finish(_ code: Int32) -> Result<[NetlinkMessage], NetlinkFailure> {
        if code != 0 { return .failure(NetlinkFailure(code: code, isAnswer: true)) }
        return wasInterrupted ? .failure(NetlinkFailure(code: EAGAIN)) : .success(messages)
    }
}
