extension HTTPClient {
    /// Through which proxy servers are asked.
    ///
    /// A proxy is a URL: `http://`, `https://`, `socks4://`, `socks4a://`, `socks5://` and `socks5h://`, with user info
    /// and port where needed; without a scheme it is `http`, without a port 1080. `https` servers are asked through a
    /// tunnel (`CONNECT`, RFC 9110 §9.3.6), so that the proxy sees their names alone. Proxies resolve names
    /// themselves, but for `socks4` and `socks5`; so where
    /// ``Configuration/allowsPrivateAddresses`` is false, the environment's proxy is passed over and one that was
    /// named is refused.
    public enum Proxy: Sendable, Hashable {
        /// What the environment said when the client was made: `http_proxy` for `http` URLs, `https_proxy` or
        /// `HTTPS_PROXY` for `https`, else `all_proxy` or `ALL_PROXY`; `no_proxy` or `NO_PROXY` lists hosts, with all
        /// their subdomains, and networks such as `10.0.0.0/8` that are asked directly, `*` all of them.
        ///
        /// This machine itself (`localhost`, 127.0.0.0/8, ::1) is always asked directly. `HTTP_PROXY` is not read,
        /// because in a CGI program a client can set it.
        case environment
        /// None, whatever the environment says.
        case none
        /// This one, for all hosts.
        case url(String)
    }
}
