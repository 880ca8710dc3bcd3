import Glibc

/// Where reports go that nobody has asked to get.
package enum StandardError {
    /// Writes a line at once, so that lines of several threads do not mix.
    package static func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
