import AsyncHTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPFieldsTests {
    @Test func namesAreFoundInAnyCase() {
        let fields: HTTPFields = ["Content-Type": "image/png"]
        #expect(fields["content-TYPE"] == "image/png")
        #expect(fields["Content"] == nil)
    }

    @Test func onlyASCIILettersHaveACase() {
        let fields: HTTPFields = ["X@": "at", "É": "e"]
        #expect(fields["X`"] == nil)
        #expect(fields["é"] == nil)
    }

    @Test func repeatedLinesAreKeptInOrderAndJoinedOnLookup() {
        var fields: HTTPFields = ["Via": "a", "ETag": "1"]
        fields.append("via", "b")
        #expect(fields["Via"] == "a, b")
        #expect(fields.values(of: "VIA") == ["a", "b"])
        #expect(fields.map(\.name) == ["Via", "ETag", "via"])
    }

    @Test func settingReplacesAllLinesAtThePlaceOfTheFirst() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3", "C": "4"]
        fields["B"] = "new"
        fields["A"] = "only"
        #expect(fields.map(\.value) == ["only", "new", "4"])
        fields["D"] = "5"
        fields["c"] = nil
        #expect(fields.map(\.name) == ["A", "B", "D"])
    }

    @Test func equalityAndHashIgnoreTheCaseOfNamesAlone() {
        let first: HTTPFields = ["Accept": "x"]
        #expect(first == ["ACCEPT": "x"])
        #expect(first.hashValue == (["aCCEPT": "x"] as HTTPFields).hashValue)
        #expect(first != ["Accept": "X"])
        #expect(first != ["Accept": "x", "B": "y"])
    }
}
