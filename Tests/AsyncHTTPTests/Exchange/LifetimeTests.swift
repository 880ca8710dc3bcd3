import AsyncHTTP
import Glibc
import Support
import Testing

/// Alone in its process as to clients, so that threads and descriptors can be counted: each test is an exit test.
@Suite(.timeLimit(.minutes(3)))
struct LifetimeTests {
    @Test func closingEndsTransfersInFlightAndTheThread() async {
        await #expect(processExitsWith: .success) {
            let origin = try HTTPOrigin()
            origin.on("/stalled", .stalled)
            origin.on("/body", .stalledBody(length: 9, sent: [1]))
            var configuration = HTTPClient.Configuration()
            configuration.maximumConnections = 6
            let client = HTTPClient(configuration: configuration)
            let tasks = (0..<10).map { index in
                Task { try await client.data(for: origin.url(index % 2 == 0 ? "/stalled" : "/body")) }
            }
            await origin.until { $0.requestCounts.values.reduce(0, +) == 6 }
            await client.close()
            for task in tasks { await #expect(throws: HTTPClient.Error.closed) { try await task.value } }
            await origin.until { $0.openConnections == 0 }
            await #expect(throws: HTTPClient.Error.closed) { try await client.data(for: origin.url("/x")) }
            await client.close()
            #expect(await eventually { Kernel.threads(named: "http-client").isEmpty })
        }
    }

    @Test func aClientWithoutRequestsHasNoThreadAndClosesAtOnce() async {
        await #expect(processExitsWith: .success) {
            let client = HTTPClient()
            #expect(Kernel.threads(named: "http-client").isEmpty)
            await client.close()
            let url = "http://127.0.0.1:1/"
            await #expect(throws: HTTPClient.Error.closed) { try await client.data(for: url) }
        }
    }

    @Test func aThousandClientsLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let origin = try HTTPOrigin()
            origin.on("/a", .respond(body: [1]))
            func use() async throws {
                let client = HTTPClient()
                #expect(try await client.data(for: origin.url("/a")) == [1])
            }
            for _ in 0..<10 { try await use() }
            await origin.until { $0.openConnections == 0 }
            #expect(await eventually { Kernel.threads(named: "http-client").isEmpty })
            // The first sleep of a process opens descriptors of Dispatch's.
            try await Task.sleep(for: .milliseconds(1))
            let before = Kernel.descriptorCount
            for _ in 0..<1000 { try await use() }
            await origin.until { $0.openConnections == 0 }
            #expect(await eventually { Kernel.threads(named: "http-client").isEmpty })
            #expect(await eventually { Kernel.descriptorCount <= before })
        }
    }

    @Test func anIdleThreadEndsAndStartsAgain() async {
        await #expect(processExitsWith: .success) {
            let origin = try HTTPOrigin()
            origin.on("/a", .respond(body: [1]))
            var configuration = HTTPClient.Configuration()
            configuration.keepAliveTimeout = .milliseconds(20)
            let client = HTTPClient(configuration: configuration)
            for round in 1...3 {
                #expect(try await client.data(for: origin.url("/a")) == [1])
                await origin.until { $0.acceptedConnections == round && $0.openConnections == 0 }
                #expect(await eventually { Kernel.threads(named: "http-client").isEmpty })
            }
            await client.close()
        }
    }

    @Test func theThreadTakesNoSignalsAndItsSocketsAreNotInherited() async {
        await #expect(processExitsWith: .success) {
            let origin = try HTTPOrigin()
            origin.on("/a", .respond(body: [1]))
            let client = HTTPClient()
            _ = try await client.data(for: origin.url("/a"))
            let blocked = Kernel.threads(named: "http-client").first?.split(separator: "\n")
                .first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
            let mask = try #require(UInt64(blocked ?? "", radix: 16))
            for signal in [SIGPIPE, SIGTERM, SIGINT, SIGCHLD] {
                #expect(mask & (1 << UInt64(signal - 1)) != 0)
            }
            let descriptors = Kernel.names(in: "/proc/self/fd").compactMap { Int32($0) }
            let ours = descriptors.filter { isConnection($0, to: origin.port) }
            #expect(!ours.isEmpty)
            for descriptor in ours { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
            await client.close()
        }
    }

    @Test func anIdleClientUsesNoProcessorTime() async {
        await #expect(processExitsWith: .success) {
            let origin = try HTTPOrigin()
            origin.on("/a", .respond(body: [1]))
            origin.on("/stalled", .stalled)
            let client = HTTPClient()
            _ = try await client.data(for: origin.url("/a"))
            let task = Task { try await client.data(for: origin.url("/stalled")) }
            await origin.until { $0.requestCounts["/stalled"] == 1 }
            try await Task.sleep(for: .milliseconds(50))
            let before = switches()
            try await Task.sleep(for: .milliseconds(500))
            #expect(switches() - before <= 3)
            task.cancel()
            _ = await task.result
        }
    }
}

private func isConnection(_ descriptor: Int32, to port: UInt16) -> Bool {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
    }
    return status == 0 && address.sin_port == port.bigEndian
}

/// How often the client's thread woke up.
private func switches() -> Int {
    let lines = Kernel.threads(named: "http-client").first?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? -1
}
