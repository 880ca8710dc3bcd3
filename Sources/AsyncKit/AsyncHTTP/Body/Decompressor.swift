/// Takes one coding off a body, piece by piece; used by one call at a time.
protocol Decompressor: AnyObject, Sendable {
    /// Takes a coded piece; the one before must have been decoded.
    func feed(_ piece: [UInt8])

    /// The next decoded bytes, never empty and at most ``ContentDecoder/roomSize``; `nil` when another piece is needed.
    func next() throws(HTTPClient.Error) -> [UInt8]?

    /// Checks that what came was whole; called at the end of the body.
    func finish() throws(HTTPClient.Error)
}
