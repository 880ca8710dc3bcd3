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
        let response = try await response(for: url)
        let codec = try ResponseCheck(codecs: configuration.codecs).codec(for: response)
        let limits = configuration.limits
        return try await decoders.run {
            do {
                return try codec.decode(response.body, limits: limits)
            } catch let error as Image.Error {
                throw ImageStore.Error.undecodable(error)
            }
        }
    }

    private func response(for url: String) async throws(ImageStore.Error) -> HTTPResponse {
        let types = configuration.codecs.compactMap(\.contentTypes.first)
        let request = HTTPRequest(
            url: url,
            headerFields: ["Accept": types.joined(separator: ", ")],
            timeout: configuration.timeout,
            maximumBodySize: max(0, configuration.maximumBodySize)
        )
        do {
            return try await transport.response(for: request)
        } catch .cancelled {
            throw .cancelled
        } catch {
            throw .transport(error)
        }
    }
}
