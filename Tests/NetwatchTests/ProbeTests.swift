import Support
import Testing

/// `--probe` with a web server at the other end of the cable.
@Suite(
    .serialized,
    .timeLimit(.minutes(1)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct ProbeTests {
    private let machine: NetworkNamespace
    private let origin: HTTPOrigin

    init() throws {
        let internet = try NetworkNamespace()
        machine = try NetworkNamespace()
        try machine.plug("eth0", into: internet, as: "far0")
        try machine.ip("address add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1")
        try internet.ip("address add 192.0.2.1/24 dev far0")
        origin = try internet.inside { try HTTPOrigin(address: "192.0.2.1", port: 8080) }
    }

    private func run(_ arguments: String...) async throws -> ChildProcess {
        try await onThread { [machine] in
            try machine.inside {
                try ChildProcess.run(Program.path, arguments + ["--probe", "http://192.0.2.1:8080/"])
            }
        }
    }

    @Test func onceWaitsForTheAnswer() async throws {
        origin.on("/", .respond(status: 204))
        let child = try await run("--once")
        #expect(child.status == 0)
        #expect(child.output.contains(" wired "))
        #expect(origin.requestCount("/") == 1)
    }

    @Test func serverWithoutAGoodAnswerMeansNotReachable() async throws {
        origin.on("/", .respond(status: 500))
        let child = try await run("--once", "--json")
        #expect(child.status == 1)
        #expect(child.output.contains(#""mode":"none","reachable":false,"vpn":false,"interface":"eth0","#))
        #expect(child.output.contains(#""reason":"no-answer","#))
    }

    @Test func loginPageIsAPortal() async throws {
        origin.on("/", .redirect(to: "http://login.example/"))
        let child = try await run("--once")
        #expect(child.status == 1)
        #expect(child.output.hasSuffix(" portal\n"))
    }

    @Test func theInternetIsWatchedBesidesHosts() async throws {
        origin.on("/", .respond(status: 204))
        let child = try await run("--once", "--host", "192.0.2.9")
        let targets = child.output.split(separator: "\n").map { $0.split(separator: " ")[1] }
        #expect(targets == ["Internet", "192.0.2.9"])
    }
}
