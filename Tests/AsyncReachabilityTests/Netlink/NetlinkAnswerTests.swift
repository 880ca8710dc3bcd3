import CLinux
import Glibc
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct NetlinkAnswerTests {
    @Test func answersToOtherQuestionsAreSkipped() throws {
        var answer = NetlinkAnswer(sequence: 2, isDump: false)
        #expect(answer.add(Built.message(RTM_NEWROUTE, sequence: 1, [1])) == nil)
        let result = answer.add(Built.message(RTM_NEWROUTE, sequence: 2, [2]))
        #expect(try result?.get().map(\.payload.array) == [[2]])
    }

    @Test func dumpEndsWithDoneAndKeepsEveryPart() throws {
        var answer = NetlinkAnswer(sequence: 1, isDump: true)
        let first =
            Built.message(RTM_NEWLINK, sequence: 1, [1]) + Built.message(RTM_NEWLINK, sequence: 1, [2])
        #expect(answer.add(first) == nil)
        #expect(answer.add(Built.message(RTM_NEWLINK, sequence: 1, [3])) == nil)
        let result = answer.add(Built.message(Int(NLMSG_DONE), sequence: 1, Built.word(0)))
        #expect(try result?.get().map(\.payload.array) == [[1], [2], [3]])
    }

    @Test func interruptedDumpIsAskedAgain() throws {
        var answer = NetlinkAnswer(sequence: 1, isDump: true)
        _ = answer.add(Built.message(RTM_NEWLINK, flags: UInt16(NLM_F_DUMP_INTR), sequence: 1, [1]))
        let result = answer.add(Built.message(Int(NLMSG_DONE), sequence: 1, Built.word(0)))
        #expect(throws: NetlinkFailure(code: EAGAIN)) { try result?.get() }
    }

    @Test(arguments: [false, true])
    func errorOfTheKernelIsItsErrno(isDump: Bool) throws {
        var answer = NetlinkAnswer(sequence: 1, isDump: isDump)
        let code = UInt32(bitPattern: -ENETUNREACH)
        let result = answer.add(Built.message(Int(NLMSG_ERROR), sequence: 1, Built.word(code)))
        #expect(throws: NetlinkFailure(code: ENETUNREACH, isAnswer: true)) { try result?.get() }
    }

    @Test(arguments: [[], [1, 2], [0, 0, 0, 0x80]] as [[UInt8]])
    func errorWithoutAReadableCodeIsStillAnError(payload: [UInt8]) throws {
        var answer = NetlinkAnswer(sequence: 1, isDump: false)
        let result = answer.add(Built.message(Int(NLMSG_ERROR), sequence: 1, payload))
        #expect(throws: NetlinkFailure(code: EPROTO, isAnswer: true)) { try result?.get() }
    }

    @Test func ordinaryErrorsOfReceivingAreToldApart() {
        guard case .empty = NetlinkSocket.reception(errno: EAGAIN),
            case .foreign = NetlinkSocket.reception(errno: EINTR),
            case .overrun = NetlinkSocket.reception(errno: ENOBUFS),
            case .failed(let failure) = NetlinkSocket.reception(errno: EACCES)
        else {
            Issue.record("an errno is taken for something else")
            return
        }
        #expect(failure.code == EACCES)
    }
}
