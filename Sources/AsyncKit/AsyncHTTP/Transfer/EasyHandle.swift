import AsyncPrimitives
import CCurl
import Glibc

/// A reusable libcurl transfer and what it received so far.
///
/// Lives on the client's thread alone, which libcurl's callbacks run on too.
final class EasyHandle {
    let easy: UnsafeMutableRawPointer
    private(set) var transfer: Transfer?
    private(set) var received = Received(maximumHeaderSize: 0, maximumBodySize: 0)

    /// Whether an address of the host was refused by the client's rule.
    private(set) var wasAddressForbidden = false

    let maximumHeaderSize: Int
    private let allowsPrivateAddresses: Bool
    /// Called when the header of the final answer is there as a whole.
    var headIsComplete: () -> Void = {}
    private let message: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<curl_slist>?

    init?(_ configuration: HTTPClient.Configuration) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        maximumHeaderSize = max(0, configuration.maximumHeaderSize)
        allowsPrivateAddresses = configuration.allowsPrivateAddresses
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        setUp(configuration)
        setCallbacks()
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
        received = Received(maximumHeaderSize: maximumHeaderSize, maximumBodySize: hop.maximumBodySize)
        wasAddressForbidden = false
        message.pointee = 0
        set(CURLOPT_URL, hop.url.text)
        set(CURLOPT_USERNAME, hop.url.credentials?.user)
        set(CURLOPT_PASSWORD, hop.url.credentials?.password)
        setMethod(hop.method)
        setLines(hop.lines)
        setInterface(hop.interface)
    }

    /// The header of a transfer that has one.
    var head: RawHead {
        RawHead(bytes: received.head, remoteAddress: remoteAddress)
    }

    private var remoteAddress: String? {
        var text: UnsafePointer<CChar>?
        asynckit_curl_get_text(easy, CURLINFO_PRIMARY_IP, &text)
        return text.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Lets go of the transfer and of what it received, so that the handle can be used again.
    func end() {
        transfer = nil
        received = Received(maximumHeaderSize: 0, maximumBodySize: 0)
    }
}

extension EasyHandle {
    private func setMethod(_ method: String) {
        set(CURLOPT_NOBODY, 0)
        set(CURLOPT_HTTPGET, 1)
        set(CURLOPT_CUSTOMREQUEST, ["GET", "HEAD"].contains(method) ? nil : method)
        if method == "HEAD" { set(CURLOPT_NOBODY, 1) }
    }

    /// CURLOPT_INTERFACE(3); a connection of one interface is not left to requests that want another or none.
    private func setInterface(_ name: String?) {
        set(CURLOPT_INTERFACE, name.map { "if!\($0)" })
        set(CURLOPT_FORBID_REUSE, name == nil ? 0 : 1)
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
    private func set(_ option: CURLoption, _ value: Int) {
        asynckit_curl_set_number(easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String?) {
        asynckit_curl_set_text(easy, option, value)
    }

    /// What stays the same for every transfer.
    private func setUp(_ configuration: HTTPClient.Configuration) {
        asynckit_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
        set(CURLOPT_NOSIGNAL, 1)
        // Without these two, http_proxy and no_proxy of the environment would decide where requests go.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_HTTP09_ALLOWED, 0)
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        set(CURLOPT_BUFFERSIZE, 64 * 1024)
        // Else the end of a transfer whose name is being resolved would block the thread until it is.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        if let file = configuration.certificateAuthorityFile { set(CURLOPT_CAINFO, file) }
    }

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        asynckit_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
        asynckit_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        asynckit_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        asynckit_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            EasyHandle.from(context)?.receiveLine(bytes, size * count) ?? 0
        }
        asynckit_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            EasyHandle.from(context)?.receiveBody(bytes, size * count) ?? 0
        }
        asynckit_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        asynckit_curl_set_socket_callback(easy) { context, _, address in
            guard let address else { return CURL_SOCKET_BAD }
            return EasyHandle.from(context)?.openSocket(to: address) ?? CURL_SOCKET_BAD
        }
    }

    /// The object around a handle of libcurl.
    static func owner(of easy: UnsafeMutableRawPointer?) -> EasyHandle? {
        var context: UnsafeMutableRawPointer?
        asynckit_curl_get_pointer(easy, CURLINFO_PRIVATE, &context)
        return from(context)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension EasyHandle {
    private func receiveLine(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let hadHead = received.isHeadComplete
        let isTaken = received.takeLine(UnsafeRawBufferPointer(start: bytes, count: count))
        if received.isHeadComplete, !hadHead { headIsComplete() }
        return isTaken ? count : 0
    }

    private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard received.allowsBody(ofSize: count), let transfer else { return 0 }
        let piece = UnsafeRawBufferPointer(start: bytes, count: count)
        // libcurl keeps the piece, reads no more from the connection, and comes again after `resume()`.
        guard transfer.body.append(piece) else { return Int(CURL_WRITEFUNC_PAUSE) }
        received.takeBody(ofSize: count)
        return count
    }

    /// Opens a socket for the address that libcurl is about to connect to, after every lookup and redirect.
    ///
    /// libcurl goes on to the host's next address, if there is one, when it gets none.
    private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if !allowsPrivateAddresses, AddressRange(address) != .global {
            wasAddressForbidden = true
            return CURL_SOCKET_BAD
        }
        // Kept from the program's children, which would hold the connection open.
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    /// Lets a transfer go on whose reader has caught up.
    func resume() {
        curl_easy_pause(easy, CURLPAUSE_CONT)
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
