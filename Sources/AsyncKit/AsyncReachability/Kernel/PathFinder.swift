internal import CLinux

/// Asks the kernel for the way to somewhere and sums up what it says.
struct PathFinder<Tables: RoutingTables> {
    let tables: Tables
    let devices: any DeviceDirectory
    var tunnelsNeedUnderlay = true

    /// The way to the Internet.
    func path() -> NetworkPath {
        let verdict = PathVerdict.choose(probe(.farIPv4), probe(.farIPv6))
        return path(verdict)
    }

    /// The way to a host with these addresses, the best first.
    ///
    /// - Parameters:
    ///   - addresses: Where the host is.
    ///   - zone: The link that a link-local address is on, by name or number (RFC 4007 section 11).
    /// - Returns: The way to the first address that there is a way to.
    func path(to addresses: [IPAddress], zone: String? = nil) -> NetworkPath {
        var interface: Int32?
        if let zone {
            guard let link = tables.links()?.first(where: { $0.name == zone || "\($0.index)" == zone })
            else { return .unreachable(.noLink) }
            interface = link.index
        }
        return path(PathVerdict.choose(addresses.lazy.map { probe($0, interface: interface) }))
    }

    private func path(_ verdict: FamilyVerdict) -> NetworkPath {
        switch verdict {
        case .usable(let way):
            return path(way)
        case .unusable(.noRoute):
            return .unreachable(
                PathVerdict.whyNoRoute(links: tables.links() ?? [], addresses: tables.addresses() ?? [])
            )
        case .unusable(let reason):
            return .unreachable(reason)
        }
    }

    /// The entry that matches says whether there is a way, the resolved route which way the kernel takes.
    private func probe(_ destination: IPAddress, interface: Int32? = nil) -> FamilyVerdict {
        let flags = UInt32(RTM_F_FIB_MATCH | RTM_F_LOOKUP_TABLE)
        switch tables.route(to: destination, flags: flags, interface: interface) {
        case .failure(let failure):
            return .unusable(PathVerdict.reason(for: failure, isIPv6: destination.isIPv6))
        case .success(let entry):
            let verdict = resolve(destination, entry, interface)
            guard interface == nil, case .unusable(.noLink) = verdict else { return verdict }
            // Of several next hops the kernel may have chosen a dead one for this destination and not for others.
            let others = entry.nextHops.filter(\.isAlive).lazy.map {
                resolve(destination, entry, $0.interfaceIndex)
            }
            return others.first(where: \.isUsable) ?? verdict
        }
    }

    private func resolve(_ destination: IPAddress, _ entry: Route, _ interface: Int32?) -> FamilyVerdict {
        switch tables.route(to: destination, flags: 0, interface: interface) {
        case .failure(let failure):
            return .unusable(PathVerdict.reason(for: failure, isIPv6: destination.isIPv6))
        case .success(let resolved):
            let link = resolved.interfaceIndex.flatMap(tables.link)
            return PathVerdict.judge(entry: entry, resolved: resolved, link: link, to: destination)
        }
    }

    private func path(_ way: Way) -> NetworkPath {
        let others = LinkClassifier.needsOthers(way.link) ? tables.links() ?? [] : []
        let nature = LinkClassifier(links: others, devices: devices).nature(of: way.link)
        if nature.isSink { return .unreachable(.noLink) }
        guard nature.isTunnel else { return .reachable(route(way, nature)) }
        let finder = UnderlayFinder(tables: tables, devices: devices)
        switch finder.underlay() {
        case .success(let underlay): return .reachable(route(way, nature, underlay))
        case .failure(let lack):
            return tunnelsNeedUnderlay ? .unreachable(lack.reason) : .reachable(route(way, nature))
        }
    }

    private func route(_ way: Way, _ nature: LinkNature, _ underlay: LiveLink? = nil) -> NetworkRoute {
        NetworkRoute(
            mode: underlay?.nature.mode ?? nature.mode,
            interface: way.link.name,
            localAddress: way.source.description,
            gateway: way.gateway?.description,
            vpn: nature.isTunnel,
            underlay: underlay.map { .init(mode: $0.nature.mode, interface: $0.link.name) },
            metered: (underlay?.nature ?? nature).seemsMetered ? .guessYes : .unknown
        )
    }
}
