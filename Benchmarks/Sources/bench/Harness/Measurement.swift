/// One row of the report, whichever way it is measured.
protocol Measurement: Sendable {
    /// `suite/title`.
    var name: String { get }

    /// Measures both sides; what cannot be measured here is an outcome that says why.
    func measure(rounds: Int) async throws -> Outcome
}
