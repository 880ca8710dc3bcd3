/// All that a handle is told beside the URL; a transfer with those of the last one needs not tell it again.
struct Terms: Equatable {
    private let method: String
    private let fields: HTTPFields
    private let connectTimeout: Duration
    private let interface: String?
    private let proxy: ProxyRules.Choice?

    /// None for a transfer with terms of its own: a body, or user info.
    init?(of transfer: Transfer, proxy: ProxyRules.Choice?) {
        let hop = transfer.hop
        guard transfer.upload.isNone, hop.url.credentials == nil else { return nil }
        (method, fields, connectTimeout) = (hop.method, hop.fields, hop.connectTimeout)
        (interface, self.proxy) = (hop.request.interface, proxy)
    }
}
