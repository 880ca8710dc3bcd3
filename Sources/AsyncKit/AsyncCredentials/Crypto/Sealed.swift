import CSodium

/// A sealed blob: XChaCha20-Poly1305 (IETF) over padded bytes, under a nonce of 24 random bytes.
///
/// The authenticator stands apart from the body, so that walking over all rows need not read the bodies.
struct Sealed {
    let nonce: [UInt8]
    let mac: [UInt8]
    let body: [UInt8]

    init(nonce: [UInt8], mac: [UInt8], body: [UInt8]) {
        self.nonce = nonce
        self.mac = mac
        self.body = body
    }

    /// Pads, then seals.
    ///
    /// The associated data is authenticated with it and must be given again to open it.
    init(
        padding plaintext: UnsafeRawBufferPointer,
        key: SecretBytes,
        bound associated: [UInt8]
    ) throws(VaultError) {
        let padded = try SecretBytes(capacity: Padding.size(for: plaintext.count)) {
            memory throws(VaultError) in
            memory.copyMemory(from: plaintext)
            Padding.fill(memory, after: plaintext.count)
            return memory.count
        }
        self.init(sealing: padded, key: key, bound: associated)
    }

    /// Seals bytes of a fixed length as they are.
    init(sealing plaintext: SecretBytes, key: SecretBytes, bound associated: [UInt8]) {
        let nonce = Sodium.random(Sodium.nonceSize)
        var mac = [UInt8](repeating: 0, count: Sodium.macSize)
        var body = [UInt8](repeating: 0, count: plaintext.count)
        plaintext.withUnsafeBytes { plaintext in
            key.withUnsafeBytes { key in
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
                    &body,
                    &mac,
                    nil,
                    plaintext.bytes,
                    UInt64(plaintext.count),
                    associated,
                    UInt64(associated.count),
                    nil,
                    nonce,
                    key.bytes
                )
            }
        }
        self.init(nonce: nonce, mac: mac, body: body)
    }

    /// Opens into memory of the body's size.
    func open(
        into memory: UnsafeMutableRawBufferPointer,
        key: SecretBytes,
        bound associated: [UInt8]
    ) throws(VaultError) {
        guard
            nonce.count == Sodium.nonceSize, mac.count == Sodium.macSize, memory.count == body.count,
            !body.isEmpty, key.count == Sodium.keySize
        else { throw .tampered }
        let status = key.withUnsafeBytes { key in
            crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
                memory.bytes,
                nil,
                body,
                UInt64(body.count),
                mac,
                associated,
                UInt64(associated.count),
                nonce,
                key.bytes
            )
        }
        if status != 0 { throw .tampered }
    }

    /// Opens metadata for as long as the body runs, in ordinary memory that is wiped.
    func withOpened<Result>(
        key: SecretBytes,
        bound associated: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        var memory = [UInt8](repeating: 0, count: self.body.count)
        defer { sodium_memzero(&memory, memory.count) }
        return try memory.withUnsafeMutableBytes { memory in
            Swift.Result { () throws(VaultError) in
                try open(into: memory, key: key, bound: associated)
                let padded = UnsafeRawBufferPointer(memory)
                return try body(
                    UnsafeRawBufferPointer(rebasing: padded.prefix(Padding.contentSize(of: padded)))
                )
            }
        }.get()
    }

    /// Opens a secret and removes the padding.
    func open(key: SecretBytes, bound associated: [UInt8]) throws(VaultError) -> SecretBytes {
        try SecretBytes(capacity: body.count) { memory throws(VaultError) in
            try open(into: memory, key: key, bound: associated)
            return try Padding.contentSize(of: UnsafeRawBufferPointer(memory))
        }
    }
}
