import Glibc

/// Which proxy is for which URL: read once, so that nobody changes the environment meanwhile.
struct ProxyRules: Sendable, Equatable {
    /// A proxy, and where it is not used.
    struct Choice: Sendable, Equatable {
        var url: String
        /// In the form of `no_proxy`, for libcurl to compare addresses with networks.
        var exceptions: String

        /// Name and port, for people.
        var host: String {
            let tail = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
            // A password may hold anything, so all up to the last one counts as user info.
            let rest = tail.lastIndex(of: "@").map { tail[$0...].dropFirst() } ?? tail
            return String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        }
    }

    private var http: String?
    private var https: String?
    private var exceptions = ""
    private var asksItselfDirectly = false

    /// Reads what a configuration says.
    static func of(_ configuration: HTTPClient.Configuration) -> ProxyRules {
        switch configuration.proxy {
        case .url(let url): ProxyRules(http: url, https: url)
        case .environment where configuration.allowsPrivateAddresses:
            ProxyRules(environment: { getenv($0).map { String(cString: $0) } })
        case .environment, .none: ProxyRules()
        }
    }

    private init(http: String? = nil, https: String? = nil) {
        (self.http, self.https) = (http, https)
    }

    /// Reads an environment.
    init(environment: (String) -> String?) {
        func first(_ names: String...) -> String? {
            for name in names {
                if let value = environment(name), !value.isEmpty { return value }
            }
            return nil
        }
        let other = first("all_proxy", "ALL_PROXY")
        http = first("http_proxy") ?? other
        https = first("https_proxy", "HTTPS_PROXY") ?? other
        exceptions = first("no_proxy", "NO_PROXY") ?? ""
        asksItselfDirectly = true
    }

    /// The proxy for a URL; `nil` where there is none, and for a host that is named by the exceptions.
    func choice(for url: WebURL) -> Choice? {
        guard let proxy = url.isSecure ? https : http else { return nil }
        if asksItselfDirectly && url.isLoopback || isNamedByExceptions(url.host) { return nil }
        return Choice(url: proxy, exceptions: exceptions)
    }
}

extension ProxyRules {
    /// Whether the host is listed, or is below a domain that is; `*` lists all.
    private func isNamedByExceptions(_ host: String) -> Bool {
        exceptions.lowercased().split { $0 == "," || $0 == " " }.contains { entry in
            let name = entry.drop { $0 == "." }
            return entry == "*" || host == name || (!name.isEmpty && host.hasSuffix(".\(name)"))
        }
    }
}

extension WebURL {
    /// Whether the host is this machine, by its name or address.
    fileprivate var isLoopback: Bool {
        var address = in_addr()
        if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
        return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
    }
}
