import CLinux
import Glibc

/// Refuses a system call to this process for good, as a sandbox does; for exit tests.
public enum SystemCallFilter {
    /// Makes a call fail with an error.
    ///
    /// - Parameters:
    ///   - call: The number of the call, such as `SYS_socket`.
    ///   - argument: Only when its first argument is this; `nil` for always.
    ///   - error: The errno it fails with.
    /// - Throws: What the system said when it installs no filter.
    public static func refuse(_ call: Int, firstArgument argument: Int32? = nil, with error: Int32) throws {
        // Offsets in struct seccomp_data: the number at 0, the first argument at 16.
        var program = [load(0), skipUnless(UInt32(call), over: argument == nil ? 1 : 3)]
        if let argument { program += [load(16), skipUnless(UInt32(argument), over: 1)] }
        program += [answer(0x0005_0000 | UInt32(error)), answer(0x7fff_0000)]
        try check(asynckit_install_filter(UInt16(program.count), &program), "seccomp")
    }

    /// struct sock_filter of linux/filter.h as one number.
    private static func instruction(_ code: UInt16, jumpIfFalse: UInt8 = 0, _ value: UInt32) -> UInt64 {
        UInt64(code) | UInt64(jumpIfFalse) << 24 | UInt64(value) << 32
    }

    private static func load(_ offset: UInt32) -> UInt64 { instruction(0x20, offset) }
    private static func answer(_ value: UInt32) -> UInt64 { instruction(0x06, value) }

    private static func skipUnless(_ value: UInt32, over count: UInt8) -> UInt64 {
        instruction(0x15, jumpIfFalse: count, value)
    }
}
