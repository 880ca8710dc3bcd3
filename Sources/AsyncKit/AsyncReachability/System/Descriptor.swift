internal import Glibc

/// A file descriptor that is closed when its last owner lets go.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes over what a system call returned; `nil` when that was an error.
    init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit {
        close(number)
    }
}
