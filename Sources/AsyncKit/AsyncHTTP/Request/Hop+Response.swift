extension Hop {
    /// The answer as the caller gets it.
    func response(
        _ head: ResponseHead,
        _ raw: RawHead,
        _ reader: BodyReader
    ) throws(HTTPClient.Error) -> HTTPResponse {
        let hasBody = method != "HEAD" && head.status != 304
        if hasBody, let length = head.contentLength, length > maximumBodySize {
            throw .tooLarge(.body, limit: maximumBodySize)
        }
        var fields = head.fields
        var length = head.contentLength
        if hasBody, !takesCodedBody, let codings = head.codings {
            reader.decode(codings)
            fields.removeAll(named: "Content-Encoding")
            fields.removeAll(named: "Content-Length")
            length = nil
        }
        return HTTPResponse(
            status: head.status,
            headerFields: fields,
            url: url.text,
            body: HTTPBody(reader, expectedSize: length),
            version: raw.version,
            remoteAddress: raw.remoteAddress
        )
    }
}
