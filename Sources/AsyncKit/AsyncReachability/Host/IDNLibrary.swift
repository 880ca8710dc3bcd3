internal import Glibc

/// libidn2, opened at run time as getaddrinfo(3) does for `AI_IDN`: who uses no international names needs no library.
struct IDNLibrary: Sendable {
    private typealias Lookup =
        @convention(c) (
            UnsafePointer<UInt8>?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, CInt
        ) -> CInt
    private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// The system's library; `nil` when it is not installed, as seen when the first international name came.
    static let system = IDNLibrary(named: "libidn2.so.0")

    /// IDN2_NFC_INPUT and IDN2_NONTRANSITIONAL of idn2.h, which are part of the binary interface.
    private static let flags: CInt = 1 | 8

    private let lookup: Lookup
    private let free: Free

    /// Opens a shared library and keeps it open; `nil` when it is missing or has not the functions.
    init?(named name: String) {
        guard let library = LoadedLibrary(name),
            let lookup: Lookup = try? library.function("idn2_lookup_u8"),
            let free: Free = try? library.function("idn2_free")
        else { return nil }
        self.lookup = lookup
        self.free = free
    }

    /// The name with A-labels in place of U-labels; `nil` when IDNA does not allow it.
    ///
    /// The text must not hold a NUL, where C would end it.
    func ascii(_ name: String) -> [UInt8]? {
        var result: UnsafeMutablePointer<UInt8>?
        guard lookup(Array(name.utf8) + [0], &result, Self.flags) == 0, let result else { return nil }
        defer { free(result) }
        return Array(UnsafeBufferPointer(start: result, count: strlen(result)))
    }
}
