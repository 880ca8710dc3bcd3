internal import CLinux

/// A link that packets can leave this machine by.
struct LiveLink: Hashable {
    var link: Link
    var nature: LinkNature
}

/// What is missing below a tunnel.
struct UnderlayLack: Error, Hashable {
    var reason: UnreachableReason
}

/// Finds the link that carries the packets of a tunnel.
///
/// The kernel doesn't tell which one a WireGuard or tun device sends by. It is taken to be the link that the way to
/// the Internet would lead through if it had to go by a link that is no tunnel; without such a way, any cable or
/// radio that has carrier and an address, since the tunnel's far end may have a route of its own.
struct UnderlayFinder<Tables: RoutingTables> {
    let tables: Tables
    let devices: any DeviceDirectory

    func underlay() -> Result<LiveLink, UnderlayLack> {
        let links = tables.links() ?? []
        let candidates = candidates(links)
        if candidates.isEmpty { return .failure(UnderlayLack(reason: .noLink)) }
        let addressed = Set((tables.addresses() ?? []).filter(\.isUsable).map(\.interfaceIndex))
        let ready = candidates.filter { addressed.contains($0.link.index) }
        guard let best = byRoute(ready) ?? byNature(ready, links) else {
            return .failure(UnderlayLack(reason: .noAddress))
        }
        return .success(best)
    }

    /// Ports of a bridge or bond are not asked: their master is.
    private func candidates(_ links: [Link]) -> [LiveLink] {
        let classifier = LinkClassifier(links: links, devices: devices)
        return links.lazy
            .filter { $0.isUsable && !$0.isLoopback && $0.master == nil }
            .map { LiveLink(link: $0, nature: classifier.nature(of: $0)) }
            .filter { !$0.nature.isTunnel && !$0.nature.isSink }
    }

    /// The candidate whose way to the Internet has the smallest metric.
    private func byRoute(_ candidates: [LiveLink]) -> LiveLink? {
        let metrics = candidates.compactMap { candidate in
            metric(candidate.link.index).map { (metric: $0, candidate: candidate) }
        }
        return metrics.min { $0.metric < $1.metric }?.candidate
    }

    private func metric(_ interface: Int32) -> UInt32? {
        let flags = UInt32(RTM_F_FIB_MATCH | RTM_F_LOOKUP_TABLE)
        let entries = [IPAddress.farIPv4, .farIPv6].compactMap {
            try? tables.route(to: $0, flags: flags, interface: interface).get()
        }
        return entries.filter { $0.type == UInt8(RTN_UNICAST) && $0.isAlive }.map(\.metric).min()
    }

    /// The best by its kind, when no way tells.
    ///
    /// The bridges and cables of virtual machines and containers lead to these, not out of the machine. In a container
    /// such a cable is the way out; then there is no hardware.
    private func byNature(_ candidates: [LiveLink], _ links: [Link]) -> LiveLink? {
        let classifier = LinkClassifier(links: links, devices: devices)
        let hasHardware = links.contains { $0.kind == nil && !$0.isLoopback }
        let outward = candidates.filter {
            !classifier.isForGuests($0.link) && !(hasHardware && LinkClassifier.isGuestCable($0.link))
        }
        let ranked = [ConnectionMode.wired, .wifi, .cellular, .other]
        return ranked.lazy.compactMap { mode in outward.first { $0.nature.mode == mode } }.first
    }
}
