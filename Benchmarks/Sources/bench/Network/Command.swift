import Foundation

/// A program that is run to its end.
struct Command {
    let status: Int32
    let output: Data
    let errors: String

    /// Runs it and waits; what it reads, and what it says on standard error, must fit into a pipe.
    static func run(_ words: [String], input: String = "") throws -> Command {
        let errors = try Child.pipe()
        let child: Child
        do {
            defer { close(errors.write) }
            child = try Child(words, errors: errors.write)
        }
        write(child.input, input, input.utf8.count)
        child.closeInput()
        let output = readAll(child.output)
        let message = String(decoding: readAll(errors.read), as: UTF8.self)
        close(errors.read)
        return Command(
            status: child.waitForEnd(),
            output: output,
            errors: message.trimmingCharacters(in: .whitespacesAndNewlines)
        )
    }

    private static func readAll(_ descriptor: Int32) -> Data {
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        return (try? file.readToEnd()) ?? Data()
    }
}
