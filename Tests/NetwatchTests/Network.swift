import Support

extension NetworkNamespace {
    /// A network with a cable in eth0 and a way to the Internet by it.
    static func connected() throws -> NetworkNamespace {
        let network = try NetworkNamespace()
        try network.disableIPv6()
        try network.ip(
            "link add eth0 type veth peer name far0",
            "link set far0 up",
            "link set eth0 up",
            "address add 192.0.2.2/24 dev eth0",
            "route add default via 192.0.2.1"
        )
        return network
    }
}
