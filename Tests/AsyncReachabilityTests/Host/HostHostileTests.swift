import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct HostHostileTests {
    static let samples =
        (HostTests.names + HostTests.urls + HostTests.addresses).map(\.0) + [
            "bücher.example", "https://例え.テスト:80/a", "faß.de", "نامه\u{200c}ای.com",
            "https://me:pw@[fe80::1%25eth0]:22/x?y#z",
        ]
    /// What a reader of hosts decides by.
    static let marks = Array(":/?#@[]%.-_0x9aF\\ \0\n＠：。\u{ad}\u{200d}é℀")

    /// Reads a text and, when it is good, its normal form.
    static func check(_ text: String) {
        guard let host = try? Host(text) else { return }
        let normal = host.description
        #expect(normal.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "\(text.debugDescription)")
        #expect(normal.utf8.count <= 253)
        #expect((try? Host(normal)) == host, "\(text.debugDescription)")
    }

    @Test func randomBytesNeverTrap() {
        var random = SplitMix(state: 7)
        for round in 0..<20_000 {
            let highest: UInt8 = round.isMultiple(of: 2) ? 0xff : 0x7f
            let count = Int.random(in: 0...40, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...highest, using: &random) }
            Self.check(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test func damagedHostsNeverTrapAndReadBackWhenTheyAreGood() {
        var random = SplitMix(state: 8)
        for round in 0..<20_000 {
            var text = Array(Self.samples[round % Self.samples.count])
            for _ in 0...(round % 4) {
                let place = Int.random(in: 0...text.count, using: &random)
                let mark = Self.marks[Int.random(in: Self.marks.indices, using: &random)]
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text.insert(mark, at: place)
                case 1 where place < text.count: text[place] = mark
                default: text.removeSubrange(min(place, text.count)..<min(place + 2, text.count))
                }
            }
            Self.check(String(text))
        }
    }

    @Test func everyBeginningOfAGoodTextIsReadWithoutATrap() {
        for sample in Self.samples {
            for count in 0...sample.count { Self.check(String(sample.prefix(count))) }
        }
    }

    /// As soon as one that is just too long: reading all of it would take two thousand times as long.
    @Test func hugeTextIsRefusedWithoutReadingIt() {
        let text = String(repeating: "https://", count: 1 << 21)
        let short = String(repeating: "https://", count: 1025)
        func time(_ text: String) -> Duration {
            ContinuousClock().measure { for _ in 0..<30 { _ = try? Host(text) } }
        }
        #expect(time(text) < time(short) * 50)
        #expect(throws: Host.Error.tooLong(limit: 8192)) { try Host(text) }
    }
}
