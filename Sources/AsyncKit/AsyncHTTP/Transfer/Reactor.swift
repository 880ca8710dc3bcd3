import AsyncPrimitives
import CCurl

/// The client's thread: hands transfers to libcurl, sleeps until something happens, settles what is done.
///
/// Made, used and released on that one thread.
final class Reactor {
    private let loop: TransferLoop
    private let multi: MultiHandle
    private let bell: WakeBell

    private var waiting: [ObjectIdentifier: Transfer] = [:]
    private var running: [ObjectIdentifier: EasyHandle] = [:]
    private var queue: AdmissionQueue<ObjectIdentifier>
    private var spareHandles: [EasyHandle] = []
    private var alarm = Alarm()
    /// Those whose header has come since the last turn.
    private var withHead: [Transfer] = []
    /// How many were settled since the loop was last told.
    private var settled = 0

    /// Fails when the system has no descriptor or memory left.
    init?(_ loop: TransferLoop) {
        guard let bell = WakeBell(), let poller = EpollPoller(wokenBy: bell), let multi = MultiHandle(poller)
        else { return nil }
        (self.loop, self.bell, self.multi) = (loop, bell, multi)
        let limit = max(1, loop.configuration.maximumConnections)
        queue = AdmissionQueue(maximum: limit, maximumPerHost: loop.configuration.maximumConnectionsPerHost)
        multi.set(CURLMOPT_MAXCONNECTS, limit)
        multi.set(CURLMOPT_MAX_TOTAL_CONNECTIONS, limit)
        // libcurl's default is to share. Then what comes for a stream that is paused is read for the sake of the others,
        // up to the 32 MiB of its flow-control window, and kept in memory.
        let shares = loop.configuration.sharesHTTP2Connections
        multi.set(CURLMOPT_PIPELINING, shares ? Int(CURLPIPE_MULTIPLEX) : CURLPIPE_NOTHING)
    }

    /// Works until the client is closed, or nothing was asked for so long that the thread may go.
    func run() {
        while true {
            let mail = loop.collect(settled: takeSettled())
            if mail.isClosing { return close(refusing: mail.arrivals) }
            // In this order: a transfer may come and be cancelled in one go.
            mail.arrivals.forEach(admit)
            mail.cancellations.forEach { settle($0, .failure(.cancelled)) }
            mail.resumptions.forEach(resume)
            work()
            if !wait() { return }
        }
    }
}

extension Reactor {
    private func admit(_ transfer: Transfer) {
        let id = ObjectIdentifier(transfer)
        waiting[id] = transfer
        queue.enqueue(id, for: transfer.hop.url.origin, transfer.hop.request.priority)
        alarm.set(for: transfer.deadline)
    }

    private func work() {
        startNext()
        let now = ContinuousClock.now
        multi.runTimer(at: now)
        while let (easy, code) = multi.nextCompletion() { complete(easy, code) }
        while let easy = multi.nextUnwatched() { refuse(easy) }
        expire(at: now)
        startNext()
        deliverHeads()
    }

    /// After what was settled: a small answer is complete by now, and its caller is woken once.
    private func deliverHeads() {
        for transfer in withHead {
            guard let handle = running[ObjectIdentifier(transfer)] else { continue }
            transfer.deliver(handle.head)
            // libcurl, which sends no more after a refusal, would wait for a pause in the sending to end.
            if case .fed = transfer.upload { resume(transfer) }
        }
        withHead.removeAll(keepingCapacity: true)
    }

    private func startNext() {
        while let id = queue.next() {
            guard let transfer = waiting.removeValue(forKey: id) else { continue }
            start(transfer, as: id)
        }
    }

    private func start(_ transfer: Transfer, as id: ObjectIdentifier) {
        guard let handle = spareHandles.popLast() ?? makeHandle() else {
            queue.finish(at: transfer.hop.url.origin)
            return answer(transfer, .failure(.system("no memory for a transfer")))
        }
        handle.begin(transfer)
        running[id] = handle
        if let limit = transfer.hop.request.idleTimeout { alarm.set(for: .now + limit) }
        if !multi.add(handle.easy) {
            settle(transfer, .failure(.system("libcurl takes no transfer")))
        }
    }
}

extension Reactor {
    private func makeHandle() -> EasyHandle? {
        let handle = EasyHandle(loop.configuration, loop.proxies)
        handle?.headIsComplete = { [unowned self, unowned handle] in
            if let transfer = handle?.transfer { withHead.append(transfer) }
        }
        return handle
    }

    private func complete(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let handle = EasyHandle.owner(of: easy), let transfer = handle.transfer else { return }
        if let error = handle.failure(code) {
            // What goes wrong after the header is told to who reads the body, however soon it comes.
            if handle.received.isHeadComplete { transfer.deliver(handle.head) }
            return settle(transfer, .failure(error))
        }
        settle(transfer, .success(handle.head))
    }

    private func refuse(_ easy: UnsafeMutableRawPointer) {
        guard let transfer = EasyHandle.owner(of: easy)?.transfer else { return }
        settle(transfer, .failure(.system("it watches no more sockets")))
    }

    /// Takes a transfer out, wherever it is; one that is not here any more was settled before.
    private func settle(_ transfer: Transfer, _ result: Result<RawHead, HTTPClient.Error>) {
        let id = ObjectIdentifier(transfer)
        let origin = transfer.hop.url.origin
        if let handle = running.removeValue(forKey: id) {
            // Of a transfer that is not complete, this closes the connection.
            multi.remove(handle.easy)
            handle.end(isWhole: result.isSuccess)
            spareHandles.append(handle)
            queue.finish(at: origin)
        } else if waiting.removeValue(forKey: id) != nil {
            queue.withdraw(id, from: origin)
        } else {
            return
        }
        answer(transfer, result)
    }

    private func answer(_ transfer: Transfer, _ result: Result<RawHead, HTTPClient.Error>) {
        settled += 1
        transfer.finish(result)
    }

    private func close(refusing arrivals: [Transfer]) {
        let everyone = arrivals + Array(waiting.values) + running.values.compactMap(\.transfer)
        running.values.forEach { multi.remove($0.easy) }
        running = [:]
        everyone.forEach { $0.finish(.failure(.closed)) }
    }
}

extension Reactor {
    private func resume(_ transfer: Transfer) {
        guard let handle = running[ObjectIdentifier(transfer)] else { return }
        if let error = handle.failure(resuming: handle.resume()) { return settle(transfer, .failure(error)) }
        if let limit = transfer.hop.request.idleTimeout { alarm.set(for: .now + limit) }
    }

    private func expire(at now: ContinuousClock.Instant) {
        guard alarm.hasRung(at: now) else { return }
        for transfer in Array(waiting.values) + running.values.compactMap(\.transfer) {
            let idleEnd = running[ObjectIdentifier(transfer)]?.idleEnd(at: now)
            if transfer.deadline <= now {
                settle(transfer, .failure(transfer.lateness))
            } else if let idleEnd, idleEnd <= now {
                settle(transfer, .failure(.timedOut(.idle, after: transfer.hop.request.idleTimeout ?? .zero)))
            } else {
                alarm.set(for: min(transfer.deadline, idleEnd ?? transfer.deadline))
            }
        }
    }

    /// Waits until there is something to do; false when the thread was idle for so long that it may end.
    private func wait() -> Bool {
        let now = ContinuousClock.now
        if multi.isDue(at: now) || !loop.maySleep(bell, settled: takeSettled()) {
            multi.wait(until: now, at: now)
            return true
        }
        let isIdle = waiting.isEmpty && running.isEmpty
        let limit = isIdle ? loop.configuration.keepAliveTimeout : alarm.remaining(at: now)
        multi.wait(until: now + (limit ?? .seconds(3600)), at: now)
        return !isIdle || now.duration(to: .now) < loop.configuration.keepAliveTimeout
    }

    private func takeSettled() -> Int {
        defer { settled = 0 }
        return settled
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
