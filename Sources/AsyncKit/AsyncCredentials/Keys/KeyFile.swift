import Glibc

/// A key source of 32 random bytes in a file that only its owner can read.
///
/// ```swift
/// let vault = try await CredentialVault.open(
///     at: "/var/lib/robot/vault", keys: KeyFile("/etc/robot/vault.key"))
/// ```
///
/// The file is made with mode 0600 when the vault is made and the file is not there; a key file that exists
/// is used as it is. For a vault that exists a missing file is `noKey`: a new key could not open it.
///
/// A file on the disk of the vault protects copies of the vault only. Keep it on another volume, or out of
/// the backups of the vault.
public struct KeyFile: KeySource {
    /// The path of the file.
    public let path: String

    /// Names the file.
    ///
    /// - Parameter path: The path. Directories that are missing are made with mode 0700, together with the
    ///   key.
    public init(_ path: String) {
        self.path = path
    }

    /// Reads the key from the file, or makes both.
    ///
    /// It blocks the calling thread for one small read, or for one write that is synced.
    ///
    /// - Parameter forNewVault: Whether a missing file is made.
    /// - Returns: The key.
    /// - Throws: `noKey` when the file is missing, `refused` when others could read or change it, `keyLength`
    ///   when it has not 32 bytes.
    public func key(forNewVault: Bool) throws(CredentialVault.Error) -> VaultKey {
        if forNewVault { try make() }
        let bytes = try SecretBytes(capacity: Sodium.keySize + 1) { memory throws(VaultError) in
            try read(into: memory)
        }
        return try .raw(bytes)
    }

    /// Makes the file unless it is there.
    ///
    /// Of several that do so at once, one wins and the others read its key.
    private func make() throws(VaultError) {
        let place = try PrivateFile(path, makingDirectories: true)
        guard try !place.exists() else { return }
        let key = try SecretBytes(capacity: Sodium.keySize) { memory throws(VaultError) in
            Sodium.fill(memory)
            return memory.count
        }
        _ = try key.withUnsafeBytes { bytes throws(VaultError) in try place.create(with: bytes) }
    }

    /// Reads at most one byte more than a key has, so that a longer file is noticed.
    private func read(into memory: UnsafeMutableRawBufferPointer) throws(VaultError) -> Int {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .noKey : VaultError(errno: errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw VaultError(errno: errno) }
        try PrivateFile.check(status)
        let count = Glibc.read(descriptor, memory.baseAddress, memory.count)
        guard count >= 0 else { throw VaultError(errno: errno) }
        return count
    }
}
