import AsyncPrimitives
import Support
import Testing

private struct Failed: Error {}

@Suite(.timeLimit(.minutes(1)))
struct SharedInstancesTests {
    private final class Monitor: Sendable {
        let host: String
        init(_ host: String) { self.host = host }
    }

    @Test func equalKeysGetTheIdenticalInstance() {
        let monitors = SharedInstances<String, Monitor>()
        let first = monitors.instance(for: "a") { Monitor("a") }
        let second = monitors.instance(for: "a") { Monitor("b") }
        let third = monitors.instance(for: "b") { Monitor("b") }
        #expect(first === second)
        #expect(first !== third)
        #expect(monitors.count == 2)
    }

    @Test func instanceDiesWithItsLastUser() {
        let monitors = SharedInstances<String, Monitor>()
        weak var released: Monitor?
        do {
            let monitor = monitors.instance(for: "a") { Monitor("first") }
            released = monitor
            #expect(monitors.count == 1)
            withExtendedLifetime(monitor) {}
        }
        #expect(released == nil)
        #expect(monitors.count == 0)
        let next = monitors.instance(for: "a") { Monitor("second") }
        #expect(next.host == "second")
    }

    @Test func failureIsThrownAndTheNextCallerTriesAgain() throws {
        let monitors = SharedInstances<String, Monitor>()
        #expect(throws: Failed.self) {
            try monitors.instance(for: "a") { () throws(Failed) in throw Failed() }
        }
        #expect(monitors.count == 0)
        #expect(monitors.instance(for: "a") { Monitor("a") }.host == "a")
    }

    @Test func otherKeysMayBeAskedForWhileOneIsMade() {
        let monitors = SharedInstances<String, Monitor>()
        let outer = monitors.instance(for: "a") { Monitor(monitors.instance(for: "b") { Monitor("b") }.host) }
        #expect(outer.host == "b")
    }

    @Test func releasedInstanceMayAskForItsKey() {
        final class Heir: Sendable {
            let instances: SharedInstances<String, Heir>
            let heirs: Lock<Int>
            init(_ instances: SharedInstances<String, Heir>, _ heirs: Lock<Int>) {
                self.instances = instances
                self.heirs = heirs
            }
            deinit {
                let (instances, heirs) = (instances, heirs)
                let generation = heirs.withLock { heirs in
                    heirs += 1
                    return heirs
                }
                if generation < 3 { _ = instances.instance(for: "a") { Heir(instances, heirs) } }
            }
        }
        let instances = SharedInstances<String, Heir>()
        let heirs = Lock(0)
        _ = instances.instance(for: "a") { Heir(instances, heirs) }
        #expect(heirs.withLock { $0 } == 3)
        #expect(instances.count == 0)
    }

    @Test func placesOfReleasedInstancesAreSwept() async {
        await #expect(processExitsWith: .success) {
            let monitors = SharedInstances<Int, Monitor>()
            let held = (0..<100).map { key in monitors.instance(for: -key - 1) { Monitor("held") } }
            for key in 0..<1_000 { _ = monitors.instance(for: key) { Monitor("released") } }
            let before = ResourceUse.now.residentBytes
            for key in 0..<100_000 { _ = monitors.instance(for: key) { Monitor("released") } }
            let growth = ResourceUse.now.residentBytes - before
            if !ResourceUse.isSanitized { precondition(growth < 2 << 20, "grew by \(growth) bytes") }
            precondition(monitors.count == 100)
            for (key, monitor) in held.enumerated() {
                precondition(monitors.instance(for: -key - 1) { Monitor("new") } === monitor)
            }
        }
    }
}
