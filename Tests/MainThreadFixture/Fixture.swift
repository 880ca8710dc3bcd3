import MainThreadScenarios

/// A program with a synchronous `main` and with Foundation.
@main
struct Fixture {
    @MainActor static func main() {
        let own: [String: Scenario] = [
            "timers-go-on": Timers.goOn,
            "nests-in-a-timer": Timers.runAWaitWithinAWait,
            "semaphore-hangs-the-pool": Semaphores.hangThePool,
        ]
        runScenario(of: allScenarios.merging(own) { $1 })
    }
}
