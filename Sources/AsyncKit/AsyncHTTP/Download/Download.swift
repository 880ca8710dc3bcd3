/// One call of `download`: asks, writes what comes, and asks for the rest where it was cut off.
struct Download {
    /// Often enough for the eye, and seldom enough for a terminal.
    private static let timeBetweenReports = Duration.milliseconds(100)
    private static let pauseStep = Duration.milliseconds(500)

    private let client: HTTPClient
    private let request: HTTPRequest
    private let deadline: ContinuousClock.Instant
    private var resumption: Resumption
    private var lastReport: ContinuousClock.Instant?

    init(_ request: HTTPRequest, client: HTTPClient) throws(HTTPClient.Error) {
        try Self.check(request)
        self.client = client
        self.request = request.withoutCoding
        deadline = ContinuousClock.now + request.timeout
        resumption = Resumption(
            isResumable: request.method == "GET" && !request.isSentOnce,
            limit: max(0, request.maximumBodySize ?? client.configuration.maximumBodySize),
            tries: client.configuration.maximumResumptions
        )
    }

    /// Writes the whole body to the file.
    mutating func run(
        into file: PartFile,
        _ progress: (HTTPProgress) -> Void
    ) async throws(HTTPClient.Error) {
        var pause = Duration.zero
        while true {
            do throws(HTTPClient.Error) {
                if try await takeAnswer(into: file, progress) { return }
            } catch {
                guard resumption.mayGoOn(after: error) else { throw overall(error) }
                try await wait(for: pause)
                pause += Self.pauseStep
            }
        }
    }

    /// What the caller gets when the file is in its place.
    func result(path: String) -> HTTPDownload {
        HTTPDownload(
            path: path,
            byteCount: resumption.received,
            status: resumption.status,
            headerFields: resumption.headerFields,
            url: resumption.url
        )
    }
}

extension Download {
    private static func check(_ request: HTTPRequest) throws(HTTPClient.Error) {
        guard request.method != "HEAD" else { throw .invalidRequest("the answer to HEAD has no body") }
        for name in ["Range", "If-Range"] where request.headerFields[name] != nil {
            throw .invalidRequest("\(name) is written by the download itself")
        }
    }

    /// False when it must be asked again from the start.
    private mutating func takeAnswer(
        into file: PartFile,
        _ progress: (HTTPProgress) -> Void
    ) async throws(HTTPClient.Error) -> Bool {
        let response = try await client.response(for: nextRequest)
        guard try resumption.take(response) else { return false }
        try await file.cut(to: resumption.received)
        report(to: progress)
        var body = response.body.makeAsyncIterator()
        while let chunk = try await body.next() {
            try await file.write(chunk, at: try resumption.add(chunk.count))
            report(to: progress)
        }
        try resumption.finish()
        report(to: progress, isLast: true)
        return true
    }

    private var nextRequest: HTTPRequest {
        var request = request
        request.timeout = ContinuousClock.now.duration(to: deadline)
        // Of the file as a whole, which may take several requests, the download tells itself.
        request.progress = nil
        for field in resumption.rangeFields { request.headerFields[field.name] = field.value }
        return request
    }

    private mutating func report(to progress: (HTTPProgress) -> Void, isLast: Bool = false) {
        let now = ContinuousClock.now
        if !isLast, let lastReport, now - lastReport < Self.timeBetweenReports { return }
        lastReport = now
        let state = HTTPProgress(received: resumption.received, total: resumption.total)
        request.progress?.show(state)
        progress(state)
    }

    /// A server that is being restarted needs a moment.
    private func wait(for pause: Duration) async throws(HTTPClient.Error) {
        guard ContinuousClock.now + pause < deadline else {
            throw .timedOut(.total, after: request.timeout)
        }
        do {
            try await Task.sleep(for: pause)
        } catch {
            throw .cancelled
        }
    }

    /// An answer after the first has only the time that was left, which is not what the caller set.
    private func overall(_ error: HTTPClient.Error) -> HTTPClient.Error {
        if case .timedOut(.total, _) = error { return .timedOut(.total, after: request.timeout) }
        return error
    }
}

extension HTTPRequest {
    fileprivate var isSentOnce: Bool {
        if case .stream = body?.source { true } else { false }
    }

    /// Parts can be put together only of what is not coded anew for each answer.
    fileprivate var withoutCoding: HTTPRequest {
        var request = self
        if headerFields["Accept-Encoding"] == nil { request.headerFields["Accept-Encoding"] = "identity" }
        return request
    }
}
