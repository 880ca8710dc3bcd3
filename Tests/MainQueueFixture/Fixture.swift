import MainThreadScenarios

/// A program with a synchronous `main` and without Foundation.
@main
struct Fixture {
    @MainActor static func main() {
        runScenario(of: allScenarios)
    }
}
