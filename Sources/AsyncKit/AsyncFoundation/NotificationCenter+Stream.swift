public import AsyncBridging
public import Foundation

extension NotificationCenter {
    /// Returns the notifications of one name from here on, each mapped to a value that tasks can share.
    ///
    /// ```swift
    /// import AsyncBridging
    /// import Foundation
    ///
    /// let change = Notification.Name("UserDidChange")
    /// let names = NotificationCenter.default.notifications(named: change, capacity: 16) {
    ///     $0.userInfo?["name"] as? String
    /// }
    /// for await name in names { print(name) }
    /// ```
    ///
    /// The map runs on the thread that posts, before the post returns; keep it short. The observer is removed when
    /// the stream is cancelled or released, or the task that waits for it is cancelled.
    ///
    /// - Parameters:
    ///   - name: The name to observe.
    ///   - object: The sender to observe, or `nil` for every sender. It is held weakly; after its release nothing
    ///     comes any more, not even from a new object at the same address.
    ///   - capacity: How many values the reader may be behind before it loses the oldest ones; at least 1,
    ///     anything else traps.
    ///   - fileID: The file that a misuse is reported at.
    ///   - line: The line that a misuse is reported at.
    ///   - map: Takes what is wanted out of a notification; `nil` leaves it out.
    /// - Returns: A sequence for one task.
    public func notifications<Value: Sendable>(
        named name: Notification.Name,
        object: (any AnyObject & Sendable)? = nil,
        capacity: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        map: @escaping @Sendable (Notification) -> Value?
    ) -> CallbackStream<Value> {
        let sender = WeakSender(object)
        return CallbackStream(capacity: capacity, fileID: fileID, line: line) { sink in
            let observer = addObserver(forName: name, object: object, queue: nil) { notification in
                guard sender.hasPosted(notification), let value = map(notification) else { return }
                sink.send(value)
            }
            // The token is only handed back to the center, which has a lock of its own.
            nonisolated(unsafe) let token = observer
            return { self.removeObserver(token) }
        }
    }
}

/// The sender that is observed: the center knows it by its address alone, which a later object can get.
private struct WeakSender: Sendable {
    private let isAny: Bool
    private weak let object: (any AnyObject & Sendable)?

    init(_ object: (any AnyObject & Sendable)?) {
        isAny = object == nil
        self.object = object
    }

    func hasPosted(_ notification: Notification) -> Bool {
        if isAny { return true }
        guard let object, let sender = notification.object else { return false }
        return sender as AnyObject === object
    }
}
