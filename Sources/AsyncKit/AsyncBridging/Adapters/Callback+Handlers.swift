extension Callback {
    /// Returns the callback as a handler of a `Result`.
    ///
    /// ```swift
    /// let bytes: [UInt8] = try await withCallback { callback in
    ///     fetch("a.png", completion: callback.handler())
    /// }
    /// ```
    ///
    /// The handler belongs to no actor, whichever one this is called on. It holds the callback.
    ///
    /// - Returns: A closure to be called once, from any thread.
    public func handler<Failure: Error>() -> @Sendable (Result<Success, Failure>) -> Void {
        { self($0) }
    }

    /// Returns the callback as a handler of a value.
    ///
    /// The handler belongs to no actor, whichever one this is called on. It holds the callback.
    ///
    /// - Returns: A closure to be called once, from any thread.
    public func handler() -> @Sendable (Success) -> Void {
        { self($0) }
    }

    /// Returns the callback as a handler of an optional value and an optional error.
    ///
    /// The handler belongs to no actor, whichever one this is called on. It holds the callback.
    ///
    /// - Returns: A closure to be called once, from any thread.
    public func handler() -> @Sendable (Success?, (any Error)?) -> Void {
        { self($0, $1) }
    }
}

extension Callback where Success == Void {
    /// Delivers that the operation has ended well.
    ///
    /// - Returns: What became of the call.
    @discardableResult
    public func callAsFunction() -> Delivery {
        self(())
    }

    /// Returns the callback as a handler without parameters.
    ///
    /// The handler belongs to no actor, whichever one this is called on. It holds the callback.
    ///
    /// - Returns: A closure to be called once, from any thread.
    public func handler() -> @Sendable () -> Void {
        { self(()) }
    }

    /// Returns the callback as a handler of an optional error, where `nil` means success.
    ///
    /// The handler belongs to no actor, whichever one this is called on. It holds the callback.
    ///
    /// - Returns: A closure to be called once, from any thread.
    public func handler() -> @Sendable ((any Error)?) -> Void {
        { self($0 == nil ? () : nil, $0) }
    }
}
