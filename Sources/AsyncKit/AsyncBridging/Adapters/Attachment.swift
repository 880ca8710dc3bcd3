import AsyncPrimitives

/// Runs a detach closure once: when the end comes, or as soon as it is known where the end came first.
final class Attachment: Sendable {
    private enum Stage {
        case attaching
        case attached(@Sendable () -> Void)
        case ended
    }

    private let stage = Lock(Stage.attaching)

    func attached(_ detach: @escaping @Sendable () -> Void) {
        let hasEnded = stage.withLock { stage in
            guard case .attaching = stage else { return true }
            stage = .attached(detach)
            return false
        }
        if hasEnded { detach() }
    }

    func end() {
        let detach: (@Sendable () -> Void)? = stage.withLock { stage in
            defer { stage = .ended }
            guard case .attached(let detach) = stage else { return nil }
            return detach
        }
        detach?()
    }
}
