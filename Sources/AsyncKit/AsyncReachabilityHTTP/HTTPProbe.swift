internal import AsyncHTTP
public import AsyncReachability

/// Finds captive portals by asking a web server that you choose for an answer that you know.
///
/// ```swift
/// import AsyncReachability
///
/// let probe = try HTTPProbe(url: "http://probe.example.org/")
/// let monitor = ReachabilityMonitor(probe: probe)
/// for await change in monitor.changes where change.reason == .portal {
///     print("log in through \(change.interface ?? "the network")")
/// }
/// ```
///
/// The server must answer as ``Expectation`` says, over plain HTTP: a portal answers in the server's place, which it
/// can't do over HTTPS. Nothing secret is sent or believed; but the operator of the server, and the network on the way,
/// learn that this machine is there. So there is no default, and there is no probe unless you make one.
///
/// | Answer | Verdict |
/// |---|---|
/// | what was expected | validated |
/// | a redirect (3xx), 511 (RFC 6585), another status 2xx, another body or one that is too long | portal |
/// | any answer from a private address | portal, see `allowsPrivateAddresses` |
/// | another status, no answer in time, no address for the name, no connection | failed |
///
/// Private are the addresses of RFC 1918, 100.64.0.0/10 (RFC 6598), fc00::/7 (RFC 4193), and link-local and loopback
/// addresses. A URL that names such an address, or localhost, may be answered from there.
///
/// Several URLs, best of several operators, are asked one after the other: the first that validates ends it, and a
/// portal is one only when none does.
///
/// Each call makes connections of its own, looks names up anew, and has one thread that ends with it. At most 64 KiB of
/// a body are read. A call ends at once when its task is cancelled.
public struct HTTPProbe: ReachabilityProbe {
    /// The URLs, in the order in which they are asked.
    public let urls: [String]
    /// What the servers answer when nobody is in between.
    public let expectation: Expectation
    /// How long one URL may take, from the lookup of its name to the last byte.
    public let timeout: Duration
    /// Whether packets leave by the interface of the route only.
    public let bindsToInterface: Bool
    /// Whether an answer may come from a private address.
    public let allowsPrivateAddresses: Bool

    private let places: [WebURL]
    private let makeTransport: @Sendable () -> any HTTPTransport

    /// Makes a probe that asks one URL.
    ///
    /// - Parameters:
    ///   - url: An absolute `http` URL without user info.
    ///   - expectation: What its server answers when nobody is in between.
    ///   - timeout: How long it may take, by a clock that nobody can set.
    ///   - bindsToInterface: Whether to ask through the interface of the route only (`HTTPRequest.interface`), so that
    ///     the verdict is about that network; with false the routing tables decide.
    ///   - allowsPrivateAddresses: Whether an answer may come from a private address, as in a network whose own server
    ///     is asked by its name; portals that answer in place of that name are not found then unless they answer wrong.
    /// - Throws: ``Error`` when the URL or the expectation can't be used.
    public init(
        url: String,
        expecting expectation: Expectation = .noContent,
        timeout: Duration = .seconds(10),
        bindsToInterface: Bool = true,
        allowsPrivateAddresses: Bool = false
    ) throws(Error) {
        try self.init(
            urls: [url],
            expecting: expectation,
            timeout: timeout,
            bindsToInterface: bindsToInterface,
            allowsPrivateAddresses: allowsPrivateAddresses
        )
    }

    /// Makes a probe that asks several URLs in turn until one validates.
    ///
    /// - Parameters:
    ///   - urls: Absolute `http` URLs without user info, at least one.
    ///   - expectation: What each server answers when nobody is in between.
    ///   - timeout: How long each may take, by a clock that nobody can set.
    ///   - bindsToInterface: Whether to ask through the interface of the route only.
    ///   - allowsPrivateAddresses: Whether an answer may come from a private address.
    /// - Throws: ``Error`` when a URL or the expectation can't be used.
    public init(
        urls: [String],
        expecting expectation: Expectation = .noContent,
        timeout: Duration = .seconds(10),
        bindsToInterface: Bool = true,
        allowsPrivateAddresses: Bool = false
    ) throws(Error) {
        try self.init(
            urls: urls,
            expecting: expectation,
            timeout: timeout,
            bindsToInterface: bindsToInterface,
            allowsPrivateAddresses: allowsPrivateAddresses,
            makeTransport: { .client(timeout) }
        )
    }

    /// Asks over what the closure makes for each call, which must not follow redirects.
    init(
        urls: [String],
        expecting expectation: Expectation = .noContent,
        timeout: Duration = .seconds(10),
        bindsToInterface: Bool = true,
        allowsPrivateAddresses: Bool = false,
        makeTransport: @escaping @Sendable () -> any HTTPTransport
    ) throws(Error) {
        places = try Self.places(urls)
        try expectation.check()
        self.urls = urls
        self.expectation = expectation
        self.timeout = timeout
        self.bindsToInterface = bindsToInterface
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.makeTransport = makeTransport
    }
}

extension HTTPProbe {
    /// Asks the URLs in turn until one validates; ends at once when the task is cancelled.
    ///
    /// Runs on the caller's executor but for the transfer itself.
    ///
    /// - Parameter route: The way that the kernel takes now.
    /// - Returns: What was found out; `failed` for a cancelled task.
    public func validate(over route: NetworkRoute) async -> ProbeVerdict {
        let transport = makeTransport()
        var verdict = ProbeVerdict.failed
        for place in places {
            switch await ask(place, over: route, by: transport) {
            case .validated: return .validated
            case .portal: verdict = .portal
            case .failed: break
            }
            if Task.isCancelled { return .failed }
        }
        return verdict
    }

    private func ask(_ place: WebURL, over route: NetworkRoute, by transport: any HTTPTransport) async
        -> ProbeVerdict
    {
        do {
            let response = try await transport.response(for: question(place, over: route))
            let mayBePrivate = allowsPrivateAddresses || place.isPrivate
            let start = try await response.body.prefix(ofSize: expectation.readLimit)
            return expectation.verdict(on: response, start, mayBePrivate: mayBePrivate)
        } catch {
            switch error {
            case .tooManyRedirects, .badRedirect: return .portal
            default: return .failed
            }
        }
    }

    private func question(_ place: WebURL, over route: NetworkRoute) -> HTTPRequest {
        var request = HTTPRequest(url: place.text, timeout: timeout)
        request.headerFields = [
            "Cache-Control": "no-cache", "Connection": "close", "Accept-Encoding": "identity",
        ]
        request.interface = bindsToInterface ? route.interface : nil
        return request
    }
}

extension HTTPBody {
    /// The first bytes, and not much more of the transfer.
    fileprivate func prefix(ofSize size: Int) async throws(HTTPClient.Error) -> [UInt8] {
        var iterator = makeAsyncIterator()
        var bytes: [UInt8] = []
        while bytes.count < size, let chunk = try await iterator.next() { bytes += chunk }
        return Array(bytes.prefix(size))
    }
}
