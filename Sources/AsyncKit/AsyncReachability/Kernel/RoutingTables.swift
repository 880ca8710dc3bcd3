internal import Glibc

/// What the kernel can be asked about routes, links and addresses.
///
/// Nothing is remembered between two questions, so nothing can get out of step with the kernel.
protocol RoutingTables {
    /// Which route leads to an address, through a given interface only if one is given.
    func route(to address: IPAddress, flags: UInt32, interface: Int32?) -> Result<Route, NetlinkFailure>
    func link(_ index: Int32) -> Link?
    func links() -> [Link]
    func addresses() -> [InterfaceAddress]
}

/// The tables of the network namespace in which the object was made; for one thread.
final class KernelRoutingTables: RoutingTables {
    private let dialogue: NetlinkDialogue

    init() throws(NetlinkFailure) {
        dialogue = try NetlinkDialogue()
    }

    func route(to address: IPAddress, flags: UInt32, interface: Int32?) -> Result<Route, NetlinkFailure> {
        dialogue.ask(NetlinkRequest.route(to: address, flags: flags, interface: interface)).flatMap {
            messages in
            guard let route = messages.lazy.compactMap(Route.init).first else {
                return .failure(NetlinkFailure(code: EPROTO))
            }
            return .success(route)
        }
    }

    func link(_ index: Int32) -> Link? {
        (try? dialogue.ask(NetlinkRequest.link(index)).get())?.lazy.compactMap(Link.init).first
    }

    func links() -> [Link] {
        (try? dialogue.ask(NetlinkRequest.links).get())?.compactMap(Link.init) ?? []
    }

    func addresses() -> [InterfaceAddress] {
        (try? dialogue.ask(NetlinkRequest.addresses).get())?.compactMap(InterfaceAddress.init) ?? []
    }
}
