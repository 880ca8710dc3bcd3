extension Hop {
    /// The answer as the caller gets it.
    func response(_ head: ResponseHead, _ raw: RawResponse) throws(HTTPClient.Error) -> HTTPResponse {
        var response = HTTPResponse(
            status: head.status,
            headerFields: head.fields,
            url: url.text,
            body: raw.body,
            remoteAddress: raw.remoteAddress
        )
        if head.isGzip, !takesCodedBody, !raw.body.isEmpty {
            response.body = try Gzip.decode(raw.body, limit: maximumBodySize)
            response.headerFields.removeAll(named: "Content-Encoding")
            response.headerFields.removeAll(named: "Content-Length")
        }
        return response
    }
}
