import AsyncHTTP
import Glibc
import Support
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct DiskCacheTests {
    private func entry(_ key: String, _ size: Int = 100) -> DiskEntry {
        let response = StoredResponse(
            status: 200,
            headerFields: ["ETag": "\"1\"", "Content-Type": "image/png"],
            requestTime: 1000,
            responseTime: 1001
        )
        return DiskEntry(
            name: DiskCache.name(of: key),
            response: response,
            body: Array(repeating: 7, count: size)
        )
    }

    private func folder() throws -> String { try makeTemporaryDirectory(for: "disk-cache") }

    private func files(_ path: String) -> [String] {
        DiskFolder(path: path).map { $0.items().map(\.name) } ?? []
    }

    @Test func whatWasKeptIsFoundByAnotherCacheOnTheFolder() throws {
        let path = try folder()
        #expect(DiskCache(path: path, maximumSize: 10_000).keep(entry("a")))
        #expect(DiskCache(path: path, maximumSize: 10_000).entry(for: "a") == entry("a"))
        #expect(DiskCache(path: path, maximumSize: 10_000).entry(for: "b") == nil)
    }

    @Test func everyCutAndEveryChangedByteIsNoEntry() {
        let file = entry("a", 20).encoded
        #expect(DiskEntry(decoding: file) == entry("a", 20))
        for length in 0..<file.count { #expect(DiskEntry(decoding: Array(file[..<length])) == nil) }
        for place in file.indices {
            var changed = file
            changed[place] ^= 0x10
            #expect(DiskEntry(decoding: changed) == nil)
        }
        #expect(DiskEntry(decoding: file + [0]) == nil)
    }

    @Test func timesThatCannotBeCalculatedWithAreNoEntry() {
        for time in [Int.min, -1, Int.max] {
            var response = entry("a").response
            response.responseTime = time
            let odd = DiskEntry(name: "a", response: response, body: [])
            #expect(DiskEntry(decoding: odd.encoded) == nil)
        }
    }

    @Test func aDamagedFileIsAMissAndIsDeleted() throws {
        let path = try folder()
        let cache = DiskCache(path: path, maximumSize: 10_000)
        cache.keep(entry("a"))
        let file = open(path + "/" + DiskCache.name(of: "a"), O_WRONLY | O_TRUNC)
        close(file)
        #expect(cache.entry(for: "a") == nil)
        #expect(files(path).isEmpty)
        #expect(cache.usage == (0, 0))
    }

    @Test func aLinkUnderAnEntrysNameIsNotFollowed() throws {
        let (path, other) = (try folder(), try folder())
        DiskCache(path: other, maximumSize: 10_000).keep(entry("a"))
        let name = DiskCache.name(of: "a")
        symlink("\(other)/\(name)", "\(path)/\(name)")
        let cache = DiskCache(path: path, maximumSize: 10_000)
        #expect(cache.entry(for: "a") == nil)
        #expect(files(path).isEmpty && files(other) == [name])
    }

    @Test func filesOfOtherNamesAreLeftAlone() throws {
        let path = try folder()
        close(open(path + "/holiday.jpg", O_CREAT | O_WRONLY, 0o600))
        let cache = DiskCache(path: path, maximumSize: 10_000)
        cache.keep(entry("a"))
        cache.removeAll()
        #expect(files(path) == ["holiday.jpg"])
    }

    @Test func theLeastRecentlyUsedGoFirst() throws {
        let path = try folder()
        let size = entry("a", 1000).encoded.count
        let cache = DiskCache(path: path, maximumSize: 3 * size)
        for key in ["a", "b", "c"] { cache.keep(entry(key, 1000)) }
        #expect(cache.entry(for: "a") != nil)
        cache.keep(entry("d", 1000))
        #expect(cache.entry(for: "b") == nil)
        #expect(["a", "c", "d"].allSatisfy { cache.entry(for: $0) != nil })
        #expect(files(path).count == 3)
    }

    @Test func aFolderThatWasDeletedIsMadeAnew() throws {
        let path = try folder()
        let cache = DiskCache(path: path, maximumSize: 10_000)
        cache.keep(entry("a"))
        cache.remove("a")
        #expect(rmdir(path) == 0)
        cache.keep(entry("a"))
        #expect(cache.keep(entry("a")))
        #expect(cache.entry(for: "a") != nil)
    }

    @Test func aFolderThatCannotBeMadeFailsNothingButTheWrite() throws {
        let file = try folder() + "/file"
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        let cache = DiskCache(path: file + "/cache", maximumSize: 10_000)
        #expect(!cache.keep(entry("a")))
        #expect(cache.entry(for: "a") == nil)
        #expect(cache.failureCount == 1)
    }

    @Test func whatIsAboveTheLimitAloneIsNotKept() throws {
        let path = try folder()
        let cache = DiskCache(path: path, maximumSize: 500)
        #expect(!cache.keep(entry("a", 1000)))
        #expect(files(path).isEmpty)
    }

    @Test func longAndOddKeysGetNamesOfOneLength() {
        let keys = ["", "a", "%00", "/", "é", String(repeating: "x", count: 4096)]
        let names = Set(keys.map(DiskCache.name(of:)))
        #expect(names.count == keys.count && names.allSatisfy { $0.utf8.count == 64 })
    }

    /// The examples of FIPS 180-4's publisher.
    @Test func digestsAreThoseOfTheStandard() {
        #expect(
            SHA256.hexadecimal(of: []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        #expect(
            SHA256.hexadecimal(of: Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            SHA256.hexadecimal(of: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        )
    }
}
