/// What the header row vouches for: how many rows there are, and the sum of a keyed hash over each of them.
///
/// The sum makes it cheap to write one row and impossible to remove, repeat or replay one without the key.
struct Manifest: Equatable {
    /// Grows with every change; the number that a change gives to the rows it writes is their revision.
    var generation: Int64
    private(set) var count: Int64
    private(set) var sum: Sum

    init(generation: Int64 = 0, count: Int64 = 0, sum: Sum = Sum()) {
        self.generation = generation
        self.count = count
        self.sum = sum
    }

    mutating func add(_ element: [UInt8]) {
        count += 1
        sum.add(Sum(element))
    }

    mutating func remove(_ element: [UInt8]) {
        count -= 1
        sum.subtract(Sum(element))
    }

    /// A number modulo 2^256.
    struct Sum: Equatable {
        private var limbs: [UInt64] = [0, 0, 0, 0]

        init() {}

        /// Reads 32 bytes, the lowest one first; missing bytes are zeros.
        init(_ bytes: [UInt8]) {
            for (index, byte) in bytes.prefix(32).enumerated() {
                limbs[index / 8] |= UInt64(byte) << (8 * (index % 8))
            }
        }

        var bytes: [UInt8] {
            limbs.reduce(into: []) { $0.append(littleEndian: $1) }
        }

        mutating func add(_ other: Sum) {
            var carry: UInt64 = 0
            for index in limbs.indices {
                let (partial, first) = limbs[index].addingReportingOverflow(other.limbs[index])
                let (total, second) = partial.addingReportingOverflow(carry)
                limbs[index] = total
                carry = first || second ? 1 : 0
            }
        }

        mutating func subtract(_ other: Sum) {
            var borrow: UInt64 = 0
            for index in limbs.indices {
                let (partial, first) = limbs[index].subtractingReportingOverflow(other.limbs[index])
                let (total, second) = partial.subtractingReportingOverflow(borrow)
                limbs[index] = total
                borrow = first || second ? 1 : 0
            }
        }
    }
}
