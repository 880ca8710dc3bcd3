internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// What runs on the thread of a hub: it sleeps until something changes, asks what is true now, and delivers that.
struct KernelReader {
    private typealias Round = AskingRound<KernelRoutingTables>

    private let desk: WatchDesk
    private let bell: WakeBell
    private let settings: KernelSettings
    private var alarm = ClockAlarm()
    private var line = KernelLine()
    private var pace = ResyncPace()
    private var suspend = SuspendDetector()
    private var names: NameBook
    private var watches: [WatchID: KernelWatch] = [:]
    /// The watches that have heard nothing yet.
    private var fresh: Set<WatchID> = []
    private var wasInterrupted = false
    /// The descriptors that ended the last sleep.
    private var ready: [Int32] = []

    init(desk: WatchDesk, bell: WakeBell, settings: KernelSettings, lookups: LookupThreads) {
        self.desk = desk
        self.bell = bell
        self.settings = settings
        names = NameBook(timeout: settings.nameTimeout, lookups: lookups) { name, lookup in
            desk.post(.resolved(name: name, lookup))?.ring()
        }
    }

    /// Returns when nobody watches any more.
    mutating func run() {
        repeat {
            let now = ContinuousClock.now
            if hasRung(bell.descriptor) { bell.silence() }
            for order in desk.take() { obey(order, at: now) }
            if watches.isEmpty, desk.close() { return }
            lookForChanges(at: now)
            ask(at: now)
            sleep(until: [pace.due(at: now), line.due, names.due].compactMap { $0 }.min())
        } while true
    }

    private mutating func obey(_ order: WatchDesk.Order, at now: ContinuousClock.Instant) {
        switch order {
        case .add(let watch):
            watches[watch.id] = watch
            fresh.insert(watch.id)
            if let name = watch.target.name { names.add(name, at: now) }
        case .remove(let id):
            fresh.remove(id)
            if let name = watches.removeValue(forKey: id)?.target.name { names.remove(name) }
        case .resolved(let name, let lookup):
            if names.receive(lookup, for: name, at: now) { pace.mark() }
        }
    }

    private mutating func lookForChanges(at now: ContinuousClock.Instant) {
        if line.openIfDue(at: now) {
            pace.mark()
            if alarm == nil { alarm = ClockAlarm() }
        }
        if hasRung(line.descriptor), line.drain(at: now) { pace.mark() }
        if hasRung(alarm?.descriptor) { alarm?.silence() }
        if suspend.hasWoken(suspendedTime: settings.suspendedTime()) {
            wasInterrupted = true
            pace.mark()
        }
        if names.expire(at: now) { pace.mark() }
    }

    /// Asks for everybody when it is due, otherwise for those who have heard nothing yet.
    private mutating func ask(at now: ContinuousClock.Instant) {
        let isDue = pace.isDue(at: now)
        guard isDue || !fresh.isEmpty else { return }
        let round = line.tables.map { AskingRound(tables: $0, settings: settings) }
        if isDue { lookAtTheInternet(round, at: now) }
        for id in isDue ? Set(watches.keys) : fresh { deliver(to: id, round) }
        if isDue { wasInterrupted = false }
        // What could not be told is asked again, at the pace of a kernel that gives no answer.
        if round?.isIncomplete == true { pace.done(at: now, answered: false) }
    }

    private mutating func lookAtTheInternet(_ round: Round?, at now: ContinuousClock.Instant) {
        let path = round.map { $0.path(to: .internet, names: names) } ?? .unreachable(.refused)
        let isAnswered = path != .unreachable(.refused)
        if isAnswered { line.answered() }
        // Without a socket there is another pause.
        pace.done(at: now, answered: isAnswered || round == nil)
        if let path { names.networkIs(path, wasInterrupted: wasInterrupted, at: now) }
    }

    private mutating func deliver(to id: WatchID, _ round: Round?) {
        guard var watch = watches[id] else { return }
        let path = round.map { $0.path(to: watch.target, names: names) } ?? .unreachable(.refused)
        guard let path else { return }
        fresh.remove(id)
        guard path != watch.last || (wasInterrupted && path.route != nil) else { return }
        watch.last = path
        watches[id] = watch
        watch.deliver(path)
    }

    /// Sleeps until there is an event, the bell rings, the machine wakes up, or a time has come.
    private mutating func sleep(until end: ContinuousClock.Instant?) {
        let descriptors = [bell.descriptor, alarm?.descriptor, line.descriptor].compactMap { $0 }
        var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        poll(&entries, nfds_t(entries.count), PollTimeout.milliseconds(end.map { max(.zero, $0 - .now) }))
        ready = entries.filter { $0.revents != 0 }.map(\.fd)
    }

    private func hasRung(_ descriptor: Descriptor?) -> Bool {
        descriptor.map { ready.contains($0.number) } ?? false
    }
}

extension NetworkTarget {
    /// The name that must be looked up; `nil` when there is nothing to look up.
    var name: String? {
        guard case .host(let host) = self, !host.isLoopbackName, case .name(let name) = host.kind
        else { return nil }
        return name
    }
}
