import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct BodyBufferTests {
    private func offer(_ bytes: [UInt8], to buffer: inout BodyBuffer) -> Bool {
        bytes.withUnsafeBytes { buffer.append($0) }
    }

    @Test func piecesComeInOrderAndThenTheEnd() {
        var buffer = BodyBuffer()
        let nothing = buffer.read()
        #expect(nothing == .nothingYet)
        _ = offer([1], to: &buffer)
        _ = offer([2, 3], to: &buffer)
        buffer.finish(.success(()))
        let readings = (0..<4).map { _ in buffer.read() }
        #expect(
            readings == [
                .chunk([1], releasesWriter: false), .chunk([2, 3], releasesWriter: false), .end, .end,
            ]
        )
    }

    @Test func whatCameBeforeAFailureCanBeRead() {
        var buffer = BodyBuffer()
        _ = offer([1], to: &buffer)
        buffer.finish(.failure(.truncatedBody))
        buffer.finish(.success(()))
        let readings = (0..<3).map { _ in buffer.read() }
        #expect(
            readings == [
                .chunk([1], releasesWriter: false), .failure(.truncatedBody), .failure(.truncatedBody),
            ]
        )
    }

    @Test(arguments: [HTTPClient.Error.cancelled, .closed])
    func nothingIsReadAfterTheTransferWasGivenUp(error: HTTPClient.Error) {
        var buffer = BodyBuffer()
        _ = offer([1], to: &buffer)
        buffer.finish(.failure(error))
        let reading = buffer.read()
        #expect(reading == .failure(error))
    }

    @Test func writerIsHeldAtTheHighMarkAndReleasedOnceAtTheLowOne() {
        var buffer = BodyBuffer()
        let piece = [UInt8](repeating: 7, count: 64 * 1024)
        var taken = 0
        while offer(piece, to: &buffer) { taken += 1 }
        #expect(taken == BodyBuffer.highMark / piece.count)
        var releases: [Int] = []
        for index in 0..<taken {
            if case .chunk(_, releasesWriter: true) = buffer.read() { releases.append(index) }
        }
        #expect(releases == [taken - BodyBuffer.lowMark / piece.count - 1])
        let isTakenAgain = offer(piece, to: &buffer)
        #expect(isTakenAgain)
    }

    @Test func readerThatKeepsUpNeverHoldsTheWriter() {
        var buffer = BodyBuffer()
        let piece = [UInt8](repeating: 7, count: 64 * 1024)
        for _ in 0..<1000 {
            let isTaken = offer(piece, to: &buffer)
            #expect(isTaken)
            guard case .chunk(_, releasesWriter: false) = buffer.read() else {
                Issue.record(
                    "The piece was not handed on, or the writer was released without having been held."
                )
                return
            }
        }
    }
}
