import CSodium

extension SecretBytes: Equatable {
    /// Compares two values in a time that depends on their lengths only.
    ///
    /// - Parameters:
    ///   - left: One value.
    ///   - right: The other value.
    /// - Returns: Whether both hold the same bytes.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { mine in
            right.withUnsafeBytes { other in Sodium.areEqual(mine, other) }
        }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same text for every value.
    public var description: String { "SecretBytes(hidden)" }

    /// The same text for every value.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump(_:)` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
