internal import CLinux

/// Questions to a family of generic netlink, whose number differs from boot to boot.
///
/// Source: Documentation/userspace-api/netlink/intro.rst of the kernel.
struct GenericNetlink {
    let family: UInt16
    private let dialogue: NetlinkDialogue

    /// Looks a family up; `nil` when the kernel has none of that name, or refuses to say.
    init?(_ name: String) {
        guard let dialogue = try? NetlinkDialogue(NETLINK_GENERIC),
            let answer = try? dialogue.ask(Self.familyQuestion(name)).get(),
            let number = answer.lazy.compactMap(Self.family).first
        else { return nil }
        family = number
        self.dialogue = dialogue
    }

    /// Asks with one attribute and returns the first message of the answer.
    func ask(_ command: Int, _ attribute: Int, _ value: [UInt8]) -> NetlinkMessage? {
        try? dialogue.ask(Self.question(family, command, attribute, value)).get().first
    }

    /// The size of `genlmsghdr`, behind which attributes begin.
    static let headerSize = 4

    static func familyQuestion(_ name: String) -> NetlinkQuestion {
        let command = CTRL_CMD_GETFAMILY
        return question(
            UInt16(GENL_ID_CTRL),
            command,
            CTRL_ATTR_FAMILY_NAME,
            Array(name.utf8) + [0]
        )
    }

    static func family(in message: NetlinkMessage) -> UInt16? {
        message.attributes(after: headerSize).first { $0.type == CTRL_ATTR_FAMILY_ID }?
            .value.integer()
    }

    private static func question(
        _ family: UInt16,
        _ command: Int,
        _ attribute: Int,
        _ value: [UInt8]
    ) -> NetlinkQuestion {
        NetlinkQuestion(type: family) { body in
            // The command, version 1, and two bytes of nothing.
            body += [UInt8(command), 1, 0, 0]
            body.appendAttribute(attribute, value)
        }
    }
}
