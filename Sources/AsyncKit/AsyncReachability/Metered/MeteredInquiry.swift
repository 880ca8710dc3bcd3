internal import AsyncPrimitives

/// Keeps account of the question to NetworkManager, of which there is one at a time; pure.
struct MeteredInquiry {
    private var cookie: UInt64?
    private var isOutdated = false

    /// When the question counts as unanswered; `nil` while none waits.
    private(set) var due: Deadline?

    /// Something has changed.
    ///
    /// - Returns: True when to ask now; otherwise a question is on its way and is asked again after its answer.
    mutating func changed() -> Bool {
        isOutdated = due != nil
        return !isOutdated
    }

    /// Notes that a question was sent; what answers an earlier one no longer counts.
    mutating func asked(_ cookie: UInt64, until due: Deadline) {
        self.cookie = cookie
        self.due = due
        isOutdated = false
    }

    /// An answer has come.
    ///
    /// - Returns: Whether to ask again; `nil` when it is to no question of ours, or to one that no longer counts.
    mutating func answered(_ cookie: UInt64?) -> Bool? {
        guard let cookie, cookie == self.cookie else { return nil }
        self.cookie = nil
        due = nil
        return isOutdated
    }

    /// Gives up to wait when it is time; an answer that comes later still counts.
    ///
    /// - Returns: True when the time has just passed.
    mutating func expire() -> Bool {
        guard let due, due.hasPassed else { return false }
        self.due = nil
        return true
    }
}
