import AsyncHTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ErrorTextTests {
    @Test(arguments: [
        HTTPClient.Error.invalidURL("x"), .unsupportedScheme("ftp"), .invalidRequest("x is y"),
        .nameNotResolved(host: "h"), .refused(host: "h"), .unreachable(host: "h"),
        .forbiddenAddress(host: "h"), .noInterface("i"),
        .tls(host: "h", reason: "r"),
        .timedOut(.connect, after: .seconds(1)), .timedOut(.total, after: .seconds(1)),
        .timedOut(.idle, after: .seconds(1)), .proxy(host: "h", reason: "r"), .bodyFailed(reason: "r"),
        .tooLarge(.header, limit: 1), .tooLarge(.body, limit: 1), .connectionLost(host: "h"), .truncatedBody,
        .malformedResponse("r"), .tooManyRedirects(limit: 1), .badRedirect("r"), .unsuccessful(status: 404),
        .file(path: "p", reason: "r"), .overloaded(limit: 1), .cancelled, .closed, .system("r"),
    ])
    func eachErrorIsOnePlainSentence(error: HTTPClient.Error) {
        let text = error.description
        #expect(text.hasSuffix("."))
        #expect(text.first?.isUppercase == true)
        #expect(!text.contains("\n"))
    }
}
