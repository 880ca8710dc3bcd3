internal import CLinux

/// What the wireless interfaces of this machine are used for (nl80211).
enum Radios {
    /// True for the interface of an access point, which others connect through and this machine doesn't.
    ///
    /// Asked only about wireless links; without nl80211 no link is one.
    static func isAccessPoint(_ index: Int32) -> Bool {
        guard let nl80211 = GenericNetlink(NL80211_GENL_NAME) else { return false }
        var value: [UInt8] = []
        value.append(integer: index)
        let command = Int(NL80211_CMD_GET_INTERFACE.rawValue)
        let answer = nl80211.ask(command, Int(NL80211_ATTR_IFINDEX.rawValue), value)
        return answer.map(isAccessPoint) ?? false
    }

    static func isAccessPoint(_ message: NetlinkMessage) -> Bool {
        let type: UInt32? = message.attributes(after: GenericNetlink.headerSize)
            .first { $0.type == Int(NL80211_ATTR_IFTYPE.rawValue) }?.value.integer()
        return [NL80211_IFTYPE_AP, NL80211_IFTYPE_AP_VLAN, NL80211_IFTYPE_P2P_GO].contains {
            $0.rawValue == type
        }
    }
}

/// Devices of the kernel: what sysfs shows, and what wireless ones are used for.
struct KernelDevices: DeviceDirectory {
    let sysfs: SysfsDevices
    var isAccessPoint: @Sendable (Int32) -> Bool = { Radios.isAccessPoint($0) }

    func device(of link: Link) -> DeviceFacts? {
        var facts = sysfs.device(of: link)
        if facts?.isRadio == true { facts?.isAccessPoint = isAccessPoint(link.index) }
        return facts
    }
}
