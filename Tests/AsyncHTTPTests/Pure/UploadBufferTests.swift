import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct UploadBufferTests {
    private func read(_ buffer: inout UploadBuffer, room: Int = 1 << 20) -> (UploadBuffer.Reading, [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: room)
        let reading = bytes.withUnsafeMutableBytes { buffer.read(into: $0) }
        guard case .bytes(let count) = reading else { return (reading, []) }
        return (reading, Array(bytes[..<count]))
    }

    @Test func nobodyBeginsBeforeTheBodyIsWanted() {
        var buffer = UploadBuffer(length: nil)
        #expect(!buffer.hasRoom)
        #expect(read(&buffer).0 == .nothingYet)
        #expect(buffer.hasRoom)
    }

    @Test func piecesArePutTogetherAndCutToTheRoom() {
        var buffer = UploadBuffer(length: nil)
        for piece in [[1, 2], [3], [4, 5, 6]] as [[UInt8]] { _ = buffer.append(piece) }
        _ = buffer.finish(.success(()))
        #expect(read(&buffer, room: 4).1 == [1, 2, 3, 4])
        #expect(read(&buffer, room: 4).1 == [5, 6])
        #expect(read(&buffer).0 == .end)
    }

    @Test func aSenderThatWaitsIsWokenOnce() {
        var buffer = UploadBuffer(length: nil)
        let early = buffer.append([1])
        #expect(!early)
        _ = read(&buffer)
        _ = read(&buffer)
        let (first, second) = (buffer.append([2]), buffer.append([3]))
        #expect(first && !second)
        _ = read(&buffer)
        _ = read(&buffer)
        let end = buffer.finish(.success(()))
        #expect(end)
    }

    @Test func theWriterIsHeldBackAtTheMark() {
        var buffer = UploadBuffer(length: nil)
        _ = read(&buffer)
        _ = buffer.append([UInt8](repeating: 1, count: UploadBuffer.aheadMark))
        #expect(!buffer.hasRoom)
        _ = read(&buffer, room: 1)
        #expect(buffer.hasRoom)
    }

    @Test func whatWasSentFirstCanBeSentAgainUpToTheMark() {
        var buffer = UploadBuffer(length: nil)
        let piece = [UInt8](repeating: 7, count: 1024)
        for _ in 0..<UploadBuffer.keptMark / 1024 { _ = buffer.append(piece) }
        _ = read(&buffer)
        let isBack = buffer.rewind()
        #expect(isBack)
        #expect(read(&buffer).1.count == UploadBuffer.keptMark)
        _ = buffer.append(piece)
        _ = read(&buffer)
        let isBackOnceMore = buffer.rewind()
        #expect(!isBackOnceMore)
    }

    @Test func aBodyMustHaveTheLengthItWasGiven() {
        let long = HTTPClient.Error.invalidRequest("its body is longer than the length it was given")
        let short = HTTPClient.Error.invalidRequest("its body is shorter than the length it was given")
        var buffer = UploadBuffer(length: 2)
        _ = buffer.append([1, 2, 3])
        #expect(read(&buffer).0 == .failure(long))
        buffer = UploadBuffer(length: 2)
        _ = buffer.append([1])
        _ = buffer.finish(.success(()))
        #expect(read(&buffer).0 == .failure(short))
    }

    @Test func theLastByteWaitsUntilItIsKnownToBeTheLast() {
        var buffer = UploadBuffer(length: 2)
        _ = buffer.append([1, 2])
        #expect(read(&buffer).1 == [1])
        #expect(read(&buffer).0 == .nothingYet)
        let wakes = buffer.finish(.success(()))
        #expect(wakes)
        #expect(read(&buffer).1 == [2])
        #expect(read(&buffer).0 == .end)
    }

    @Test func theFirstEndCountsAndNothingComesAfterIt() {
        var buffer = UploadBuffer(length: nil)
        _ = buffer.finish(.failure(.cancelled))
        _ = buffer.finish(.success(()))
        _ = buffer.append([1])
        #expect(read(&buffer).0 == .failure(.cancelled))
    }
}
