import AsyncCredentials
import AsyncPrimitives
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ProcessTests {
    private let scratch = Scratch()

    @Test func severalProcessesLoseNothing() async throws {
        let count = 150
        let writers = try (0..<4).map { try Writer(scratch, "put", "p\($0)", "\(count)") }
        for writer in writers { #expect(try await writer.status() == 0) }
        let vault = try await scratch.open()
        let items = try await vault.items(service: "load")
        #expect(items.count == 4 * count)
        #expect(Set(items.map(\.revision)).count == 4 * count)
        for item in items {
            #expect(try await vault.password(service: "load", account: item.account) == item.account)
        }
    }

    @Test func severalVaultsInOneProcessLoseNothing() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in 0..<4 {
                group.addTask {
                    let vault = try await scratch.open(timeout: .seconds(60))
                    for index in 0..<100 { try await vault.put("x", service: "\(name)", account: "\(index)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await scratch.open().items().count == 400)
    }

    @Test func openingAtOnceMakesOneVault() async throws {
        for _ in 0..<5 {
            let scratch = Scratch()
            let writers = try (0..<4).map { try Writer(scratch, "put", "p\($0)", "1") }
            for writer in writers { #expect(try await writer.status() == 0) }
            #expect(try await scratch.open().items().count == 4)
        }
    }

    @Test func openingAtOnceInOneProcessMakesOneVault() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<16 {
                group.addTask { try await scratch.open().put("x", service: "s", account: "\(index)") }
            }
            try await group.waitForAll()
        }
        #expect(try await scratch.open().items().count == 16)
    }

    @Test func secondToMakeAVaultOpensTheFirst() async throws {
        struct HeldUp: KeySource {
            let asked = Gate()
            let released = Gate()
            let key: RawKey

            func key(forNewVault: Bool) async -> VaultKey {
                if forNewVault {
                    asked.open()
                    await released.wait()
                }
                return key.key(forNewVault: forNewVault)
            }
        }
        let source = HeldUp(key: try RawKey(secret([UInt8](0..<32))))
        let second = Task { try await CredentialVault.open(at: scratch.vaultPath, keys: source) }
        await source.asked.wait()
        let first = try await CredentialVault.open(at: scratch.vaultPath, keys: source.key)
        try await first.put("kept", service: "s", account: "a")
        source.released.open()
        #expect(try await second.value.password(service: "s", account: "a") == "kept")
        try await first.put("by both", service: "s", account: "a")
        #expect(try await second.value.password(service: "s", account: "a") == "by both")
    }

    @Test(arguments: [200, 40_000])
    func killedWriterLeavesTheOldOrTheNewValue(size: Int) async throws {
        for round in 0..<30 {
            let writer = try Writer(scratch, "replace", "\(size)")
            while writer.output.isEmpty { usleep(500) }
            usleep(UInt32.random(in: 0..<4_000))
            writer.kill()
            #expect(try await writer.status() == SIGKILL)
            let last = try #require(writer.output.last)
            let vault = try await scratch.open()
            let found = try #require(try await vault.secret(service: "load", account: "one")?.array)
            #expect(found.count == size)
            let value = try #require(found.first)
            #expect(found.allSatisfy { $0 == value })
            #expect(
                value == last || value == last &+ 1,
                "what a call returned from must be there, round \(round)"
            )
            #expect(try await vault.items().count == 1)
            await vault.close()
        }
    }

    @Test func killedFirstOpeningLeavesNoHalfVault() async throws {
        for _ in 0..<30 {
            let scratch = Scratch()
            let writer = try Writer(scratch, "put", "p", "1")
            usleep(UInt32.random(in: 2_000..<25_000))
            writer.kill()
            _ = try await writer.status()
            let vault = try await scratch.open()
            #expect(try await vault.items().count <= 1)
        }
    }
}

/// The program `vault-writer`, started with an empty environment; what it prints goes to a file.
private final class Writer: Sendable {
    private let process: pid_t
    private let log: String

    init(_ scratch: Scratch, _ arguments: String...) throws {
        var link = [CChar](repeating: 0, count: 4096)
        try #require(readlink("/proc/self/exe", &link, link.count - 1) > 0)
        let tests = String(decoding: link.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let program = tests.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/vault-writer"
        log = "\(scratch.path)/log-\(UInt64.random(in: .min ... .max))"

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addclose(&actions, 0)
        var words = ([program, scratch.vaultPath, scratch.keyPath] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var process: pid_t = 0
        try #require(posix_spawn(&process, program, &actions, nil, &words, &environment) == 0)
        self.process = process
    }

    func kill() {
        Glibc.kill(process, SIGKILL)
    }

    /// The exit status, or the number of the signal.
    func status() async throws -> Int32 {
        let process = process
        return try await ThreadPool.shared.run {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status & 0x7F != 0 ? status & 0x7F : status >> 8 & 0xFF
        }
    }

    var output: [UInt8] {
        let descriptor = open(log, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
