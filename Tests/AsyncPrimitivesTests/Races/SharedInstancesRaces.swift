import AsyncPrimitives
import Support
import Testing

extension RaceTests {
    struct SharedInstancesRaces {
        private final class Instance: Sendable {}

        private final class Round: Sendable {
            let key: Int
            let made = Lock(0)
            let got = Lock<[Instance]>([])

            init(key: Int) {
                self.key = key
            }

            func ask(_ instances: SharedInstances<Int, Instance>) {
                let instance = instances.instance(for: key) {
                    made.withLock { $0 += 1 }
                    return Instance()
                }
                got.withLock { $0.append(instance) }
            }
        }

        @Test func concurrentFirstUsersGetOneInstance() async throws {
            let instances = SharedInstances<Int, Instance>()
            try await Race.run(
                setUp: { Round(key: $0) },
                sides: Array(repeating: { $0.ask(instances) }, count: 3),
                check: { round in
                    let got = round.got.withLock { $0 }
                    try confirm(got.count == 3 && got.allSatisfy { $0 === got[0] }, "different instances")
                    try confirm(round.made.withLock { $0 } == 1, "the instance was made more than once")
                }
            )
            #expect(instances.count == 0)
        }

        @Test func releaseAgainstAskingGivesALiveInstance() async throws {
            let instances = SharedInstances<Int, Instance>()
            try await Race.run(
                setUp: { _ -> Round in
                    let round = Round(key: 0)
                    round.ask(instances)
                    return round
                },
                sides: [
                    { round in
                        _ = round.got.withLock { got in
                            defer { got = [] }
                            return got
                        }
                    },
                    { _ in withExtendedLifetime(instances.instance(for: 0) { Instance() }) {} },
                ],
                check: { round in
                    try confirm(round.made.withLock { $0 } == 1, "the instance was made more than once")
                    try confirm(instances.count == 0, "\(instances.count) instances outlive their users")
                }
            )
        }
    }
}
