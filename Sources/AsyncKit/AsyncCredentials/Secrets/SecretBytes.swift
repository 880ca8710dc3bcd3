import CSodium

/// Bytes that are guarded while they live and wiped when they go.
///
/// ```swift
/// import Glibc
///
/// func sendToken(from vault: CredentialVault, to socket: Int32) async throws {
///     let token = try await vault.secret(service: "api.example.org", account: "deploy")
///     token?.withUnsafeBytes { bytes in
///         _ = write(socket, bytes.baseAddress, bytes.count)
///     }
/// }
/// ```
///
/// The bytes stand in memory of their own between two guard pages, locked against swapping where the limit
/// allows it (`RLIMIT_MEMLOCK`), left out of core dumps, and overwritten with zeros when the last reference
/// goes. Printing, dumping or mirroring an instance shows nothing about it. Two instances are compared in a
/// time that depends on their lengths only.
///
/// The value never changes after it is made, so any thread may read it at any time.
///
/// Cost: three or four pages (12 to 16 KiB) for each instance, and about 25 µs to make and to wipe it.
/// Source: `sodium_malloc` in the documentation of libsodium.
public final class SecretBytes: @unchecked Sendable {
    // Sendable because nothing writes to the memory after the initializer.
    private let memory: UnsafeMutableRawPointer

    /// The number of bytes.
    public let count: Int

    /// Makes guarded memory, lets the caller fill it, and keeps the first bytes of it.
    ///
    /// The memory is wiped when the body throws.
    ///
    /// - Parameters:
    ///   - capacity: The room for the body, in bytes.
    ///   - body: Fills the room and returns how many bytes of it are the value, at most `capacity`.
    /// - Throws: `outOfMemory` when there is no guarded memory left, and what the body throws.
    public init(
        capacity: Int,
        initializingWith body: (UnsafeMutableRawBufferPointer) throws(CredentialVault.Error) -> Int
    ) throws(CredentialVault.Error) {
        Sodium.start()
        guard capacity >= 0, let memory = sodium_malloc(capacity) else { throw .outOfMemory }
        do {
            count = try body(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
        } catch {
            sodium_free(memory)
            throw error
        }
        precondition((0...capacity).contains(count), "The value of a SecretBytes is larger than its memory.")
        self.memory = memory
    }

    /// Copies bytes into guarded memory.
    ///
    /// The original stays where it is; wiping it is up to the caller.
    ///
    /// - Parameter bytes: The bytes to copy, of any value and number.
    /// - Throws: `outOfMemory` when there is no guarded memory left.
    public convenience init(copying bytes: some Collection<UInt8>) throws(CredentialVault.Error) {
        try self.init(capacity: bytes.count) { memory throws(CredentialVault.Error) in
            memory.copyBytes(from: bytes)
            return memory.count
        }
    }

    /// Copies the UTF-8 of a text into guarded memory.
    ///
    /// The original cannot be wiped: a `String` may have left copies that nobody can reach.
    ///
    /// - Parameter text: The text to copy; every character is kept as it is.
    /// - Throws: `outOfMemory` when there is no guarded memory left.
    public convenience init(copying text: String) throws(CredentialVault.Error) {
        try self.init(copying: text.utf8)
    }

    deinit {
        sodium_free(memory)
    }

    /// Gives the bytes to a function, without a copy.
    ///
    /// - Parameter body: Reads the bytes; the pointer is valid only until it returns.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withUnsafeBytes<Result: ~Copyable, Failure: Swift.Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }
}
