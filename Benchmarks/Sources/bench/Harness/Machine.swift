import Foundation

/// What the numbers were measured on.
struct Machine: Codable {
    let system: String
    let processors: Int
    let swift: String
    let isOptimized: Bool

    static let current = Machine(
        system: ProcessInfo.processInfo.operatingSystemVersionString,
        processors: ProcessInfo.processInfo.activeProcessorCount,
        swift: Versions.swift,
        isOptimized: isBuiltWithOptimization
    )

    private static var isBuiltWithOptimization: Bool {
        #if DEBUG
        false
        #else
        true
        #endif
    }

    var description: String {
        let build = isOptimized ? "release" : "DEBUG BUILD, the numbers mean nothing"
        return "\(system), \(processors) processors, \(swift), \(build)"
    }
}

/// The versions of what is compared.
enum Versions {
    /// No library call tells it, so scripts/bench passes it on from `swift --version`.
    static let swift = ProcessInfo.processInfo.environment["SWIFT_VERSION"] ?? "Swift (version not passed on)"
    static let library = "this checkout"
    static let foundation = "Foundation of \(swift)"
    static let dispatch = "libdispatch of \(swift)"
}
