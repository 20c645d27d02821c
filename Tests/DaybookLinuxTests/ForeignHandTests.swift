// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import DaybookLinux

@Suite("Whether root alone decides what stands at a path", .enabled(if: getuid() == 0, "only root can make what root alone may change"))
final class ForeignHandTests {
    /// In a folder where root alone may write.
    private let folder: String

    init() throws {
        var template = Array("/run/daybook-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: errno \(errno)") }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        for name in ["/bin", "/bin/in"] {
            try FileManager.default.createDirectory(atPath: folder + name, withIntermediateDirectories: false)
        }
        try Data().write(to: URL(filePath: quiz))
        set(quiz, 0o755)
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: folder) }  // left behind at worst

    private var quiz: String { folder + "/bin/in/quiz" }

    private func set(_ path: String, _ mode: mode_t) { #expect(chmod(path, mode) == 0) }

    @Test("a file of root's, with folders of root's, is in nobody else's hands")
    func good() {
        #expect(ForeignHand.on(quiz) == nil)
        #expect(ForeignHand.on("/usr/bin/env") == nil)
        #expect(ForeignHand.on("\(folder)//bin/./in/../in/quiz") == nil)
    }

    @Test("whose group or anybody may write the file or a folder above it is named", arguments: ["/bin/in/quiz", "/bin/in", "/bin", ""])
    func modes(name: String) {
        let place = folder + name
        for mode: mode_t in [0o775, 0o757, 0o1777] {
            set(place, mode)
            #expect(ForeignHand.on(quiz) == ForeignHand(place: place, reason: .mode(UInt32(mode))))
        }
        set(place, 0o755)
        #expect(ForeignHand.on(quiz) == nil)
        #expect(chown(place, 61001, 0) == 0)
        #expect(ForeignHand.on(quiz) == ForeignHand(place: place, reason: .owner(uid: 61001)))
    }

    @Test("links are followed one by one, and what they lead through is looked at, too")
    func links() throws {
        func link(_ name: String, _ target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: folder + name, withDestinationPath: target)
        }
        try link("/relative", "bin/in/quiz")
        try link("/far", "/var/tmp")
        try link("/through", "far/../../usr/bin/env")
        try link("/round", "round")
        try link("/none", "bin/nothing")
        #expect(ForeignHand.on(folder + "/relative") == nil)
        #expect(ForeignHand.on(folder + "/through")?.place == "/var/tmp")
        #expect(ForeignHand.on(folder + "/round")?.reason == .unseen(errno: ELOOP))
        #expect(ForeignHand.on(folder + "/none") == ForeignHand(place: folder + "/bin/nothing", reason: .unseen(errno: ENOENT)))
        #expect(ForeignHand.on(folder + "/bin")?.reason == .kind)
        #expect(ForeignHand.on(quiz + "/x")?.reason == .kind)
        #expect(ForeignHand.on("quiz")?.reason == .kind && ForeignHand.on("/")?.reason == .kind)
        let hand = ForeignHand(place: "/opt/quiz", reason: .mode(0o775))
        #expect(hand.description == "/opt/quiz has mode 775, so that others than root may write there")
    }

    @Test("an access list that lets somebody write shows in the group's bits")
    func accessList() throws {
        let setfacl = "/usr/bin/setfacl"
        guard FileManager.default.isExecutableFile(atPath: setfacl) else { return }
        let process = try Process.run(URL(filePath: setfacl), arguments: ["-m", "u:61001:rwx", folder + "/bin"])
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return }  // a file system without access lists
        #expect(ForeignHand.on(quiz)?.place == folder + "/bin")
    }
}
