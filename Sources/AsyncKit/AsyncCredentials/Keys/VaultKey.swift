import AsyncPrimitives
import CSodium

/// A key as a ``KeySource`` hands it over: 32 random bytes, or a passphrase and what it costs to try one.
///
/// Printing it shows nothing about it.
public struct VaultKey: Sendable, CustomStringConvertible, CustomReflectable {
    let kind: Slot.Kind
    let cost: Passphrase.Cost?
    private let material: SecretBytes

    /// One derivation at a time in the process, on a thread of its own: each may need 256 MiB and a second.
    private static let derivations = ThreadPool(name: "argon2", maximumThreads: 1)

    private init(kind: Slot.Kind, cost: Passphrase.Cost?, material: SecretBytes) {
        self.kind = kind
        self.cost = cost
        self.material = material
    }

    /// Makes a key of random bytes.
    ///
    /// - Parameter bytes: Exactly 32 bytes from a good source of random numbers.
    /// - Returns: The key.
    /// - Throws: `keyLength` for any other number of bytes.
    public static func raw(_ bytes: SecretBytes) throws(CredentialVault.Error) -> VaultKey {
        guard bytes.count == Sodium.keySize else { throw .keyLength }
        return VaultKey(kind: .raw, cost: nil, material: bytes)
    }

    /// Makes a key of a passphrase.
    ///
    /// - Parameters:
    ///   - text: The passphrase in UTF-8, 1 to 1,024 bytes. It is taken as it is: bring it to normal form C
    ///     first.
    ///   - cost: What each try costs, for a slot that is made; a slot that exists has its own.
    /// - Returns: The key.
    /// - Throws: `keyLength` when it is empty or too long.
    public static func passphrase(
        _ text: SecretBytes,
        cost: Passphrase.Cost = .moderate
    ) throws(CredentialVault.Error) -> VaultKey {
        guard (1...1024).contains(text.count) else { throw .keyLength }
        return VaultKey(kind: .passphrase, cost: cost, material: text)
    }

    /// The same text for every key.
    public var description: String { "VaultKey(hidden)" }

    /// A mirror without children, so that `dump(_:)` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The key that wraps the vault key in a slot.
    func derive(salt: [UInt8], cost: Passphrase.Cost?) async throws(VaultError) -> SecretBytes {
        guard let cost else { return try mix(salt) }
        let material = material
        do {
            return try await Self.derivations.run { try cost.stretch(material, salt: salt) }
        } catch let error as VaultError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .busy
        }
    }

    /// A raw key needs no stretching, only a key of its own for each slot.
    private func mix(_ salt: [UInt8]) throws(VaultError) -> SecretBytes {
        var transcript = Transcript("raw key")
        transcript.append(salt)
        return try SecretBytes(capacity: Sodium.keySize) { memory throws(VaultError) in
            let status = material.withUnsafeBytes { key in
                crypto_generichash(
                    memory.bytes,
                    memory.count,
                    transcript.bytes,
                    UInt64(transcript.bytes.count),
                    key.bytes,
                    key.count
                )
            }
            precondition(status == 0, "BLAKE2b takes keys of 16 to 64 bytes.")
            return memory.count
        }
    }
}
