import AsyncPrimitives
import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(3)))
struct TransferRaceTests {
    @Test func cancellationRacingWithAnAnswerSettlesOnce() async throws {
        let hop = try Hop(HTTPRequest(url: "http://a/"), Hop.Rules(HTTPClient.Configuration()))
        let thread = ThreadExecutor(name: "settler")
        var answered = 0
        let rounds = 100_000
        for _ in 0..<rounds {
            let transfer = Transfer(hop, deadline: .now)
            let waiter = Task { await transfer.result(onCancel: {}) }
            let settler = Task(executorPreference: thread) {
                transfer.finish(.success(RawHead(bytes: [1], remoteAddress: nil)))
            }
            waiter.cancel()
            switch await waiter.value {
            case .success(let raw):
                #expect(raw.bytes == [1])
                answered += 1
            case .failure(let error):
                #expect(error == .cancelled)
            }
            await settler.value
        }
        #expect(answered > 0 && answered < rounds)
    }
}
