import AsyncHTTP

/// Decides from status, `Content-Type` and the first bytes whether an answer may be a picture, and whose.
struct ResponseCheck {
    let codecs: [any ImageCodec]
    let policy: ImageStore.ContentTypePolicy

    /// Names that servers give to files they know nothing about.
    private static let genericTypes: Set<String> = [
        "", "application/octet-stream", "binary/octet-stream", "application/x-octet-stream",
        "application/unknown",
    ]

    /// The codec that knows the bytes, if it is the one for the type; the type is nil when it says nothing.
    func codec(for body: [UInt8], type: String?) throws(ImageStore.Error) -> any ImageCodec {
        guard !body.isEmpty else { throw .emptyBody }
        guard let codec = codecs.first(where: { $0.sniff(body) }) else { throw .undecodable(.unrecognized) }
        if let type, !codec.contentTypes.contains(type) {
            throw .mismatch(contentType: type, found: codec.format)
        }
        return codec
    }

    /// The media type of an answer that has a picture, in lower case and without parameters (RFC 9110, section 8.3.1).
    ///
    /// Several types, or a list of them, leave open what the bytes are. Nil when the type is to be told by the bytes.
    func imageType(of response: HTTPResponse) throws(ImageStore.Error) -> String? {
        guard response.status == 200 else { throw .status(response.status) }
        let value = response.headerFields["Content-Type"]
        let type = (value ?? "").prefix { $0 != ";" }.lowercased().trimmingWhitespace
        if policy == .sniffing, Self.genericTypes.contains(type) { return nil }
        guard type.hasPrefix("image/"), !type.contains(",") else { throw .contentType(value) }
        return type
    }
}

extension String {
    /// The text without the blanks and tabs at its ends.
    fileprivate var trimmingWhitespace: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let tail = drop(while: isBlank)
        let end = tail.lastIndex { !isBlank($0) }
        return end.map { String(tail[...$0]) } ?? ""
    }
}
