/// What came of an answer so far, held to its limits.
struct Received {
    private(set) var head: [UInt8] = []
    private(set) var body: [UInt8] = []
    /// Whether the header of the final answer is there as a whole.
    private(set) var isHeadComplete = false
    /// Why no more is taken.
    private(set) var refusal: HTTPClient.Error?

    private let maximumHeaderSize: Int
    private let maximumBodySize: Int
    private var headerSize = 0

    init(maximumHeaderSize: Int, maximumBodySize: Int) {
        self.maximumHeaderSize = maximumHeaderSize
        self.maximumBodySize = maximumBodySize
    }

    /// Takes one header or trailer line with its line end; false ends the transfer.
    mutating func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
        headerSize += line.count
        if headerSize > maximumHeaderSize { return refuse(.tooLarge(.header, limit: maximumHeaderSize)) }
        // What comes later is a trailer.
        if isHeadComplete { return true }
        if line.first != UInt8(ascii: "\r") && line.first != UInt8(ascii: "\n") {
            head.append(contentsOf: line)
        } else if ResponseHead.isInterim(head) {
            head.removeAll(keepingCapacity: true)
        } else {
            isHeadComplete = true
        }
        return true
    }

    /// Takes the promised length of the body, or -1; false ends the transfer before any of it is read.
    mutating func expectBody(ofSize size: Int) -> Bool {
        if size > maximumBodySize { return refuse(.tooLarge(.body, limit: maximumBodySize)) }
        // No more than this on a mere promise.
        body.reserveCapacity(max(0, min(size, maximumBodySize, 1 << 20)))
        return true
    }

    /// Takes a piece of the body; false ends the transfer.
    mutating func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count <= maximumBodySize - body.count else {
            return refuse(.tooLarge(.body, limit: maximumBodySize))
        }
        body.append(contentsOf: piece)
        return true
    }

    private mutating func refuse(_ error: HTTPClient.Error) -> Bool {
        refusal = error
        return false
    }
}
