/// Whether traffic costs money or counts against a limit, as far as anybody knows.
///
/// The kernel doesn't know. Without a ``MeteredSource`` it is ``unknown``, or a guess from the kind of link.
public enum Metered: String, Sendable, Hashable, CaseIterable {
    /// Somebody who knows says so: spend as little as you can.
    case yes
    /// Somebody who knows says that it doesn't.
    case no
    /// Nobody says anything.
    case unknown
    /// It looks so: a mobile network, or the tether of a phone.
    case guessYes = "guess-yes"
    /// It doesn't look so.
    case guessNo = "guess-no"

    /// The answer, guesses included; `nil` when nobody says anything.
    public var isMetered: Bool? {
        switch self {
        case .yes, .guessYes: true
        case .no, .guessNo: false
        case .unknown: nil
        }
    }

    /// True when the answer is no more than a guess.
    public var isGuess: Bool { self == .guessYes || self == .guessNo }
}

extension Metered: CustomStringConvertible {
    /// One word, such as `yes` or `guess-no`.
    public var description: String { rawValue }
}
