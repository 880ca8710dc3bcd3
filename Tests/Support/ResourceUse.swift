import Glibc

/// What this process holds of the system's resources now, from `/proc/self`; proc(5).
public struct ResourceUse: Sendable, Hashable {
    /// Memory that is really there, in bytes.
    public let residentBytes: Int
    /// Address space, in bytes.
    public let virtualBytes: Int
    /// Open file descriptors.
    public let descriptors: Int
    /// Threads of the process.
    public let threads: Int

    /// Reads the numbers.
    public static var now: ResourceUse {
        ResourceUse(
            residentBytes: bytes(of: "VmRSS"),
            virtualBytes: bytes(of: "VmSize"),
            descriptors: openDescriptors(),
            threads: status["Threads"].flatMap { Int($0) } ?? 0
        )
    }

    /// How many processors this process may use.
    public static var processors: Int {
        let mask = status["Cpus_allowed"]?.split(separator: ",") ?? []
        return max(1, mask.reduce(0) { $0 + (UInt32($1, radix: 16)?.nonzeroBitCount ?? 0) })
    }

    /// Whether this process was built with the thread sanitizer, whose shadow memory spoils measured sizes.
    public static let isSanitized = dlsym(nil, "__tsan_init") != nil

    private static func bytes(of name: Substring) -> Int {
        (status[name].flatMap { Int($0) } ?? 0) * 1024
    }

    private static var status: [Substring: Substring] {
        let pairs = readText("/proc/self/status").split(separator: "\n").compactMap { line in
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            return words.count > 1 ? (words[0], words[1]) : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func openDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // The entries "." and "..", and the descriptor that reads the folder.
        return count - 3
    }
}

/// The start of a file of the kernel, up to 8 KiB.
func readText(_ path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let length = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<length], as: UTF8.self)
}
