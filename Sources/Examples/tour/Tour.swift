import AsyncKit

/// The library in five short chapters, on real input and without a network beyond this machine.
@main
struct Tour {
    static func main() async {
        explainIfAsked()
        do {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let server = try TourServer()
            defer { server.stop() }
            let store = ImageStore(transport: HTTPClient.shared)
            let vault = try await CredentialVault.open(
                at: folder.path + "/tour.vault",
                keys: KeyFile(folder.path + "/tour.key")
            )

            await network()
            try await requests(to: server, in: folder)
            try await pictures(from: server, in: store)
            try await secrets(in: vault, file: folder.path + "/tour.vault")
            try await synchronousCode(server, store, vault)
            await HTTPClient.shared.close()
        } catch {
            fail(error)
        }
    }

    /// Reachability: what the kernel says about the way to the Internet.
    static func network() async {
        chapter(1, "The network of this machine, from the kernel")
        let reachability = await ReachabilityMonitor.shared.current
        show("mode", "\(reachability.mode)")
        show("interface", reachability.interface ?? "none")
        show("local address", reachability.localAddress ?? "none")
        if let reason = reachability.reason { show("not reachable", "\(reason)") }
        for await mode in ReachabilityMonitor.shared.modes {
            show("first of modes", "\(mode); the next comes when the network changes")
            break
        }
    }

    /// HTTP: bodies that are streams both ways, files that appear whole, and an end as soon as it is wanted.
    static func requests(to server: TourServer, in folder: TemporaryFolder) async throws {
        chapter(2, "Requests to a server on this machine")
        let (pieces, source) = AsyncStream.makeStream(of: [UInt8].self)
        for _ in 0..<128 { source.yield([UInt8](repeating: 7, count: 65_536)) }
        source.finish()
        var request = HTTPRequest(method: "PUT", url: server.url("/count"))
        request.body = .stream(pieces, length: 8_388_608)
        let (counted, a) = try await timed { try await HTTPClient.shared.data(for: request) }
        show("streamed", "the server counted \(String(decoding: counted, as: UTF8.self)) bytes, \(a)")

        let picture = HTTPRequest(url: server.url("/sea.png"))
        let (file, b) = try await timed {
            try await HTTPClient.shared.download(picture, to: folder.path + "/sea.png")
        }
        show("downloaded", "\(file.byteCount) bytes, flushed to the disk, \(b)")

        let before = server.requestCount
        let waiting = Task { try await HTTPClient.shared.data(for: server.url("/never")) }
        while server.requestCount == before { await Task.yield() }
        let (_, c) = try await timed {
            waiting.cancel()
            _ = await waiting.result
        }
        show("cancelled", "without an answer, and free after \(c)")
    }

    /// Pictures: downloaded once for all who ask, checked, kept.
    static func pictures(from server: TourServer, in store: ImageStore) async throws {
        chapter(3, "Pictures from the same server")
        for path in server.paths {
            let (image, time) = try await timed { try await store.image(for: server.url(path)) }
            show(path, "\(image.width) × \(image.height), \(time)")
        }
        await store.clearAllCaches()
        let before = server.requestCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try await store.image(for: server.url("/sea.png")) } }
            try await group.waitForAll()
        }
        show("100 tasks, one URL", "\(server.requestCount - before) request")
        let fallback = try Image(width: 1, height: 1) { _, _ in .init(red: 128, green: 128, blue: 128) }
        let missing = try await store.image(for: server.url("/missing.png"), fallback: fallback)
        show("/missing.png", "404, \(missing.isFallback ? "answered by the fallback" : "yet a picture")")
        let (hit, time) = timed { store.cachedImage(for: server.url("/sea.png")) }
        show("from memory", "\(hit == nil ? "missed" : "hit"), \(time)")
    }

    /// Secrets: encrypted in one SQLite file, names too.
    static func secrets(in vault: CredentialVault, file: String) async throws {
        chapter(4, "A secret in an encrypted vault")
        try await vault.put("correct horse", service: "example.org", account: "alice")
        let password = try await vault.password(service: "example.org", account: "alice")
        show("read back", password == "correct horse" ? "the same" : "something else")
        for item in try await vault.items(service: "example.org") {
            show("listed", "\(item.service), \(item.account), created \(date(item.created))")
        }
        let leaks = try contents(of: file, contain: ["example.org", "alice", "correct horse"])
        show("in the file", leaks ? "a name or secret can be read" : "no name and no secret can be read")
        show("a missing one", "\(try await vault.password(service: "example.org", account: "bob") ?? "nil")")
    }

    /// The same calls from code that is not async, as old code is.
    static func synchronousCode(
        _ server: TourServer,
        _ store: ImageStore,
        _ vault: CredentialVault
    ) async throws {
        chapter(5, "The same from synchronous code, which blocks its own thread only")
        try await ThreadPool.shared.run {
            let (network, a) = try timed { try ReachabilityMonitor.shared.blocking.current() }
            show("network", "\(network.mode), \(a)")
            let (image, b) = try timed { try store.blocking.image(for: server.url("/sea.png")) }
            show("picture", "\(image.width) × \(image.height), \(b)")
            let (password, c) = try timed {
                try vault.blocking.password(service: "example.org", account: "alice")
            }
            show("secret", "\(password?.count ?? 0) characters, \(c)")
        }
    }
}
