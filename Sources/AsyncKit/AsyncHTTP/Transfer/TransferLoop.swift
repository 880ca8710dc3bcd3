import AsyncPrimitives
import Glibc

/// The way into a client's thread, and out of it, for every other thread.
///
/// Holds what is to be tapped on the thread's shoulder for: new transfers, cancelled ones, the end. The thread
/// starts with the first transfer, ends after a time without any, and starts again when needed.
final class TransferLoop: Sendable {
    let configuration: HTTPClient.Configuration
    let proxies: ProxyRules
    private let mailbox: Lock<Mailbox>
    private let ended = Gate()
    private let generation = ProcessFork.generation

    init(_ configuration: HTTPClient.Configuration) {
        self.configuration = configuration
        proxies = ProxyRules.of(configuration)
        mailbox = Lock(Mailbox(maximum: max(1, configuration.maximumRequests)))
    }

    /// Refuses to work in a child of the process that the client was made in.
    func checkProcess() throws(HTTPClient.Error) {
        if isForked { throw .system("this process was forked from the client's; make a client of its own") }
    }

    /// Sends one hop and waits for the header of its answer.
    func perform(_ transfer: Transfer) async throws(HTTPClient.Error) -> RawHead {
        if Task.isCancelled { throw .cancelled }
        // On a warm connection an answer can come before the client's thread looks at the time.
        if transfer.deadline <= .now { throw transfer.lateness }
        follow(try mailbox.withLock { box throws(HTTPClient.Error) in try box.submit(transfer) })
        transfer.upload.start { [self] in resume(transfer) }
        return try await transfer.result(onCancel: { [self] in cancel(transfer) }).get()
    }

    /// Ends a transfer that nobody wants any more; one that has ended is left alone.
    func abandon(_ transfer: Transfer) {
        if !isForked, !transfer.body.isFinished { cancel(transfer) }
    }

    /// Ends a transfer, also one whose body was ended from the reader's side.
    func cancel(_ transfer: Transfer) {
        post { $0.cancel(transfer) }
    }

    /// Lets a transfer go on whose reader has caught up.
    func resume(_ transfer: Transfer) {
        post { $0.release(transfer) }
    }

    /// Ends every transfer and the thread, and lets no new one in; ``close()`` waits until that is done.
    func shutDown() {
        post { $0.close() }
    }

    func close() async {
        shutDown()
        if !isForked { await ended.wait() }
    }

    /// Whether this is a child of the process that the client's thread is in.
    ///
    /// It has no such thread, and the lock may be held by one that did not come along.
    private var isForked: Bool { ProcessFork.generation != generation }

    private func post(_ message: @Sendable (inout Mailbox) -> Mailbox.Step) {
        if !isForked { follow(mailbox.withLock { message(&$0) }) }
    }

    private func follow(_ step: Mailbox.Step) {
        switch step {
        case .none: break
        case .wake(let bell): bell.ring()
        case .startThread: startThread()
        case .ended: ended.open()
        }
    }
}

extension TransferLoop {
    private func startThread() {
        let isStarted = SystemThread.start(name: "http-client") { [self] in
            blockSignals()
            repeat { serve() } while !mayEndThread()
        }
        if isStarted { return }
        // Somebody may come in between, and relies on this thread.
        repeat { failArrivals(.system("there is no thread left for the client")) } while !mayEndThread()
    }

    /// Leaves signals to the program's own threads, and lets SIGPIPE, which OpenSSL raises on a connection that
    /// is gone, come to nothing.
    private func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
    }

    private func serve() {
        guard let reactor = Reactor(self) else { return failArrivals(.system("libcurl can't start")) }
        reactor.run()
    }

    private func failArrivals(_ error: HTTPClient.Error) {
        for transfer in mailbox.withLock({ $0.withdrawArrivals() }) { transfer.finish(.failure(error)) }
    }

    private func mayEndThread() -> Bool {
        let (mayEnd, step) = mailbox.withLock { $0.endThread() }
        follow(step)
        return mayEnd
    }
}

extension TransferLoop {
    /// Takes what came since the last call; called by the thread, which counts as awake from here on.
    ///
    /// - Parameter settled: How many transfers were settled since this was last told.
    /// - Returns: What came.
    func collect(settled: Int) -> Mailbox.Mail {
        mailbox.withLock { $0.collect(settled: settled) }
    }

    /// Whether nothing came since the last ``collect(settled:)``; if so, whoever comes next will wake the thread.
    func maySleep(_ bell: WakeBell, settled: Int) -> Bool {
        mailbox.withLock { $0.sleep(bell, settled: settled) }
    }
}
