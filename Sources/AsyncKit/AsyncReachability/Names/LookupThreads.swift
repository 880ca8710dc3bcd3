internal import AsyncPrimitives

/// Looks names up on at most two threads, which are there only while there is work; one lookup at a time for a name.
///
/// A name server that is dead holds a thread for up to 44 seconds with three servers and two search domains, and
/// nothing can stop getaddrinfo(3); more threads would only wait for the same server.
final class LookupThreads: Sendable {
    typealias Report = @Sendable (_ name: String, Lookup) -> Void

    private struct Contents {
        var queue: [(name: String, report: Report)] = []
        /// In the queue or being looked up; true for what must be looked up once more, because the answer that is on
        /// its way is about another network.
        var names: [String: Bool] = [:]
        var threads = 0
    }

    static let maximumThreads = 2

    private let resolver: any NameResolver
    private let contents = Lock(Contents())

    init(resolver: any NameResolver) {
        self.resolver = resolver
    }

    /// Looks a name up, unless that is being done already.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isNewNetwork: Whether the answer of a lookup that is under way counts for nothing.
    ///   - report: Called once, on another thread or, when there is none to be had, on the caller's.
    func lookUp(_ name: String, isNewNetwork: Bool = false, report: @escaping Report) {
        let needsThread = contents.withLock { contents in
            if contents.names[name] != nil {
                if isNewNetwork, !contents.queue.contains(where: { $0.name == name }) {
                    contents.names[name] = true
                }
                return false
            }
            contents.names[name] = false
            contents.queue.append((name, report))
            guard contents.threads < Self.maximumThreads else { return false }
            contents.threads += 1
            return true
        }
        // A thread has the network namespace of the one that starts it.
        if needsThread, !SystemThread.start(name: "reachable-dns", stackSize: 1 << 20, { self.work() }) {
            for (name, report) in giveUp() { report(name, .failed) }
        }
    }

    private func work() {
        while let (name, report) = next() {
            let result = resolver.lookUp(name)
            if mayReport(name, report) { report(name, result) }
        }
    }

    /// Takes a name that nobody wants any more out of the queue.
    func withdraw(_ name: String) {
        contents.withLock { contents in
            guard let place = contents.queue.firstIndex(where: { $0.name == name }) else { return }
            contents.queue.remove(at: place)
            contents.names[name] = nil
        }
    }

    /// False when the answer is about another network; then the name is at the end of the queue again.
    private func mayReport(_ name: String, _ report: @escaping Report) -> Bool {
        contents.withLock { contents in
            if contents.names.removeValue(forKey: name) != true { return true }
            contents.names[name] = false
            contents.queue.append((name, report))
            return false
        }
    }

    /// The next piece of work; `nil` when there is none and the thread is taken off the count.
    private func next() -> (name: String, report: Report)? {
        contents.withLock { contents in
            if contents.queue.isEmpty {
                contents.threads -= 1
                return nil
            }
            return contents.queue.removeFirst()
        }
    }

    /// Takes the thread that could not be started off the count, and the work with it if no other is there to do it.
    private func giveUp() -> [(name: String, report: Report)] {
        contents.withLock { contents in
            contents.threads -= 1
            guard contents.threads == 0 else { return [] }
            defer { contents = Contents() }
            return contents.queue
        }
    }
}
