import AsyncHTTP
import Glibc
import Support
import Testing

/// Alone in its process, because everybody's threads, descriptors and memory are counted.
@Suite(.timeLimit(.minutes(2)))
struct FlatResourcesTests {
    @Test func tenThousandRequestsLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let traffic = try Traffic()
            await traffic.run(requests: 1_000)
            let before = try await traffic.resourcesAtRest()
            let time = await ContinuousClock().measure { await traffic.run(requests: 10_000) }
            let after = try await traffic.resourcesAtRest()
            let story: Comment = "before: \(before), after: \(after)"
            #expect(Kernel.threads(named: "http-client").count == 1)
            // Dispatch, below Swift's tasks, ends threads that had nothing to do for a while.
            #expect(after.threads <= before.threads, story)
            #expect(after.descriptors == before.descriptors, story)
            let growth = after.residentBytes - before.residentBytes
            #expect(growth < 2 << 20 || ResourceUse.isSanitized, story)
            #expect(time < .seconds(20) || ResourceUse.isSanitized, "it took \(time)")
        }
    }
}

/// All kinds of requests, from sixteen tasks at once.
private struct Traffic: Sendable {
    private static let tasks = 16

    private let origin: HTTPOrigin
    private let client: HTTPClient

    init() throws {
        // What the origin remembers would count as what the client left behind.
        origin = try HTTPOrigin(requestLimit: 0)
        var configuration = HTTPClient.Configuration()
        configuration.maximumConnectionsPerHost = Self.tasks
        client = HTTPClient(configuration: configuration)
        origin.on("/good", .respond(body: [UInt8](repeating: 1, count: 1000)))
        origin.on("/moved", .redirect(to: "/good"))
        origin.on("/stalled", .stalled)
    }

    func run(requests: Int) async {
        await withTaskGroup { group in
            for _ in 0..<Self.tasks {
                group.addTask { for number in 0..<requests / Self.tasks { await ask(number) } }
            }
        }
    }

    private func ask(_ number: Int) async {
        switch number % 4 {
        case 0: await expect(1000, at: "/good")
        case 1: await expect(1000, at: "/moved")
        case 2: await expectNotFound()
        default: await cancel(after: number % 64)
        }
    }

    private func expect(_ count: Int, at path: String) async {
        let body = try? await client.data(for: origin.url(path))
        #expect(body?.count == count)
    }

    private func expectNotFound() async {
        do {
            _ = try await client.data(for: origin.url("/nothing"))
            Issue.record("There is nothing.")
        } catch {
            #expect(error == .unsuccessful(status: 404))
        }
    }

    private func cancel(after turns: Int) async {
        let task = Task { try await client.data(for: origin.url("/stalled")) }
        for _ in 0..<turns { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: HTTPClient.Error.self) { try await task.value }
        #expect(error == .cancelled)
    }

    /// Once each of the connections that the client may keep is open, and nothing happens on them.
    func resourcesAtRest() async throws -> ResourceUse {
        let gate = try HTTPOrigin.Gate()
        let path = "/gated"
        origin.on(path, .gated(gate, .respond()))
        let goal = origin.requestCount(path) + Self.tasks
        await withTaskGroup { group in
            for _ in 0..<Self.tasks {
                group.addTask { _ = try? await client.data(for: origin.url(path)) }
            }
            await origin.until { $0.requestCounts[path] == goal && $0.openConnections == Self.tasks }
            gate.open()
        }
        origin.on(path, .stalled)
        return try await settled()
    }

    /// Threads and descriptors of ended connections go a moment after the connections.
    private func settled() async throws -> ResourceUse {
        var last = ResourceUse.now
        var calm = 0
        while calm < 10 {
            try await Task.sleep(for: .milliseconds(20))
            returnFreeMemory()
            let now = ResourceUse.now
            calm = now.threads == last.threads && now.descriptors == last.descriptors ? calm + 1 : 0
            last = now
        }
        return last
    }
}

/// malloc_trim(3), which Swift's view of the C library leaves out; without it, what was freed counts as used.
private func returnFreeMemory() {
    typealias Trim = @convention(c) (Int) -> Int32
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
}
