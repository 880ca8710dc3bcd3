extension Hop {
    /// The answer as the caller gets it.
    func response(_ head: ResponseHead, _ body: [UInt8]) throws(HTTPClient.Error) -> HTTPResponse {
        var response = HTTPResponse(status: head.status, headerFields: head.fields, url: url.text, body: body)
        if head.isGzip, !takesCodedBody, !body.isEmpty {
            response.body = try Gzip.decode(body, limit: maximumBodySize)
            response.headerFields.removeAll(named: "Content-Encoding")
            response.headerFields.removeAll(named: "Content-Length")
        }
        return response
    }
}
