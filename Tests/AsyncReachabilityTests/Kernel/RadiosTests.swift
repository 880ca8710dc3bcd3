import CLinux
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct RadiosTests {
    private func interface(ofType type: UInt32?) throws -> NetlinkMessage {
        var payload: [UInt8] = [UInt8(NL80211_CMD_NEW_INTERFACE.rawValue), 1, 0, 0]
        payload += Built.attribute(NL80211_ATTR_IFINDEX.rawValue, integer: 3)
        if let type { payload += Built.attribute(NL80211_ATTR_IFTYPE.rawValue, integer: type) }
        return try #require(NetlinkMessages(Built.message(0x20, payload)).first { _ in true })
    }

    @Test(arguments: [
        (UInt32(2), false), (8, false), (1, false), (7, false), (3, true), (4, true), (9, true),
    ])
    func accessPointsAreToldFromStations(type: UInt32, isAccessPoint: Bool) throws {
        #expect(Radios.isAccessPoint(try interface(ofType: type)) == isAccessPoint)
    }

    @Test func answerWithoutATypeIsNoAccessPoint() throws {
        #expect(!Radios.isAccessPoint(try interface(ofType: nil)))
    }

    @Test func kernelTellsTheNumberOfAFamily() {
        // The one family that every kernel with generic netlink has; its number is fixed.
        #expect(GenericNetlink("nlctrl")?.family == 0x10)
        #expect(GenericNetlink("no-such-family") == nil)
    }

    @Test func linkThatIsNoRadioIsNoAccessPoint() {
        #expect(!Radios.isAccessPoint(1))
    }

    @Test func onlyRadiosAreAskedWhatTheyAreUsedFor() {
        let devices = KernelDevices(sysfs: SysfsDevices(root: "/nowhere")) { _ in
            Issue.record("A link that sysfs does not show was asked about.")
            return true
        }
        #expect(devices.device(of: Link(index: 3, name: "wlan0")) == nil)
    }
}
