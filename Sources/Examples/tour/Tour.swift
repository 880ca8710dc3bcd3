import AsyncKit

/// The library in four short chapters, on real input and without a network beyond this machine.
@main
struct Tour {
    static func main() async {
        explainIfAsked()
        do {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let origin = try PictureOrigin()
            defer { origin.stop() }
            let store = ImageStore(transport: HTTPClient.shared)
            let vault = try await CredentialVault.open(
                at: folder.path + "/tour.vault",
                keys: KeyFile(folder.path + "/tour.key")
            )

            await network()
            try await pictures(from: origin, in: store)
            try await secrets(in: vault, file: folder.path + "/tour.vault")
            try await synchronousCode(origin, store, vault)
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

    /// Pictures: downloaded once for all who ask, checked, kept.
    static func pictures(from origin: PictureOrigin, in store: ImageStore) async throws {
        chapter(2, "Pictures from a server on this machine")
        for path in origin.paths {
            let (image, time) = try await timed { try await store.image(for: origin.url(path)) }
            show(path, "\(image.width) × \(image.height), \(time)")
        }
        await store.clearAllCaches()
        let before = origin.requestCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try await store.image(for: origin.url("/sea.png")) } }
            try await group.waitForAll()
        }
        show("100 tasks, one URL", "\(origin.requestCount - before) request")
        let fallback = try Image(width: 1, height: 1) { _, _ in .init(red: 128, green: 128, blue: 128) }
        let missing = try await store.image(for: origin.url("/missing.png"), fallback: fallback)
        show("/missing.png", "404, \(missing.isFallback ? "answered by the fallback" : "yet a picture")")
        let (hit, time) = timed { store.cachedImage(for: origin.url("/sea.png")) }
        show("from memory", "\(hit == nil ? "missed" : "hit"), \(time)")
    }

    /// Secrets: encrypted in one SQLite file, names too.
    static func secrets(in vault: CredentialVault, file: String) async throws {
        chapter(3, "A secret in an encrypted vault")
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
        _ origin: PictureOrigin,
        _ store: ImageStore,
        _ vault: CredentialVault
    ) async throws {
        chapter(4, "The same from synchronous code, which blocks its own thread only")
        try await ThreadPool.shared.run {
            let (network, a) = try timed { try ReachabilityMonitor.shared.blocking.current() }
            show("network", "\(network.mode), \(a)")
            let (image, b) = try timed { try store.blocking.image(for: origin.url("/sea.png")) }
            show("picture", "\(image.width) × \(image.height), \(b)")
            let (password, c) = try timed {
                try vault.blocking.password(service: "example.org", account: "alice")
            }
            show("secret", "\(password?.count ?? 0) characters, \(c)")
        }
    }
}
