import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct ResponseHeadTests {
    private func read(_ text: String) throws(HTTPClient.Error) -> ResponseHead {
        try ResponseHead(Array(text.utf8))
    }

    @Test func statusAndFieldsAreRead() throws {
        let head = try read("HTTP/1.1 404 Not Found\r\nA: 1\r\nB:\t two words \r\nC:\r\n")
        #expect(head.status == 404)
        #expect(head.fields == ["A": "1", "B": "two words", "C": ""])
        #expect(try read("HTTP/1.1 200\r\n").status == 200)
    }

    @Test func foldedLinesAreJoined() throws {
        let head = try read("HTTP/1.1 200 OK\r\nA: one\r\n two\r\n\tthree\r\nB: x\r\n")
        #expect(head.fields["A"]?.split(whereSeparator: \.isWhitespace) == ["one", "two", "three"])
        #expect(head.fields["B"] == "x")
    }

    @Test func manyFoldedLinesTakeLinearTime() throws {
        let head = try read("HTTP/1.1 200 OK\r\nA: x\r\n" + String(repeating: " y\r\n", count: 200_000))
        #expect(head.fields.count == 1)
    }

    @Test(arguments: [
        "", "HTTP/1.1\r\n", "HTTP/1.1 abc\r\n", "HTTP/1.1 99 x\r\n", "HTTP/1.1 1000 x\r\n",
        "HTTP/1.1 200 OK\r\n: x\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
    ])
    func brokenHeadsAreRefused(text: String) {
        #expect(throws: HTTPClient.Error.self) { try read(text) }
    }

    @Test func anyBytesAreReadOrRefusedWithoutATrap() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("HTTP/1.1 200 \r\n\r\n:: \t\u{FF}aä".utf8)
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...40, using: &generator)
            _ = try? ResponseHead((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 })
        }
    }

    @Test func interimAnswersAreTold() {
        #expect(ResponseHead.isInterim(Array("HTTP/1.1 103 Early Hints\r\n".utf8)))
        #expect(!ResponseHead.isInterim(Array("HTTP/1.1 200 OK\r\n".utf8)))
        #expect(!ResponseHead.isInterim([]))
    }
}
