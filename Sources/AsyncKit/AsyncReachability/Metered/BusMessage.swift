/// A message that came over the bus, or one to be sent; for the thread of its connection alone.
final class BusMessage {
    /// The kinds of D-Bus messages; the numbers are those of the protocol.
    enum Kind: UInt8 {
        case call = 1
        case answer = 2
        case error = 3
        case signal = 4
    }

    private let library: SystemBus
    let pointer: OpaquePointer

    /// Takes the message over from sd-bus.
    init(_ library: SystemBus, owning pointer: OpaquePointer) {
        self.library = library
        self.pointer = pointer
    }

    deinit {
        _ = library.releaseMessage(pointer)
    }

    /// `nil` for a kind that came after this was written, which the protocol says to ignore.
    var kind: Kind? {
        var number: UInt8 = 0
        return library.kind(pointer, &number) < 0 ? nil : Kind(rawValue: number)
    }

    /// The number of the call that this answers; `nil` when it answers none.
    var replyCookie: UInt64? {
        var cookie: UInt64 = 0
        return library.replyCookie(pointer, &cookie) < 0 ? nil : cookie
    }

    /// Who sent it, by the word of the bus.
    var sender: String? { library.sender(pointer).map { String(cString: $0) } }

    /// The name of the signal or method.
    var member: String? { library.member(pointer).map { String(cString: $0) } }

    /// Adds a string; false when there is no memory or the string is none that D-Bus knows.
    func append(_ text: String) -> Bool {
        text.withCString { library.append(pointer, .init(ascii: "s"), $0) } >= 0
    }

    /// The number in the variant that comes next; `nil` when something else does.
    func readNumberInVariant() -> UInt32? {
        var number: UInt32 = 0
        guard library.enter(pointer, .init(ascii: "v"), "u") > 0 else { return nil }
        return library.read(pointer, .init(ascii: "u"), &number) > 0 ? number : nil
    }
}

extension CChar {
    /// The code of a D-Bus type, such as `u`.
    init(ascii scalar: Unicode.Scalar) {
        self.init(UInt8(ascii: scalar))
    }
}
