internal import AsyncPrimitives

/// What a monitor has running; a task that is replaced is cancelled.
struct MonitorTasks {
    var watch: Task<Void, Never>? { didSet { oldValue?.cancel() } }
    var metering: Task<Void, Never>? { didSet { oldValue?.cancel() } }
    var hold: Task<Void, Never>? { didSet { oldValue?.cancel() } }
    /// Not in a `didSet`: the next one waits for this one's end.
    var probing: Task<Void, Never>?

    func cancelAll() {
        for task in [watch, metering, hold, probing] { task?.cancel() }
    }
}

extension ReachabilityMonitor {
    /// Starts the watch for somebody who iterates a stream.
    func subscribe() {
        perform(gate.subscribe())
    }

    func perform(_ action: WatchGate.Action) {
        switch action {
        case .nothing: break
        case .start(let number): start(number)
        case .stop: stop()
        }
    }

    private func start(_ number: Int) {
        tasks.watch = Task { [weak self, source, target] in
            for await path in source.paths(to: target) {
                await self?.receive(path, from: number)
            }
            await self?.sourceEnded(number)
        }
        guard let meteredSource else { return }
        tasks.metering = Task { [weak self] in
            for await answer in meteredSource.answers { await self?.receive(answer, from: number) }
        }
    }

    private func stop() {
        tasks.watch = nil
        tasks.metering = nil
        stopProbing()
    }

    private func receive(_ path: NetworkPath, from number: Int) {
        let isFirst = !gate.hasAnswer
        guard let verdict = gate.receive(from: number) else { return }
        let isNew = history.record(path, isFirst: isFirst, isProbed: probe != nil)
        if verdict.publishes { publish() }
        if let latest = history.latest { answerReaders(latest) }
        perform(verdict.action)
        if isNew || isFirst || path.route == nil { probeNetwork() }
    }

    private func receive(_ answer: Metered, from number: Int) {
        guard gate.isCurrent(number) else { return }
        history.record(answer)
        if gate.hasAnswer, !gate.isSuspended { publish() }
    }

    /// A source that ends without a word must not keep a reader waiting.
    private func sourceEnded(_ number: Int) {
        if gate.isWaiting(for: number) { receive(.unreachable(.refused), from: number) }
    }
}

/// What streams get, and when.
extension ReachabilityMonitor {
    private func publish() {
        guard let latest = history.latest else { return }
        perform(damper.offer(latest, at: .now))
    }

    func perform(_ action: Damper.Action) {
        switch action {
        case .nothing:
            tasks.hold = nil
        case .deliver(let value):
            tasks.hold = nil
            reachabilities.set(value)
            connectionModes.set(value.mode)
        case .wait(let end):
            tasks.hold = Task { [weak self] in
                try? await Task.sleep(until: end, clock: .continuous)
                if !Task.isCancelled { await self?.holdEnded() }
            }
        }
    }

    private func holdEnded() {
        perform(damper.expire(at: .now))
    }
}

/// The probe, which looks at one network after the other.
extension ReachabilityMonitor {
    private func stopProbing() {
        tasks.probing?.cancel()
    }

    /// Starts to ask about the network that is there now, once the call about the last one has come back.
    private func probeNetwork() {
        stopProbing()
        guard let probe, gate.isWatching, let latest = history.latest, let route = latest.path.route
        else { return }
        let last = tasks.probing
        tasks.probing = Task { [weak self, rest] in
            await last?.value
            var pace = ProbePace()
            while !Task.isCancelled {
                let verdict = await probe.validate(over: route)
                if Task.isCancelled { return }
                await self?.receive(verdict, about: latest.generation)
                await rest(pace.pause(after: verdict))
            }
        }
    }

    private func receive(_ verdict: ProbeVerdict, about generation: Int) {
        if history.record(verdict, about: generation), !gate.isSuspended { publish() }
    }
}
