/// A place in a program's source, to be named in errors and reports.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
    // Kept as it came: a string would be made at every call that may need to name its place, and few do.
    private let file: StaticString

    /// The line, counted from 1.
    public let line: UInt

    @usableFromInline
    init(fileID: StaticString, line: UInt) {
        file = fileID
        self.line = line
    }

    /// The module and the file, as `#fileID` gives them.
    public var fileID: String { file.description }

    /// The place as `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }

    /// Tells whether two places are the same.
    ///
    /// - Parameters:
    ///   - left: A place.
    ///   - right: Another place.
    /// - Returns: True when file and line are equal.
    public static func == (left: CallSite, right: CallSite) -> Bool {
        left.line == right.line && left.fileID == right.fileID
    }

    /// Feeds the place into a hasher.
    ///
    /// - Parameter hasher: Where it is fed to.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fileID)
        hasher.combine(line)
    }
}
