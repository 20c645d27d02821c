// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import Glibc

/// An external analyzer, in a process that becomes its program.
struct ExternalProgram: ProcessAnalyzer {
    let sandbox: ProgramSandbox
    let analyzer: ExternalAnalyzer
    let name: String
    let size: Int64
    /// Where its messages go; nowhere in the service, since they may quote the document.
    var messages: Int32 = -1

    var seconds: Int { analyzer.seconds }
    var replyLimit: Int { ExternalProtocol.answerLimit }
    var isForeign: Bool { true }

    func live(document: Int32, reply: Int32, requests: Int32) -> Never {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { _exit(ProgramSandbox.Step.limits.rawValue) }
        // Less than what a pipe holds, so nobody has to read yet.
        let request = ExternalProtocol.request(analyzer, name: name, size: size)
        guard request.count <= 32 << 10, request.withUnsafeBytes({ write(ends[1], $0.baseAddress, $0.count) }) == request.count else {
            _exit(ProgramSandbox.Step.limits.rawValue)
        }
        close(ends[1])
        sandbox.execute(
            analyzer.command, request: ends[0], reply: reply, messages: messages, document: document,
            limits: .init(seconds: analyzer.seconds, megabytes: analyzer.megabytes, processes: analyzer.processes))
    }

    func answer(_ end: WorkerEnd) -> Result<Measurement, ExternalProtocol.Refusal> {
        if let reason = ProgramFate.reason(end, seconds: analyzer.seconds, program: analyzer.command.first ?? "") {
            return .failure(.init(reason: reason))
        }
        do { return .success(try ExternalProtocol.answer(end.reply)) } catch { return .failure(error) }
    }
}

/// What became of another program, in words for whoever configured it.
enum ProgramFate {
    /// Nil where it ended well.
    static func reason(_ end: WorkerEnd, seconds: Int, program: String) -> String? {
        if end.isReplyTooLong { return "its answer is longer than \(ExternalProtocol.answerLimit) bytes, so it was ended" }
        if end.isOverdue || end.signal == SIGXCPU || end.signal == SIGALRM { return "it took longer than \(seconds) s, so it was ended" }
        if end.signal == SIGXFSZ { return "it wrote more than it may" }
        if end.signal == SIGKILL { return "it was killed from outside, perhaps for want of memory" }
        if end.signal != 0 { return "it stopped by signal \(end.signal)" }
        switch ProgramSandbox.Step(rawValue: end.exitCode) {
        case .landlock: return "this kernel cannot keep it away from files (Landlock 2 is needed), so it is not started"
        case .limits, .seccomp: return "it could not be locked in (step \(end.exitCode)), so it was not started"
        case .program:
            return "\(program) cannot be started; in the service it must lie below /usr, be executable, and its interpreter be installed"
        case nil: return end.exitCode == 0 ? nil : "it ended with status \(end.exitCode)"
        }
    }
}
