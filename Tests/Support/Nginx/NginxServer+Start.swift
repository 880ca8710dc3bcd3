import Glibc

extension NginxServer {
    static let nginx = find("nginx")
    static let openssl = find("openssl")

    /// Debian keeps nginx where only root looks for commands.
    private static func find(_ command: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = path.split(separator: ":") + ["/usr/local/sbin", "/usr/sbin", "/usr/bin"]
        return folders.map { "\($0)/\(command)" }.first { access($0, X_OK) == 0 }
    }

    /// Tries again on other ports, because nginx says that a port is taken only after it was told to take it.
    static func start(
        triesLeft: Int
    ) throws -> (folder: String, ports: Ports, shell: GuardedShell) {
        guard let nginx, let openssl else { throw Failure(saying: "nginx or openssl is missing") }
        let (folder, ports) = (try makeFolder(), try Ports.free())
        try write(Array(configuration(ports).utf8), to: "\(folder)/nginx.conf")
        let shell = try GuardedShell(script, [nginx, openssl, folder])
        let answer = shell.readLine()
        if answer == "ready" { return (folder, ports, shell) }
        guard triesLeft > 1 else { throw Failure(saying: "nginx did not start: \(answer)") }
        return try start(triesLeft: triesLeft - 1)
    }

    private static func makeFolder() throws -> String {
        let folder = try makeTemporaryDirectory(for: "nginx")
        for name in ["files", "uploads", "temp"] { mkdir("\(folder)/\(name)", 0o700) }
        return folder
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "we") else { throw Failure("open \(path)") }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else { throw Failure("write \(path)") }
    }

    /// Says "ready" or why not; once its output is nobody's any more, it stops nginx and removes the folder.
    ///
    /// Its output is a socket, so it can be read as well, and that ends when the other end is closed. The file with the
    /// process's number is written when all ports are open.
    private static let script = #"""
        trap '' INT HUP TERM PIPE
        nginx=$1 openssl=$2 folder=$3
        cd "$folder" || exit
        leave() { cd / && rm -rf "$folder"; exit; }
        fail() { cat output error.log 2>/dev/null | tr '\n' ' '; leave; }
        make() { "$openssl" req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "$@"; }
        {
            make -subj /CN=authority -keyout authority.key -out authority.pem &&
            make -CA authority.pem -CAkey authority.key -subj /CN=localhost \
                -addext subjectAltName=IP:127.0.0.1,DNS:localhost -addext basicConstraints=critical,CA:FALSE \
                -keyout server.key -out server.pem
        } >output 2>&1 </dev/null || fail
        "$nginx" -p "$folder/" -e "$folder/error.log" -c "$folder/nginx.conf" >output 2>&1 </dev/null &
        server=$!
        until [ -s nginx.pid ]; do
            kill -0 $server 2>/dev/null || fail
            sleep 0.01
        done
        echo ready
        cat <&1 >/dev/null
        kill $server
        wait $server
        leave
        """#
}
