/// One round of questions: what was asked once is not asked again before the next round.
final class AskingRound {
    private let finder: PathFinder<RememberedTables<KernelRoutingTables>>
    private var paths: [NetworkTarget: NetworkPath] = [:]

    init(tables: KernelRoutingTables, settings: KernelSettings) {
        finder = PathFinder(
            tables: RememberedTables(tables),
            devices: settings.devices,
            tunnelsNeedUnderlay: settings.tunnelsNeedUnderlay
        )
    }

    /// The path to a target; `nil` while its name is looked up for the first time.
    func path(to target: NetworkTarget, names: NameBook) -> NetworkPath? {
        if let path = paths[target] { return path }
        let path = find(target, names)
        paths[target] = path
        return path
    }

    private func find(_ target: NetworkTarget, _ names: NameBook) -> NetworkPath? {
        guard case .host(let host) = target else { return finder.path() }
        if host.isLoopbackName { return finder.path(to: IPAddress.loopback) }
        switch host.kind {
        case .address(let address, let zone): return finder.path(to: [address], zone: zone)
        case .name(let name): return find(names.answer(for: name), names)
        }
    }

    private func find(_ answer: NameRecord.Answer, _ names: NameBook) -> NetworkPath? {
        switch answer {
        case .pending: nil
        case .addresses(let addresses): finder.path(to: addresses)
        case .failed: whyNotResolved(names)
        }
    }

    /// Without a way to the Internet that is the reason; a name server is to blame only when there is one.
    private func whyNotResolved(_ names: NameBook) -> NetworkPath? {
        guard case .unreachable(let reason) = path(to: .internet, names: names) else {
            return .unreachable(.nameNotResolved)
        }
        return .unreachable(reason)
    }
}

/// Routing tables that list the links and addresses at most once.
final class RememberedTables<Tables: RoutingTables>: RoutingTables {
    private let tables: Tables
    private lazy var allLinks = tables.links()
    private lazy var allAddresses = tables.addresses()

    init(_ tables: Tables) {
        self.tables = tables
    }

    func route(to address: IPAddress, flags: UInt32, interface: Int32?) -> Result<Route, NetlinkFailure> {
        tables.route(to: address, flags: flags, interface: interface)
    }

    func link(_ index: Int32) -> Link? { tables.link(index) }
    func links() -> [Link] { allLinks }
    func addresses() -> [InterfaceAddress] { allAddresses }
}
