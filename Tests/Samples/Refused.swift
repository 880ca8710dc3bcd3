// What must not compile: async code that calls a blocking form. Each function has one line that is refused.
import AsyncBridging
import AsyncCredentials
import AsyncHTTP
import AsyncImages
import AsyncReachability

func waitInAsyncCode() async throws {
    _ = try SyncBridge.wait { 1 }
}

func serveInAsyncCode() async throws {
    _ = try SyncBridge.waitServingMainRunLoop { 1 }
}

func blockOnReachability(_ monitor: ReachabilityMonitor) async throws {
    _ = try monitor.blocking.current()
}

func blockOnHTTP(_ client: HTTPClient) async throws {
    _ = try client.blocking.data(for: "https://example.org/")
}

func blockOnImages(_ store: ImageStore) async throws {
    _ = try store.blocking.image(for: "https://example.org/logo.png")
}

func blockOnCredentials(_ vault: CredentialVault) async throws {
    _ = try vault.blocking.password(service: "example.org", account: "alice")
}
