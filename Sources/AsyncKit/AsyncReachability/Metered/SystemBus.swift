internal import Glibc

/// The functions of sd-bus, found in a library of this machine when the program runs.
///
/// Nothing is linked, so that a machine without systemd needs none of its libraries. What is used has been in sd-bus
/// since its first release and takes no callbacks: sd-bus(3).
struct SystemBus: Sendable {
    typealias Opaque = OpaquePointer
    typealias Place<Value> = UnsafeMutablePointer<Value>
    typealias Text = UnsafePointer<CChar>

    let openSystem: @convention(c) @Sendable (Place<Opaque?>) -> Int32
    let new: @convention(c) @Sendable (Place<Opaque?>) -> Int32
    let setAddress: @convention(c) @Sendable (Opaque, Text) -> Int32
    let setBusClient: @convention(c) @Sendable (Opaque, Int32) -> Int32
    let start: @convention(c) @Sendable (Opaque) -> Int32
    let close: @convention(c) @Sendable (Opaque) -> Void
    let release: @convention(c) @Sendable (Opaque) -> Opaque?

    let descriptor: @convention(c) @Sendable (Opaque) -> Int32
    let events: @convention(c) @Sendable (Opaque) -> Int32
    let timeout: @convention(c) @Sendable (Opaque, Place<UInt64>) -> Int32
    let process: @convention(c) @Sendable (Opaque, Place<Opaque?>) -> Int32
    let send: @convention(c) @Sendable (Opaque, Opaque, Place<UInt64>) -> Int32

    let newCall: @convention(c) @Sendable (Opaque, Place<Opaque?>, Text, Text, Text, Text) -> Int32
    let setAutoStart: @convention(c) @Sendable (Opaque, Int32) -> Int32
    let append: @convention(c) @Sendable (Opaque, CChar, UnsafeRawPointer) -> Int32
    let kind: @convention(c) @Sendable (Opaque, Place<UInt8>) -> Int32
    let replyCookie: @convention(c) @Sendable (Opaque, Place<UInt64>) -> Int32
    let sender: @convention(c) @Sendable (Opaque) -> Text?
    let member: @convention(c) @Sendable (Opaque) -> Text?
    let enter: @convention(c) @Sendable (Opaque, CChar, Text) -> Int32
    let read: @convention(c) @Sendable (Opaque, CChar, UnsafeMutableRawPointer) -> Int32
    let releaseMessage: @convention(c) @Sendable (Opaque) -> Opaque?
}

extension SystemBus {
    /// The libraries that have sd-bus: systemd's, elogind's, and basu, which is nothing else.
    static let libraries = ["libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"]

    /// What this machine has; looked for once.
    static let installed = load(from: libraries)

    /// The functions of the first library that has them all; `nil` where there is none.
    static func load(from names: [String]) -> SystemBus? {
        for name in names {
            if let library = LoadedLibrary(name), let bus = try? SystemBus(library) { return bus }
        }
        return nil
    }

    private init(_ library: LoadedLibrary) throws(LoadedLibrary.Missing) {
        openSystem = try library.function("sd_bus_open_system")
        new = try library.function("sd_bus_new")
        setAddress = try library.function("sd_bus_set_address")
        setBusClient = try library.function("sd_bus_set_bus_client")
        start = try library.function("sd_bus_start")
        close = try library.function("sd_bus_close")
        release = try library.function("sd_bus_unref")
        descriptor = try library.function("sd_bus_get_fd")
        events = try library.function("sd_bus_get_events")
        timeout = try library.function("sd_bus_get_timeout")
        process = try library.function("sd_bus_process")
        send = try library.function("sd_bus_send")
        newCall = try library.function("sd_bus_message_new_method_call")
        setAutoStart = try library.function("sd_bus_message_set_auto_start")
        append = try library.function("sd_bus_message_append_basic")
        kind = try library.function("sd_bus_message_get_type")
        replyCookie = try library.function("sd_bus_message_get_reply_cookie")
        sender = try library.function("sd_bus_message_get_sender")
        member = try library.function("sd_bus_message_get_member")
        enter = try library.function("sd_bus_message_enter_container")
        read = try library.function("sd_bus_message_read_basic")
        releaseMessage = try library.function("sd_bus_message_unref")
    }
}
