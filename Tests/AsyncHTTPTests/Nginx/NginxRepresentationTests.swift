import AsyncHTTP
import Support
import Testing

/// What nginx makes of a file: coded, unchanged, in part.
@Suite(.timeLimit(.minutes(1)), .enabled(if: NginxServer.isAvailable, "\(NginxServer.requirement)"))
struct NginxRepresentationTests {
    private static let text = Array(String(repeating: "All work and no play. ", count: 10_000).utf8)
    private static let bytes = RangedFile.sample(100_000)

    private let server: NginxServer
    private let client: HTTPClient

    init() throws {
        server = try NginxServer.shared.get()
        client = server.client()
        try server.put(Self.text, at: "representation.txt")
        try server.put(Self.bytes, at: "representation.bin")
    }

    private func response(
        _ name: String,
        _ fields: HTTPFields = [:],
        via entrance: NginxServer.Entrance
    ) async throws -> HTTPResponse {
        let url = server.url("/representation.\(name)", via: entrance)
        return try await client.response(for: HTTPRequest(url: url, headerFields: fields))
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func codedTextIsDecodedAndItsFieldsGone(entrance: NginxServer.Entrance) async throws {
        let response = try await response("txt", via: entrance)
        #expect(response.headerFields["Content-Encoding"] == nil)
        #expect(response.headerFields["Content-Length"] == nil)
        // Of a file that nginx codes on its way, it weakens the tag.
        #expect(response.headerFields["ETag"]?.hasPrefix("W/") == true)
        #expect(try await response.body.collect() == Self.text)
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func codedTextStaysCodedForWhoAskedForIt(entrance: NginxServer.Entrance) async throws {
        let response = try await response("txt", ["Accept-Encoding": "gzip"], via: entrance)
        #expect(response.headerFields["Content-Encoding"] == "gzip")
        let coded = try await response.body.collect()
        #expect(coded.starts(with: [0x1F, 0x8B]))
        #expect(coded.count < Self.text.count / 10)
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func textIsNotCodedForWhoWantsItPlain(entrance: NginxServer.Entrance) async throws {
        let response = try await response("txt", ["Accept-Encoding": "identity"], via: entrance)
        #expect(response.headerFields["Content-Length"] == "\(Self.text.count)")
        #expect(try await response.body.collect() == Self.text)
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func unchangedFileIsNotSentAgain(entrance: NginxServer.Entrance) async throws {
        let first = try await response("bin", via: entrance)
        #expect(try await first.body.collect() == Self.bytes)
        let tag = try #require(first.headerFields["ETag"])
        let second = try await response("bin", ["If-None-Match": tag], via: entrance)
        #expect(second.status == 304)
        #expect(try await second.body.collect() == [])
        let third = try await response("bin", ["If-None-Match": "\"other\""], via: entrance)
        #expect(third.status == 200)
        #expect(try await third.body.collect() == Self.bytes)
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func rangeIsAnsweredWithItsBytes(entrance: NginxServer.Entrance) async throws {
        let response = try await response("bin", ["Range": "bytes=1000-1999"], via: entrance)
        #expect(response.status == 206)
        #expect(response.headerFields["Content-Range"] == "bytes 1000-1999/\(Self.bytes.count)")
        #expect(try await response.body.collect() == Array(Self.bytes[1000..<2000]))
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func rangeBehindTheEndIsToldSo(entrance: NginxServer.Entrance) async throws {
        let response = try await response("bin", ["Range": "bytes=100000-"], via: entrance)
        #expect(response.status == 416)
        #expect(response.headerFields["Content-Range"] == "bytes */\(Self.bytes.count)")
    }
}
