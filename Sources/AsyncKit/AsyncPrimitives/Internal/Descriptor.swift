internal import Glibc

/// A file descriptor that is closed when its last owner lets go.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes over what a system call returned; `nil` when that was an error.
    package init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit {
        close(number)
    }
}
