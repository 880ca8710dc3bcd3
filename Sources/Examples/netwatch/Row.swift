import AsyncReachability

/// What is known about the way to one target at one moment, in words.
struct Row: Equatable {
    let target: NetworkTarget
    let time: Timestamp
    let state: Reachability

    init(_ target: NetworkTarget, _ state: Reachability, at time: Timestamp = .now) {
        self.target = target
        self.state = state
        self.time = time
    }

    /// Whoever gave a probe wants to know whether there is an answer, so none is as good as no way.
    var isReachable: Bool { state.isReachable && !isUnanswered }

    var mode: ConnectionMode { isReachable ? state.mode : .none }

    /// The mode as people read it: `none` would claim too much where the system does not let us look.
    var modeWord: String { state.isKnown ? mode.rawValue : "unknown" }

    /// One word that programs can rely on; `nil` when the target is reachable.
    var reason: String? { state.reason?.rawValue ?? (isUnanswered ? "no-answer" : nil) }

    private var isUnanswered: Bool { state.validation == .done(.failed) }

    /// What people read: in one word, and in a sentence for where there is room.
    var remark: (word: String, sentence: String)? {
        switch (state.reason, state.validation) {
        case (let reason?, _): (reason.rawValue, reason.description)
        case (nil, .done(.failed)): ("no-answer", "the probe got no good answer; it is asked again")
        case (nil, .pending): ("checking", "waiting for the answer to the probe")
        case (nil, .done): ("validated", "the probe got the answer it expects")
        case (nil, .none): nil
        }
    }
}

/// The line of a pipe.
extension Row {
    /// One line of words in the order of the table, padded so that lines in a log stand in columns.
    ///
    /// No field is ever empty or has a space in it, so that `awk` and `cut` find their way.
    var line: String {
        let padded = zip(fields, [24, 12, 8, 10, 15, 3, 0]).map { $0.padded(to: $1) }
        return padded.joined(separator: " ")
    }

    private var fields: [String] {
        [
            time.rfc3339, target.description, modeWord, state.interface?.printable ?? "-",
            state.localAddress ?? "-", state.vpn ? "yes" : "no", reason ?? "-",
        ]
    }
}
