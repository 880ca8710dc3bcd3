import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(2)))
struct CancellationTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
    }

    private func expectCancelled(_ task: Task<[UInt8], any Error>) async {
        task.cancel()
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let task = Task { [client, origin] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.data(for: origin.url("/never"))
        }
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        #expect(origin.log.acceptedConnections == 0)
    }

    @Test func cancellingWhileConnectingEndsTheWait() async throws {
        let silent = try SilentPort.ignoring()
        let task = Task { [client] in try await client.data(for: silent.url) }
        try await waitForConnecting(to: silent.port)
        await expectCancelled(task)
    }

    @Test(arguments: ["/stalled", "/body"])
    func cancellingWhileWaitingClosesTheConnection(path: String) async throws {
        origin.on("/stalled", .stalled)
        origin.on("/body", .stalledBody(length: 100, sent: [1, 2, 3]))
        let task = Task { [client, origin] in try await client.data(for: origin.url(path)) }
        await origin.until { $0.requestCounts[path] == 1 }
        await expectCancelled(task)
        await origin.until { $0.abandoned[path] == 1 && $0.openConnections == 0 }
    }

    /// The fastest of several: the others may have waited for a processor.
    @Test func cancellingTakesLessThanTenMilliseconds() async throws {
        origin.on("/stalled", .stalled)
        var fastest = Duration.seconds(60)
        for round in 1...1000 where fastest > .milliseconds(10) {
            let task = Task { [client, origin] in try await client.data(for: origin.url("/stalled")) }
            await origin.until { $0.requestCounts["/stalled"] == round }
            let start = ContinuousClock.now
            await expectCancelled(task)
            await origin.until { $0.abandoned["/stalled"] == round }
            fastest = min(fastest, start.duration(to: .now))
        }
        #expect(fastest < .milliseconds(10))
    }

    @Test func cancellingInTheMiddleOfABodyClosesTheConnection() async throws {
        origin.on("/endless", .endlessBody)
        let task = Task { [client, origin] in try await client.data(for: origin.url("/endless")) }
        await origin.until { $0.requestCounts["/endless"] == 1 }
        task.cancel()
        _ = await task.result
        await origin.until { $0.abandoned["/endless"] == 1 }
    }

    @Test func cancellingOneLeavesTheOthersAlone() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/gated", .gated(gate, .respond(body: [1])))
        let tasks = (0..<10).map { _ in
            Task { [client, origin] in try await client.data(for: origin.url("/gated")) }
        }
        await origin.until { $0.requestCounts["/gated"] == 10 }
        await expectCancelled(tasks[3])
        gate.open()
        for (index, task) in tasks.enumerated() where index != 3 { #expect(try await task.value == [1]) }
    }

    @Test func cancellingInLineFreesThePlace() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.maximumConnections = 1
        configuration.maximumRequests = 2
        let client = HTTPClient(configuration: configuration)
        let gate = try HTTPOrigin.Gate()
        origin.on("/gated", .gated(gate, .respond(body: [1])))
        origin.on("/later", .respond(body: [2]))
        let first = Task { [origin] in try await client.data(for: origin.url("/gated")) }
        await origin.until { $0.requestCounts["/gated"] == 1 }
        for _ in 0..<20 {
            let second = Task { [origin] in try await client.data(for: origin.url("/later")) }
            await Task.yield()
            second.cancel()
            _ = await second.result
        }
        gate.open()
        #expect(try await first.value == [1])
        #expect(try await client.data(for: origin.url("/later")) == [2])
    }

    @Test func cancellingRightAfterTheStartLeavesNoTransferBehind() async throws {
        origin.on("/stalled", .stalled)
        origin.on("/good", .respond(body: [1]))
        for round in 0..<500 {
            let task = Task { [client, origin] in try await client.data(for: origin.url("/stalled")) }
            for _ in 0..<round % 5 { await Task.yield() }
            await expectCancelled(task)
        }
        #expect(try await client.data(for: origin.url("/good")) == [1])
        await origin.until { $0.openConnections <= 1 }
        #expect(origin.log.abandoned["/stalled", default: 0] == origin.requestCount("/stalled"))
    }

    @Test func cancellationRacingWithCompletionAnswersOnce() async throws {
        let body = [UInt8](repeating: 7, count: 1000)
        origin.on("/race", .respond(body: body))
        var cancelled = 0
        for round in 0..<2000 {
            let task = Task { [client, origin] in try await client.data(for: origin.url("/race")) }
            for _ in 0..<round % 200 { await Task.yield() }
            task.cancel()
            do {
                #expect(try await task.value == body)
            } catch {
                #expect(error as? HTTPClient.Error == .cancelled)
                cancelled += 1
            }
        }
        #expect(cancelled > 0)
        #expect(try await client.data(for: origin.url("/race")) == body)
    }
}

/// Waits until the kernel lists a connection attempt to a port (proc_net(5): state 02 is SYN_SENT).
private func waitForConnecting(to port: UInt16) async throws {
    let hex = String(port, radix: 16, uppercase: true)
    let target = ":" + String(repeating: "0", count: 4 - hex.count) + hex + " 02"
    while !Kernel.file("/proc/net/tcp").contains(target) {
        try Task.checkCancellation()
        await Task.yield()
    }
}
