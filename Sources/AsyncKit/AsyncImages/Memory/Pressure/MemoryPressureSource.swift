/// Says when memory is short, so that caches can give some back.
///
/// ``ImageStore`` drops its pictures from memory each time. A source of one's own, for a test or another notion of
/// "short", goes into ``ImageStore/Configuration/memoryPressure``.
public protocol MemoryPressureSource: Sendable {
    /// One element each time memory has become short, from now on; a fresh, independent stream at each access.
    var pressures: AsyncStream<Void> { get }
}
