import AsyncHTTP
import CLinux
import Glibc
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UploadFileTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()
    private let folder = Folder()

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/up", .respond())
    }

    private func send(_ name: String, to path: String = "/up") async throws -> HTTPOrigin.Request? {
        let request = HTTPRequest(method: "PUT", url: origin.url(path), body: .file(folder.path(name)))
        _ = try await client.response(for: request)
        return origin.requests(path).last
    }

    private func failure(_ name: String, _ reason: String) -> HTTPClient.Error {
        .file(path: folder.path(name), reason: reason)
    }

    @Test(arguments: [0, 1, 65_536, 3_000_001])
    func aFileArrivesWhole(size: Int) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        folder.write(bytes, to: "file")
        let seen = try await send("file")
        #expect(seen?.body == bytes)
        #expect(seen?.header("Content-Length") == "\(size)")
    }

    @Test func whatIsNoFileIsRefusedBeforeAnythingIsSent() async throws {
        mkfifo(folder.path("pipe"), 0o600)
        await #expect(throws: failure("none", "No such file or directory")) { try await send("none") }
        await #expect(throws: failure("pipe", "it is no regular file")) { try await send("pipe") }
        await #expect(throws: failure(".", "it is no regular file")) { try await send(".") }
        await #expect(throws: failure("a\0b", "Invalid argument")) { try await send("a\0b") }
        #expect(origin.log.acceptedConnections == 0)
    }

    @Test func aFileThatBecomesShorterIsAnError() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/later", .readingLater(gate, .respond()))
        folder.write([UInt8](repeating: 1, count: 64 << 20), to: "file")
        let task = Task { try await send("file", to: "/later") }
        await origin.until { $0.requestCounts["/later"] == 1 }
        #expect(truncate(folder.path("file"), 10) == 0)
        gate.open()
        await #expect(throws: failure("file", "it became shorter while it was sent")) { try await task.value }
    }

    @Test func aFileThatGrowsIsSentAsItWas() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/later", .readingLater(gate, .respond()))
        let size = 8 << 20
        folder.write([UInt8](repeating: 1, count: size), to: "file")
        let task = Task { try await send("file", to: "/later") }
        await origin.until { $0.requestCounts["/later"] == 1 }
        #expect(truncate(folder.path("file"), off_t(2 * size)) == 0)
        gate.open()
        #expect(try await task.value?.bodySize == size)
    }

    @Test func filesAreClosedAfterwards() async throws {
        folder.write([1], to: "file")
        _ = try await send("file")
        let before = ResourceUse.now.descriptors
        for _ in 0..<100 { _ = try await send("file") }
        // The thread that read the last piece may let go of the file a moment after the answer.
        #expect(await eventually { ResourceUse.now.descriptors <= before })
    }
}
