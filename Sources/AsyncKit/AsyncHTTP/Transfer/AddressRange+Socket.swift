import AsyncPrimitives
import CCurl
import Glibc

extension AddressRange {
    /// Finds the range of a resolved address; `nil` when it is neither IPv4 nor IPv6.
    init?(_ address: UnsafeMutablePointer<curl_sockaddr>) {
        // libcurl's structure goes on behind what C declares of it: an IPv6 address is longer than a `sockaddr`.
        guard let start = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
        let length = Int(address.pointee.addrlen)
        self.init(UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + start, count: length))
    }

    /// Finds the range of a socket address (ip(7), ipv6(7)); `nil` when it is neither IPv4 nor IPv6, or cut off.
    init?(_ address: UnsafeRawBufferPointer) {
        guard address.count >= MemoryLayout<sa_family_t>.size else { return nil }
        let place: (offset: Int?, count: Int)
        switch Int32(address.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET: place = (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: place = (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: return nil
        }
        guard let offset = place.offset, address.count >= offset + place.count else { return nil }
        self.init(Array(address[offset..<offset + place.count]))
    }
}
