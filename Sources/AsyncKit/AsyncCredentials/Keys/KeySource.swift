/// Where the key of a vault comes from.
///
/// ``KeyFile``, ``Passphrase`` and ``RawKey`` are sources. Conform a type of your own to bring keys from
/// elsewhere, such as a hardware module or a prompt:
///
/// ```swift
/// struct Prompt: KeySource {
///     let ask: @Sendable () async -> String?
///
///     func key(forNewVault: Bool) async throws(CredentialVault.Error) -> VaultKey {
///         guard let text = await ask() else { throw .noKey }
///         return try Passphrase(text).key(forNewVault: forNewVault)
///     }
/// }
/// ```
public protocol KeySource: Sendable {
    /// Gives the key.
    ///
    /// The vault calls this outside of its own thread and of any lock, once for each opening.
    ///
    /// - Parameter forNewVault: Whether a vault is being made, so that a source may make a key for it; for a
    ///   vault that exists a new key would be of no use.
    /// - Returns: The key.
    /// - Throws: `noKey` when the source has none now, so that the next source is asked; any other error ends
    ///   the opening.
    func key(forNewVault: Bool) async throws(CredentialVault.Error) -> VaultKey
}
