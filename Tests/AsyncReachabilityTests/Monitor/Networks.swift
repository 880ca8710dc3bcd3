import AsyncReachability

extension NetworkPath {
    static let wifi = NetworkPath.reachable(
        NetworkRoute(mode: .wifi, interface: "wlan0", localAddress: "192.0.2.7", gateway: "192.0.2.1")
    )
    static let otherWifi = NetworkPath.reachable(
        NetworkRoute(mode: .wifi, interface: "wlan0", localAddress: "192.0.2.7", gateway: "192.0.2.254")
    )
    static let wired = NetworkPath.reachable(
        NetworkRoute(mode: .wired, interface: "eth0", localAddress: "192.0.2.8")
    )
    static let tunnel = NetworkPath.reachable(
        NetworkRoute(mode: .other, interface: "wg0", localAddress: "10.8.0.2", vpn: true)
    )
    static let offline = NetworkPath.unreachable(.noLink)
}

/// A source whose elements the test makes, one watch after the other.
final class ManualSource: NetworkSource {
    private let elements: AsyncStream<NetworkPath>

    init(_ elements: AsyncStream<NetworkPath>) {
        self.elements = elements
    }

    func paths(to target: NetworkTarget) -> AsyncStream<NetworkPath> { elements }
}
