/// Waits until a condition holds that nobody announces, such as a thread having ended.
///
/// For such facts only; everything that can be awaited shall be.
///
/// - Returns: False when the time is over and the condition still does not hold.
public func eventually(
    within limit: Duration = .seconds(20),
    _ condition: () throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        if ContinuousClock.now > end || Task.isCancelled { return false }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}
