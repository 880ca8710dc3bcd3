/// A key source of 32 random bytes that the program got by its own means.
///
/// ```swift
/// import Glibc
///
/// // The process that started this one has written the key to descriptor 3.
/// let key = try SecretBytes(capacity: 32) { max(0, read(3, $0.baseAddress, $0.count)) }
/// let vault = try await CredentialVault.open(at: "/var/lib/robot/vault", keys: RawKey(key))
/// ```
public struct RawKey: KeySource {
    private let key: VaultKey

    /// Takes the bytes.
    ///
    /// - Parameter bytes: Exactly 32 bytes from a good source of random numbers. A text is not one: use
    ///   ``Passphrase`` for what people think up.
    /// - Throws: `keyLength` for any other number of bytes.
    public init(_ bytes: SecretBytes) throws(CredentialVault.Error) {
        key = try .raw(bytes)
    }

    /// Gives the key.
    ///
    /// - Parameter forNewVault: Makes no difference.
    /// - Returns: The key.
    public func key(forNewVault: Bool) -> VaultKey { key }
}
