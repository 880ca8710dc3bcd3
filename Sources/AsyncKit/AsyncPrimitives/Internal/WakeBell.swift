internal import CLinux
internal import Glibc

/// A bell one thread rings to make another leave its sleep (eventfd(2)).
package struct WakeBell: Sendable {
    package let descriptor: Descriptor

    package init?() {
        guard let descriptor = Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
        else { return nil }
        self.descriptor = descriptor
    }

    /// Never blocks; ringing twice is like ringing once.
    package func ring() {
        var one: UInt64 = 1
        write(descriptor.number, &one, 8)
    }

    /// Makes it quiet again.
    package func silence() {
        var count: UInt64 = 0
        read(descriptor.number, &count, 8)
    }
}
