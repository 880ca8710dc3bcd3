import Foundation

/// A program that is run to its end.
struct Command {
    let status: Int32
    let output: Data
    let errors: String

    /// The program that runs now.
    static let ownPath = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

    /// `ip` may live in directories that only root has in its PATH.
    static let environment = ProcessInfo.processInfo.environment.merging([
        "PATH": (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
    ]) { $1 }

    /// Runs it and waits; what it prints must be short enough for a pipe when there is input too.
    static func run(_ words: [String], input: String = "") throws -> Command {
        let process = Process()
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = environment
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let message = String(decoding: errors, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return Command(status: process.terminationStatus, output: output, errors: message)
    }
}

/// A measurement that could not go on.
struct Failure: Error, CustomStringConvertible {
    let description: String
}
