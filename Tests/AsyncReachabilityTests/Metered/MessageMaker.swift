@testable import AsyncReachability

/// Makes the messages that a service sends, with functions of sd-bus that the source itself has no use for.
struct MessageMaker {
    private typealias Place = UnsafeMutablePointer<OpaquePointer?>
    private typealias Text = UnsafePointer<CChar>

    private let newReturn: @convention(c) (OpaquePointer, Place) -> Int32
    private let newSignal: @convention(c) (OpaquePointer, Place, Text, Text, Text) -> Int32
    private let open: @convention(c) (OpaquePointer, CChar, Text) -> Int32
    private let close: @convention(c) (OpaquePointer) -> Int32

    init?() {
        for name in SystemBus.libraries {
            guard let library = LoadedLibrary(name) else { continue }
            guard let maker = try? MessageMaker(library) else { continue }
            self = maker
            return
        }
        return nil
    }

    private init(_ library: LoadedLibrary) throws {
        newReturn = try library.function("sd_bus_message_new_method_return")
        newSignal = try library.function("sd_bus_message_new_signal")
        open = try library.function("sd_bus_message_open_container")
        close = try library.function("sd_bus_message_close_container")
    }

    /// Asks for a name that nobody has; returns the number of the call.
    func requestName(_ name: String, _ connection: BusConnection) -> UInt64? {
        var pointer: OpaquePointer?
        let library = connection.library
        _ = library.newCall(
            connection.bus,
            &pointer,
            BusMethod.bus,
            BusMethod.busPath,
            BusMethod.bus,
            "RequestName"
        )
        guard let pointer else { return nil }
        let message = BusMessage(library, owning: pointer)
        var flags: UInt32 = 0
        guard message.append(name), library.append(pointer, CChar(ascii: "u"), &flags) >= 0 else {
            return nil
        }
        return connection.send(message)
    }

    /// Answers a question for a property.
    func answer(_ call: BusMessage, _ answer: FakeNetworkManager.Answer, _ connection: BusConnection) {
        var pointer: OpaquePointer?
        guard newReturn(call.pointer, &pointer) >= 0, let pointer else { return }
        let message = BusMessage(connection.library, owning: pointer)
        appendVariant(answer, to: message, connection.library)
        _ = connection.send(message)
    }

    /// Says that the property has changed: `PropertiesChanged` with its `sa{sv}as`.
    func signalChange(_ answer: FakeNetworkManager.Answer, _ connection: BusConnection) {
        var pointer: OpaquePointer?
        let path = BusMethod.networkManagerPath
        let status = newSignal(connection.bus, &pointer, path, BusMethod.properties, "PropertiesChanged")
        guard status >= 0, let pointer else { return }
        let message = BusMessage(connection.library, owning: pointer)
        _ = message.append(BusMethod.networkManager)
        inside(message, "a", "{sv}") {
            inside(message, "e", "sv") {
                _ = message.append("Metered")
                appendVariant(answer, to: message, connection.library)
            }
        }
        inside(message, "a", "s") {}
        _ = connection.send(message)
    }

    private func appendVariant(
        _ answer: FakeNetworkManager.Answer,
        to message: BusMessage,
        _ library: SystemBus
    ) {
        switch answer {
        case .number(var number):
            inside(message, "v", "u") { _ = library.append(message.pointer, CChar(ascii: "u"), &number) }
        case .text(let text):
            inside(message, "v", "s") { _ = message.append(text) }
        case .silence:
            break
        }
    }

    private func inside(_ message: BusMessage, _ type: Unicode.Scalar, _ contents: String, _ body: () -> Void)
    {
        _ = open(message.pointer, CChar(ascii: type), contents)
        body()
        _ = close(message.pointer)
    }
}
