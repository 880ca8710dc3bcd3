import Foundation

/// Lets a thing happen again and again and notes who saw it when.
struct Experiment {
    let happening: Happening
    private var stage: Stage?
    private var subjectNotes = Notes()
    private var peerNotes = Notes()
    private var missingPeer: String?

    init(happening: Happening) {
        self.happening = happening
    }

    var subject: Finding { subjectNotes.finding }
    var peer: Finding { missingPeer.map(Finding.missing) ?? peerNotes.finding }

    mutating func tryOnce() throws {
        let stage = try readyStage()
        let start = try happening.happen(stage)
        _ = try stage.wait(untilOnline: happening.isOnline)
        subjectNotes.add(stage.subject, since: start, happening)
        switch stage.peer {
        case .success(let watcher): peerNotes.add(watcher, since: start, happening)
        case .failure(let failure): missingPeer = failure.description
        }
    }

    /// The stage of the last try if it can be used again, a new one otherwise.
    private mutating func readyStage() throws -> Stage {
        if let stage, try isRewound(stage) { return stage }
        stage = nil
        let new = try Stage()
        stage = new
        if happening.isOnline, try !isRewound(new) {
            throw Failure(description: "a watcher does not see that the network has gone")
        }
        return new
    }

    /// Brings the stage back, if that is possible and the watchers follow.
    private func isRewound(_ stage: Stage) throws -> Bool {
        guard let rewind = happening.rewind else { return false }
        try rewind(stage)
        let isSeen = try stage.wait(untilOnline: !happening.isOnline)
        // Never in step with anybody's timers.
        try stage.listen(seconds: .random(in: 0.015...0.025))
        return isSeen
    }
}

/// What was noted of one watcher.
private struct Notes {
    private var label = Label(name: "", version: "")
    private var nanoseconds: [Double] = []
    private var tries = 0

    mutating func add(_ watcher: Watcher, since start: UInt64, _ happening: Happening) {
        label = watcher.label ?? label
        tries += 1
        let delay = watcher.delay(since: start, untilOnline: happening.isOnline)
        if let delay { nanoseconds.append(delay) }
    }

    /// One miss makes it wrong, however fast the other times were.
    var finding: Finding {
        guard nanoseconds.count == tries else {
            let count = tries - nanoseconds.count
            return .wrong(label, Misses(count: count, tries: tries, waitedSeconds: Stage.patienceSeconds))
        }
        return .times(label, Summary(of: nanoseconds, operations: 1))
    }
}
