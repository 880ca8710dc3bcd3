internal import AsyncPrimitives

/// Looks names up on at most two threads, which are there only while there is work; one lookup at a time for a name.
///
/// A name server that is dead holds a thread for up to 44 seconds with three servers and two search domains, and
/// nothing can stop getaddrinfo(3); more threads would only wait for the same server.
final class LookupThreads: Sendable {
    typealias Report = @Sendable (_ name: String, Lookup) -> Void

    private struct Contents {
        var queue: [(name: String, report: Report)] = []
        /// In the queue or being looked up.
        var names: Set<String> = []
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
    ///   - report: Called once, on another thread or, when there is none to be had, on the caller's.
    func lookUp(_ name: String, report: @escaping Report) {
        let needsThread = contents.withLock { contents in
            guard contents.names.insert(name).inserted else { return false }
            contents.queue.append((name, report))
            guard contents.threads < Self.maximumThreads else { return false }
            contents.threads += 1
            return true
        }
        // A thread has the network namespace of the one that starts it.
        if needsThread, !SystemThread.start(name: "reachability-dns", stackSize: 1 << 20, { self.work() }) {
            for (name, report) in withdraw() { report(name, .failed) }
        }
    }

    private func work() {
        while let (name, report) = next() {
            let result = resolver.lookUp(name)
            contents.withLock { _ = $0.names.remove(name) }
            report(name, result)
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
    private func withdraw() -> [(name: String, report: Report)] {
        contents.withLock { contents in
            contents.threads -= 1
            guard contents.threads == 0 else { return [] }
            defer { contents = Contents() }
            return contents.queue
        }
    }
}
