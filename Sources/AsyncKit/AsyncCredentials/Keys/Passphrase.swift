import CSodium

/// A key source of a text that somebody remembers.
///
/// ```swift
/// func openVault(with text: String) async throws -> CredentialVault {
///     try await CredentialVault.open(at: "/var/lib/robot/vault", keys: Passphrase(text))
/// }
/// ```
///
/// The text is brought to Unicode normal form C, so that it opens the vault on every keyboard; nothing is
/// trimmed and no case is folded. It goes through Argon2id (RFC 9106) with a random salt. One derivation runs
/// at a time in the process, on a thread of its own; a call that waits for one can be cancelled.
public struct Passphrase: KeySource {
    private let key: VaultKey

    /// Takes the text.
    ///
    /// - Parameters:
    ///   - text: The passphrase, 1 to 1,024 bytes of UTF-8. The `String` itself cannot be wiped.
    ///   - cost: What each try shall cost for a vault that is made; a vault that exists has its own cost.
    /// - Throws: `keyLength` when it is empty or too long, `outOfMemory` when there is no guarded memory
    ///   left.
    public init(_ text: String, cost: Cost = .moderate) throws(CredentialVault.Error) {
        key = try .passphrase(SecretBytes(copying: text.normalFormC), cost: cost)
    }

    /// Gives the key.
    ///
    /// - Parameter forNewVault: Makes no difference.
    /// - Returns: The key.
    public func key(forNewVault: Bool) -> VaultKey { key }
}

extension Passphrase {
    /// What each try of a passphrase costs, for the owner and for a thief alike.
    public struct Cost: Hashable, Sendable {
        /// The memory that one try needs, in bytes.
        public let memory: Int

        /// How often one try goes over the memory.
        public let passes: Int

        /// 256 MiB and 3 passes: about half a second; the default.
        public static let moderate = Cost(trustedMemory: 256 << 20, passes: 3)

        /// 64 MiB and 3 passes, for small machines: about a tenth of a second.
        public static let small = Cost(trustedMemory: 64 << 20, passes: 3)

        /// Makes a cost.
        ///
        /// - Parameters:
        ///   - memory: 19 MiB to 1 GiB, in bytes.
        ///   - passes: 2 to 10.
        /// - Throws: `passphraseCost` outside of these limits.
        public init(memory: Int, passes: Int) throws(CredentialVault.Error) {
            guard (19 << 20...1 << 30).contains(memory), (2...10).contains(passes) else {
                throw .passphraseCost
            }
            self.init(trustedMemory: memory, passes: passes)
        }

        private init(trustedMemory memory: Int, passes: Int) {
            self.memory = memory
            self.passes = passes
        }

        /// Argon2id, version 1.3, one lane.
        func stretch(_ text: SecretBytes, salt: [UInt8]) throws(VaultError) -> SecretBytes {
            try SecretBytes(capacity: Sodium.keySize) { memory throws(VaultError) in
                let status = text.withUnsafeBytes { text in
                    crypto_pwhash(
                        memory.bytes,
                        UInt64(memory.count),
                        UnsafeRawPointer(text.bytes).assumingMemoryBound(to: CChar.self),
                        UInt64(text.count),
                        salt,
                        UInt64(passes),
                        self.memory,
                        crypto_pwhash_ALG_ARGON2ID13
                    )
                }
                if status != 0 { throw .outOfMemory }
                return memory.count
            }
        }
    }
}
