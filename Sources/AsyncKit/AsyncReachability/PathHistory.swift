/// Numbers the networks; pure.
struct PathHistory {
    private(set) var latest: Reachability?
    private var lastPath: NetworkPath?
    private var generation = 0

    /// Takes in what the source says and returns it with its generation.
    mutating func record(_ path: NetworkPath) -> Reachability {
        if case .reachable = path, path != lastPath { generation += 1 }
        lastPath = path
        let reachability = Reachability(path: path, generation: generation)
        latest = reachability
        return reachability
    }
}
