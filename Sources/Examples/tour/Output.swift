import Foundation

private let usage = """
    usage: tour

    Shows what AsyncKit does, in five short chapters: the network of this machine, requests to a server that the tour
    starts on 127.0.0.1, pictures from it, a secret in an encrypted vault, and the same calls from synchronous code.

    It needs no network, writes to a temporary folder only and removes it.
    Exit codes: 0; 1 after an error; 64 when it is called with anything but --help.
    """

func explainIfAsked() {
    guard let argument = CommandLine.arguments.dropFirst().first else { return }
    if ["-h", "--help"].contains(argument) {
        print(usage)
        exit(0)
    }
    complain(usage)
    exit(64)
}

func fail(_ error: any Error) -> Never {
    complain("tour: \(error)")
    exit(1)
}

private func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}

func chapter(_ number: Int, _ title: String) {
    print("\(number == 1 ? "" : "\n")\(number)  \(title)")
}

func show(_ name: String, _ value: String) {
    print("   \(name)\(String(repeating: " ", count: max(1, 20 - name.count)))\(value)")
}

func date(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
}

/// What a call returned, and how long it took.
func timed<Value>(_ call: () async throws -> Value) async throws -> (Value, String) {
    let start = ContinuousClock.now
    let value = try await call()
    return (value, text(ContinuousClock.now - start))
}

func timed<Value>(_ call: () throws -> Value) rethrows -> (Value, String) {
    let start = ContinuousClock.now
    let value = try call()
    return (value, text(ContinuousClock.now - start))
}

private func text(_ duration: Duration) -> String {
    let microseconds = duration / .microseconds(1)
    return microseconds < 1000
        ? String(format: "%.1f µs", microseconds) : String(format: "%.1f ms", microseconds / 1000)
}

/// A folder that only this user can read.
struct TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "asynckit-tour-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Whether any of the words stands in the file as it is.
func contents(of path: String, contain words: [String]) throws -> Bool {
    let data = try Data(contentsOf: URL(filePath: path))
    return words.contains { data.range(of: Data($0.utf8)) != nil }
}
