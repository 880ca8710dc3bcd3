/// From a change of the network to the element that says so; times begin before the change is sent to the kernel.
enum ReachabilitySuite {
    static let observations = [
        Observation(
            suite: "reachability",
            title: "default route appears",
            goal: goal,
            triesPerRound: 20,
            happening: .routeAppears
        ),
        Observation(
            suite: "reachability",
            title: "default route disappears",
            goal: goal,
            triesPerRound: 20,
            happening: .routeDisappears
        ),
        Observation(
            suite: "reachability",
            title: "link is set down",
            goal: Goal(ratio: 1),
            triesPerRound: 0.3,
            happening: .linkIsSetDown
        ),
        Observation(
            suite: "reachability",
            title: "carrier is lost",
            goal: Goal(ratio: 1),
            triesPerRound: 0.3,
            happening: .carrierIsLost
        ),
        Observation(
            suite: "reachability",
            title: "default route disappears in an overrun",
            goal: Goal(ratio: 1),
            triesPerRound: 0.3,
            happening: .routeDisappearsInOverrun
        ),
    ]

    private static let goal = Goal(ratio: 1, limit: .milliseconds(2))
}
