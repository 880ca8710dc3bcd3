import Glibc

/// Why a call of the system failed, in its own words.
struct FileFailure: Swift.Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    init(errno code: Int32) {
        reason = String(cString: strerror(code))
    }
}

/// Passes on what a call of the system returned, unless that is an error.
@discardableResult
func check(_ result: Int32) throws(FileFailure) -> Int32 {
    if result < 0 { throw FileFailure(errno: errno) }
    return result
}
