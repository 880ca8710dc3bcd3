import CCurl
import Glibc

extension EasyHandle {
    /// Why the transfer that just ended failed, or `nil` if it is whole; source: libcurl-errors(3).
    func failure(_ code: CURLcode) -> HTTPClient.Error? {
        if let refusal = received.refusal ?? uploadFailure { return refusal }
        if let failure = proxyFailure(code) { return failure }
        if isHeaderTooLarge(code) {
            return .tooLarge(.header, limit: max(0, configuration.maximumHeaderSize))
        }
        switch code {
        case CURLE_OK:
            return received.isHeadComplete ? nil : .connectionLost(host: authority)
        case CURLE_COULDNT_RESOLVE_HOST:
            return .nameNotResolved(host: authority)
        case CURLE_COULDNT_CONNECT where wasAddressForbidden:
            return .forbiddenAddress(host: authority)
        case CURLE_COULDNT_CONNECT:
            let isRefused = systemErrorNumber == ECONNREFUSED
            return isRefused ? .refused(host: authority) : .unreachable(host: authority)
        case CURLE_INTERFACE_FAILED:
            return .noInterface(transfer?.hop.request.interface ?? "")
        case CURLE_OPERATION_TIMEDOUT:
            return .timedOut(.connect, after: transfer?.hop.connectTimeout ?? configuration.connectTimeout)
        case CURLE_PARTIAL_FILE:
            return .truncatedBody
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            return received.isHeadComplete ? .truncatedBody : .connectionLost(host: authority)
        default:
            return isTLS(code) ? .tls(host: authority, reason: reasonOr(code)) : other(code)
        }
    }

    /// Why a transfer can't go on that was held back, or `nil` if it does.
    func failure(resuming code: CURLcode) -> HTTPClient.Error? {
        code == CURLE_OK ? nil : failure(code)
    }

    /// What is wrong with the proxy, where that is why there is no answer.
    private func proxyFailure(_ code: CURLcode) -> HTTPClient.Error? {
        guard code != CURLE_OK, let host = proxy?.host else { return nil }
        let status = number(of: CURLINFO_HTTP_CONNECTCODE)
        if status >= 300 { return .proxy(host: host, reason: "it answered CONNECT with status \(status)") }
        return Self.proxyReason(code, isRefused: systemErrorNumber == ECONNREFUSED).map {
            .proxy(host: host, reason: $0)
        }
    }

    /// In words of our own: libcurl's hold the proxy's whole URL, user info included.
    private static func proxyReason(_ code: CURLcode, isRefused: Bool) -> String? {
        switch code {
        case CURLE_COULDNT_CONNECT where isRefused: "it refused the connection"
        case CURLE_COULDNT_CONNECT: "there is no way to it, or its URL is of no kind that is known"
        case CURLE_COULDNT_RESOLVE_PROXY: "its name has no address, or its URL can't be read"
        case CURLE_PROXY: "it broke off the SOCKS handshake"
        default: nil
        }
    }

    private var authority: String { transfer?.hop.url.authority ?? "" }

    private var systemErrorNumber: Int32 {
        Int32(number(of: CURLINFO_OS_ERRNO))
    }

    /// Whether libcurl's own limits for headers were passed, which alone see a line that has no end; some versions
    /// call that a lack of memory.
    private func isHeaderTooLarge(_ code: CURLcode) -> Bool {
        let tooLarge = CURLcode(rawValue: 100)
        guard number(of: CURLINFO_REQUEST_SIZE) > 0, !received.isHeadComplete else { return false }
        return code == tooLarge || code == CURLE_OUT_OF_MEMORY
            || reason.contains("Too large response headers")
    }

    private func isTLS(_ code: CURLcode) -> Bool {
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
        ].contains(code)
    }

    private func other(_ code: CURLcode) -> HTTPClient.Error {
        switch code {
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            .malformedResponse(reasonOr(code))
        default:
            .system(reasonOr(code))
        }
    }

    private func reasonOr(_ code: CURLcode) -> String {
        reason.isEmpty ? String(cString: curl_easy_strerror(code)) : reason
    }
}
