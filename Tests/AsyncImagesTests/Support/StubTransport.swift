import AsyncHTTP
import AsyncPrimitives

/// A transport whose answers the test gives one by one, when it wants to.
final class StubTransport: HTTPTransport {
    /// A request that waits for its answer.
    struct Exchange: Sendable {
        let request: HTTPRequest
        fileprivate let outcome = OneShot<HTTPResponse>()

        /// Answers the request; false when the client has left.
        @discardableResult
        func answer(
            _ body: [UInt8] = [],
            status: Int = 200,
            type: String? = "image/png"
        ) -> Bool {
            var fields = HTTPFields()
            fields["Content-Type"] = type
            let response = HTTPResponse(
                status: status,
                headerFields: fields,
                url: request.url,
                body: HTTPBody(body)
            )
            return outcome.resolve(.success(response))
        }

        @discardableResult
        func fail(_ error: HTTPClient.Error) -> Bool {
            outcome.resolve(.failure(error))
        }
    }

    private let exchanges = AsyncStream.makeStream(of: Exchange.self)
    private let counts = Lock<[String: Int]>([:])

    func response(for request: HTTPRequest) async throws(HTTPClient.Error) -> HTTPResponse {
        let exchange = Exchange(request: request)
        counts.withLock { $0[request.url, default: 0] += 1 }
        exchanges.continuation.yield(exchange)
        do {
            return try await exchange.outcome.value()
        } catch let error as HTTPClient.Error {
            throw error
        } catch {
            throw .cancelled
        }
    }

    /// The next request that comes, in the order of arrival.
    func next() async -> Exchange {
        for await exchange in exchanges.stream { return exchange }
        preconditionFailure("No request came before the test's time was up.")
    }

    func requestCount(_ url: String) -> Int {
        counts.withLock { $0[url, default: 0] }
    }

    var requestCount: Int {
        counts.withLock { $0.values.reduce(0, +) }
    }
}

/// A transport that answers at once.
struct InstantTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) throws(HTTPClient.Error) -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) throws(HTTPClient.Error) -> HTTPResponse) {
        self.answer = answer
    }

    /// Gives the same picture for every URL.
    init(png body: [UInt8]) {
        self.init { request in
            HTTPResponse(
                status: 200,
                headerFields: ["Content-Type": "image/png"],
                url: request.url,
                body: HTTPBody(body)
            )
        }
    }

    func response(for request: HTTPRequest) async throws(HTTPClient.Error) -> HTTPResponse {
        try answer(request)
    }
}
