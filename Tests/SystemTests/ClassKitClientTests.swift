// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("An app that was written for Apple's ClassKit", .serialized)
struct ClassKitClientTests {
    @Test("compiles without a warning as Swift 5 and 6, beside targets named Varlink, Reports and Settings, and does the same in both")
    func compiles() throws {
        let folder = try Clients.folder.get()
        let outcome = try Child.run(["env", "DAYBOOK_SOCKET=/nowhere/daybook.sock", "timeout", "60", folder + "/Settings"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("\nthe same in both\n"), "\(outcome)")
    }

    @Test("is linked to no systemd, nor to what opens documents")
    func links() throws {
        let outcome = try Child.run(["ldd", try Clients.folder.get() + "/quiz"])
        #expect(outcome.status == 0 && outcome.output.contains("libsimdjson"), "\(outcome)")
        for library in ["libsystemd", "libzstd", "libzip", "libexpat", "libicuuc", "libcrypto", "libseccomp"] {
            #expect(!outcome.output.contains(library), "\(outcome)")
        }
    }

    @Test("works without a daemon: examples say that they are not connected, and go on")
    func withoutDaemon() throws {
        let folder = try Clients.folder.get()
        func run(_ words: String) throws -> Outcome {
            try Child.run(["env", "DAYBOOK_SOCKET=/nowhere/daybook.sock", "PROGRAMS=\(folder)", "timeout", "60", "sh", "-c", words])
        }
        let quiz = try run("printf 'paris\\nWarsaw\\nMombasa\\n' | \"$PROGRAMS/quiz\"")
        #expect(quiz.status == 0 && quiz.output.contains("2 of 3 right.") && quiz.output.contains("(not connected: "), "\(quiz)")
        #expect(try run("\"$PROGRAMS/quiz\" cheese").status == 2)
        // From an assignment, by a link.
        let river = try run("printf 'nile\\n' | \"$PROGRAMS/quiz\" daybook://quiz/geography/rivers")
        #expect(river.output.contains("Rivers") && river.output.contains("1 of 1 right."), "\(river)")
    }
}
