import AsyncHTTP
import CLinux
import Foundation
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DownloadFileTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()
    private let folder = Folder()

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/a", .respond(body: [1, 2, 3]))
    }

    private func download(to path: String) async throws {
        _ = try await client.download(HTTPRequest(url: origin.url("/a")), to: path)
    }

    private func expectRefusal(_ path: String, _ reason: String) async {
        await #expect(throws: HTTPClient.Error.file(path: path, reason: reason)) {
            try await download(to: path)
        }
        #expect(origin.requestCount("/a") == 0)
    }

    @Test func oldFileIsReplacedByAnotherOneWithItsPermissions() async throws {
        folder.write([9, 9, 9, 9, 9], to: "a", mode: 0o604)
        let old = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("a")))
        try await download(to: folder.path("a"))
        #expect(folder.bytes("a") == [1, 2, 3])
        #expect(folder.mode("a") == 0o604)
        // Who has the old one open still reads all of it.
        #expect(try old.readToEnd() == Data([9, 9, 9, 9, 9]))
        #expect(folder.names == ["a"])
    }

    @Test func newFileGetsWhatTheUmaskLeaves() async {
        await #expect(processExitsWith: .success) {
            let (origin, folder) = (try HTTPOrigin(), Folder())
            origin.on("/a", .respond(body: [1]))
            for (mask, mode) in [(0o027, 0o640), (0o777, 0)] as [(mode_t, mode_t)] {
                umask(mask)
                let name = "\(mask)"
                let request = HTTPRequest(url: origin.url("/a"))
                _ = try await HTTPClient.shared.download(request, to: folder.path(name))
                precondition(folder.mode(name) == mode, "\(String(describing: folder.mode(name)))")
            }
        }
    }

    @Test func linkIsReplacedAndNotFollowed() async throws {
        folder.write([9], to: "target")
        #expect(symlink("target", folder.path("a")) == 0)
        try await download(to: folder.path("a"))
        #expect(folder.bytes("a") == [1, 2, 3])
        #expect(folder.bytes("target") == [9])
        var status = stat()
        #expect(lstat(folder.path("a"), &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    }

    @Test func longestNamesAndOddOnesWork() async throws {
        for name in [String(repeating: "n", count: 255), String(repeating: "ü", count: 127), "a b\n", "..."] {
            try await download(to: folder.path(name))
            #expect(folder.bytes(name) == [1, 2, 3])
        }
        #expect(folder.names.count == 4)
    }

    @Test func directoryThatIsMissingIsToldBeforeAnythingIsAsked() async {
        await expectRefusal(folder.path("none/a"), "No such file or directory")
    }

    @Test(arguments: ["", "/", ".", "..", "/tmp", "/tmp/", "/tmp/."])
    func directoryIsNoPlaceForAFile(path: String) async {
        await expectRefusal(path, "Is a directory")
    }

    @Test func whatIsNoFileIsNotReplaced() async {
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        await expectRefusal(folder.path("pipe"), "it is neither a file nor a link")
        #expect(folder.names == ["pipe"])
    }

    @Test func pathIsNotCutOffAtAZero() async {
        await expectRefusal(folder.path("a\0b"), "Invalid argument")
        #expect(folder.names == [])
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func directoryWithoutPermissionIsToldBeforeAnythingIsAsked() async {
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        await expectRefusal(folder.path("a"), "Permission denied")
    }

    @Test(.enabled(if: NetworkNamespace.isAvailable, "it takes the right to mount a small disk"))
    func fullDiskIsToldAndLeavesNoPart() async throws {
        let disk = try SmallDisk(size: 256 * 1024)
        try await download(to: "\(disk.path)/old")
        origin.on("/a", .respond(body: RangedFile.sample(1_000_000)))
        let path = "\(disk.path)/old"
        await #expect(throws: HTTPClient.Error.file(path: path, reason: "No space left on device")) {
            try await download(to: path)
        }
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
        let hidden = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        #expect(hidden == ["old"])
    }

    @Test func fileThatMayNotGrowIsToldAndLeavesNoPart() async {
        await #expect(processExitsWith: .success) {
            let (origin, folder) = (try HTTPOrigin(), Folder())
            origin.on("/a", .respond(body: [UInt8](repeating: 1, count: 1_000_000)))
            folder.write([9], to: "a")
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let request = HTTPRequest(url: origin.url("/a"))
            let path = folder.path("a")
            await #expect(throws: HTTPClient.Error.file(path: path, reason: "File too large")) {
                try await HTTPClient.shared.download(request, to: path)
            }
            precondition(folder.names == ["a"] && folder.bytes("a") == [9])
        }
    }

    @Test func fileThatDoesNotReachTheDiskReplacesNothing() async {
        await #expect(processExitsWith: .success) {
            let (origin, folder) = (try HTTPOrigin(), Folder())
            origin.on("/a", .respond(body: [1]))
            folder.write([9], to: "a")
            try SystemCallFilter.refuse(Int(SYS_fsync), with: EIO)
            let request = HTTPRequest(url: origin.url("/a"))
            let path = folder.path("a")
            await #expect(throws: HTTPClient.Error.file(path: path, reason: "Input/output error")) {
                try await HTTPClient.shared.download(request, to: path)
            }
            precondition(folder.names == ["a"] && folder.bytes("a") == [9])
        }
    }

    @Test func descriptorsAreGivenBack() async {
        await #expect(processExitsWith: .success) {
            let (origin, folder) = (try HTTPOrigin(), Folder())
            origin.on("/good", .respond(body: [1]))
            origin.on("/bad", .respond(status: 404))
            func downloadBoth() async {
                for path in ["/good", "/bad"] {
                    let request = HTTPRequest(url: origin.url(path))
                    _ = try? await HTTPClient.shared.download(request, to: folder.path("a"))
                    _ = try? await HTTPClient.shared.download(request, to: folder.path("none/a"))
                }
            }
            await downloadBoth()
            let before = Kernel.names(in: "/proc/self/fd").count
            for _ in 0..<20 { await downloadBoth() }
            precondition(Kernel.names(in: "/proc/self/fd").count <= before, "descriptors are left")
        }
    }
}
