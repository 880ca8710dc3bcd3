internal import CLinux
internal import Glibc

/// A way out that works, for one address family.
struct Way: Hashable {
    var link: Link
    var source: IPAddress
    var gateway: IPAddress?
}

/// What the kernel's answers mean for one address family.
enum FamilyVerdict: Hashable {
    case usable(Way)
    case unusable(UnreachableReason)
}

/// The decisions, free of any question to the kernel.
enum PathVerdict {
    /// Judges the entry that matches, the route that is resolved from it, and the link it leads to.
    static func judge(entry: Route, resolved: Route, link: Link?) -> FamilyVerdict {
        switch Int(entry.type) {
        case Int(RTN_UNICAST): break
        case Int(RTN_BLACKHOLE), Int(RTN_UNREACHABLE), Int(RTN_PROHIBIT): return .unusable(.prohibited)
        default: return .unusable(.noRoute)
        }
        // Without carrier the route stays in the table; only these flags and the link tell.
        guard let link, link.isUsable, entry.isAlive, resolved.isAlive else { return .unusable(.noLink) }
        guard let source = resolved.source, !source.isUnspecified, !source.isIPv6LinkLocal else {
            return .unusable(.noAddress)
        }
        return .usable(Way(link: link, source: source, gateway: resolved.gateway))
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
    /// IPv4 that is only translated over an IPv6 network is not the real way out.
    static func choose(_ ipv4: FamilyVerdict, _ ipv6: FamilyVerdict) -> FamilyVerdict {
        switch (ipv4, ipv6) {
        case (.usable(let way), .usable): way.source.isIPv4OverIPv6 ? ipv6 : ipv4
        case (.usable, .unusable): ipv4
        case (.unusable, .usable): ipv6
        case (.unusable(let first), .unusable(let second)):
            .unusable(severity.first { $0 == first || $0 == second } ?? first)
        }
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
