/// Routing tables that list the links and addresses at most once.
final class RememberedTables<Tables: RoutingTables>: RoutingTables {
    private let tables: Tables
    private lazy var allLinks = tables.links()
    private lazy var allAddresses = tables.addresses()
    /// Set when the kernel failed to list something, so that what was made of it is not to be believed.
    var isIncomplete = false

    init(_ tables: Tables) {
        self.tables = tables
    }

    func route(to address: IPAddress, flags: UInt32, interface: Int32?) -> Result<Route, NetlinkFailure> {
        tables.route(to: address, flags: flags, interface: interface)
    }

    func link(_ index: Int32) -> Link? { tables.link(index) }

    func links() -> [Link]? {
        if allLinks == nil { isIncomplete = true }
        return allLinks
    }

    func addresses() -> [InterfaceAddress]? {
        if allAddresses == nil { isIncomplete = true }
        return allAddresses
    }
}
