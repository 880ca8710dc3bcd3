/// One picture file on disk with the response that brought it.
struct DiskEntry: Sendable, Equatable {
    /// The name of its file, ``DiskCache/name(of:)``; a file under another name is no entry.
    ///
    /// The key itself may hold an `Authorization` and stays out of the file.
    let name: String
    let response: StoredResponse
    let body: [UInt8]
}
