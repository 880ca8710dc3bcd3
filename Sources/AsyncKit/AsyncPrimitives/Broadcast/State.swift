/// The latest value of something that changes, for any number of readers.
///
/// ```swift
/// let mode = State("starting")
/// Task { for await value in mode { print(value) } }
/// mode.set("running")
/// ```
///
/// Every subscriber gets the current value at once and then each change that it is quick enough to see: a slow
/// one skips what was replaced meanwhile and holds one element, however many were set. Equal neighbours are not
/// delivered. Subscribers do not share anything; leaving the loop or cancelling the task ends that one only.
///
/// A state made without a value delivers nothing before the first ``set(_:)``; there is no placeholder.
/// When the state is finished or released, its subscribers get the value they have not seen yet, then the end.
///
/// All methods can be called from any thread and never wait. Equality is asked outside the lock, so it may be
/// slow or call back into the state. Cost: setting takes two short locks, a `next()` that finds a value one.
public final class State<Value: Sendable>: Sendable {
    @usableFromInline let storage: StateStorage<Value>

    /// Makes a state that holds a value.
    ///
    /// - Parameter initial: What subscribers get until the first change.
    @inlinable
    public init(_ initial: Value) where Value: Equatable {
        storage = StateStorage(initial, isDuplicate: ==)
    }

    /// Makes a state whose first value is not known yet; subscribers wait for it.
    @inlinable
    public init() where Value: Equatable {
        storage = StateStorage(nil, isDuplicate: ==)
    }

    /// Makes a state for values that have no equality of their own.
    ///
    /// - Parameters:
    ///   - initial: What subscribers get until the first change; `nil` when it is not known yet.
    ///   - isDuplicate: True when the second value shall not be delivered after the first; called on any
    ///     thread, without a lock.
    @inlinable
    public init(_ initial: Value?, isDuplicate: @escaping @Sendable (Value, Value) -> Bool) {
        storage = StateStorage(initial, isDuplicate: isDuplicate)
    }

    deinit {
        storage.finish()
    }

    /// The value that was set last; `nil` only before the first one.
    public var latest: Value? { storage.latest }

    /// How many subscribers there are now.
    public var subscriberCount: Int { storage.subscriberCount }

    /// Replaces the value and wakes those who wait for a change.
    ///
    /// A value equal to the current one wakes nobody. After ``finish()`` nothing happens.
    ///
    /// - Parameter value: The new value.
    @inlinable
    public func set(_ value: Value) {
        storage.set(value)
    }

    /// Changes the value from what it is now, without losing a change made meanwhile.
    ///
    /// Before the first value, and after ``finish()``, nothing happens.
    ///
    /// - Parameter change: Edits a copy; it runs without a lock and may run again when another thread was
    ///   faster, so it shall have no other effect.
    public func update(_ change: (inout Value) -> Void) {
        storage.update(change)
    }

    /// Ends the stream of every subscriber after the value it has not seen yet.
    public func finish() {
        storage.finish()
    }
}
