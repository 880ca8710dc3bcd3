extension ImageStore {
    /// What makes two requests one piece of work: the same picture in the same size, under the same policy.
    struct FlightKey: Hashable, Sendable {
        let picture: PictureKey
        let policy: ImageRequest.CachePolicy
    }

    /// One piece of work, from the request to the decoded picture.
    ///
    /// The number keeps a flight that was overtaken by a clear or a cancel apart from the one that follows it.
    struct Flight: Hashable, Sendable {
        let key: FlightKey
        let generation: Int

        var source: String { key.picture.source }
    }

    /// The flight that speaks for its key, what started it, and the fallback image its callers left.
    struct Current {
        let generation: Int
        let request: ImageRequest
        let download: ImageLoader.Download
        var fallback: Image?
    }

    /// The flights that may change what is remembered, and the downloads they share.
    struct Flights {
        private var newest: [FlightKey: Current] = [:]
        private var downloads: [DownloadKey: Sharing] = [:]
        private var lastGeneration = 0

        private struct DownloadKey: Hashable {
            let source: String
            let policy: ImageRequest.CachePolicy

            init(_ key: FlightKey) {
                source = key.picture.source
                policy = key.policy
            }
        }

        /// The download that flights of other sizes join, and how many have.
        private struct Sharing {
            let generation: Int
            var flights: Int
        }

        var isEmpty: Bool { newest.isEmpty && downloads.isEmpty }

        /// Joins the newest flight of the request's picture, or starts one.
        mutating func join(_ request: ImageRequest) -> (flight: Flight, current: Current) {
            let key = FlightKey(picture: request.picture, policy: request.cachePolicy)
            var current = newest[key] ?? start(request, key)
            current.fallback = request.fallback?.markedAsFallback() ?? current.fallback
            newest[key] = current
            return (Flight(key: key, generation: current.generation), current)
        }

        private mutating func start(_ request: ImageRequest, _ key: FlightKey) -> Current {
            lastGeneration += 1
            let name = DownloadKey(key)
            var sharing = downloads[name] ?? Sharing(generation: lastGeneration, flights: 0)
            sharing.flights += 1
            downloads[name] = sharing
            let download = ImageLoader.Download(
                source: name.source,
                policy: name.policy,
                generation: sharing.generation
            )
            return Current(generation: lastGeneration, request: request, download: download)
        }

        func isNewest(_ flight: Flight) -> Bool {
            newest[flight.key]?.generation == flight.generation
        }

        /// Ends a flight's right to speak for its key; nil when it was overtaken and has none.
        mutating func retire(_ flight: Flight) -> Current? {
            guard let current = newest[flight.key], current.generation == flight.generation else {
                return nil
            }
            newest[flight.key] = nil
            let name = DownloadKey(flight.key)
            if var sharing = downloads[name], sharing.generation == current.download.generation {
                sharing.flights -= 1
                downloads[name] = sharing.flights > 0 ? sharing : nil
            }
            return current
        }

        /// Lets nothing that is under way for a source speak for it, or be joined, any more.
        mutating func overtake(_ source: String) {
            newest = newest.filter { $0.key.picture.source != source }
            downloads = downloads.filter { $0.key.source != source }
        }

        mutating func overtakeAll() {
            newest = [:]
            downloads = [:]
        }
    }
}
