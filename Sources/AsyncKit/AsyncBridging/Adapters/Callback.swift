import AsyncPrimitives
import Synchronization

/// Stands in for a completion handler, to be called once.
///
/// `withCallback` and `withCancellableCallback` make it and wait for the call, which may come from any thread and
/// at any time. A second call is ignored, told to its caller and reported. When the last reference goes away
/// without a call, the waiter gets ``CallbackError/neverCalled(_:)``.
///
/// A closure that is written on the main actor belongs to the main actor, and traps when an old API whose
/// parameter is not `@Sendable` calls it elsewhere. Pass `callback.handler()` there: it belongs to no actor.
///
/// A C function that takes a function pointer and user data gets the callback as the latter:
///
/// ```swift
/// let size: Int = try await withCallback { callback in
///     measure("a.png", { size, data in
///         guard let data else { return }
///         Unmanaged<Callback<Int>>.fromOpaque(data).takeRetainedValue()(Int(size))
///     }, Unmanaged.passRetained(callback).toOpaque())
/// }
/// ```
public final class Callback<Success: Sendable>: Sendable {
    /// What became of a call.
    public enum Delivery: Sendable, Hashable {
        /// It was the first, and its result goes to the waiter.
        case accepted
        /// It was the first, but the wait had ended by its deadline, its cancellation or an error at the start.
        case late
        /// It was not the first, and was ignored.
        case repeated
    }

    /// Where the waiter is, for errors and reports.
    public let callSite: CallSite

    private let outcome: CallbackOutcome<Success>
    private let onMisuse: @Sendable (CallbackError) -> Void
    private let wasCalled = Atomic(false)

    init(
        outcome: CallbackOutcome<Success>,
        site: CallSite,
        onMisuse: @escaping @Sendable (CallbackError) -> Void
    ) {
        self.outcome = outcome
        self.onMisuse = onMisuse
        callSite = site
    }

    deinit {
        if !wasCalled.load(ordering: .acquiring) { outcome.resolve(.failure(.neverCalled(callSite))) }
    }

    /// Delivers a value or an error.
    ///
    /// - Parameter result: What the old API came to.
    /// - Returns: What became of the call.
    @discardableResult
    public func callAsFunction(_ result: Result<Success, some Error>) -> Delivery {
        deliver(result.mapError { .operation($0) })
    }

    /// Delivers a value.
    ///
    /// - Parameter value: What the waiter shall return.
    /// - Returns: What became of the call.
    @discardableResult
    public func callAsFunction(_ value: Success) -> Delivery {
        deliver(.success(value))
    }

    /// Delivers an error.
    ///
    /// - Parameter error: What the waiter shall throw, as ``CallbackError/operation(_:)``.
    /// - Returns: What became of the call.
    @discardableResult
    public func callAsFunction(throwing error: any Error) -> Delivery {
        deliver(.failure(.operation(error)))
    }

    /// Delivers a value or an error in the form of two optionals.
    ///
    /// With both, the error counts; with neither, the waiter throws ``CallbackError/calledEmpty(_:)``.
    ///
    /// - Parameters:
    ///   - value: What the waiter shall return.
    ///   - error: What the waiter shall throw, as ``CallbackError/operation(_:)``.
    /// - Returns: What became of the call.
    @discardableResult
    public func callAsFunction(_ value: Success?, _ error: (any Error)?) -> Delivery {
        if let error { return deliver(.failure(.operation(error))) }
        guard let value else { return deliver(.failure(.calledEmpty(callSite))) }
        return deliver(.success(value))
    }

    private func deliver(_ result: Result<Success, CallbackError>) -> Delivery {
        if wasCalled.exchange(true, ordering: .acquiringAndReleasing) {
            onMisuse(.calledTwice(callSite))
            return .repeated
        }
        return outcome.resolve(result) ? .accepted : .late
    }
}
