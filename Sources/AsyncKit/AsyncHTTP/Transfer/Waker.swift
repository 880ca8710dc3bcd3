import AsyncPrimitives
import CCurl

/// Ends the sleep of a thread in `curl_multi_poll`, from any thread, until the thread retires it.
final class Waker: Sendable {
    private struct Handle: @unchecked Sendable {
        // Sendable because curl_multi_wakeup(3) may be called from every thread while the handle lives.
        var multi: UnsafeMutableRawPointer?
    }

    private let handle: Lock<Handle>

    init(_ multi: UnsafeMutableRawPointer?) {
        handle = Lock(Handle(multi: multi))
    }

    /// Wakes the thread, or spares it its next sleep.
    func wake() {
        // Called under the lock, which keeps the handle alive meanwhile: one write that never blocks.
        handle.withLock { handle in
            if let multi = handle.multi { curl_multi_wakeup(multi) }
        }
    }

    /// Makes every later call do nothing; comes before the handle's end.
    func retire() {
        handle.withLock { $0.multi = nil }
    }
}
