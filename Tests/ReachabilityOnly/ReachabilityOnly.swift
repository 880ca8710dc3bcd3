import AsyncReachability
import Glibc

/// A program that does nothing but watch the network, until it is killed.
///
/// `scripts/idle` counts how often it wakes up when nothing happens, and `scripts/links` looks at what it links.
@main
struct ReachabilityOnly {
    static func main() async {
        print(await ReachabilityMonitor.shared.current)
        fflush(nil)
        for await reachability in ReachabilityMonitor.shared.changes {
            print(reachability)
            fflush(nil)
        }
    }
}
