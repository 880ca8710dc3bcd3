import Glibc

extension ImageStore {
    /// Where a store keeps picture files between runs, and how many.
    ///
    /// Several stores, also of several processes, may share a folder. Files of other names in it are left alone. A disk
    /// that is full or can't be written never fails a request.
    public struct DiskConfiguration: Sendable, Hashable {
        /// The folder, made with mode 0700 when it is first needed.
        public var directory: String

        /// The most bytes of all files together; 256 MiB.
        ///
        /// The least recently used ones go first.
        public var maximumSize = 256 * 1024 * 1024

        /// For how long a file is fresh whose server said nothing about it, not even a date; 5 minutes.
        public var defaultLifetime = Duration.seconds(300)

        /// A folder of this name among the user's caches: in `XDG_CACHE_HOME`, or in `.cache` of the home directory (XDG
        /// Base Directory Specification).
        ///
        /// ```swift
        /// var configuration = ImageStore.Configuration()
        /// configuration.disk = .userCache(named: "org.example.viewer")
        /// ```
        ///
        /// - Parameter name: One path component, the program's own.
        /// - Returns: Nil when the environment names neither, as an absolute path.
        public static func userCache(named name: String) -> DiskConfiguration? {
            let (caches, home) = (path("XDG_CACHE_HOME"), path("HOME"))
            guard let folder = caches ?? home.map({ $0 + "/.cache" }) else { return nil }
            return DiskConfiguration(directory: folder + "/" + name)
        }

        /// A relative path is to be ignored, says the specification.
        private static func path(_ variable: String) -> String? {
            guard let value = getenv(variable).map({ String(cString: $0) }), value.hasPrefix("/") else {
                return nil
            }
            return value
        }

        /// Creates a configuration for a folder.
        public init(directory: String) {
            self.directory = directory
        }
    }
}
