internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// A connection to a message bus, for the thread that made it alone; none of its calls waits.
final class BusConnection {
    /// What one step has brought.
    enum Step {
        case message(BusMessage)
        /// sd-bus did something of its own, such as a part of the handshake.
        case progress
        case idle
        case lost
    }

    let library: SystemBus
    let bus: OpaquePointer

    /// Starts to connect; `nil` when that fails at once.
    ///
    /// A later failure shows as ``Step/lost``.
    init?(_ library: SystemBus, address: String?) {
        guard let bus = Self.open(library, address) else { return nil }
        self.library = library
        self.bus = bus
    }

    deinit {
        // Not the function that flushes first: it waits for a bus that doesn't read.
        library.close(bus)
        _ = library.release(bus)
    }

    private static func open(_ library: SystemBus, _ address: String?) -> OpaquePointer? {
        var bus: OpaquePointer?
        guard let address else { return library.openSystem(&bus) < 0 ? nil : bus }
        guard library.new(&bus) >= 0, let bus else { return nil }
        if library.setAddress(bus, address) >= 0, library.setBusClient(bus, 1) >= 0, library.start(bus) >= 0 {
            return bus
        }
        _ = library.release(bus)
        return nil
    }

    /// Sends a call that starts no service.
    ///
    /// - Returns: The number that the answer will bear; `nil` when the call could not be sent.
    func call(_ method: BusMethod, _ arguments: String...) -> UInt64? {
        var pointer: OpaquePointer?
        let status = library.newCall(
            bus,
            &pointer,
            method.destination,
            method.path,
            method.interface,
            method.member
        )
        guard status >= 0, let pointer else { return nil }
        let message = BusMessage(library, owning: pointer)
        _ = library.setAutoStart(pointer, 0)
        guard arguments.allSatisfy(message.append) else { return nil }
        return send(message)
    }

    /// Sends a message; returns its number.
    func send(_ message: BusMessage) -> UInt64? {
        var cookie: UInt64 = 0
        return library.send(bus, message.pointer, &cookie) < 0 ? nil : cookie
    }

    /// Does the next thing that can be done without waiting.
    func step() -> Step {
        var pointer: OpaquePointer?
        let status = library.process(bus, &pointer)
        if let pointer { return .message(BusMessage(library, owning: pointer)) }
        return status < 0 ? .lost : status > 0 ? .progress : .idle
    }

    /// What poll(2) shall wait for; `nil` when the connection is lost.
    var pollEntry: pollfd? {
        let (descriptor, events) = (library.descriptor(bus), library.events(bus))
        return descriptor < 0 || events < 0 ? nil : pollfd(fd: descriptor, events: Int16(events), revents: 0)
    }

    /// When to go on even if nothing comes, such as at the end of the handshake's time; `nil` for never.
    var due: Deadline? {
        var microseconds: UInt64 = .max
        guard library.timeout(bus, &microseconds) >= 0, microseconds != .max else { return nil }
        return Deadline(monotonicMicroseconds: microseconds)
    }
}

/// The name of a method in full.
struct BusMethod {
    let destination: String
    let path: String
    let interface: String
    let member: String
}

extension Deadline {
    /// A time as sd-bus tells it, in microseconds of `CLOCK_MONOTONIC`.
    init(monotonicMicroseconds: UInt64) {
        let microseconds = Int64(clamping: monotonicMicroseconds) - Self.now / 1_000
        self.init(after: .microseconds(max(0, microseconds)))
    }
}
