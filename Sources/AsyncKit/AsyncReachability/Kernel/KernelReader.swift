internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// What runs on the thread of a hub: it sleeps until something changes, asks what is true now, and delivers that.
struct KernelReader {
    private let desk: WatchDesk
    private let bell: WakeBell
    private let settings: KernelSettings
    private let alarm = ClockAlarm()
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
        if line.openIfDue(at: now) { pace.mark() }
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
        if isDue {
            let general = round?.path(to: .internet, names: names) ?? .unreachable(.refused)
            names.networkIs(general, wasInterrupted: wasInterrupted, at: now)
            let isAnswered = general != .unreachable(.refused)
            if isAnswered { line.answered() }
            pace.done(at: now, answered: isAnswered || line.tables == nil)
        }
        for id in isDue ? Set(watches.keys) : fresh { deliver(to: id, round) }
        if isDue { wasInterrupted = false }
    }

    private mutating func deliver(to id: WatchID, _ round: AskingRound?) {
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
        poll(&entries, nfds_t(entries.count), Self.milliseconds(until: end))
        ready = entries.filter { $0.revents != 0 }.map(\.fd)
    }

    private func hasRung(_ descriptor: Descriptor?) -> Bool {
        descriptor.map { ready.contains($0.number) } ?? false
    }

    /// As poll(2) wants it: rounded up, so as not to come too early and spin; -1 is for ever.
    private static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
        guard let end else { return -1 }
        let nanoseconds = max(.zero, end - .now).wholeNanoseconds
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
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
