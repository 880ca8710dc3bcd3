import AsyncCredentials
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized)
struct FileSafetyTests {
    private typealias Failure = CredentialVault.Error
    private let scratch = Scratch()

    private func openingFailure(at path: String? = nil) async -> Failure? {
        await failure { () throws(Failure) in
            try await CredentialVault.open(at: path ?? scratch.vaultPath, keys: KeyFile(scratch.keyPath))
        }
    }

    @Test func everyFileIsPrivateUnderAnyUmask() async throws {
        // In a process of its own: the umask is shared by all tests of one.
        await #expect(processExitsWith: .success) {
            for mask: mode_t in [0o000, 0o022, 0o777] {
                let scratch = Scratch()
                umask(mask)
                let path = "\(scratch.path)/new/deep/vault"
                let key = "\(scratch.path)/keys/key"
                let vault = try await CredentialVault.open(at: path, keys: KeyFile(key))
                try await vault.put("x", service: "s", account: "a")
                for name in ["new", "new/deep", "keys"] { #expect(mode("\(scratch.path)/\(name)") == 0o700) }
                for file in [path, path + "-journal", key] { #expect(mode(file) == 0o600) }
            }
        }
    }

    @Test func noOtherFilesAreLeft() async throws {
        let vault = try await scratch.open()
        try await vault.put("x", service: "s", account: "a")
        await vault.close()
        #expect(Set(try scratch.files().keys).subtracting(["vault-journal"]) == ["vault", "key"])
    }

    @Test func looseModesAreRefused() async throws {
        await (try scratch.open()).close()
        for mode: mode_t in [0o640, 0o604, 0o620, 0o602, 0o610, 0o601] {
            chmod(scratch.vaultPath, mode)
            #expect(await openingFailure() == .refused(.looseFile))
        }
        chmod(scratch.vaultPath, 0o600)
        chmod(scratch.keyPath, 0o644)
        #expect(await openingFailure() == .refused(.looseFile))
        chmod(scratch.keyPath, 0o600)
        for mode: mode_t in [0o770, 0o707, 0o1777] {
            chmod(scratch.path, mode)
            #expect(await openingFailure() == .refused(.looseDirectory))
        }
        chmod(scratch.path, 0o755)
        _ = try await scratch.open()
    }

    @Test func linksAreRefused() async throws {
        await (try scratch.open()).close()
        symlink(scratch.vaultPath, "\(scratch.path)/link")
        #expect(await openingFailure(at: "\(scratch.path)/link") == .refused(.symbolicLink))
        symlink("\(scratch.path)/nowhere", "\(scratch.path)/dangling")
        #expect(await openingFailure(at: "\(scratch.path)/dangling") == .refused(.symbolicLink))
        link(scratch.vaultPath, "\(scratch.path)/second")
        #expect(await openingFailure() == .refused(.hardLinks))
        unlink("\(scratch.path)/second")
        unlink("\(scratch.vaultPath)-journal")
        symlink("/etc/passwd", "\(scratch.vaultPath)-journal")
        #expect(await openingFailure() == .refused(.symbolicLink))
        unlink("\(scratch.vaultPath)-journal")
        rename(scratch.keyPath, "\(scratch.path)/real")
        symlink("\(scratch.path)/real", scratch.keyPath)
        #expect(await openingFailure() == .refused(.symbolicLink))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func foreignOwnersAreRefused() async throws {
        await (try scratch.open()).close()
        chown(scratch.vaultPath, 12_345, 12_345)
        #expect(await openingFailure() == .refused(.foreignOwner))
        chown(scratch.vaultPath, 0, 0)
        chown(scratch.keyPath, 12_345, 12_345)
        #expect(await openingFailure() == .refused(.foreignOwner))
        chown(scratch.keyPath, 0, 0)
        chown(scratch.path, 12_345, 12_345)
        #expect(await openingFailure() == .refused(.foreignOwner))
    }

    @Test func thingsThatAreNoFilesAreRefused() async throws {
        mkfifo(scratch.vaultPath, 0o600)
        #expect(await openingFailure() == .refused(.notAFile))
        mkdir("\(scratch.path)/directory", 0o700)
        #expect(await openingFailure(at: "\(scratch.path)/directory") == .refused(.notAFile))
        for path in ["", "/", "x/", ".", "..", "\(scratch.path)/a\0b"] {
            #expect(await openingFailure(at: path) == .invalidPath)
        }
        #expect(await openingFailure(at: "\(scratch.vaultPath)/below") == .invalidPath)
    }

    @Test func directoriesMayBeReachedThroughLinks() async throws {
        mkdir("\(scratch.path)/real", 0o700)
        symlink("\(scratch.path)/real", "\(scratch.path)/alias")
        let vault = try await CredentialVault.open(
            at: "\(scratch.path)/alias/vault",
            keys: KeyFile(scratch.keyPath)
        )
        try await vault.put("x", service: "s", account: "a")
        #expect(mode("\(scratch.path)/real/vault") == 0o600)
    }

    @Test func otherFilesAreLeftAsTheyAre() async throws {
        let strangers: [[UInt8]] = [
            [], Array("hello\n".utf8), [UInt8](repeating: 0, count: 8192), Array("SQLite format 3\0".utf8),
        ]
        for content in strangers {
            try scratch.write(content, to: "vault")
            #expect(await openingFailure() == .notAVault)
            #expect(try scratch.files()["vault"] == content)
        }
        unlink(scratch.vaultPath)
        try scratch.write([], to: "vault")
        try scratch.tamper("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let content = try scratch.files()["vault"]
        #expect(await openingFailure() == .notAVault)
        #expect(try scratch.files()["vault"] == content)
    }

    @Test func newerFormatIsLeftAsItIs() async throws {
        await (try scratch.open()).close()
        try scratch.tamper("PRAGMA user_version = 7")
        let content = try scratch.files()["vault"]
        #expect(await openingFailure() == .newerFormat(version: 7))
        #expect(try scratch.files()["vault"] == content)
    }

    @Test func replacedFileIsNoticed() async throws {
        let vault = try await scratch.open()
        try await vault.put("x", service: "s", account: "a")
        rename(scratch.vaultPath, "\(scratch.path)/moved")
        #expect(
            await failure { () throws(Failure) in try await vault.put("y", service: "s", account: "a") }
                == .replaced
        )
        #expect(await failure { () throws(Failure) in try await vault.items() } == .replaced)
        let other = try await scratch.open()
        #expect(try await other.items().isEmpty)
        #expect(
            await failure { () throws(Failure) in try await vault.put("y", service: "s", account: "a") }
                == .replaced
        )
    }

    @Test(.enabled(if: FullDisk.isPossible, "no tmpfs can be mounted here"))
    func fullDiskLosesNothing() async throws {
        let disk = try FullDisk(scratch.path + "/disk", size: "160k")
        let vault = try await CredentialVault.open(at: "\(disk.path)/vault", keys: KeyFile(scratch.keyPath))
        try await vault.put("old", service: "s", account: "a")
        let large = try secret([UInt8](repeating: 7, count: 30_000))
        var stored = 0
        var error: Failure?
        while error == nil, stored < 100 {
            do throws(Failure) {
                try await vault.put(large, service: "fill", account: "\(stored)")
                stored += 1
            } catch let failure {
                error = failure
            }
        }
        #expect(error == .diskFull)
        #expect(stored > 0)
        #expect(try await vault.items(service: "fill").count == stored)
        #expect(try await vault.password(service: "s", account: "a") == "old")
        try disk.grow(to: "1m")
        try await vault.put(large, service: "fill", account: "\(stored)")
        await vault.close()
        let again = try await CredentialVault.open(at: "\(disk.path)/vault", keys: KeyFile(scratch.keyPath))
        #expect(try await again.items(service: "fill").count == stored + 1)
        #expect(try await again.password(service: "s", account: "a") == "old")
        await again.close()
    }
}

private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
}

/// A small file system in memory, mounted for one test.
private final class FullDisk {
    let path: String

    static var isPossible: Bool {
        let scratch = Scratch()
        return (try? FullDisk(scratch.path + "/probe", size: "64k")) != nil
    }

    init(_ path: String, size: String) throws {
        mkdir(path, 0o700)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(size),mode=700") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
        }
        self.path = path
    }

    func grow(to size: String) throws {
        try #require(mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(size),mode=700") == 0)
    }

    deinit {
        umount2(path, Int32(2))  // MNT_DETACH
    }
}
