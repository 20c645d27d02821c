import ActivityModel
import DaybookLinux
import JournalStore
final class JournalWriter: Sendable {
    init(state: String, boot: BootID, options: JournalOptions, reports: HandOver<JournalReport>, _ each: (Entry) -> Void) throws(JournalError) {}
    var repair: String? { nil }
    func submit(_ d: EntryDraft) -> Bool { true }
    func stop() {}
    var waiting: Int { 0 }
    var size: (bytes: Int64, segments: Int) { (0, 0) }
}
struct Line { var seq: UInt64; var kind: String; var bytes: [UInt8] }
struct JournalReader { init(state: String) throws(JournalError) {}
  func read(after: UInt64, _ body: (Line) -> Bool) throws(JournalError) {} }
