/// What an operation came to, on its way from the operation's task to the thread that waits for it.
@usableFromInline
final class Outcome<Success: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable because the task writes it before it tells the executor that it has finished, and the thread reads
    // it only after the executor, under its lock, has said so.
    @usableFromInline var result: Result<Success, Failure>?

    @inlinable
    init() {}

    // Without a body for callers to see, they would release the result without knowing its type.
    @inlinable
    deinit {}

    /// The operation as a body that has nothing to return.
    @inlinable
    func fill(
        from operation: @escaping @Sendable () async throws(Failure) -> Success
    ) -> BlockingWait.Body {
        {
            do throws(Failure) {
                self.result = .success(try await operation())
            } catch {
                self.result = .failure(error)
            }
        }
    }

    @inlinable
    func value(
        after end: BlockingWait.End,
        _ limits: Limits
    ) throws(SyncBridge.Error<Failure>) -> Success {
        switch end {
        case .finished:
            switch result {
            case .success(let value)?: return value
            case .failure(let error)? where limits.wasCancelled && error is CancellationError:
                throw .cancelled(at: limits.callSite)
            case .failure(let error)?: throw .operation(error)
            case nil: preconditionFailure("The operation has finished without a result.")
            }
        case .timedOut: throw .timedOut(after: limits.timeout ?? .zero, at: limits.callSite)
        case .cancelled: throw .cancelled(at: limits.callSite)
        case .refused(let reason):
            throw .refused(SyncBridge.Refusal(reason: reason, callSite: limits.callSite))
        }
    }
}
