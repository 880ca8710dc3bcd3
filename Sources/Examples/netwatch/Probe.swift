import AsyncReachability

/// PLACEHOLDER until the branch probe is merged.
struct PlaceholderError: Error {}
func makeProbe(_ url: String) throws -> any ReachabilityProbe { throw PlaceholderError() }
