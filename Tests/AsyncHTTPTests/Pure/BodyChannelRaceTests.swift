import AsyncPrimitives
import Support
import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(3)))
struct BodyChannelRaceTests {
    /// A reader that is resumed twice, or never, ends the process or runs into the time limit.
    @Test func readerIsResumedOnceByWhoeverComesFirst() async throws {
        let thread = ThreadExecutor(name: "writer")
        var read = 0
        let rounds = Race.rounds
        for round in 0..<rounds {
            let channel = BodyChannel()
            let reader = Task { await channel.read(isolation: nil) }
            let writer = Task(executorPreference: thread) {
                if round.isMultiple(of: 2) {
                    _ = [UInt8(1)].withUnsafeBytes { channel.append($0) }
                }
                channel.finish(.success(()))
            }
            reader.cancel()
            switch await reader.value {
            case .chunk(let chunk, let releasesWriter):
                #expect(chunk == [1] && !releasesWriter && round.isMultiple(of: 2))
                read += 1
            case .end:
                #expect(!round.isMultiple(of: 2))
                read += 1
            case .nothingYet:
                break
            case .failure(let error):
                Issue.record(error)
            }
            await writer.value
            #expect(channel.isFinished)
        }
        #expect(read > 0 && read < rounds)
    }
}
