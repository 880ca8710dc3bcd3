import AsyncHTTP
import AsyncPrimitives
import Glibc
import Support
import Testing

/// A child made by fork(2) has the client's memory and none of its threads.
///
/// Each test is a process of its own, in which nothing else goes on that a child could find half done.
@Suite(.timeLimit(.minutes(1)))
struct ForkTests {
    @Test func aForkDoesNoHarmToTheParent() async {
        await #expect(processExitsWith: .success) {
            let (origin, client) = try await warmClient()
            #expect(try await exitCode { 0 } == 0)
            #expect(try await client.data(for: origin.url("/a")) == [1])
            #expect(origin.log.acceptedConnections == 1)
        }
    }

    @Test func aClientOfTheParentRefusesInTheChildInsteadOfHanging() async {
        await #expect(processExitsWith: .success) {
            let (origin, client) = try await warmClient()
            let url = origin.url("/a")
            let code = try await exitCode {
                do {
                    _ = try client.blocking.data(for: url)
                    return 1
                } catch {
                    return "\(error)".contains("forked") ? 0 : 2
                }
            }
            #expect(code == 0)
        }
    }

    @Test func aClientOfItsOwnWorksInTheChild() async {
        await #expect(processExitsWith: .success) {
            let (origin, client) = try await warmClient()
            let url = origin.url("/a")
            #expect(try await exitCode { (try? HTTPClient().blocking.data(for: url)) == [1] ? 0 : 1 } == 0)
            #expect(try await client.data(for: url) == [1])
        }
    }
}

/// A client that has a thread and a connection.
private func warmClient() async throws -> (origin: HTTPOrigin, client: HTTPClient) {
    let (origin, client) = (try HTTPOrigin(), HTTPClient())
    origin.on("/a", .respond(body: [1]))
    _ = try await client.data(for: origin.url("/a"))
    return (origin, client)
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
            // The bridge takes the one thread that came along for the main thread, in the middle of something.
            _ = SystemThread.start(name: "child") { _exit(child()) }
            while true { pause() }
        }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}
