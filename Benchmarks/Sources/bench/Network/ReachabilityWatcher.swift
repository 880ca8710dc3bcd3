import AsyncReachability
import Foundation

/// What the peers in Benchmarks/Peers do, done with the library: prints each change, with the time it arrived at.
enum ReachabilityWatcher {
    /// Ends with its standard input; leaves the main actor, as a service would.
    @concurrent
    static func run() async {
        Thread {
            while readLine() != nil {}
            exit(0)
        }.start()
        let monitor = ReachabilityMonitor(source: KernelNetworkSource())
        say("ready\tReachabilityMonitor\t\(Versions.library)")
        for await reachability in monitor.changes {
            say("\(monotonicNow()) \(reachability.isReachable ? 1 : 0)")
        }
    }

    private static func say(_ text: String) {
        let line = text + "\n"
        write(1, line, line.utf8.count)
    }
}

/// CLOCK_MONOTONIC in nanoseconds, which is the same for all processes.
func monotonicNow() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
