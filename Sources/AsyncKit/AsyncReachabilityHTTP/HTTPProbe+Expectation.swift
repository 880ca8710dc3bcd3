internal import AsyncHTTP
internal import AsyncReachability

extension HTTPProbe {
    /// The answer of a server that is really the one that was asked.
    public enum Expectation: Sendable, Hashable {
        /// Status 204, or 200 with an empty body, as NetworkManager and Android have it.
        case noContent
        /// Status 200 and a body of at most 64 KiB that begins with this text, byte by byte.
        case body(prefix: String)
        /// Status 200 or 204 and a header field of this name with exactly this value; the body doesn't matter.
        case header(name: String, value: String)
    }
}

extension HTTPProbe.Expectation {
    private static let longestBody = 64 * 1024

    /// How much of a body to read: one byte more than there may be, to see that there is more.
    var readLimit: Int {
        switch self {
        case .noContent, .header: 1
        case .body: Self.longestBody + 1
        }
    }

    func check() throws(HTTPProbe.Error) {
        switch self {
        case .noContent:
            break
        case .body(let prefix):
            guard !prefix.isEmpty else { throw .invalidExpectation("every body begins with an empty text") }
            guard prefix.utf8.count <= Self.longestBody else {
                throw .invalidExpectation("no more than \(Self.longestBody) bytes of a body are read")
            }
        case .header(let name, _):
            guard !name.isEmpty else { throw .invalidExpectation("the header field has no name") }
        }
    }

    /// What an answer says; one from a private address comes from somebody near, whatever it is.
    func verdict(on response: HTTPResponse, _ start: [UInt8], mayBePrivate: Bool) -> ProbeVerdict {
        let address = response.remoteAddress.flatMap { IPAddress(text: $0) }
        if !mayBePrivate, address?.isPrivate == true { return .portal }
        switch response.status {
        case 200..<300: return isMet(by: response, start) ? .validated : .portal
        case 300..<400, 511: return .portal
        default: return .failed
        }
    }

    private func isMet(by response: HTTPResponse, _ start: [UInt8]) -> Bool {
        switch self {
        case .noContent:
            return [200, 204].contains(response.status) && start.isEmpty
        case .body(let prefix):
            return response.status == 200 && start.count <= Self.longestBody
                && start.starts(with: prefix.utf8)
        case .header(let name, let value):
            return [200, 204].contains(response.status)
                && response.headerFields.values(of: name).contains(value)
        }
    }
}
