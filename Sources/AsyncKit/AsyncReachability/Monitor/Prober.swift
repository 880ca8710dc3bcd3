internal import AsyncPrimitives

/// Calls the probe about one network after the other: one call at a time, and none that is not wanted any more.
///
/// A call that ignores its cancellation holds up the next one, which is then about the latest network only.
final class Prober: Sendable {
    typealias Report = @Sendable (ProbeVerdict) -> Void

    private struct Aim {
        let route: NetworkRoute
        let report: Report
    }

    private struct Contents {
        /// What to ask about next; `nil` once somebody is on it.
        var wanted: Aim?
        var running: Task<Void, Never>?
    }

    private let probe: any ReachabilityProbe
    private let rest: @Sendable (Duration) async -> Void
    private let contents = Lock(Contents())

    /// Makes a prober that has nothing to do.
    ///
    /// - Parameters:
    ///   - probe: What to call.
    ///   - rest: What passes the time between two calls, until it is over or the task is cancelled.
    init(_ probe: any ReachabilityProbe, rest: @escaping @Sendable (Duration) async -> Void) {
        self.probe = probe
        self.rest = rest
    }

    /// Asks about a network from now on, and about no other.
    ///
    /// - Parameters:
    ///   - route: The way that the network is reached by.
    ///   - report: Called with each verdict that is still wanted.
    func ask(about route: NetworkRoute, report: @escaping Report) {
        turn(to: Aim(route: route, report: report))
    }

    /// Asks no more.
    func stop() {
        turn(to: nil)
    }

    private func turn(to aim: Aim?) {
        let last = contents.withLock { contents in
            contents.wanted = aim
            if contents.running == nil { startNext(&contents) }
            return contents.wanted == nil && aim != nil ? nil : contents.running
        }
        last?.cancel()
    }

    /// Making a task runs none of its code here, so it may be done under the lock.
    private func startNext(_ contents: inout Contents) {
        guard let aim = contents.wanted else { return }
        contents.wanted = nil
        contents.running = Task {
            await pursue(aim)
            self.contents.withLock { contents in
                contents.running = nil
                startNext(&contents)
            }
        }
    }

    private func pursue(_ aim: Aim) async {
        var pace = ProbePace()
        while !Task.isCancelled {
            let verdict = await probe.validate(over: aim.route)
            if Task.isCancelled { return }
            aim.report(verdict)
            await rest(pace.pause(after: verdict))
        }
    }
}
