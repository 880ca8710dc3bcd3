import AsyncHTTP
import AsyncPrimitives

/// The cache on disk as the store sees it: off the cooperative pool, in order, and judged for freshness.
struct DiskStore: Sendable {
    /// An entry that was found, and what may be done with it now.
    struct Stored: Sendable {
        let entry: DiskEntry
        let freshness: Freshness
        let codec: any ImageCodec
        let now: Int
    }

    private let cache: DiskCache
    private let readers = ThreadPool(name: "image reader", maximumThreads: 2, maximumQueued: .max)

    /// One thread, so that what is cleared stays cleared: a removal comes after the writes that were decided before it.
    private let writer = ThreadPool(name: "image writer", maximumThreads: 1, maximumQueued: .max)
    private let configuration: ImageStore.DiskConfiguration
    private let codecs: [any ImageCodec]
    private let wallTime: @Sendable () -> Int

    init(_ disk: ImageStore.DiskConfiguration, _ configuration: ImageStore.Configuration) {
        cache = DiskCache(path: disk.directory, maximumSize: disk.maximumSize)
        self.configuration = disk
        codecs = configuration.codecs
        wallTime = configuration.wallTime
    }

    /// How many entries could not be written.
    var failureCount: Int { cache.failureCount }

    /// The entry of a source; nil when there is none, or the disk can't be read.
    ///
    /// A program with other codecs asks for other types and may have been sent another picture, so these are part of
    /// the key (`Vary: Accept`).
    func stored(_ source: String) async -> Stored? {
        let key = key(source)
        guard let entry = try? await readers.run({ [cache] in cache.entry(for: key) }),
            let codec = codecs.first(where: { $0.sniff(entry.body) })
        else { return nil }
        let freshness = Freshness(entry.response, name: entry.name, defaultLifetime: defaultLifetime)
        return Stored(entry: entry, freshness: freshness, codec: codec, now: wallTime())
    }

    private func key(_ source: String) -> String {
        source + "\0\0" + codecs.compactMap(\.contentTypes.first).joined(separator: ",")
    }

    private var defaultLifetime: Int { Int(configuration.defaultLifetime.components.seconds) }

    /// A file that has just come, with for how long it is good, and what is to be written of it.
    func described(
        _ file: ImageFile,
        _ response: StoredResponse,
        _ download: ImageLoader.Download
    ) -> ImageFile {
        let name = DiskCache.name(of: key(download.source))
        let freshness = Freshness(response, name: name, defaultLifetime: defaultLifetime)
        var file = file
        file.age = freshness.age(at: response.responseTime)
        file.lifetime = freshness.remaining(at: response.responseTime)
        file.staleLifetime = freshness.staleRemaining(at: response.responseTime)
        if download.policy != .noStore, Freshness.mayStore(response.headerFields) {
            file.unsaved = Unsaved(DiskEntry(name: name, response: response, body: file.bytes))
        }
        return file
    }

    /// Writes an entry, if nobody has; a disk that does not take it is counted and changes nothing else.
    ///
    /// This and the removals are done to the end also when the caller is cancelled: what was cleared is gone then.
    func keep(_ unsaved: Unsaved) async {
        guard let entry = unsaved.take() else { return }
        _ = try? await writer.runToTheEnd { [cache] in cache.keep(entry) }
    }

    func remove(_ source: String) async {
        let key = key(source)
        _ = try? await writer.runToTheEnd { [cache] in cache.remove(key) }
    }

    func removeAll() async {
        _ = try? await writer.runToTheEnd { [cache] in cache.removeAll() }
    }
}

/// An entry that one of the flights that share it is to write.
final class Unsaved: Sendable {
    private let entry: Lock<DiskEntry?>

    init(_ entry: DiskEntry) {
        self.entry = Lock(entry)
    }

    func take() -> DiskEntry? {
        entry.withLock { entry in
            defer { entry = nil }
            return entry
        }
    }
}
