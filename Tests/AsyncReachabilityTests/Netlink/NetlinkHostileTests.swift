import CLinux
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(2)))
struct NetlinkHostileTests {
    static let link = Built.message(
        RTM_NEWLINK,
        Built.link(
            Built.attribute(IFLA_IFNAME, Array("eth0\0".utf8)) + Built.attribute(IFLA_MASTER, integer: 4)
                + Built.attribute(IFLA_LINKINFO, Built.attribute(IFLA_INFO_KIND, Array("bond\0".utf8)))
        )
    )
    static let route = Built.message(
        RTM_NEWROUTE,
        Built.route(
            Built.attribute(RTA_OIF.rawValue, integer: 2)
                + Built.attribute(RTA_PREFSRC.rawValue, [1, 2, 3, 4])
                + Built.attribute(RTA_VIA.rawValue, [10, 0] + [UInt8](repeating: 9, count: 16))
        )
    )
    static let address = Built.message(
        RTM_NEWADDR,
        Built.address(Built.attribute(IFA_LOCAL, [1, 2, 3, 4]) + Built.attribute(IFA_FLAGS, integer: 0x80))
    )
    static let samples = [link, route, address]

    /// Everything that is done with bytes of the kernel; returns how many messages were found.
    @discardableResult
    static func readEverything(_ datagram: [UInt8]) -> Int {
        var count = 0
        for message in NetlinkMessages(datagram) {
            count += 1
            _ = message.errorCode
            _ = EventSocket.matters(message)
            _ = (Link(message), Route(message), InterfaceAddress(message))
        }
        var answer = NetlinkAnswer(sequence: 0, isDump: true)
        _ = answer.add(datagram)
        return count
    }

    @Test(arguments: samples)
    func everyTruncationIsReadWithoutATrap(sample: [UInt8]) {
        for length in 0...sample.count {
            #expect(Self.readEverything(Array(sample.prefix(length))) <= 1)
        }
    }

    @Test(arguments: [0, 1, 15, 17 << 20, UInt32.max, UInt32(Int32.max)] as [UInt32])
    func messageLengthThatCannotBeEndsTheDatagram(length: UInt32) {
        let bad = Built.message(RTM_NEWLINK, length: length, Built.link([]))
        #expect(Self.readEverything(bad + Self.link) == 0)
        #expect(Self.readEverything(Self.link + bad) == 1)
    }

    @Test(arguments: [0, 1, 3, 200, UInt16.max] as [UInt16])
    func attributeLengthThatCannotBeEndsTheAttributes(length: UInt16) {
        let name = Built.attribute(IFLA_IFNAME, Array("a".utf8))
        let bad = Built.attribute(IFLA_MASTER, [1, 0, 0, 0], length: length)
        let before = Built.parsed(RTM_NEWLINK, Built.link(bad + name)).flatMap(Link.init)
        let after = Built.parsed(RTM_NEWLINK, Built.link(name + bad)).flatMap(Link.init)
        #expect(before == nil)
        #expect(after?.name == "a")
        #expect(after?.master == nil)
    }

    @Test func valueOfTheWrongSizeIsIgnored() {
        let payload = Built.route(
            Built.attribute(RTA_OIF.rawValue, [1, 2]) + Built.attribute(RTA_PREFSRC.rawValue, [1, 2, 3])
                + Built.attribute(RTA_VIA.rawValue, [10])
        )
        let route = Built.parsed(RTM_NEWROUTE, payload).flatMap(Route.init)
        #expect(route == Route())
    }

    @Test func nameWithoutAnEndAndWithStrangeBytesIsKeptInside() {
        let payload = Built.link(Built.attribute(IFLA_IFNAME, [0xff, 0xfe, 0x2f]))
        #expect(Built.parsed(RTM_NEWLINK, payload).flatMap(Link.init)?.name == "\u{fffd}\u{fffd}/")
    }

    @Test func viewsRefuseWhatIsNotInside() {
        let view = ByteView([1, 2, 3])
        #expect(view.integer(at: 0, as: UInt32.self) == nil)
        #expect(view.integer(at: 3, as: UInt8.self) == nil)
        #expect(view.integer(at: -1, as: UInt8.self) == nil)
        #expect(view.integer(at: Int.max, as: UInt64.self) == nil)
        #expect(view.view(from: 2, to: 1) == nil)
        #expect(view.view(from: -1, to: 1) == nil)
        #expect(view.view(from: 0, to: 4) == nil)
        #expect(view.view(from: 1)?.view(from: 1)?.array == [3])
        #expect(view.view(from: 4) == nil)
    }

    @Test func randomDamageNeverTraps() {
        var random = SplitMix(state: 20)
        for round in 0..<20_000 {
            var bytes = Self.samples[round % 3] + Self.samples[(round / 3) % 3]
            for _ in 0...(round % 6) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            if round.isMultiple(of: 4) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            Self.readEverything(bytes)
        }
    }
}

/// A random generator that repeats, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
