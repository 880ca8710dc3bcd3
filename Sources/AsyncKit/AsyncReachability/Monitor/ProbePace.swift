/// When to ask a probe again; pure but for the dice.
///
/// A failure is tried again after one second, then after twice as long each time, up to ten minutes, as Android does.
/// A portal is asked about every ten seconds, so that the end of a login shows soon. What is fine is looked at
/// every five minutes, as NetworkManager does. Each pause is up to a tenth longer, so that many machines on one
/// network do not ask at the same moment.
struct ProbePace {
    private var failures = 0

    private static let longestRetry = 600

    /// The pause after a verdict, in whole and parts of a second.
    mutating func pause(after verdict: ProbeVerdict, stretch: Double = .random(in: 1...1.1)) -> Duration {
        let seconds = seconds(after: verdict)
        return .milliseconds(Int(Double(seconds) * 1000 * stretch))
    }

    private mutating func seconds(after verdict: ProbeVerdict) -> Int {
        guard verdict == .failed else {
            failures = 0
            return verdict == .portal ? 10 : 300
        }
        defer { failures += 1 }
        return min(Self.longestRetry, 1 << min(failures, 10))
    }
}
