extension ImageStore {
    /// Where a store keeps picture files between runs, and how many.
    ///
    /// The folder is the store's own: what it does not know there it deletes. Several stores, also of several
    /// processes, may share one. A disk that is full or can't be written never fails a request.
    public struct DiskConfiguration: Sendable, Hashable {
        /// The folder, made with mode 0700 when it is first needed.
        public var directory: String

        /// The most bytes of all files together; 256 MiB. The least recently used ones go first.
        public var maximumSize = 256 * 1024 * 1024

        /// For how long a file is fresh whose server said nothing about it, not even a date; 5 minutes.
        public var defaultLifetime = Duration.seconds(300)

        /// Creates a configuration for a folder.
        public init(directory: String) {
            self.directory = directory
        }
    }
}
