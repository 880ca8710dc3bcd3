internal import Glibc

/// Whether a text is an address that no router of the Internet forwards to: private use, shared, link-local, loopback.
func isPrivateAddress(_ text: String) -> Bool {
    if let bytes = addressBytes(text, AF_INET, count: 4) { return isPrivateIPv4(bytes) }
    guard let bytes = addressBytes(text, AF_INET6, count: 16) else { return false }
    let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    if bytes.starts(with: mapped) { return isPrivateIPv4(Array(bytes.suffix(4))) }
    let isLoopback = bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    return isLoopback || bytes[0] & 0xfe == 0xfc || (bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80)
}

private func isPrivateIPv4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1]) {
    case (10, _), (127, _), (192, 168), (169, 254): true
    case (172, let second): second & 0xf0 == 16
    case (100, let second): second & 0xc0 == 64
    default: false
    }
}

private func addressBytes(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
}
