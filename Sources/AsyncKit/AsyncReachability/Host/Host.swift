/// PLACEHOLDER until the branch host is merged.
public struct Host: Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public enum Error: Swift.Error { case empty }
    enum Kind: Hashable { case name(String), address(IPAddress, zone: String?) }
    var kind: Kind { .name(description) }
    var isLoopbackName: Bool { description == "localhost" }
    public init(_ text: some StringProtocol) throws(Error) {
        if text.isEmpty { throw .empty }
        description = String(text)
    }
}
