import AsyncHTTP
import Glibc
import Support
import Testing

/// A child made by fork(2) has the client's memory and none of its threads.
@Suite(.timeLimit(.minutes(1)))
struct ForkTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/a", .respond(body: [1]))
    }

    @Test func aForkDoesNoHarmToTheParent() async throws {
        _ = try await client.data(for: origin.url("/a"))
        #expect(try await exitCode(of: { 0 }) == 0)
        #expect(try await client.data(for: origin.url("/a")) == [1])
        #expect(origin.log.acceptedConnections == 1)
    }

    @Test func aClientOfTheParentRefusesInTheChildInsteadOfHanging() async throws {
        _ = try await client.data(for: origin.url("/a"))
        let (client, url) = (client, origin.url("/a"))
        let code = try await exitCode(of: {
            do {
                _ = try client.blocking.data(for: url)
                return 1
            } catch {
                return "\(error)".contains("forked") ? 0 : 2
            }
        })
        #expect(code == 0)
    }

    @Test func aClientOfItsOwnWorksInTheChild() async throws {
        _ = try await client.data(for: origin.url("/a"))
        let url = origin.url("/a")
        #expect(try await exitCode(of: { (try? HTTPClient().blocking.data(for: url)) == [1] ? 0 : 1 }) == 0)
    }

    /// What a child returns; -1 when it does not end by itself within ten seconds.
    private func exitCode(of child: @escaping @Sendable () -> Int32) async throws -> Int32 {
        // Swift hides fork(2), because a child can't rely on much.
        let address = try #require(dlsym(nil, "fork"))
        let fork = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)
        return try await onThread {
            let id = fork()
            if id == 0 {
                alarm(10)
                _exit(child())
            }
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
        }
    }
}
