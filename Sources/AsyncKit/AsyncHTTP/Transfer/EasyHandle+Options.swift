import CCurl

/// What libcurl is told of each transfer.
extension EasyHandle {
    /// What is the same for every one, of a handle that was reset.
    func setUp() {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        let version = configuration.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        set(CURLOPT_HTTP_VERSION, Int(version))
        // Waits for a connection that may be shared, instead of opening one more.
        set(CURLOPT_PIPEWAIT, configuration.sharesHTTP2Connections ? 1 : 0)
        set(CURLOPT_HTTP09_ALLOWED, 0)
        set(CURLOPT_BUFFERSIZE, 64 * 1024)
        // Else the end of a transfer whose name is being resolved would block the thread until it is.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        if let file = configuration.certificateAuthorityFile { trustOnly(file) }
    }

    /// Libcurl's built-in directory of certificates would be trusted beside the file.
    private func trustOnly(_ file: String) {
        set(CURLOPT_CAINFO, file)
        set(CURLOPT_CAPATH, nil)
        set(CURLOPT_PROXY_CAINFO, file)
        set(CURLOPT_PROXY_CAPATH, nil)
    }

    func setURL(_ url: WebURL) {
        set(CURLOPT_URL, url.text)
    }

    func aim(at hop: Hop, _ upload: Upload) {
        if let credentials = hop.url.credentials {
            set(CURLOPT_USERNAME, credentials.user)
            set(CURLOPT_PASSWORD, credentials.password)
        }
        set(CURLOPT_CONNECTTIMEOUT_MS, hop.connectTimeout.wholeMilliseconds)
        setMethod(hop.method)
        setUpload(upload, method: hop.method)
        setInterface(hop.request.interface)
        setProxy()
    }

    private func setMethod(_ method: String) {
        if method == "HEAD" { return set(CURLOPT_NOBODY, 1) }
        if method != "GET" { set(CURLOPT_CUSTOMREQUEST, method) }
    }

    /// CURLOPT_UPLOAD(3) stands for any request with a body; the method's name is that of CURLOPT_CUSTOMREQUEST.
    private func setUpload(_ upload: Upload, method: String) {
        if upload.isNone { return }
        set(CURLOPT_UPLOAD, 1)
        set(CURLOPT_CUSTOMREQUEST, method)
        asynckit_curl_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.length ?? -1))
    }

    /// CURLOPT_INTERFACE(3); a connection of one interface is not left to requests that want another or none.
    private func setInterface(_ name: String?) {
        guard let name else { return }
        set(CURLOPT_INTERFACE, "if!\(name)")
        set(CURLOPT_FORBID_REUSE, 1)
    }

    /// Said for each hop, so that the environment, which another thread may be changing, is never read here.
    private func setProxy() {
        let choice = proxy
        set(CURLOPT_PROXY, choice?.url ?? "")
        set(CURLOPT_NOPROXY, choice?.exceptions ?? "")
    }
}

extension EasyHandle {
    private func set(_ option: CURLoption, _ value: Int) {
        asynckit_curl_set_number(easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String?) {
        asynckit_curl_set_text(easy, option, value)
    }
}

extension Upload {
    /// The header lines that a body brings; an empty `Expect:` keeps libcurl from asking first, for a second.
    func lines(for hop: Hop) -> [String] {
        if isNone { return ["POST", "PUT", "PATCH"].contains(hop.method) ? ["Content-Length: 0"] : [] }
        return ["Expect:"]
    }
}

extension Duration {
    /// Rounded up, at least 1, and within what libcurl takes.
    var wholeMilliseconds: Int {
        if self <= .zero { return 1 }
        let (seconds, attoseconds) = components
        let limit: Int64 = 1_000_000_000
        guard seconds < limit / 1000 else { return Int(limit) }
        return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
