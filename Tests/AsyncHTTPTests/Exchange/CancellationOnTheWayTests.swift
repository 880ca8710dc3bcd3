import AsyncHTTP
import AsyncPrimitives
import Glibc
import Support
import Testing

/// Cancellation while a body is held back, and while a name is being looked up.
@Suite(.timeLimit(.minutes(2)))
struct CancellationOnTheWayTests {
    /// The fastest of several: the others may have waited for a processor.
    @Test func cancellingAHeldBackTransferClosesItsConnectionWithinTenMilliseconds() async throws {
        let (origin, client) = (try HTTPOrigin(), HTTPClient())
        origin.on("/a", .endlessBody)
        var fastest = Duration.seconds(60)
        for round in 1...1000 where fastest > .milliseconds(10) {
            let isHeldBack = State(false)
            let task = Task {
                let response = try await client.response(for: HTTPRequest(url: origin.url("/a")))
                isHeldBack.set(await origin.isHeldBack())
                try await Task.sleep(for: .seconds(60))
                _ = response.status
            }
            for await isHeldBack in isHeldBack where isHeldBack { break }
            let start = ContinuousClock.now
            task.cancel()
            await origin.until { $0.abandoned["/a"] == round }
            fastest = min(fastest, start.duration(to: .now))
            _ = await task.result
        }
        #expect(fastest < .milliseconds(10))
    }

    @Test(.enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")"))
    func cancellingALookupFreesTheCallerAndDisturbsNobody() async {
        await #expect(processExitsWith: .success) {
            let network = try NetworkNamespace()
            try network.ip("link set lo up")
            let nameServer = try network.inside { try SilentNameServer() }
            let origin = try network.inside { try HTTPOrigin() }
            origin.on("/a", .respond(body: [1]))
            let client = HTTPClient()
            // The client's thread starts here, and with it all lookups belong to the namespace.
            try network.inside(withNameServer: "127.0.0.1") {
                _ = try client.blocking.data(for: origin.url("/a"))
            }
            var fastest = Duration.seconds(60)
            for round in 0..<1000 where fastest > .milliseconds(10) {
                let task = Task { try await client.data(for: "http://host\(round).example.org/") }
                await nameServer.question(contains: "host\(round)")
                for _ in 0..<10 { try await client.expectOne(at: origin.url("/a")) }
                let start = ContinuousClock.now
                task.cancel()
                await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
                fastest = min(fastest, start.duration(to: .now))
                try await client.expectOne(at: origin.url("/a"))
            }
            #expect(fastest < .milliseconds(10))
            #expect(origin.log.acceptedConnections == 1)
        }
    }
}

extension HTTPOrigin {
    /// Waits until nothing more goes out, because what was sent is not read.
    fileprivate func isHeldBack() async -> Bool {
        await until { $0.poured > 1 << 20 }
        var before = -1
        while log.poured != before {
            before = log.poured
            try? await Task.sleep(for: .milliseconds(50))
        }
        return true
    }
}

extension HTTPClient {
    fileprivate nonisolated func expectOne(at url: String) async throws {
        #expect(try await data(for: url) == [1])
    }
}

/// A UDP socket on port 53 of the loopback link that takes questions and never answers.
private final class SilentNameServer: Sendable {
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        let status = withUnsafeBytes(of: &address) {
            bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        precondition(status == 0, "the namespace's port 53 is free")
    }

    deinit {
        close(descriptor)
    }

    /// Waits until somebody asks for a name with this in it.
    func question(contains label: String) async {
        _ = await eventually {
            var question = [UInt8](repeating: 0, count: 512)
            let count = recv(descriptor, &question, question.count, Int32(MSG_DONTWAIT))
            return count > 12 && String(decoding: question[..<count], as: UTF8.self).contains(label)
        }
    }
}
