internal import AsyncHTTP
internal import AsyncReachability

extension HTTPTransport where Self == HTTPClient {
    /// A client for one call of a probe, which remembers neither connections nor addresses of another network.
    static func client(_ timeout: Duration) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.maximumRedirects = 0
        configuration.connectTimeout = timeout
        return HTTPClient(configuration: configuration)
    }
}

extension WebURL {
    /// Whether it names a private address itself, or this machine (RFC 6761 section 6.3).
    var isPrivate: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        let address = host.hasPrefix("[") ? host.dropFirst().dropLast() : host[...]
        return IPAddress(text: address)?.isPrivate == true
    }
}
