internal import CLinux
internal import Glibc

/// A way out that works, for one address family.
struct Way: Hashable {
    var link: Link
    var source: IPAddress
    var gateway: IPAddress?
}

/// What the kernel's answers mean for one address.
enum FamilyVerdict: Hashable {
    case usable(Way)
    case unusable(UnreachableReason)

    var isUsable: Bool {
        if case .usable = self { true } else { false }
    }
}

/// The decisions, free of any question to the kernel.
enum PathVerdict {
    /// Judges the entry that matches, the route that is resolved from it, and the link it leads to.
    ///
    /// A route of type local, anycast, multicast or broadcast leads somewhere too.
    static func judge(entry: Route, resolved: Route, link: Link?, to destination: IPAddress) -> FamilyVerdict
    {
        switch Int(entry.type) {
        case Int(RTN_BLACKHOLE), Int(RTN_UNREACHABLE), Int(RTN_PROHIBIT): return .unusable(.prohibited)
        case Int(RTN_THROW), Int(RTN_UNSPEC): return .unusable(.noRoute)
        default: break
        }
        // Without carrier the route stays in the table; only these flags and the link tell.
        guard let link, link.isUsable, entry.isAlive, resolved.isAlive else { return .unusable(.noLink) }
        guard let source = resolved.source, isFit(source, for: destination) else {
            return .unusable(.noAddress)
        }
        return .usable(Way(link: link, source: source, gateway: resolved.gateway))
    }

    /// A link-local source reaches no further than the link.
    private static func isFit(_ source: IPAddress, for destination: IPAddress) -> Bool {
        !source.isUnspecified
            && (!source.isIPv6LinkLocal || destination.isIPv6LinkLocal || destination.isIPv6LinkMulticast)
    }

    /// What it means that the kernel refuses to name a route.
    ///
    /// A blackhole answers EINVAL, a prohibition EACCES, an unreachable route EHOSTUNREACH.
    static func reason(for failure: NetlinkFailure, isIPv6: Bool) -> UnreachableReason {
        guard failure.isAnswer else { return .refused }
        return switch failure.code {
        case ENETUNREACH: .noRoute
        case EHOSTUNREACH, EACCES, EINVAL: .prohibited
        case EAFNOSUPPORT, EOPNOTSUPP: isIPv6 ? .noRoute : .refused
        default: .refused
        }
    }

    /// Makes one verdict of two: IPv4 if it works, as most servers have that, otherwise IPv6.
    ///
    /// IPv4 that is only translated over an IPv6 network is not the real way out. IPv6 is asked only when it matters.
    static func choose(_ ipv4: FamilyVerdict, _ ipv6: @autoclosure () -> FamilyVerdict) -> FamilyVerdict {
        if case .usable(let way) = ipv4, !way.source.isIPv4OverIPv6 { return ipv4 }
        let ipv6 = ipv6()
        if ipv6.isUsable { return ipv6 }
        return ipv4.isUsable ? ipv4 : choose([ipv4, ipv6])
    }

    /// Makes one verdict of several: the first that is usable, otherwise what says most.
    static func choose(_ verdicts: some Sequence<FamilyVerdict>) -> FamilyVerdict {
        var reasons: Set<UnreachableReason> = []
        for verdict in verdicts {
            switch verdict {
            case .usable: return verdict
            case .unusable(let reason): reasons.insert(reason)
            }
        }
        return .unusable(severity.first(where: reasons.contains) ?? .noRoute)
    }

    /// Of two reasons the one that is nearer to a working network says more.
    private static let severity: [UnreachableReason] = [.prohibited, .noAddress, .noLink, .refused, .noRoute]

    /// Looks for the cause behind a missing route: nearly always a link or an address is missing, too.
    static func whyNoRoute(links: [Link], addresses: [InterfaceAddress]) -> UnreachableReason {
        let usable = Set(links.filter { $0.isUsable && !$0.isLoopback }.map(\.index))
        if usable.isEmpty { return .noLink }
        let hasAddress = addresses.contains { $0.isUsable && usable.contains($0.interfaceIndex) }
        return hasAddress ? .noRoute : .noAddress
    }
}
