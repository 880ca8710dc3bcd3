/// Files from an nginx on the same machine, over connections that are there: each body whole, in one buffer.
enum HTTPSuite {
    static let measurements: [any Measurement] =
        cases.flatMap { [$0.againstURLSession, $0.againstC] } + [SlowReading()]

    private static let cases = [
        Case("8 KiB", .small, atOnce: 1, session: 2),
        Case("8 KiB", .small, atOnce: 16, session: 8, inC: 0.6),
        Case("8 KiB", .small, atOnce: 64, session: 8, inC: 0.6),
        Case("1 MiB", .medium, atOnce: 1, session: 1),
        Case("1 MiB", .medium, atOnce: 16, session: 1),
    ]
}

/// A file and how many at once; compared with both ways to get it.
private struct Case {
    let title: String
    let file: WebFile
    let concurrency: Int
    let sessionRatio: Double
    let ratioInC: Double?

    init(_ size: String, _ file: WebFile, atOnce concurrency: Int, session: Double, inC: Double? = nil) {
        title = "\(size), \(concurrency) at once"
        self.file = file
        self.concurrency = concurrency
        (sessionRatio, ratioInC) = (session, inC)
    }

    var againstURLSession: WebComparison {
        row("\(title), URLSession", Contender.urlSession, Goal(ratio: sessionRatio))
    }

    var againstC: WebComparison {
        row("\(title), libcurl in C", Contender.curlLoop, Goal(ratio: ratioInC))
    }

    private func row(
        _ title: String,
        _ peer: @escaping @Sendable (Load) throws -> Contender,
        _ goal: Goal
    ) -> WebComparison {
        WebComparison(file: file, concurrency: concurrency, title: title, peer: peer, goal: goal)
    }
}
