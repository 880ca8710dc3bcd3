/// What came of an answer so far, held to its limits.
struct Received {
    private(set) var head: [UInt8] = []
    private(set) var body: [UInt8] = []
    /// Whether the header of the final answer is there as a whole.
    private(set) var isHeadComplete = false
    /// Whether the body is larger than its limit and what is here is its beginning.
    private(set) var isCut = false
    /// Why no more is taken.
    private(set) var refusal: HTTPClient.Error?

    private let maximumHeaderSize: Int
    private let maximumBodySize: Int
    private let cutsBody: Bool
    private var headerSize = 0

    init(maximumHeaderSize: Int, maximumBodySize: Int, cutsBody: Bool = false) {
        self.maximumHeaderSize = maximumHeaderSize
        self.maximumBodySize = maximumBodySize
        self.cutsBody = cutsBody
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
        if size > maximumBodySize, !cutsBody { return refuse(.tooLarge(.body, limit: maximumBodySize)) }
        // No more than this on a mere promise.
        body.reserveCapacity(max(0, min(size, maximumBodySize, 1 << 20)))
        return true
    }

    /// Takes a piece of the body; false ends the transfer.
    mutating func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        let room = maximumBodySize - body.count
        if piece.count > room, !cutsBody { return refuse(.tooLarge(.body, limit: maximumBodySize)) }
        body.append(contentsOf: piece.prefix(room))
        isCut = piece.count > room
        return !isCut
    }

    private mutating func refuse(_ error: HTTPClient.Error) -> Bool {
        refusal = error
        return false
    }
}
