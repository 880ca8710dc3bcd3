import AsyncCredentials
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SecretBytesTests {
    @Test func printingShowsNothing() throws {
        let secret = try SecretBytes(copying: "hunter2")
        let other = try SecretBytes(copying: "a much longer value that is quite different")
        var dumped = ""
        dump(secret, to: &dumped)
        dump([secret], to: &dumped)
        let shown = "\(secret) \(String(reflecting: secret)) \(String(describing: [secret])) \(dumped)"
        #expect(!shown.contains("hunter2"))
        #expect(!shown.contains("7"))
        #expect(!shown.contains("104"))
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect("\(secret)" == "\(other)")
        let key = try VaultKey.passphrase(secret)
        #expect("\(key)" == "VaultKey(hidden)")
        #expect(Mirror(reflecting: key).children.isEmpty)
        var source = ""
        dump(try Passphrase("hunter2"), to: &source)
        #expect(!source.contains("hunter2"))
    }

    @Test func equalityComparesEveryByte() throws {
        let value = try SecretBytes(copying: [UInt8](0..<64))
        #expect(value == (try SecretBytes(copying: [UInt8](0..<64))))
        for index in 0..<64 {
            var bytes = [UInt8](0..<64)
            bytes[index] ^= 1
            #expect(value != (try SecretBytes(copying: bytes)))
        }
        #expect(value != (try SecretBytes(copying: [UInt8](0..<63))))
        #expect(try SecretBytes(copying: "") == SecretBytes(copying: [UInt8]()))
    }

    @Test func memoryIsGoneWithTheLastReference() throws {
        // Read through the kernel, which tells an unmapped page from a mapped one without a fault.
        let marker = (0..<32).map { UInt8($0) ^ 0xA5 }
        var secret: SecretBytes? = try SecretBytes(capacity: 32) { memory throws(CredentialVault.Error) in
            for index in 0..<32 { memory[index] = UInt8(index) ^ 0xA5 }
            return 32
        }
        let address = try #require(secret?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
        #expect(secret?.withUnsafeBytes { $0.elementsEqual(marker) } == true)
        #expect(Self.memory(at: address, count: 32) == marker)
        secret = nil
        #expect(Self.memory(at: address, count: 32) != marker)
    }

    @Test func failedInitializerThrowsItsError() {
        #expect(throws: CredentialVault.Error.tampered) {
            try SecretBytes(capacity: 8) { _ throws(CredentialVault.Error) in throw .tampered }
        }
        #expect(throws: CredentialVault.Error.outOfMemory) {
            try SecretBytes(capacity: .max) { _ throws(CredentialVault.Error) in 0 }
        }
        #expect(throws: CredentialVault.Error.outOfMemory) {
            try SecretBytes(capacity: -1) { _ throws(CredentialVault.Error) in 0 }
        }
    }

    private static func memory(at address: UInt, count: Int) -> [UInt8]? {
        let descriptor = open("/proc/self/mem", O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(address)) == count ? bytes : nil
    }
}
