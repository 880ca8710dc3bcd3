import AsyncPrimitives
import CCurl
import Glibc

/// A reusable libcurl transfer, and what it sent and received so far.
///
/// Lives on the client's thread alone, which libcurl's callbacks run on too.
final class EasyHandle {
    let easy: UnsafeMutableRawPointer
    private(set) var transfer: Transfer?
    var received = Received(maximumHeaderSize: 0, maximumBodySize: 0)
    /// How many bytes of the request's body libcurl has taken.
    var sent = 0
    /// Why the request's body can't be sent.
    var uploadFailure: HTTPClient.Error?
    /// Whether an address of the host was refused by the client's rule.
    var wasAddressForbidden = false
    var pace = Pace(limit: nil, now: .now)

    let configuration: HTTPClient.Configuration
    private let proxies: ProxyRules
    /// Called when the header of the final answer is there as a whole.
    var headIsComplete: () -> Void = {}
    /// What it was told last, and is still good for.
    private var terms: Terms?
    private let message: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<curl_slist>?

    init?(_ configuration: HTTPClient.Configuration, _ proxies: ProxyRules) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.configuration = configuration
        self.proxies = proxies
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(lines)
        message.deallocate()
    }

    /// What libcurl had to say about the last failure.
    var reason: String { String(cString: message) }

    /// Aims the handle at a hop; what it received before is gone.
    func begin(_ transfer: Transfer) {
        let hop = transfer.hop
        self.transfer = transfer
        received = Received(
            maximumHeaderSize: max(0, configuration.maximumHeaderSize),
            maximumBodySize: hop.maximumBodySize
        )
        (sent, uploadFailure, wasAddressForbidden) = (0, nil, false)
        pace = Pace(limit: hop.request.idleTimeout, now: .now)
        message.pointee = 0
        let terms = Terms(of: transfer, proxy: proxy)
        if terms == nil || terms != self.terms { agree(on: terms, for: transfer) }
        setURL(hop.url)
        tellProgress()
    }

    /// The header of a transfer that has one.
    var head: RawHead {
        RawHead(bytes: received.head, version: version, remoteAddress: text(of: CURLINFO_PRIMARY_IP))
    }

    /// The proxy that the transfer goes through, if any, without user info.
    var proxy: ProxyRules.Choice? { transfer.flatMap { proxies.choice(for: $0.hop.url) } }

    /// Lets go of the transfer and of what it received, so that the handle can be used again.
    ///
    /// - Parameter isWhole: Whether all went well.
    func end(isWhole: Bool) {
        // libcurl counts in the handle how often a dead connection was replaced, and gives up at the sixth in its life.
        if !isWhole || number(of: CURLINFO_NUM_CONNECTS) > 0 { terms = nil }
        transfer = nil
        received = Received(maximumHeaderSize: 0, maximumBodySize: 0)
    }

    private func agree(on terms: Terms?, for transfer: Transfer) {
        let hop = transfer.hop
        self.terms = terms
        curl_easy_reset(easy)
        asynckit_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
        setUp()
        setCallbacks()
        aim(at: hop, transfer.upload)
        setLines(hop.lines + transfer.upload.lines(for: hop))
    }

    private func setLines(_ texts: [String]) {
        let old = lines
        lines = nil
        for text in texts { lines = curl_slist_append(lines, text) }
        asynckit_curl_set_pointer(easy, CURLOPT_HTTPHEADER, lines)
        curl_slist_free_all(old)
    }
}

extension EasyHandle {
    private var version: HTTPVersion {
        switch number(of: CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0: .http10
        case CURL_HTTP_VERSION_2_0: .http2
        case CURL_HTTP_VERSION_3: .http3
        default: .http11
        }
    }

    func number(of info: CURLINFO) -> Int {
        var number = 0
        asynckit_curl_get_number(easy, info, &number)
        return number
    }

    func size(of info: CURLINFO) -> Int {
        var size: curl_off_t = 0
        asynckit_curl_get_size(easy, info, &size)
        return Int(size)
    }

    private func text(of info: CURLINFO) -> String? {
        var text: UnsafePointer<CChar>?
        asynckit_curl_get_text(easy, info, &text)
        return text.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// When a transfer that doesn't move is given up.
extension EasyHandle {
    /// Lets a transfer go on whose reader, or whose writer, has caught up.
    ///
    /// libcurl hands over what it kept within this call; what comes of that is told here and nowhere else.
    func resume() -> CURLcode {
        pace.goOn(at: .now)
        return curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// The end of the time in which something must move; `nil` without a limit.
    func idleEnd(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        // Microseconds from the start until the connection stood; the time before is not idle, connectTimeout is for it.
        let connected = size(of: CURLINFO_PRETRANSFER_TIME_T)
        return pace.end(at: now, connectedAfter: connected > 0 ? .microseconds(connected) : nil)
    }
}
