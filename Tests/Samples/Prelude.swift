// What the samples of the documentation take for granted. scripts/samples compiles it with them; no target has it.
// Keep it short: a sample that stands alone is worth more. Nothing here belongs to an actor, even where MainActor is
// the default isolation, as is so for what an older library declares.

/// The work of a program that is worth sharing, limiting or waiting for.
nonisolated func download(_ name: String) async throws -> [UInt8] { Array(name.utf8) }

/// The same for a picture.
nonisolated func makeThumbnail(_ name: String) async throws -> [UInt8] { Array(name.utf8) }

/// An actor that synchronous code wants something of.
actor Counter {
    private(set) var total = 0
}

nonisolated let counter = Counter()

/// An old API with a completion handler and a way to stop it.
@discardableResult
nonisolated func fetch(
    _ name: String,
    completion: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
) -> FetchToken {
    completion(.success(Array(name.utf8)))
    return FetchToken()
}

nonisolated struct FetchToken: Sendable {
    func cancel() {}
}

/// A C function that takes a function pointer and user data.
nonisolated func measure(
    _ path: String,
    _ completion: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void,
    _ userData: UnsafeMutableRawPointer?
) {
    completion(Int32(path.utf8.count), userData)
}

/// An object that calls its observers and its delegate, on a thread of its own.
nonisolated protocol SensorDelegate: AnyObject, Sendable {
    func sensorDidRead(_ value: Double)
}

nonisolated final class Sensor: @unchecked Sendable {
    // Nobody uses it: samples are compiled and not run.
    var delegate: (any SensorDelegate)?

    func addObserver(_ observer: @escaping @Sendable (Double) -> Void) -> Int { 0 }
    func removeObserver(_ id: Int) {}
}

nonisolated let sensor = Sensor()
