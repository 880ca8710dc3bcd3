import AsyncCredentials
import Glibc

/// A program that the tests run several times at once, and kill.
///
/// `vault-writer VAULT KEYFILE put NAME COUNT` adds COUNT items; `vault-writer VAULT KEYFILE replace SIZE`
/// replaces one item for ever and prints the number of each replacement that is done.
@main
struct VaultWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let vault = try await CredentialVault.open(
            at: arguments[1],
            keys: KeyFile(arguments[2]),
            timeout: .seconds(60)
        )
        switch arguments[3] {
        case "put":
            for index in 0..<(Int(arguments[5]) ?? 0) {
                try await vault.put(
                    "\(arguments[4])-\(index)",
                    service: "load",
                    account: "\(arguments[4])-\(index)"
                )
            }
        default:
            var number: UInt8 = 0
            while true {
                number &+= 1
                let bytes = [UInt8](repeating: number, count: Int(arguments[4]) ?? 0)
                try await vault.put(SecretBytes(copying: bytes), service: "load", account: "one")
                write(1, [number], 1)
            }
        }
    }
}
