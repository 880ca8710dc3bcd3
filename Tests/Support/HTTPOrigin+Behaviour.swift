extension HTTPOrigin {
    /// How a path is answered.
    public indirect enum Behaviour: Sendable {
        /// A whole answer; `Content-Length` is added unless `headers` has it or `Transfer-Encoding`.
        case respond(status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = [])
        /// A redirect without a body.
        case redirect(to: String, status: Int = 302)
        /// The inner behaviour, once the gate is open.
        case gated(Gate, Behaviour)
        /// The inner behaviour before the request's body is read; then what comes is read and dropped until the client
        /// leaves.
        case early(Behaviour)
        /// The request's body is read once the gate is open, then comes the inner behaviour.
        case readingLater(Gate, Behaviour)
        /// As the proxy of a tunnel: 200, then whatever comes and goes between the client and a port of this machine.
        case tunnel(to: UInt16)
        /// No answer until the client leaves.
        case stalled
        /// A header that promises `length` bytes, the bytes given, then nothing until the client leaves.
        case stalledBody(length: Int, sent: [UInt8])
        /// A header that promises `length` bytes, the bytes given, then the end of the connection.
        case shortBody(length: Int, sent: [UInt8])
        /// One good chunk, then a line that is no chunk size.
        case brokenChunking
        /// One good chunk, then the end of the connection.
        case unfinishedChunking
        /// A reset (RST) instead of an answer.
        case reset
        /// The end of the connection instead of an answer.
        case hangUp
        /// A header and then zeros until the client leaves.
        case endlessBody
        /// A status line and then header lines until the client leaves.
        case headerBomb
        /// These bytes, each piece by a write of its own a moment after the one before; the connection stays
        /// open, so they should be a whole answer.
        case pieces([[UInt8]])
        /// These bytes, then the end of the connection.
        case raw([UInt8])
        /// Whatever the closure says for the request; it runs on the connection's thread.
        case computed(@Sendable (Request) -> Behaviour)
    }
}

extension HTTPOrigin {
    /// Holds answers back until it is opened; stays open.
    public final class Gate: Sendable {
        let signal: Signal

        /// Makes a closed gate.
        ///
        /// - Throws: ``SocketFailure`` if the process has no descriptor left.
        public init() throws {
            signal = try Signal()
        }

        /// Lets every held answer go, and all that come later.
        public func open() {
            signal.raise()
        }
    }
}
