/// A door that is opened once and then lets everybody through.
///
/// Waiting ignores cancellation: whoever waits here has promised not to run before the door opens.
package final class Gate: Sendable {
    private struct Door {
        var isOpen = false
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let door = Lock(Door())

    package init() {}

    package var isOpen: Bool { door.withLock { $0.isOpen } }

    package func open() {
        let waiters = door.withLock { door in
            door.isOpen = true
            defer { door.waiters = [] }
            return door.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    package func wait() async {
        await withUnsafeContinuation { continuation in
            let isOpen = door.withLock { door in
                if !door.isOpen { door.waiters.append(continuation) }
                return door.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}
