import CLinux
import Glibc

/// The terminal that standard output is, if it is one.
enum Terminal {
    struct Size: Equatable {
        var columns: Int
        var lines: Int
    }

    /// True when the table can be redrawn in place.
    static var isThere: Bool {
        isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(variable("TERM"))
    }

    /// What <https://no-color.org> asks for.
    static var hasColour: Bool { isThere && variable("NO_COLOR").isEmpty }

    /// Its size now; that of a terminal of old where it does not know.
    static var size: Size {
        var window = winsize()
        let status = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window)
        guard status == 0, window.ws_col > 0, window.ws_row > 0 else { return Size(columns: 80, lines: 24) }
        return Size(columns: Int(window.ws_col), lines: Int(window.ws_row))
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}
