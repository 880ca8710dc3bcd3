import AsyncReachability
import Glibc

/// A program that does nothing but watch the network, until it is killed.
///
/// `scripts/idle` counts how often it wakes up when nothing happens, and `scripts/links` looks at what it links.
/// With the argument `bare` it does not even watch: that is what Swift itself costs.
@main
struct ReachabilityOnly {
    static func main() async {
        if CommandLine.arguments.dropFirst().first == "bare" { return await rest() }
        say(await ReachabilityMonitor.shared.current)
        for await reachability in ReachabilityMonitor.shared.changes { say(reachability) }
    }

    private static func rest() async {
        await Task.detached { say("bare") }.value
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    @Sendable private static func say(_ text: some Any) {
        print(text)
        fflush(nil)
    }
}
