/// The kind of link that carries the traffic to the Internet.
public enum ConnectionMode: String, Sendable, Hashable, CaseIterable {
    /// Nothing does: the Internet cannot be reached.
    case none
    /// A wireless LAN.
    case wifi
    /// A mobile network: a modem, or a link that says it is one.
    case cellular
    /// A cable, or the virtual cable of a container or a virtual machine.
    case wired
    /// Something else: a tunnel, a dial-up line, a Bluetooth tether, a device of an unknown kind.
    case other
}

extension ConnectionMode: CustomStringConvertible {
    /// The name of the case, such as `wifi`.
    public var description: String { rawValue }
}
