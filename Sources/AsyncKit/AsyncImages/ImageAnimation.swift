/// The frames of an animated picture.
public struct ImageAnimation: Sendable, Equatable {
    /// How many frames there are, at least 2.
    public let frameCount: Int
}
