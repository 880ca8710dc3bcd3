import AsyncHTTP
import AsyncPrimitives

extension ImageLoader {
    /// Asks the server; a stored file is asked about, and stands in when the server may not be reached.
    func fetch(
        _ request: ImageRequest,
        _ download: Download,
        _ stored: DiskStore.Stored?,
        _ permit: Permit,
        _ meter: HTTPProgressMeter
    ) async throws -> ImageFile {
        do {
            let started = configuration.wallTime()
            var response = try await transport.response(for: exchange(for: request, asking: stored, meter))
            if response.status == 304, stored?.entry.response.isConfirmed(by: response.headerFields) != true {
                // It speaks of other bytes, so something on the way has mixed answers up: ask past it, once.
                response = try await transport.response(
                    for: exchange(for: request, asking: nil, meter, isInsisting: true)
                )
            }
            let times = (started, configuration.wallTime())
            if response.status == 304, let stored,
                stored.entry.response.isConfirmed(by: response.headerFields)
            {
                return revalidated(stored, response, times, download, permit)
            }
            if let stored, let file = standIn(stored, forStatus: response.status, permit) { return file }
            if stored != nil, replacesStored(response), download.policy != .noStore {
                await disk?.remove(download.source)
            }
            return try await file(from: response, times, download, permit)
        } catch let error as HTTPClient.Error {
            if error == .cancelled { throw ImageStore.Error.cancelled }
            if let stored, error.isDisconnection, let file = standIn(stored, permit) { return file }
            throw ImageStore.Error.transport(error)
        }
    }

    /// Whether an answer says that what is stored is no longer so, and is not kept in its place.
    private func replacesStored(_ response: HTTPResponse) -> Bool {
        switch response.status {
        case 404, 410: true
        case 200: !Freshness.mayStore(response.headerFields)
        default: false
        }
    }

    /// Downloads what says that it is a picture; of anything else the body is not read.
    private func file(
        from response: HTTPResponse,
        _ times: (request: Int, response: Int),
        _ download: Download,
        _ permit: Permit
    ) async throws -> ImageFile {
        let check = ResponseCheck(codecs: configuration.codecs, policy: configuration.contentTypes)
        do {
            let type = try check.imageType(of: response)
            let body = try await response.body.collect(upTo: max(0, configuration.maximumBodySize))
            let codec = try check.codec(for: body, type: type)
            let file = ImageFile(
                bytes: body,
                codec: codec,
                status: response.status,
                origin: .network,
                permit: permit
            )
            let stored = StoredResponse(
                status: response.status,
                headerFields: response.headerFields,
                requestTime: times.request,
                responseTime: times.response
            )
            return disk?.described(file, stored, download) ?? file
        } catch let error as HTTPClient.Error {
            throw error
        } catch {
            let advice = FailureAdvice.lifetime(
                status: response.status,
                response.headerFields,
                now: times.response
            )
            throw LoadFailure(ImageStore.Error(error), lifetime: advice)
        }
    }

    private func exchange(
        for request: ImageRequest,
        asking stored: DiskStore.Stored?,
        _ meter: HTTPProgressMeter,
        isInsisting: Bool = false
    ) -> HTTPRequest {
        let types = configuration.codecs.compactMap(\.contentTypes.first)
        var exchange = HTTPRequest(
            url: request.url,
            headerFields: request.headerFields,
            timeout: configuration.timeout,
            maximumBodySize: max(0, configuration.maximumBodySize)
        )
        if exchange.headerFields["Accept"] == nil {
            exchange.headerFields["Accept"] = types.joined(separator: ", ")
        }
        for field in stored?.entry.response.conditions ?? [] {
            exchange.headerFields[field.name] = field.value
        }
        // A reload asks the caches on the way too (RFC 9111, section 5.2.1.4).
        if isInsisting || request.cachePolicy == .reload {
            exchange.headerFields["Cache-Control"] = "no-cache"
        }
        exchange.priority = request.priority
        exchange.progress = meter
        return exchange
    }
}

extension HTTPClient.Error {
    /// Whether no server could be reached, or it went away, so that a stale answer may be used (RFC 9111, section 4.2.4).
    fileprivate var isDisconnection: Bool {
        switch self {
        case .tooLarge, .cancelled, .closed: false
        default: true
        }
    }
}
