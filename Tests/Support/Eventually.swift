/// Waits until a condition holds that nobody announces, such as a thread having ended.
///
/// For such facts only; everything that can be awaited shall be. The suite's time limit ends a wait in vain.
public func eventually(_ condition: () throws -> Bool) async rethrows {
    while try !condition() {
        try? await Task.sleep(for: .milliseconds(1))
        if Task.isCancelled { return }
    }
}
