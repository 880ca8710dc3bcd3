import CLinux

/// One instance for each key, for as long as anybody holds it.
///
/// ```swift
/// final class Connection: Sendable {
///     let host: String
///     init(to host: String) { self.host = host }
/// }
///
/// let connections = SharedInstances<String, Connection>()
/// let first = connections.instance(for: "example.org") { Connection(to: "example.org") }
/// let second = connections.instance(for: "example.org") { Connection(to: "example.org") }
/// print(first === second)  // true
/// ```
///
/// Everybody who asks for an equal key gets the identical instance. It is held weakly: when its last user lets it
/// go, it is released, and the next caller makes a new one.
///
/// `make` runs once, however many threads ask at once; the others wait on their threads until it has returned, as
/// they would for a `static let`, so it shall be quick. Asking for the same key from inside it traps; two makers
/// that ask for each other's keys wait for ever. All methods can be called from any thread. Memory: one small entry for each key in use; those of released instances are
/// swept when the table has doubled.
public final class SharedInstances<Key: Hashable & Sendable, Instance: AnyObject & Sendable>: Sendable {
    private struct Table {
        var slots: [Key: Slot] = [:]
        var sweepSize = 16
    }

    // The lock of the contents is held while the instance is made, so that it is made once.
    private final class Slot: Sendable {
        struct Contents {
            weak var instance: Instance?
        }

        let contents = Lock(Contents())
        let maker = Lock<Int32?>(nil)
    }

    private let table = Lock(Table())

    /// Makes an empty table.
    public init() {}

    /// How many instances are alive now.
    public var count: Int {
        let slots = table.withLock { Array($0.slots.values) }
        return slots.count { slot in slot.contents.withLock { $0.instance } != nil }
    }

    /// Returns the instance of a key, making it if nobody holds one.
    ///
    /// - Parameters:
    ///   - key: What makes two instances the same.
    ///   - fileID: The file that a misuse is reported at.
    ///   - line: The line that a misuse is reported at.
    ///   - make: Makes the instance, on the calling thread.
    /// - Returns: The instance that everybody gets who asks for this key.
    /// - Throws: What `make` throws; the next caller tries again.
    public func instance<Failure: Error>(
        for key: Key,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        make: () throws(Failure) -> Instance
    ) throws(Failure) -> Instance {
        let slot = slot(for: key)
        precondition(
            slot.maker.withLock { $0 } != asynckit_gettid(),
            "The instance is asked for while it is being made; pass what you need into it instead.",
            file: fileID,
            line: line
        )
        return try slot.contents.withLock { (contents) throws(Failure) in
            if let instance = contents.instance { return instance }
            slot.maker.withLock { $0 = asynckit_gettid() }
            defer { slot.maker.withLock { $0 = nil } }
            let instance = try make()
            contents.instance = instance
            return instance
        }
    }

    private func slot(for key: Key) -> Slot {
        // Looking at a weak reference holds the instance; it is let go after unlocking.
        let (slot, _): (Slot, [Instance]) = table.withLock { table in
            if let slot = table.slots[key] { return (slot, []) }
            let survivors = table.slots.count < table.sweepSize ? [] : Self.sweep(&table)
            let slot = Slot()
            table.slots[key] = slot
            return (slot, survivors)
        }
        return slot
    }

    /// Drops the places that nobody uses: a slot on its way to a caller has a second reference.
    private static func sweep(_ table: inout Table) -> [Instance] {
        var survivors: [Instance] = []
        for key in Array(table.slots.keys) where isKnownUniquelyReferenced(&table.slots[key]) {
            if let instance = table.slots[key]?.contents.withLock({ $0.instance }) {
                survivors.append(instance)
            } else {
                table.slots[key] = nil
            }
        }
        table.sweepSize = max(16, table.slots.count * 2)
        return survivors
    }
}
