/// One round of questions: what was asked once is not asked again before the next round.
final class AskingRound<Tables: RoutingTables> {
    private let tables: RememberedTables<Tables>
    private let finder: PathFinder<RememberedTables<Tables>>
    private var paths: [NetworkTarget: NetworkPath] = [:]

    init(tables: Tables, settings: KernelSettings) {
        self.tables = RememberedTables(tables)
        finder = PathFinder(
            tables: self.tables,
            devices: settings.devices,
            tunnelsNeedUnderlay: settings.tunnelsNeedUnderlay
        )
    }

    /// Whether the kernel failed to list something, so that it must be asked again.
    private(set) var isIncomplete = false

    /// The path to a target; `nil` while its name is looked up for the first time, and when it can't be told now.
    func path(to target: NetworkTarget, names: NameBook) -> NetworkPath? {
        if let path = paths[target] { return path }
        tables.isIncomplete = false
        let path = find(target, names)
        if tables.isIncomplete {
            isIncomplete = true
            return nil
        }
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
        switch path(to: .internet, names: names) {
        case .reachable: .unreachable(.nameNotResolved)
        case let path: path
        }
    }
}
