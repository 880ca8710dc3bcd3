/// What came of an answer so far, held to its limits.
struct Received {
    private(set) var head: [UInt8] = []
    /// Whether the header of the final answer is there as a whole.
    private(set) var isHeadComplete = false
    /// Why no more is taken.
    private(set) var refusal: HTTPClient.Error?

    private let maximumHeaderSize: Int
    private let maximumBodySize: Int
    private var headerSize = 0
    private(set) var bodySize = 0

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

    /// Whether a piece of the body is within the limit; if not, the transfer ends.
    mutating func allowsBody(ofSize count: Int) -> Bool {
        guard refusal == nil else { return false }
        return count <= maximumBodySize - bodySize || refuse(.tooLarge(.body, limit: maximumBodySize))
    }

    /// Counts a piece that was taken.
    mutating func takeBody(ofSize count: Int) {
        bodySize += count
    }

    private mutating func refuse(_ error: HTTPClient.Error) -> Bool {
        refusal = error
        return false
    }
}
