import AsyncPrimitives
import Foundation
import Support
import Testing

@testable import AsyncReachability

/// The source on machines that lack something.
@Suite(.timeLimit(.minutes(1)))
struct NetworkManagerAbsenceTests {
    @Test func answerIsUnknownAndTheStreamEndsWithoutALibrary() async {
        let source = NetworkManagerSource(.init(library: { nil }))
        var answers: [Metered] = []
        for await answer in source.answers { answers.append(answer) }
        #expect(answers == [.unknown])
    }

    @Test(arguments: ["libasynckit-none.so.9", "libc.so.6"])
    func libraryThatIsMissingOrLacksTheFunctionsIsNotUsed(name: String) {
        #expect(SystemBus.load(from: [name]) == nil)
    }

    @Test(
        .enabled(if: SystemBus.installed != nil, "no library here speaks D-Bus"),
        arguments: ["unix:path=/proc/nobody/bus", "nonsense", ""]
    )
    func answerIsUnknownWithoutABus(address: String) async {
        var answers = NetworkManagerSource(busAddress: address).answers.makeAsyncIterator()
        #expect(await answers.next() == .unknown)
    }

    @Test func nothingIsLoadedBeforeTheFirstWatch() async {
        await #expect(processExitsWith: .success) {
            let source = NetworkManagerSource(busAddress: "nonsense")
            #expect(!loadedLibraries().contains("libsystemd.so"))
            for await answer in source.answers {
                #expect(answer == .unknown)
                break
            }
        }
    }
}

/// The source with a real bus and something on it that answers like NetworkManager.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.refusal ?? "")")
)
struct NetworkManagerSourceTests {
    let bus: PrivateBus
    let source: NetworkManagerSource

    init() throws {
        bus = try PrivateBus()
        source = NetworkManagerSource(busAddress: bus.address)
    }

    @Test func answerIsUnknownOnABusWithoutNetworkManager() async {
        var answers = source.answers.makeAsyncIterator()
        #expect(await answers.next() == .unknown)
    }

    @Test(
        arguments: [
            (0, Metered.unknown), (1, .yes), (2, .no), (3, .guessYes), (4, .guessNo), (5, .unknown),
            (.max, .unknown),
        ] as [(UInt32, Metered)]
    )
    func eachValueOfThePropertyIsUnderstood(number: UInt32, expected: Metered) async throws {
        let manager = try await FakeNetworkManager(on: bus, .number(number))
        var answers = source.answers.makeAsyncIterator()
        #expect(await answers.next() == expected)
        manager.leave()
    }

    @Test func valueOfAnotherTypeIsUnknown() async throws {
        let manager = try await FakeNetworkManager(on: bus, .text("yes"))
        var answers = source.answers.makeAsyncIterator()
        #expect(await answers.next() == .unknown)
        manager.change(.number(1))
        #expect(await answers.next() == .yes)
    }

    @Test func changesAreFollowed() async throws {
        let manager = try await FakeNetworkManager(on: bus, .number(1))
        var answers = source.answers.makeAsyncIterator()
        #expect(await answers.next() == .yes)
        for (number, expected) in [(2, Metered.no), (3, .guessYes), (4, .guessNo), (0, .unknown), (1, .yes)] {
            manager.change(.number(UInt32(number)))
            #expect(await answers.next() == expected)
        }
    }

    @Test func changeWhileAQuestionIsUnderWayIsNotMissed() async throws {
        let manager = try await FakeNetworkManager(on: bus, .silence)
        var answers = source.answers.makeAsyncIterator()
        for await count in manager.questions where count == 1 { break }
        for number in 0..<100 { manager.change(.number(UInt32(number % 2 + 1))) }
        manager.change(.number(4))
        while let answer = await answers.next(), answer != .guessNo {}
    }

    @Test func signalsAloneBringNoElement() async throws {
        let manager = try await FakeNetworkManager(on: bus, .number(1))
        var answers = source.answers.makeAsyncIterator()
        #expect(await answers.next() == .yes)
        manager.change(.number(1))
        for await count in manager.questions where count == 2 { break }
        manager.change(.number(2))
        #expect(await answers.next() == .no)
    }

    @Test func networkManagerMayComeGoAndComeBack() async throws {
        var answers = source.answers.makeAsyncIterator()
        #expect(await answers.next() == .unknown)
        for (number, expected) in [(1, Metered.yes), (2, .no)] {
            let manager = try await FakeNetworkManager(on: bus, .number(UInt32(number)))
            #expect(await answers.next() == expected)
            manager.leave()
            #expect(await answers.next() == .unknown)
        }
    }

    @Test func newNetworkManagerIsAskedWhenTheOldOneLeftTheQuestionOpen() async throws {
        let silent = try await FakeNetworkManager(on: bus, .silence)
        var answers = source.answers.makeAsyncIterator()
        for await count in silent.questions where count == 1 { break }
        silent.leave()
        #expect(await answers.next() == .unknown)
        let manager = try await FakeNetworkManager(on: bus, .number(1))
        #expect(await answers.next() == .yes)
        manager.leave()
    }

    @Test func silenceIsUnknownAndALateAnswerCounts() async throws {
        let manager = try await FakeNetworkManager(on: bus, .silence)
        let hasty = NetworkManagerSource(.init(busAddress: bus.address, answerTimeout: .milliseconds(50)))
        var answers = hasty.answers.makeAsyncIterator()
        #expect(await answers.next() == .unknown)
        manager.change(.number(2), announces: false)
        #expect(await answers.next() == .no)
        #expect(manager.questions.latest == 1)
    }

    @Test func answerIsUnknownWhileTheBusIsDownAndComesBackWithIt() async throws {
        let manager = try await FakeNetworkManager(on: bus, .number(1))
        var answers = source.answers.makeAsyncIterator()
        #expect(await answers.next() == .yes)
        bus.kill()
        #expect(await answers.next() == .unknown)
        manager.leave()
        try bus.start()
        let next = try await FakeNetworkManager(on: bus, .number(2))
        #expect(await answers.next() == .no)
        next.leave()
    }

    @Test func busThatTakesNoSubscriptionIsNotBelieved() async throws {
        let narrow = try PrivateBus("<limit name=\"max_match_rules_per_connection\">0</limit>")
        let manager = try await FakeNetworkManager(on: narrow, .number(1))
        var answers = NetworkManagerSource(busAddress: narrow.address).answers.makeAsyncIterator()
        #expect(await answers.next() == .unknown)
        manager.leave()
    }

    @Test func networkManagerIsNeverStarted() async throws {
        let service = """
            [D-BUS Service]
            Name=org.freedesktop.NetworkManager
            Exec=/usr/bin/touch \(bus.folder)/started
            """
        bus.kill()
        try service.write(toFile: "\(bus.folder)/manager.service", atomically: true, encoding: .utf8)
        try bus.start()
        var answers = source.answers.makeAsyncIterator()
        #expect(await answers.next() == .unknown)
        #expect(!FileManager.default.fileExists(atPath: "\(bus.folder)/started"))
    }

    @Test func busOfTheSystemIsUsedUnlessAnotherIsNamed() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            setenv("DBUS_SYSTEM_BUS_ADDRESS", bus.address, 1)
            let manager = try await FakeNetworkManager(on: bus, .number(3))
            for await answer in NetworkManagerSource().answers {
                #expect(answer == .guessYes)
                break
            }
            manager.leave()
            bus.kill()
        }
    }
}

private func loadedLibraries() -> String {
    (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
}
