import Foundation
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct SysfsDevicesTests {
    /// A piece of sysfs for one interface.
    private func withSysfs(
        _ name: String,
        files: [String: String],
        folders: [String] = [],
        _ body: (SysfsDevices) throws -> Void
    ) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "sysfs-\(UUID().uuidString)")
        let folder = root.appending(path: "class/net/\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        for (file, text) in files {
            try text.write(to: folder.appending(path: file), atomically: false, encoding: .utf8)
        }
        for name in folders {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name),
                withIntermediateDirectories: true
            )
        }
        try body(SysfsDevices(root: root.path))
    }

    private let link = Link(index: 3, name: "wlan0")

    @Test func deviceTypeIsFound() throws {
        let files = ["ifindex": "3\n", "uevent": "DEVTYPE=wlan\nINTERFACE=wlan0\nIFINDEX=3\n"]
        try withSysfs("wlan0", files: files) { devices in
            #expect(devices.device(of: link) == DeviceFacts(type: "wlan", isWireless: false))
        }
    }

    @Test(arguments: ["phy80211", "wireless"])
    func wirelessFolderIsFound(folder: String) throws {
        try withSysfs("wlan0", files: ["ifindex": "3\n"], folders: [folder]) { devices in
            #expect(devices.device(of: link) == DeviceFacts(type: nil, isWireless: true))
        }
    }

    @Test func interfaceOfAnotherNamespaceWithTheSameNameIsNotBelieved() throws {
        try withSysfs("wlan0", files: ["ifindex": "4\n", "uevent": "DEVTYPE=wlan\n"]) { devices in
            #expect(devices.device(of: link) == nil)
        }
    }

    @Test(arguments: ["..", ".", "../../../etc", "a/b"])
    func nameThatIsAPathIsNotFollowed(name: String) throws {
        try withSysfs("x", files: [:]) { devices in
            #expect(devices.device(of: Link(index: 3, name: name)) == nil)
        }
    }

    @Test func missingSysfsKnowsNothing() {
        #expect(SysfsDevices(root: "/nowhere").device(of: link) == nil)
    }
}
