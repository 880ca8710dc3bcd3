internal import AsyncPrimitives
internal import Glibc

/// What sysfs knows about an interface and netlink does not tell.
struct DeviceFacts: Hashable, Sendable {
    /// The `DEVTYPE` of the device, such as `wlan` or `wwan`; wired hardware has none.
    var type: String?
    var isWireless = false
    /// The driver of the device, such as `ipheth`; virtual links have none.
    var driver: String?
    /// Whether others connect through it and this machine does not.
    var isAccessPoint = false

    var isRadio: Bool { type == "wlan" || isWireless }
}

/// Looks devices up.
protocol DeviceDirectory: Sendable {
    func device(of link: Link) -> DeviceFacts?
}

/// Devices in `/sys/class/net`, or in a copy of it.
struct SysfsDevices: DeviceDirectory {
    let root: String

    /// `nil` when sysfs does not show this link.
    ///
    /// A sysfs mount shows the namespace it was mounted in, so the index must agree with the name.
    func device(of link: Link) -> DeviceFacts? {
        // The kernel allows neither in a name; a path must not be made of them.
        guard !link.name.contains("/"), link.name != "..", link.name != "." else { return nil }
        let folder = "\(root)/class/net/\(link.name)"
        guard read("\(folder)/ifindex").first == "\(link.index)" else { return nil }
        let isWireless = exists("\(folder)/phy80211") || exists("\(folder)/wireless")
        return DeviceFacts(
            type: Self.deviceType(in: read("\(folder)/uevent")),
            isWireless: isWireless,
            driver: destination(of: "\(folder)/device/driver")
        )
    }

    static func deviceType(in lines: [Substring]) -> String? {
        lines.first { $0.hasPrefix("DEVTYPE=") }.map { String($0.dropFirst("DEVTYPE=".count)) }
    }

    /// The last part of what a symbolic link points to.
    private func destination(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &buffer, buffer.count)
        guard length > 0 else { return nil }
        let text = String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.split(separator: "/").last.map(String.init)
    }

    private func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// The lines of a file; these attributes fit in one page.
    private func read(_ path: String) -> [Substring] {
        guard let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC)) else { return [] }
        var page = [UInt8](repeating: 0, count: 4096)
        let length = Glibc.read(file.number, &page, page.count)
        guard length > 0 else { return [] }
        return String(decoding: page.prefix(length), as: UTF8.self).split(separator: "\n")
    }
}
