import AsyncHTTP
import AsyncImages
import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BatchTests {
    @Test func answersComeInTheOrderTheyAreThere() async throws {
        let fixture = StoreFixture()
        let png = try Pictures.png(Pictures.red)
        let answers = fixture.store.responses(for: ["a", "b", "c"].map { ImageRequest($0) })
        let seen = Lock<[Int]>([])
        let reading = Task {
            for await (index, result) in answers {
                if index == 0 { #expect(throws: ImageStore.Error.status(404)) { try result.get() } }
                seen.withLock { $0.append(index) }
            }
        }
        var exchanges: [String: StubTransport.Exchange] = [:]
        for _ in 0..<3 {
            let exchange = await fixture.transport.next()
            exchanges[exchange.request.url] = exchange
        }
        exchanges["c"]?.answer(png)
        while seen.withLock({ $0 }) != [2] { await Task.yield() }
        exchanges["a"]?.answer(status: 404)
        while seen.withLock({ $0 }) != [2, 0] { await Task.yield() }
        exchanges["b"]?.answer(png)
        await reading.value
        #expect(seen.withLock { $0 } == [2, 0, 1])
    }

    @Test func aSlowReaderHoldsNoMoreThanTheWindow() async throws {
        let asked = Counter()
        let png = try Pictures.png(Pictures.red)
        let transport = InstantTransport { request in
            asked.increment()
            return HTTPResponse(
                status: 200,
                headerFields: ["Content-Type": "image/png"],
                url: request.url,
                body: HTTPBody(png)
            )
        }
        var configuration = ImageStore.Configuration()
        configuration.maximumBatch = 4
        let store = ImageStore(transport: transport, configuration: configuration)
        var taken = 0
        for await answer in store.responses(for: (0..<50).map { ImageRequest("\($0)") }) {
            _ = try answer.result.get()
            #expect(asked.value <= taken + 4)
            taken += 1
        }
        #expect(taken == 50)
        #expect(asked.value == 50)
    }

    @Test func leavingTheLoopCancelsTheRest() async throws {
        let fixture = StoreFixture()
        let png = try Pictures.png(Pictures.red)
        let reading = Task {
            for await _ in fixture.store.responses(for: ["a", "b"].map { ImageRequest($0) }) { break }
        }
        await fixture.transport.next().answer(png)
        await reading.value
        while await !fixture.store.isIdle { await Task.yield() }
    }

    @Test func cancellingTheReaderEndsTheSequence() async {
        let fixture = StoreFixture()
        let reading = Task {
            var answers = fixture.store.responses(for: [ImageRequest("a")]).makeAsyncIterator()
            return await answers.next() == nil
        }
        _ = await fixture.transport.next()
        reading.cancel()
        #expect(await reading.value)
        while await !fixture.store.isIdle { await Task.yield() }
    }
}
