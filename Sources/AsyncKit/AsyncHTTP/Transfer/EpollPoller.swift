import AsyncPrimitives
import CLinux
import Glibc

/// Sockets watched by the kernel, which keeps them from one call to the next (epoll(7)).
final class EpollPoller: SocketPoller {
    private static let maximumEvents = 64

    private let set: Descriptor
    private let bell: WakeBell
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: maximumEvents)
    /// Those the kernel watches.
    private var watched: Set<Int32> = []

    /// Fails when the system has no descriptor left; a ring of the bell ends a wait.
    init?(wokenBy bell: WakeBell) {
        guard let set = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC))) else { return nil }
        (self.set, self.bell) = (set, bell)
        guard control(EPOLL_CTL_ADD, bell.descriptor.number, .readable) else { return nil }
    }

    deinit {
        events.deallocate()
    }

    func watch(_ socket: Int32, for readiness: Readiness) -> Bool {
        if readiness.isEmpty {
            // Whatever the answer, it is not watched afterwards.
            if watched.remove(socket) != nil { _ = control(EPOLL_CTL_DEL, socket, readiness) }
            return true
        }
        let operation = watched.contains(socket) ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        guard control(operation, socket, readiness) else { return false }
        watched.insert(socket)
        return true
    }

    func wait(milliseconds: Int, _ body: (Int32, Readiness) -> Void) {
        let count = epoll_wait(set.number, events, Int32(Self.maximumEvents), Int32(milliseconds))
        for event in UnsafeMutableBufferPointer(start: events, count: max(0, Int(count))) {
            if event.data.fd == bell.descriptor.number {
                bell.silence()
            } else {
                body(event.data.fd, Readiness(event))
            }
        }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ readiness: Readiness) -> Bool {
        var event = epoll_event(events: readiness.events, data: epoll_data_t(fd: descriptor))
        return epoll_ctl(set.number, operation, descriptor, &event) == 0
    }
}

extension Readiness {
    fileprivate init(_ event: epoll_event) {
        self = []
        if event.events & EPOLLIN.rawValue != 0 { insert(.readable) }
        if event.events & EPOLLOUT.rawValue != 0 { insert(.writable) }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { insert(.failed) }
    }

    fileprivate var events: UInt32 {
        (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
    }
}
