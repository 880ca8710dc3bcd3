import AsyncPrimitives

/// Something that has happened, or not yet.
final class Flag: Sendable {
    private let state = State(false)

    var isRaised: Bool { state.latest ?? false }

    func raise() {
        state.set(true)
    }

    /// Returns once it has happened, or when the task is cancelled.
    func wait() async {
        for await isRaised in state where isRaised { return }
    }
}
