internal import AsyncPrimitives

/// The sockets to the kernel, opened again after a while when the system refuses them.
struct KernelLine {
    private enum State {
        case closed(until: ContinuousClock.Instant?)
        case open(EventSocket, KernelRoutingTables)
    }

    private var state = State.closed(until: nil)
    private var backoff = Backoff(limit: .seconds(30))

    /// Opens the sockets when it is time to try.
    ///
    /// - Returns: True when they have just been opened, so that everything must be asked.
    mutating func openIfDue(at now: ContinuousClock.Instant) -> Bool {
        guard case .closed(let until) = state, until.map({ now >= $0 }) ?? true else { return false }
        do throws(NetlinkFailure) {
            // First listen, then ask: a change in between is then seen, not lost.
            let events = try EventSocket()
            state = .open(events, try KernelRoutingTables())
            return true
        } catch {
            close(at: now)
            return false
        }
    }

    /// Empties the queue of events.
    ///
    /// - Returns: True when the kernel must be asked again.
    mutating func drain(at now: ContinuousClock.Instant) -> Bool {
        guard case .open(let events, _) = state else { return false }
        do throws(NetlinkFailure) {
            return try events.drain()
        } catch {
            close(at: now)
            return true
        }
    }

    /// Notes that the kernel answers.
    mutating func answered() {
        backoff.reset()
    }

    var tables: KernelRoutingTables? {
        if case .open(_, let tables) = state { tables } else { nil }
    }

    var descriptor: Descriptor? {
        if case .open(let events, _) = state { events.descriptor } else { nil }
    }

    /// When to try again; `nil` while the sockets are open.
    var due: ContinuousClock.Instant? {
        if case .closed(let until) = state { until } else { nil }
    }

    private mutating func close(at now: ContinuousClock.Instant) {
        state = .closed(until: now + backoff.pause())
    }
}
