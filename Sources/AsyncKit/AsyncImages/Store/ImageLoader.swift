import AsyncHTTP
import AsyncPrimitives

/// Turns a request into a picture: one download for all sizes, the checks, one decode for each size.
struct ImageLoader: Sendable {
    /// One download: equal ones are joined. The number keeps what was overtaken by a clear or a cancel apart.
    struct Download: Hashable, Sendable {
        let source: String
        let policy: ImageRequest.CachePolicy
        let generation: Int
    }

    let transport: any HTTPTransport
    let configuration: ImageStore.Configuration
    let progress = ProgressBoard()
    private let permits: Limiter
    private let decoders: ThreadPool
    private let downloads = SingleFlight<Download, ImageFile>()

    init(transport: any HTTPTransport, configuration: ImageStore.Configuration) {
        self.transport = transport
        self.configuration = configuration
        permits = Limiter(permits: max(1, configuration.maximumDownloads))
        // Whoever waits for a decode holds a file, and files are bounded by the permits they hold.
        decoders = ThreadPool(
            name: "images",
            maximumThreads: max(1, configuration.decodingThreads),
            maximumQueued: .max
        )
    }

    /// How many downloads wait for their turn.
    var waitingCount: Int { permits.waiterCount }

    func picture(for request: ImageRequest, _ download: Download) async throws(ImageStore.Error)
        -> LoadedPicture
    {
        do {
            let file = try await downloads.value(for: download) {
                try await self.file(for: request, download)
            }
            return try await decode(file, for: request.target)
        } catch {
            throw ImageStore.Error(error)
        }
    }

    private func file(for request: ImageRequest, _ download: Download) async throws -> ImageFile {
        guard request.cachePolicy != .cacheOnly else { throw ImageStore.Error.notCached }
        try await permits.acquire(timeout: configuration.timeout)
        let permit = Permit(permits)
        return try await progress.reporting(download) { meter in
            try await fetch(request, permit, meter)
        }
    }

    private func decode(_ file: ImageFile, for target: ImageTarget?) async throws -> LoadedPicture {
        var decoding = ImageDecoding()
        decoding.limits = configuration.limits
        decoding.target = target
        decoding.acceptsPartial = configuration.acceptsPartial
        let image = try await decoders.run { [decoding] in
            do {
                return try file.codec.decode(file.bytes, decoding).resized(to: target)
            } catch let error as Image.Error {
                throw ImageStore.Error.undecodable(error)
            }
        }
        return file.loaded(as: image)
    }

    /// Downloads what says that it is a picture; of anything else the body is not read.
    private func fetch(
        _ request: ImageRequest,
        _ permit: Permit,
        _ meter: HTTPProgressMeter
    ) async throws(ImageStore.Error) -> ImageFile {
        let check = ResponseCheck(codecs: configuration.codecs, policy: configuration.contentTypes)
        do {
            let response = try await transport.response(for: exchange(for: request, meter))
            let type = try check.imageType(of: response)
            let body = try await response.body.collect(upTo: max(0, configuration.maximumBodySize))
            let codec = try check.codec(for: body, type: type)
            return ImageFile(
                bytes: body,
                codec: codec,
                status: response.status,
                origin: .network,
                age: .zero,
                lifetime: nil,
                permit: permit
            )
        } catch HTTPClient.Error.cancelled {
            throw .cancelled
        } catch let error as HTTPClient.Error {
            throw .transport(error)
        } catch {
            throw ImageStore.Error(error)
        }
    }

    private func exchange(for request: ImageRequest, _ meter: HTTPProgressMeter) -> HTTPRequest {
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
        exchange.priority = request.priority
        exchange.progress = meter
        return exchange
    }
}
