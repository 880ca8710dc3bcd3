internal import CLinux

/// Asks the kernel for the way to the Internet and sums up what it says.
struct PathFinder<Tables: RoutingTables> {
    let tables: Tables
    let devices: any DeviceDirectory

    func path() -> NetworkPath {
        let families = [probe(.farIPv4), probe(.farIPv6)]
        switch PathVerdict.choose(families[0], families[1]) {
        case .usable(let way):
            return .reachable(route(way))
        case .unusable(.noRoute):
            return .unreachable(PathVerdict.whyNoRoute(links: tables.links(), addresses: tables.addresses()))
        case .unusable(let reason):
            return .unreachable(reason)
        }
    }

    /// The entry that matches says whether there is a way, the resolved route which way the kernel takes.
    private func probe(_ destination: IPAddress) -> FamilyVerdict {
        let flags = UInt32(RTM_F_FIB_MATCH | RTM_F_LOOKUP_TABLE)
        switch tables.route(to: destination, flags: flags) {
        case .failure(let failure):
            return .unusable(PathVerdict.reason(for: failure, isIPv6: destination.isIPv6))
        case .success(let entry):
            switch tables.route(to: destination, flags: 0) {
            case .failure(let failure):
                return .unusable(PathVerdict.reason(for: failure, isIPv6: destination.isIPv6))
            case .success(let resolved):
                let link = resolved.interfaceIndex.flatMap(tables.link)
                return PathVerdict.judge(entry: entry, resolved: resolved, link: link)
            }
        }
    }

    private func route(_ way: Way) -> NetworkRoute {
        let others = LinkClassifier.needsOthers(way.link) ? tables.links() : []
        let nature = LinkClassifier(links: others, devices: devices).nature(of: way.link)
        return NetworkRoute(
            mode: nature.mode,
            interface: way.link.name,
            localAddress: way.source.description,
            gateway: way.gateway?.description,
            vpn: nature.isTunnel
        )
    }
}
