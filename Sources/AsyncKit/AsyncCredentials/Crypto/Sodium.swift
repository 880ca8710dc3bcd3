import CSodium

/// The calls of libsodium that the vault is made of, with lengths checked on this side.
enum Sodium {
    static let keySize = 32
    static let nonceSize = 24
    static let macSize = 16
    static let hashSize = 32
    static let identifierSize = 16

    private static let isReady = sodium_init() >= 0

    /// Prepares libsodium; later calls cost one load.
    ///
    /// It fails only where the kernel gives no random numbers.
    static func start() {
        precondition(isReady, "libsodium cannot start: this system has no source of random numbers.")
    }

    /// Fills memory with random bytes.
    static func fill(_ memory: UnsafeMutableRawBufferPointer) {
        start()
        if let base = memory.baseAddress { randombytes_buf(base, memory.count) }
    }

    static func random(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }

    /// BLAKE2b with a key, 32 bytes long.
    static func hash(_ message: [UInt8], key: SecretBytes) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: hashSize)
        let status = key.withUnsafeBytes { key in
            crypto_generichash(&hash, hashSize, message, UInt64(message.count), key.bytes, key.count)
        }
        precondition(status == 0, "BLAKE2b takes keys of 16 to 64 bytes.")
        return hash
    }

    /// A subkey for one purpose, by BLAKE2b over the number of the purpose.
    static func subkey(_ number: UInt64, of key: SecretBytes) throws(VaultError) -> SecretBytes {
        precondition(key.count == keySize, "Subkeys are derived from 32 bytes.")
        return try SecretBytes(capacity: keySize) { memory throws(VaultError) in
            let status = key.withUnsafeBytes { key in
                crypto_kdf_derive_from_key(memory.bytes, memory.count, number, "AKVault1", key.bytes)
            }
            precondition(status == 0, "A subkey has 16 to 64 bytes.")
            return memory.count
        }
    }

    /// Compares in a time that depends on the length only; the lengths are equal.
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let left = left.baseAddress, let other = right.baseAddress else { return true }
        return sodium_memcmp(left, other, right.count) == 0
    }

    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { right in areEqual(left, right) } }
    }
}

extension UnsafeRawBufferPointer {
    /// The start as libsodium wants it; of memory that has at least one byte.
    var bytes: UnsafePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("There is no memory to read.") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    var bytes: UnsafeMutablePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("There is no memory to write to.") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}
