import AsyncHTTP
import Glibc
import Support
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: NginxServer.isAvailable, "\(NginxServer.requirement)"))
struct NginxSignalTests {
    /// The client says goodbye by TLS on a connection that was reset, which raises SIGPIPE unless libcurl prevents it
    /// (recent ones do) or the client's thread holds it back.
    @Test func writingToAConnectionThatWasResetKillsNobody() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let server = try NginxServer()
            try server.put([1], at: "a.bin")
            let client = server.client()
            for _ in 0..<100 {
                let error = await #expect(throws: HTTPClient.Error.self) {
                    try await client.data(for: server.url("/reset"))
                }
                guard case .connectionLost = error else { return #expect(error == nil) }
                #expect(try await client.data(for: server.url("/a.bin")) == [1])
            }
        }
    }

    /// Long enough to fill the socket, so that the reset comes while the client still writes.
    @Test func resetInTheMiddleOfARequestKillsNobody() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let server = try NginxServer()
            try server.put([1], at: "a.bin")
            let client = server.client()
            let value = String(repeating: "x", count: 64 * 1024)
            let long = HTTPFields((0..<64).map { .init(name: "X-\($0)", value: value) })
            for _ in 0..<5 {
                let request = HTTPRequest(url: server.url("/a.bin"), headerFields: long)
                // Whether the refusal (400) or the reset is seen first is up to the kernel.
                _ = try? await client.response(for: request)
                #expect(try await client.data(for: server.url("/a.bin")) == [1])
            }
        }
    }
}
