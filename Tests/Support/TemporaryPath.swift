import Glibc

/// Makes an empty directory that nobody else has; whoever asked for it removes it.
///
/// Throws what the system said.
public func makeTemporaryDirectory(for purpose: String) throws -> String {
    var template = template(for: purpose)
    try check(mkdtemp(&template) == nil ? -1 : 0, "mkdtemp")
    return path(of: template)
}

/// Makes an empty file that nobody else has, open for writing; whoever asked for it closes and removes it.
func makeTemporaryFile(for purpose: String) throws -> (descriptor: Int32, path: String) {
    var template = template(for: purpose)
    let descriptor = try check(mkstemp(&template), "mkstemp")
    return (descriptor, path(of: template))
}

/// The six letters at the end are what mkdtemp(3) and mkstemp(3) write over.
private func template(for purpose: String) -> [CChar] {
    Array("/tmp/\(purpose)-test-\(String(repeating: "X", count: 6))".utf8CString)
}

private func path(of template: [CChar]) -> String {
    String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}
