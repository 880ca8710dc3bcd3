import CCurl
import Glibc

extension EasyHandle {
    /// Why the transfer that just ended failed, or `nil` if it is whole; source: libcurl-errors(3).
    func failure(_ code: CURLcode, connectTimeout: Duration) -> HTTPClient.Error? {
        if let refusal = received.refusal { return refusal }
        switch code {
        case CURLE_OK:
            return received.isHeadComplete ? nil : .malformedResponse("it has no header")
        case CURLE_COULDNT_RESOLVE_HOST:
            return .nameNotResolved(host: authority)
        case CURLE_COULDNT_CONNECT:
            let isRefused = systemErrorNumber == ECONNREFUSED
            return isRefused ? .refused(host: authority) : .unreachable(host: authority)
        case CURLE_OPERATION_TIMEDOUT:
            return .timedOut(.connect, after: connectTimeout)
        case CURLE_PARTIAL_FILE:
            return .truncatedBody
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            return brokenOff
        default:
            return isTLS(code) ? .tls(host: authority, reason: reasonOr(code)) : other(code)
        }
    }

    private var authority: String { transfer?.hop.url.authority ?? "" }

    private var systemErrorNumber: Int32 {
        var number = 0
        asynckit_curl_get_number(easy, CURLINFO_OS_ERRNO, &number)
        return Int32(number)
    }

    /// The connection failed, or what came on it made no sense to libcurl.
    private var brokenOff: HTTPClient.Error {
        if received.isHeadComplete { return .truncatedBody }
        if isHeaderTooLarge { return .tooLarge(.header, limit: maximumHeaderSize) }
        return .connectionLost(host: authority)
    }

    /// libcurl has limits of its own, which come first where ours is higher or a single line has no end.
    private var isHeaderTooLarge: Bool { reason.contains("Too large response headers") }

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
