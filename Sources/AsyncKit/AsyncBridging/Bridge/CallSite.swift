/// A place in a program's source, to be named in errors and reports.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
    /// The module and the file, as `#fileID` gives them.
    public let fileID: String

    /// The line, counted from 1.
    public let line: UInt

    init(fileID: StaticString, line: UInt) {
        self.fileID = fileID.description
        self.line = line
    }

    /// The place as `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
