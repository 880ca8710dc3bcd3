internal import Glibc

/// A shared library that the program brings in while it runs; dlopen(3).
///
/// It stays for good: threads may still have to leave what it gave them.
struct LoadedLibrary {
    /// It lacks a function.
    struct Missing: Error {}

    private let handle: UnsafeMutableRawPointer

    /// `nil` when the machine doesn't have it.
    init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        self.handle = handle
    }

    /// A function of the library, as the `@convention(c)` type that its header declares.
    func function<Function>(_ name: String) throws(Missing) -> Function {
        guard let symbol = dlsym(handle, name) else { throw Missing() }
        return unsafeBitCast(symbol, to: Function.self)
    }
}
