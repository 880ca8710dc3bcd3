import CCurl

/// What libcurl is told: once for each handle, and for each hop.
extension EasyHandle {
    /// What stays the same for every transfer.
    func setUp() {
        set(CURLOPT_NOSIGNAL, 1)
        // Given for each hop, so that the environment, which another thread may be changing, is never read here.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "")
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
        if let file = configuration.certificateAuthorityFile { set(CURLOPT_CAINFO, file) }
    }

    func aim(at hop: Hop, _ upload: Upload) {
        set(CURLOPT_URL, hop.url.text)
        set(CURLOPT_USERNAME, hop.url.credentials?.user)
        set(CURLOPT_PASSWORD, hop.url.credentials?.password)
        set(CURLOPT_CONNECTTIMEOUT_MS, hop.connectTimeout.wholeMilliseconds)
        setMethod(hop.method)
        setUpload(upload)
        setInterface(hop.request.interface)
        setProxy()
    }

    private func setMethod(_ method: String) {
        set(CURLOPT_NOBODY, 0)
        // Forgets the upload before, too.
        set(CURLOPT_HTTPGET, 1)
        set(CURLOPT_CUSTOMREQUEST, ["GET", "HEAD"].contains(method) ? nil : method)
        if method == "HEAD" { set(CURLOPT_NOBODY, 1) }
    }

    /// CURLOPT_UPLOAD(3) stands for any request with a body; the method's name is that of CURLOPT_CUSTOMREQUEST.
    private func setUpload(_ upload: Upload) {
        if upload.isNone { return }
        let method = transfer?.hop.method ?? "PUT"
        set(CURLOPT_UPLOAD, 1)
        set(CURLOPT_CUSTOMREQUEST, method)
        asynckit_curl_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.length ?? -1))
    }

    /// CURLOPT_INTERFACE(3); a connection of one interface is not left to requests that want another or none.
    private func setInterface(_ name: String?) {
        set(CURLOPT_INTERFACE, name.map { "if!\($0)" })
        set(CURLOPT_FORBID_REUSE, name == nil ? 0 : 1)
    }

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
        return hop.fields["Expect"] == nil ? ["Expect:"] : []
    }
}

extension Duration {
    /// Rounded up, at least 1, and within what libcurl takes.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let limit: Int64 = 1_000_000_000
        guard seconds < limit / 1000 else { return Int(limit) }
        return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
