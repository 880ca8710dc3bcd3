import AsyncHTTP
import Support
import Testing

/// Downloads whose server dies on the way; each has an nginx of its own, because others would lose their connections.
@Suite(.timeLimit(.minutes(1)), .enabled(if: NginxServer.isAvailable, "\(NginxServer.requirement)"))
struct NginxDownloadTests {
    private static let body = RangedFile.sample(16 << 20)

    private let server: NginxServer
    private let folder = Folder()

    init() throws {
        server = try NginxServer()
        try server.put(Self.body, at: "big.bin")
    }

    /// Downloads the file, the first part of it slowly, and does something once when some of it is there.
    private func download(
        via entrance: NginxServer.Entrance,
        onTheWay: (HTTPProgress) -> Void
    ) async throws -> (HTTPDownload, reports: [HTTPProgress]) {
        var reports: [HTTPProgress] = []
        let request = HTTPRequest(url: server.url("/slow/big.bin", via: entrance))
        let download = try await server.client().download(request, to: folder.path("big")) { progress in
            if progress.received > 0, (reports.last?.received ?? 0) == 0 { onTheWay(progress) }
            reports.append(progress)
        }
        return (download, reports)
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func downloadGoesOnWhereTheServerDied(entrance: NginxServer.Entrance) async throws {
        let worker = try await server.worker()
        let (download, reports) = try await download(via: entrance) { progress in
            #expect(progress.received < Self.body.count / 2)
            NginxServer.kill(worker: worker)
        }
        #expect(download.isResumed)
        #expect(download.byteCount == Self.body.count)
        #expect(folder.bytes("big") == Self.body)
        #expect(folder.names == ["big"])
        #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.received <= $1.received })
        #expect(try await server.worker() != worker)
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func downloadOfAFileThatChangedStartsOver(entrance: NginxServer.Entrance) async throws {
        let new = [UInt8](repeating: 7, count: Self.body.count + 1)
        let worker = try await server.worker()
        let (download, reports) = try await download(via: entrance) { _ in
            #expect(throws: Never.self) { try server.put(new, at: "big.bin") }
            NginxServer.kill(worker: worker)
        }
        #expect(!download.isResumed)
        #expect(folder.bytes("big") == new)
        #expect(folder.names == ["big"])
        #expect(reports.last == HTTPProgress(received: new.count, total: new.count))
    }

    @Test func downloadThatMayNotAskAgainFailsAndLeavesNothing() async throws {
        let worker = try await server.worker()
        let client = server.client { $0.maximumResumptions = 0 }
        let request = HTTPRequest(url: server.url("/slow/big.bin"))
        await #expect(throws: HTTPClient.Error.truncatedBody) {
            try await client.download(request, to: folder.path("big")) { progress in
                if progress.received > 0 { NginxServer.kill(worker: worker) }
            }
        }
        #expect(folder.names == [])
    }
}
