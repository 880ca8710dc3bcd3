import AsyncPrimitives
import CLinux
import Glibc
import Support
import Testing

/// The program as shells and scripts use it, in networks that the tests build.
@Suite(
    .serialized,
    .timeLimit(.minutes(1)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct ProgramTests {
    private func run(_ arguments: String..., in network: NetworkNamespace) async throws -> ChildProcess {
        try await onThread { try network.inside { try ChildProcess.run(Program.path, arguments) } }
    }

    /// What a shell makes of it, where `$0` is the program.
    private func shell(_ script: String, in network: NetworkNamespace) async throws -> ChildProcess {
        try await onThread {
            try network.inside {
                try ChildProcess.run("/usr/bin/env", ["timeout", "20", "bash", "-c", script, Program.path])
            }
        }
    }

    @Test func onceSaysHowTheInternetIsReached() async throws {
        let child = try await run("--once", "--json", in: .connected())
        #expect(child.status == 0)
        #expect(child.output.hasPrefix(#"{"time":"20"#))
        let rest =
            #"Z","host":null,"mode":"wired","reachable":true,"vpn":false,"interface":"eth0","#
            + #""localAddress":"192.0.2.2","metered":"unknown","reason":null,"generation":1}"# + "\n"
        #expect(child.output.hasSuffix(rest))
    }

    @Test func onceFailsWhereThereIsNoLink() async throws {
        let child = try await run("--once", "--json", in: NetworkNamespace())
        #expect(child.status == 1)
        #expect(child.output.contains(#""mode":"none","reachable":false,"#))
        #expect(child.output.contains(#""reason":"no-link","generation":0}"#))
    }

    @Test func onceFailsUnlessEveryHostIsReachable() async throws {
        let network = try NetworkNamespace.connected()
        try network.ip("route del default")
        let near = try await run("--once", "--host", "192.0.2.7", in: network)
        #expect(near.status == 0)
        let both = try await run("--once", "--host", "192.0.2.7", "--host=198.51.100.1", in: network)
        #expect(both.status == 1)
        let lines = both.output.split(separator: "\n").map { $0.split(separator: " ").dropFirst() }
        #expect(
            lines == [
                ["192.0.2.7", "wired", "eth0", "192.0.2.2", "no", "-"],
                ["198.51.100.1", "none", "-", "-", "no", "no-route"],
            ]
        )
    }

    @Test func onceFailsAndSaysSoWhereTheSystemLetsNobodyLook() async {
        await #expect(processExitsWith: .success) {
            try SystemCallFilter.refuse(Int(SYS_socket), firstArgument: AF_NETLINK, with: EACCES)
            let child = try ChildProcess.run(Program.path, ["--once"])
            #expect(child.status == 1)
            #expect(child.output.contains(" unknown "))
            #expect(child.output.hasSuffix(" refused\n"))
        }
    }

    @Test func everyChangeIsALineAtOnce() async throws {
        let network = try NetworkNamespace.connected()
        let program = try Program.inPipe(in: network)
        #expect(await program.writes { $0.hasSuffix(" wired    eth0       192.0.2.2       no  -\n") })
        try network.ip("route del default")
        let start = ContinuousClock.now
        #expect(await program.writes { $0.hasSuffix(" no-route\n") })
        #expect(ContinuousClock.now - start < .seconds(1))
        program.send(SIGTERM)
        #expect(await program.exitStatus() == 128 + SIGTERM)
        #expect(program.output.latest?.contains("\u{1b}") == false)
        #expect(program.output.latest?.split(separator: "\n").count == 2)
    }

    @Test func changeThatALineHasNoFieldForIsNoLine() async throws {
        let network = try NetworkNamespace.connected()
        let lines = try Program.inPipe(in: network)
        let objects = try Program.inPipe("--json", in: network)
        #expect(await lines.writes { $0.contains("wired") })
        #expect(await objects.writes { $0.contains("wired") })
        try network.ip("route replace default via 192.0.2.9")
        #expect(await objects.writes { $0.contains(#""generation":2}"#) })
        try network.ip("route del default")
        #expect(await lines.writes { $0.contains("no-route") })
        #expect(lines.output.latest?.split(separator: "\n").count == 2)
    }

    @Test func readerThatLeavesEndsIt() async throws {
        let child = try await shell(#""$0" | head -n 1; echo "${PIPESTATUS[0]}""#, in: .connected())
        let lines = child.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last == "141")
    }

    @Test func fullDiskIsAnError() async throws {
        let child = try await shell(#""$0" --once > /dev/full"#, in: .connected())
        #expect(child.status == 3)
        #expect(child.output == "netwatch: The output can't be written: No space left on device.\n")
    }

    @Test(arguments: [["--nonsense"], ["--host"], ["--host", "a b"], ["--probe", "https://a.example/"]])
    func badInputIsExplained(_ arguments: [String]) async throws {
        let child = try await onThread { try ChildProcess.run(Program.path, arguments) }
        #expect(child.status == 2)
        #expect(child.output.hasPrefix("netwatch: "))
        #expect(child.output.hasSuffix("\nTry netwatch --help.\n"))
    }

    @Test func helpGoesToStandardOutput() async throws {
        let child = try await shell(#""$0" --help 2> /dev/null"#, in: NetworkNamespace())
        #expect(child.status == 0)
        #expect(child.output.hasPrefix("usage: netwatch "))
        #expect(child.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
}
