import AsyncReachability

@testable import netwatch

extension NetworkPath {
    static let wired = NetworkPath.reachable(
        NetworkRoute(mode: .wired, interface: "eth0", localAddress: "192.0.2.2", gateway: "192.0.2.1")
    )
    static let tunnel = NetworkPath.reachable(
        NetworkRoute(
            mode: .wifi,
            interface: "wg0",
            localAddress: "2001:db8:1234:5678:90ab:cdef:1234:5678",
            vpn: true,
            underlay: NetworkRoute.Underlay(mode: .wifi, interface: "wlan0"),
            metered: .guessNo
        )
    )
    static let offline = NetworkPath.unreachable(.noLink)
}

extension Timestamp {
    static let someDay = Timestamp(seconds: 1_767_323_045, milliseconds: 6)
}

func row(
    _ path: NetworkPath,
    _ validation: Validation = .none,
    to target: NetworkTarget = .internet,
    generation: Int = 1
) -> Row {
    Row(target, Reachability(path: path, validation: validation, generation: generation), at: .someDay)
}

func host(_ text: String) throws -> NetworkTarget {
    .host(try Host(text))
}
