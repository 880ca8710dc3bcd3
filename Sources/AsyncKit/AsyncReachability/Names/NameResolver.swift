internal import CLinux
internal import Glibc

/// Finds the addresses of a host name; blocks, and is called on a thread made for it.
protocol NameResolver: Sendable {
    func lookUp(_ name: String) -> Lookup
}

/// What came out of a lookup.
enum Lookup: Sendable, Hashable {
    /// In the order in which a client shall try them (RFC 6724).
    case addresses([IPAddress])
    /// There is no such name.
    case unknownName
    /// No name server answers, or it answers with an error that may pass.
    case failed
}

/// The system's resolver: /etc/hosts, DNS and whatever nsswitch.conf(5) names.
struct SystemNameResolver: NameResolver {
    func lookUp(_ name: String) -> Lookup {
        var hints = addrinfo()
        // One entry for each address instead of one for each kind of socket.
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        switch status {
        case 0: return .addresses(Self.addresses(in: list))
        case EAI_NONAME, Self.noAddress: return .unknownName
        default: return .failed
        }
    }

    /// EAI_NODATA: the name exists and has no address.
    private static let noAddress: Int32 = -5

    private static func addresses(in list: UnsafeMutablePointer<addrinfo>?) -> [IPAddress] {
        sequence(first: list) { $0?.pointee.ai_next }
            .prefix { $0 != nil }
            .compactMap { $0?.pointee.ai_addr.flatMap(address) }
    }

    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>) -> IPAddress? {
        let raw = UnsafeRawPointer(pointer)
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET:
            return withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { IPAddress(Array($0)) }
        case AF_INET6:
            return withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { IPAddress(Array($0)) }
        default:
            return nil
        }
    }
}
