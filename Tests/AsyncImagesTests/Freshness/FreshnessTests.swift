import AsyncHTTP
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct FreshnessTests {
    /// 1994-11-06 08:49:37 UTC, the example of RFC 9110, section 5.6.7.
    private let moment = 784_111_777

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func theThreeFormsOfADateAreOneMoment(text: String) {
        #expect(HTTPDate.seconds(text, now: moment) == moment)
    }

    @Test(arguments: [
        "", "0", "-1", "Sun, 06 Nov 1994", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    ])
    func whatIsNoDateIsNone(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }

    @Test func directivesAreReadAsTheyAreWritten() {
        let control = CacheControl("Max-Age=60, no-cache=\"a, no-store\", stale-if-error=5 ,immutable")
        #expect(control.maxAge == .seconds(60) && control.noCache && !control.noStore && control.isImmutable)
        #expect(control.staleIfError == .seconds(5))
        #expect(CacheControl("x=\", no-store").noStore)
        #expect(CacheControl("max-age=1, max-age=2").maxAge == .invalid)
        #expect(CacheControl("max-age=99999999999999999999").maxAge == .seconds(1 << 31))
        #expect(CacheControl("max-age=-1").maxAge == .invalid)
    }

    private func freshness(_ fields: HTTPFields, at time: Int = 10_000) -> Freshness {
        let response = StoredResponse(
            status: 200,
            headerFields: fields,
            requestTime: time,
            responseTime: time
        )
        return Freshness(response, name: "", defaultLifetime: 300)
    }

    @Test func theLifetimeIsWhatTheServerSaid() {
        #expect(freshness(["Cache-Control": "max-age=5", "Expires": "0"]).lifetime == 5)
        #expect(freshness(["Expires": "0"]).lifetime == 0)
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(
            freshness(["Date": date, "Expires": "Sun, 06 Nov 1994 08:49:42 GMT"], at: moment).lifetime == 5
        )
        #expect(freshness(["Cache-Control": "no-cache, max-age=100"]).lifetime == 0)
        #expect(freshness(["Cache-Control": "max-age=x"]).lifetime == 0)
        #expect(freshness(["Pragma": "no-cache"]).lifetime == 0)
        #expect((270...300).contains(freshness([:]).lifetime))
    }

    @Test func aGuessIsATenthOfTheAgeAndADayAtMost() {
        let day = freshness(["Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT"], at: moment)
        #expect((77_000...86_400).contains(day.lifetime))
        let short = freshness(["Last-Modified": "Sun, 06 Nov 1994 08:48:37 GMT"], at: moment)
        #expect(short.lifetime == 6)
    }

    @Test func theAgeCountsWhatCachesOnTheWayTold() {
        let old = freshness(["Cache-Control": "max-age=60", "Age": "50"])
        #expect(old.age(at: 10_005) == 55)
        #expect(old.isFresh(at: 10_003) && !old.isFresh(at: 10_010))
    }

    @Test func aClockThatWasSetBackMakesStaleAndStillUsable() {
        let response = freshness(["Cache-Control": "max-age=60"])
        #expect(!response.isFresh(at: 9_999) && response.mayServeStale)
    }

    @Test func staleAnswersServeOnlyAsTheServerAllows() {
        let kind = freshness(["Cache-Control": "max-age=5, stale-while-revalidate=10, stale-if-error=20"])
        #expect(kind.mayServeWhileRevalidating(at: 10_014) && !kind.mayServeWhileRevalidating(at: 10_016))
        #expect(kind.mayServeOnError(at: 10_024) && !kind.mayServeOnError(at: 10_026))
        #expect(
            !freshness(["Cache-Control": "max-age=5, must-revalidate, stale-if-error=20"]).mayServeOnError(
                at: 10_006
            )
        )
    }

    @Test func lifetimesThatAreEqualEndAtDifferentTimes() {
        let fields: HTTPFields = ["Cache-Control": "max-age=10000"]
        let response = StoredResponse(status: 200, headerFields: fields, requestTime: 0, responseTime: 0)
        let lifetimes = Set(
            (0..<1000).map { Freshness(response, name: "\($0)", defaultLifetime: 0).lifetime }
        )
        #expect(lifetimes.count > 100 && lifetimes.allSatisfy { (9000...10_000).contains($0) })
    }

    @Test func aConfirmationReplacesWhatItNamesAndNothingElse() {
        let fields: HTTPFields = [
            "ETag": "\"1\"", "Content-Type": "image/png", "Age": "9", "Set-Cookie": "secret",
        ]
        let old = StoredResponse(status: 200, headerFields: fields, requestTime: 1, responseTime: 1)
        #expect(old.headerFields["Set-Cookie"] == nil)
        let new = old.freshened(
            by: ["Cache-Control": "max-age=7", "Content-Type": "text/html", "Content-Length": "0"],
            requestTime: 5,
            responseTime: 6
        )
        #expect(new.headerFields["Cache-Control"] == "max-age=7" && new.headerFields["ETag"] == "\"1\"")
        #expect(new.headerFields["Content-Type"] == "image/png" && new.headerFields["Age"] == nil)
        #expect(new.responseTime == 6)
        #expect(!old.isConfirmed(by: ["ETag": "\"2\""]) && old.isConfirmed(by: [:]))
    }
}
