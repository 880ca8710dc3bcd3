import Foundation

/// How much memory this process takes at its greatest beside what it holds now; proc_pid_status(5).
///
/// The program itself with its libraries takes more than what is measured, and is the same for everybody.
struct MemoryMeter {
    private let before: Int

    /// Starts to measure.
    init() throws {
        // Makes the peak what there is now; proc_pid_clear_refs(5).
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        before = try Self.peak()
    }

    func growth() throws -> Int { try Self.peak() - before }

    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard
            let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw Failure(description: "the kernel does not tell the peak of the memory") }
        return kibibytes * 1024
    }
}
