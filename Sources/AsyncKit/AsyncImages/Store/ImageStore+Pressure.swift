import AsyncPrimitives

extension ImageStore {
    /// Gives back the memory of every picture; failures and their fallback images stay.
    ///
    /// The store does this by itself when memory is short (``Configuration/memoryPressure``). Pixels that nobody else
    /// holds are given back before the call returns. Runs on the calling thread, may be called from anywhere, and
    /// ends no download.
    public nonisolated func clearMemory() {
        Self.clear(memory, telling: eventSource)
    }

    nonisolated func tellEvicted(_ pictures: [ImageMemory.Picture]) {
        Self.tellEvicted(pictures, to: eventSource)
    }

    /// Clears memory each time it is short, until the task is cancelled.
    static func heedPressure(
        of source: any MemoryPressureSource,
        _ memory: Lock<ImageMemory>,
        telling events: Events<Event>
    ) -> Task<Void, Never> {
        let pressures = source.pressures
        return Task(priority: .utility) {
            for await _ in pressures { clear(memory, telling: events) }
        }
    }

    private static func clear(_ memory: Lock<ImageMemory>, telling events: Events<Event>) {
        let pictures = memory.withLock { $0.removePictures() }
        tellEvicted(pictures, to: events)
        // Pixels are given back here, after the lock, because that can take a while.
        _ = consume pictures
    }

    private static func tellEvicted(_ pictures: [ImageMemory.Picture], to events: Events<Event>) {
        guard !pictures.isEmpty else { return }
        let bytes = pictures.reduce(0) { $0 + $1.image.byteCount }
        events.send(.evicted(pictures: pictures.count, bytes: bytes))
    }
}
