import AsyncHTTP
import Glibc
import Support

extension NginxServer {
    /// A client that trusts this server and no other.
    func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.certificateAuthorityFile = authorityFile
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }

    /// Ends the process that serves, with all its connections, as a crash would; nginx starts another at once.
    static func kill(worker: [UInt8]) {
        let number = pid_t(String(decoding: worker, as: UTF8.self)) ?? 0
        precondition(number > 1, "nginx tells its worker's number")
        _ = Glibc.kill(number, SIGKILL)
    }

    /// The number of the process that serves, for ``kill(worker:)``.
    func worker() async throws -> [UInt8] {
        try await HTTPClient().data(for: url("/worker", via: .http))
    }
}
