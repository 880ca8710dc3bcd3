import AsyncHTTP
import Glibc
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
    }

    /// What a request for a path fails with; the path works again right after, on whatever connection.
    private func failure(_ behaviour: HTTPOrigin.Behaviour) async throws -> HTTPClient.Error? {
        origin.on("/x", behaviour)
        origin.on("/good", .respond(body: [1]))
        var failure: HTTPClient.Error?
        do throws(HTTPClient.Error) {
            _ = try await client.data(for: HTTPRequest(url: origin.url("/x")))
        } catch {
            failure = error
        }
        #expect(try await client.data(for: origin.url("/good")) == [1])
        return failure
    }

    @Test func aShortBodyIsTruncated() async throws {
        #expect(try await failure(.shortBody(length: 1000, sent: [1, 2, 3])) == .truncatedBody)
        #expect(try await failure(.shortBody(length: 1000, sent: [])) == .truncatedBody)
    }

    @Test func brokenChunksAreTruncated() async throws {
        #expect(try await failure(.brokenChunking) == .truncatedBody)
        #expect(try await failure(.unfinishedChunking) == .truncatedBody)
    }

    @Test func gzipThatEndsEarlyIsTruncated() async throws {
        let body = Array(Samples.gzipOfHello.dropLast())
        let failure = try await failure(.respond(headers: [("Content-Encoding", "gzip")], body: body))
        #expect(failure == .truncatedBody)
    }

    @Test func anEndOrResetBeforeTheHeaderIsALostConnection() async throws {
        let host = "127.0.0.1:\(origin.port)"
        #expect(try await failure(.hangUp) == .connectionLost(host: host))
        #expect(try await failure(.reset) == .connectionLost(host: host))
        #expect(
            try await failure(.raw(Array("HTTP/1.1 200 OK\r\nA: 1\r\n".utf8))) == .connectionLost(host: host)
        )
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 banana\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 4\r\n\r\nnope",
    ])
    func whatBreaksTheRulesIsMalformed(answer: String) async throws {
        let failure = try await failure(.raw(Array(answer.utf8)))
        guard case .malformedResponse = failure else {
            Issue.record("\(answer.debugDescription) gave \(String(describing: failure)).")
            return
        }
    }

    @Test func aPortWithoutAListenerRefuses() async throws {
        let silent = try SilentPort.refusing()
        await #expect(throws: HTTPClient.Error.refused(host: "127.0.0.1:\(silent.port)")) {
            try await client.data(for: silent.url)
        }
    }

    @Test func aNameWithoutAddressIsNotResolved() async throws {
        await #expect(throws: HTTPClient.Error.nameNotResolved(host: "no.such.name.invalid:80")) {
            try await client.data(for: "http://no.such.name.invalid/")
        }
    }

    @Test func aServerWithoutTLSFailsTheHandshake() async throws {
        let error = await #expect(throws: HTTPClient.Error.self) {
            try await client.data(for: "https://127.0.0.1:\(origin.port)/")
        }
        guard case .tls(let host, let reason) = error else {
            Issue.record("Not a TLS error: \(String(describing: error)).")
            return
        }
        #expect(host == "127.0.0.1:\(origin.port)")
        #expect(!reason.isEmpty)
    }

    @Test func badRequestsFailBeforeTheNetwork() async throws {
        let url = origin.url("/never")
        let bad: [HTTPRequest] = [
            HTTPRequest(method: "GE T", url: url), HTTPRequest(method: "", url: url),
            HTTPRequest(method: "CONNECT", url: url), HTTPRequest(url: url, headerFields: ["A b": "c"]),
            HTTPRequest(url: url, headerFields: ["A": "b\r\nEvil: 1"]),
            HTTPRequest(url: url, headerFields: ["A": "b\0c"]),
            HTTPRequest(url: url, headerFields: ["content-length": "5"]),
            HTTPRequest(url: url, headerFields: ["Transfer-Encoding": "chunked"]),
        ]
        for request in bad {
            let error = await #expect(throws: HTTPClient.Error.self) {
                try await client.response(for: request)
            }
            guard case .invalidRequest = error else {
                Issue.record("\(request) gave \(String(describing: error)).")
                continue
            }
        }
        await #expect(throws: HTTPClient.Error.unsupportedScheme("ftp")) {
            try await client.data(for: "ftp://127.0.0.1/")
        }
        await #expect(throws: HTTPClient.Error.invalidURL("…@/…")) {
            try await client.data(for: "http://me:secret@/?token=abc")
        }
        #expect(origin.requestCount("/never") == 0)
    }

    @Test func theEnvironmentsProxyIsNotUsed() async {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            setenv("all_proxy", "http://127.0.0.1:1", 1)
            let origin = try HTTPOrigin()
            origin.on("/", .respond(body: [1]))
            #expect(try await HTTPClient().data(for: origin.url("/")) == [1])
        }
    }
}
