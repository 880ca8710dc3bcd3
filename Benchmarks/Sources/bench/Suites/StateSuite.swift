import AsyncPrimitives

/// One new value from its writer to a subscriber that is ready for it.
enum StateSuite {
    static let comparisons = [
        Comparison(
            suite: "state",
            title: "set and next",
            subject: state,
            peer: .present(asyncStream),
            goal: Goal(ratio: 15)
        ),
        Comparison(
            suite: "state",
            title: "set and next through .stream",
            subject: stateStream,
            peer: .present(asyncStream)
        ),
        Comparison(
            suite: "state",
            title: "set and next, 8 subscribers",
            subject: stateForEight,
            peer: .present(asyncStreamForEight)
        ),
    ]

    private static let state = Contender(name: "State", version: Versions.library) { operations in
        let state = State(-1)
        var iterator = state.makeAsyncIterator()
        return await ContinuousClock().measure {
            for value in 0..<operations {
                state.set(value)
                keep(await iterator.next())
            }
        }
    }

    private static let stateStream = Contender(name: "State.stream", version: Versions.library) {
        operations in
        let state = State(-1)
        var iterator = state.stream.makeAsyncIterator()
        return await ContinuousClock().measure {
            for value in 0..<operations {
                state.set(value)
                keep(await iterator.next())
            }
        }
    }

    private static let asyncStream = Contender(name: "AsyncStream", version: Versions.swift) { operations in
        let (stream, writer) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        var iterator = stream.makeAsyncIterator()
        return await ContinuousClock().measure {
            for value in 0..<operations {
                writer.yield(value)
                keep(await iterator.next())
            }
        }
    }

    private static let stateForEight = Contender(name: "State", version: Versions.library) { operations in
        let state = State(-1)
        var iterators = (0..<8).map { _ in state.makeAsyncIterator() }
        return await ContinuousClock().measure {
            for value in 0..<operations {
                state.set(value)
                for index in iterators.indices { keep(await iterators[index].next()) }
            }
        }
    }

    /// A stream has one consumer, so the usual way is one stream for each.
    private static let asyncStreamForEight = Contender(
        name: "8 AsyncStreams",
        version: Versions.swift
    ) { operations in
        let streams = (0..<8).map { _ in
            AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        }
        var iterators = streams.map { $0.stream.makeAsyncIterator() }
        return await ContinuousClock().measure {
            for value in 0..<operations {
                for stream in streams { stream.continuation.yield(value) }
                for index in iterators.indices { keep(await iterators[index].next()) }
            }
        }
    }
}
