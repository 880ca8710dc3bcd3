import AsyncHTTP
import AsyncPrimitives

/// Turns a URL into a picture: one request, the checks, one decode.
struct ImageLoader: Sendable {
    private let transport: any HTTPTransport
    private let configuration: ImageStore.Configuration
    private let permits: Limiter
    private let decoders: ThreadPool

    init(transport: any HTTPTransport, configuration: ImageStore.Configuration) {
        self.transport = transport
        self.configuration = configuration
        let downloads = max(1, configuration.maximumDownloads)
        permits = Limiter(permits: downloads)
        // Whoever waits for a decode holds a download's permit, so no more of them than that can ever be queued.
        decoders = ThreadPool(
            name: "images",
            maximumThreads: max(1, configuration.decodingThreads),
            maximumQueued: downloads
        )
    }

    func image(for url: String) async throws(ImageStore.Error) -> Image {
        do {
            return try await permits.withPermit(timeout: configuration.timeout) { try await fetch(url) }
        } catch {
            throw ImageStore.Error(error)
        }
    }

    private func fetch(_ url: String) async throws -> Image {
        let (codec, body) = try await picture(at: url)
        var decoding = ImageDecoding()
        decoding.limits = configuration.limits
        return try await decoders.run { [decoding] in
            do {
                return try codec.decode(body, decoding)
            } catch let error as Image.Error {
                throw ImageStore.Error.undecodable(error)
            }
        }
    }

    /// Downloads what says that it is a picture; of anything else the body is not read.
    private func picture(at url: String) async throws(ImageStore.Error) -> (any ImageCodec, [UInt8]) {
        let check = ResponseCheck(codecs: configuration.codecs)
        do {
            let response = try await transport.response(for: request(for: url))
            let type = try check.imageType(of: response)
            let body = try await response.body.collect(upTo: max(0, configuration.maximumBodySize))
            return (try check.codec(for: body, type: type), body)
        } catch HTTPClient.Error.cancelled {
            throw .cancelled
        } catch let error as HTTPClient.Error {
            throw .transport(error)
        } catch {
            throw ImageStore.Error(error)
        }
    }

    private func request(for url: String) -> HTTPRequest {
        let types = configuration.codecs.compactMap(\.contentTypes.first)
        return HTTPRequest(
            url: url,
            headerFields: ["Accept": types.joined(separator: ", ")],
            timeout: configuration.timeout,
            maximumBodySize: max(0, configuration.maximumBodySize)
        )
    }
}
