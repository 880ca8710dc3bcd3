import AsyncReachability
import AsyncReachabilityHTTP
import Glibc

/// Tells how this machine reaches the Internet or hosts, and every change.
///
/// The main thread waits for signals and the end of the reader, and for nothing else. The rest is tasks.
@main
struct Netwatch {
    static func main() {
        let arguments = parsedArguments()
        let watch = Watch(hosts: arguments.hosts, probe: probe(arguments.probe))
        if arguments.isOnce {
            showOnce(watch, asJSON: arguments.isJSON)
        } else if Terminal.isThere && !arguments.isJSON {
            showTable(watch)
        } else {
            showLines(watch, asJSON: arguments.isJSON)
        }
    }

    private static func parsedArguments() -> Arguments {
        let arguments: Arguments
        do {
            arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
        } catch {
            refuse("\(error)")
        }
        if !arguments.wantsHelp { return arguments }
        Output.write(help)
        exit(0)
    }

    private static func probe(_ url: String?) -> (any ReachabilityProbe)? {
        guard let url else { return nil }
        do {
            return try HTTPProbe(url: url)
        } catch {
            refuse("--probe: \(error)")
        }
    }

    private static func refuse(_ message: String) -> Never {
        Output.fail("\(message)\nTry netwatch --help.", status: 2)
    }
}

extension Netwatch {
    private static func showOnce(_ watch: Watch, asJSON isJSON: Bool) -> Never {
        let outside = Outside(catching: [])
        Task.detached {
            let rows = await watch.present()
            Output.write(isJSON || !Terminal.isThere ? lines(rows, asJSON: isJSON) : table(rows))
            exit(rows.allSatisfy(\.isReachable) ? 0 : 1)
        }
        waitForTheEnd(outside)
    }

    private static func showLines(_ watch: Watch, asJSON isJSON: Bool) -> Never {
        let outside = Outside(catching: [])
        Task.detached { await watch.follow(on: LineDisplay { isJSON ? $0.json : $0.line }) }
        waitForTheEnd(outside)
    }

    private static func showTable(_ watch: Watch) -> Never {
        let outside = Outside(catching: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH])
        let display = TableDisplay(of: watch.targets)
        Task.detached {
            await display.begin()
            await watch.follow(on: display)
        }
        while true {
            switch outside.next() {
            case .signal(let signal): answer(signal, display)
            case .readerLeft: die(of: SIGHUP)
            }
        }
    }

    private static func lines(_ rows: [Row], asJSON isJSON: Bool) -> String {
        rows.map { (isJSON ? $0.json : $0.line) + "\n" }.joined()
    }

    private static func table(_ rows: [Row]) -> String {
        let entries = rows.map { TableEntry(target: $0.target, row: $0) }
        let lines = TableView(entries: entries, width: Terminal.size.columns).lines
        return lines.map { $0.text(inColour: Terminal.hasColour) + "\n" }.joined()
    }
}

extension Netwatch {
    private static func waitForTheEnd(_ outside: Outside) -> Never {
        while true {
            if outside.next() == .readerLeft { die(of: SIGPIPE) }
        }
    }

    /// Everything is done by the display, one thing after the other, so that nothing is drawn after its last word.
    private static func answer(_ signal: Int32, _ display: TableDisplay) {
        Task.detached {
            switch signal {
            case SIGWINCH: await display.resize()
            case SIGCONT: await display.begin()
            case SIGTSTP: await display.stop()
            default: await display.end(by: signal)
            }
        }
    }
}
