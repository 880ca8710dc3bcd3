import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct AdmissionQueueTests {
    private func startAll(_ queue: inout AdmissionQueue<Int>) -> [Int] {
        var started: [Int] = []
        while let id = queue.next() { started.append(id) }
        return started
    }

    @Test func limitsHoldAndLinesAreServedInOrder() {
        var queue = AdmissionQueue<Int>(maximum: 3, maximumPerHost: 2)
        for id in 1...4 { queue.enqueue(id, for: "a") }
        #expect(startAll(&queue) == [1, 2])
        queue.enqueue(5, for: "b")
        queue.enqueue(6, for: "b")
        #expect(startAll(&queue) == [5])
        queue.finish(at: "a")
        #expect(startAll(&queue).count == 1)
    }

    @Test func aFullHostHoldsUpNobodyElse() {
        var queue = AdmissionQueue<Int>(maximum: 10, maximumPerHost: 1)
        for id in 1...100 { queue.enqueue(id, for: "slow") }
        queue.enqueue(101, for: "fast")
        #expect(startAll(&queue) == [1, 101])
    }

    @Test func hostsTakeTurns() {
        var queue = AdmissionQueue<Int>(maximum: 1, maximumPerHost: 1)
        for id in 1...3 { queue.enqueue(id, for: "a") }
        queue.enqueue(11, for: "b")
        #expect(startAll(&queue) == [1])
        queue.finish(at: "a")
        #expect(startAll(&queue) == [11])
        queue.finish(at: "b")
        #expect(startAll(&queue) == [2])
    }

    @Test func theWithdrawnIsSkipped() {
        var queue = AdmissionQueue<Int>(maximum: 1, maximumPerHost: 1)
        queue.enqueue(1, for: "a")
        queue.withdraw(1, from: "a")
        queue.enqueue(2, for: "b")
        #expect(startAll(&queue) == [2])
    }

    /// Any mix of steps keeps both limits, starts each in the order of its host, and leaves nobody behind.
    @Test(arguments: 0..<50)
    func randomStepsKeepTheRules(seed: Int) {
        var queue = AdmissionQueue<Int>(maximum: 4, maximumPerHost: 2)
        var model: [(id: Int, host: String)] = []
        var running: [(id: Int, host: String)] = []
        for id in 0..<400 {
            let host = "host\(Int.random(in: 0..<5))"
            model.append((id, host))
            queue.enqueue(id, for: host)
            if Int.random(in: 0..<4) == 0, let victim = model.randomElement() {
                model.removeAll { $0.id == victim.id }
                queue.withdraw(victim.id, from: victim.host)
            }
            start(&queue, &model, &running)
            while Bool.random(), let done = running.indices.randomElement() {
                queue.finish(at: running.remove(at: done).host)
                start(&queue, &model, &running)
            }
        }
        while let done = running.popLast() {
            queue.finish(at: done.host)
            start(&queue, &model, &running)
        }
        #expect(model.isEmpty)
    }

    private func start(
        _ queue: inout AdmissionQueue<Int>,
        _ model: inout [(id: Int, host: String)],
        _ running: inout [(id: Int, host: String)]
    ) {
        while let id = queue.next() {
            guard let place = model.firstIndex(where: { $0.id == id }) else {
                Issue.record("\(id) was withdrawn and started.")
                return
            }
            let entry = model.remove(at: place)
            #expect(!model.contains { $0.host == entry.host && $0.id < id })
            running.append(entry)
            #expect(running.count <= 4)
            #expect(running.count { $0.host == entry.host } <= 2)
        }
    }

    @Test func thoseOfAHigherPriorityGoFirstWhereverTheyWait() {
        var queue = AdmissionQueue<Int>(maximum: 1, maximumPerHost: 1)
        queue.enqueue(0, for: "a")
        _ = queue.next()
        for (id, host, priority) in [
            (1, "a", .low), (2, "a", .normal), (3, "b", .normal), (4, "b", .high), (5, "a", .normal),
            (6, "c", .low),
        ] as [(Int, String, HTTPRequest.Priority)] {
            queue.enqueue(id, for: host, priority)
        }
        var order: [Int] = []
        var last = "a"
        let hosts = [1: "a", 2: "a", 3: "b", 4: "b", 5: "a", 6: "c"]
        for _ in 1...6 {
            queue.finish(at: last)
            guard let id = queue.next() else { break }
            order.append(id)
            last = hosts[id] ?? ""
        }
        #expect(order == [4, 2, 3, 5, 6, 1])
    }
}
