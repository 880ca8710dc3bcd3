/// Puts the value together from what the source, the probe and the metered source say, and numbers the networks; pure.
struct PathHistory {
    private(set) var latest: Reachability?
    private var generation = 0
    private var validation = Validation.none
    private var metered = Metered.unknown

    /// Takes in what the source says.
    ///
    /// - Parameters:
    ///   - path: The way there.
    ///   - isFirst: True for the first word of a watch, which may repeat the last one of the watch before it.
    ///   - isProbed: Whether a probe is going to look at it.
    /// - Returns: True when it is another network than before.
    mutating func record(_ path: NetworkPath, isFirst: Bool, isProbed: Bool = false) -> Bool {
        let isRepeated = path == latest?.path
        let isNew = path.route != nil && !(isRepeated && isFirst)
        if isNew { generation += 1 }
        if path.route == nil {
            validation = .none
        } else if isNew {
            validation = isProbed ? .pending : .none
        }
        renew(path)
        return isNew
    }

    /// Takes in a verdict about the network with that number; one about another network is dropped.
    ///
    /// - Returns: True when it counts.
    mutating func record(_ verdict: ProbeVerdict, about number: Int) -> Bool {
        guard number == generation, let path = latest?.path, path.route != nil else { return false }
        validation = .done(verdict)
        renew(path)
        return true
    }

    /// Takes in what is known about the cost.
    mutating func record(_ answer: Metered) {
        metered = answer
        if let path = latest?.path { renew(path) }
    }

    private mutating func renew(_ path: NetworkPath) {
        latest = Reachability(
            path: path,
            validation: validation,
            metered: metered == .unknown ? nil : metered,
            generation: generation
        )
    }
}
