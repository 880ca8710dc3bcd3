import CCurl

/// libcurl's transfers of one thread, driven by what a poller sees of their sockets (curl_multi_socket_action(3)).
///
/// `curl_multi_perform`, the simpler way, asks poll(2) for every transfer each time anything happens to one of them.
final class MultiHandle {
    private let handle: UnsafeMutableRawPointer
    private let poller: any SocketPoller
    /// When libcurl wants to be called without any socket being ready.
    private var timer: ContinuousClock.Instant?
    /// Transfers whose sockets the system refuses to watch.
    private var unwatched: [UnsafeMutableRawPointer] = []

    /// Fails when there is no memory.
    init?(_ poller: any SocketPoller) {
        guard libcurlIsReady, let handle = curl_multi_init() else { return nil }
        (self.handle, self.poller) = (handle, poller)
        setCallbacks()
    }

    deinit {
        asynckit_curl_multi_set_callbacks(handle, nil, nil, nil)
        curl_multi_cleanup(handle)
    }

    func set(_ option: CURLMoption, _ value: Int) {
        asynckit_curl_multi_set_number(handle, option, value)
    }

    /// Whether there is something to do without waiting for a socket.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        timer.map { $0 <= now } ?? false
    }

    /// Starts a transfer, at the next ``runTimer(at:)``; false when libcurl takes it not.
    func add(_ easy: UnsafeMutableRawPointer) -> Bool {
        curl_multi_add_handle(handle, easy) == CURLM_OK
    }

    /// Takes a transfer out; if it is not complete, its connection is closed.
    func remove(_ easy: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(handle, easy)
        unwatched.removeAll { $0 == easy }
    }

    /// Waits until the time, or until something happens, and lets the transfers on ready sockets go on.
    func wait(until time: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
        let end = timer.map { min($0, time) } ?? time
        let milliseconds = end <= now ? 0 : now.duration(to: end).wholeMilliseconds
        poller.wait(milliseconds: milliseconds) { socket, readiness in act(on: socket, readiness.selection) }
    }

    /// Does what is due.
    func runTimer(at now: ContinuousClock.Instant) {
        guard isDue(at: now) else { return }
        timer = nil
        act(on: CURL_SOCKET_TIMEOUT, 0)
    }

    private func act(on socket: curl_socket_t, _ readiness: Int32) {
        var stillRunning: Int32 = 0
        curl_multi_socket_action(handle, socket, readiness, &stillRunning)
    }

    /// The next transfer that has ended.
    func nextCompletion() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left)?.pointee {
            if message.msg == CURLMSG_DONE, let easy = message.easy_handle {
                return (easy, message.data.result)
            }
        }
        return nil
    }

    /// The next transfer that can't go on, because the system does not watch its socket.
    func nextUnwatched() -> UnsafeMutableRawPointer? {
        unwatched.popLast()
    }
}

/// What libcurl calls, within the calls above.
extension MultiHandle {
    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        setCallbacks(context)
    }

    private func setCallbacks(_ context: UnsafeMutableRawPointer) {
        asynckit_curl_multi_set_callbacks(
            handle,
            { easy, socket, wish, context, _ in
                MultiHandle.from(context)?.watch(socket, for: wish, of: easy) ?? 0
            },
            { _, milliseconds, context in MultiHandle.from(context)?.setTimer(milliseconds) ?? 0 },
            context
        )
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MultiHandle? {
        context.map { Unmanaged<MultiHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watch(_ socket: curl_socket_t, for wish: Int32, of easy: UnsafeMutableRawPointer?) -> Int32 {
        let isWatched = poller.watch(socket, for: Readiness(wish: wish))
        if !isWatched, let easy { unwatched.append(easy) }
        return 0
    }

    private func setTimer(_ milliseconds: Int) -> Int32 {
        timer = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
        return 0
    }
}

extension Readiness {
    fileprivate init(wish: Int32) {
        switch wish {
        case CURL_POLL_IN: self = .readable
        case CURL_POLL_OUT: self = .writable
        case CURL_POLL_INOUT: self = [.readable, .writable]
        default: self = []
        }
    }

    fileprivate var selection: Int32 {
        (contains(.readable) ? CURL_CSELECT_IN : 0)
            | (contains(.writable) ? CURL_CSELECT_OUT : 0)
            | (contains(.failed) ? CURL_CSELECT_ERR : 0)
    }
}

/// libcurl's own set-up, once in the life of the program; it is safe beside other users of libcurl.
private let libcurlIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
