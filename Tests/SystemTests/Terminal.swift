// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Somebody at a terminal: a shell of theirs in tmux, which is driven by keys and looked at.
final class Terminal {
    private let socket: String
    private let school: School
    private static let prompt = "ready$"

    init(_ person: School.Person, in school: School, folder: String? = nil) async throws {
        self.school = school
        socket = "\(school.folder)/tmux-\(UUID().uuidString.prefix(8))"
        let shell = school.command(["bash", "--norc"], as: person, environment: ["TERM": "screen", "PS1": "\(Self.prompt) "])
        try tmux(["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "-c", folder ?? school.work(person)] + shell)
        try await sees(Self.prompt)
    }

    deinit {
        // Hangs up on the shell and what runs in it.
        _ = try? tmux(["kill-server"])
    }

    /// Starts a program by its command line and waits until it shows `text`. The result is when Return went down.
    func start(_ line: String, shows text: String) async throws -> Date {
        try tmux(["send-keys", "-l", line])
        let pressed = try press("Enter")
        try await sees(text)
        return pressed
    }

    /// Presses keys by their names for tmux. The result is when.
    @discardableResult
    func press(_ keys: String...) throws -> Date {
        let now = Date()
        try tmux(["send-keys"] + keys)
        return now
    }

    /// Types at the pace of somebody quick.
    func type(_ text: String, pace: Duration = .milliseconds(100)) async throws {
        for character in text {
            // A semicolon would end tmux's command.
            try tmux(["send-keys", "-l", character == ";" ? "\\;" : String(character)])
            try await Task.sleep(for: pace)
        }
    }

    func sees(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var screen = ""
        do {
            try await school.eventually("a terminal shows '\(text)'", sourceLocation: sourceLocation) {
                screen = try tmux(["capture-pane", "-p"])
                return screen.contains(text)
            }
        } catch {
            throw School.Failed(description: "\(error), but\n\(screen)")
        }
    }

    /// Presses the keys that leave a program, the last one being the one that counts, and waits for the shell.
    func quit(_ keys: String..., opened: Date) async throws -> TrueTimes {
        for key in keys.dropLast() { try press(key) }
        let pressed = try press(keys[keys.count - 1])
        try await sees(Self.prompt)
        return TrueTimes(opened: opened, quit: pressed, gone: Date())
    }

    // MARK: vim and nano

    func vim(_ name: String, shows text: String) async throws -> Date { try await start("vim \(name)", shows: text) }

    /// Below the last line, a new one; saved.
    func vimAppends(_ text: String) async throws {
        try press("G", "o")
        try await type(text)
        try press("Escape")
        try await vimSaves()
    }

    func vimSaves() async throws {
        try await type(":w", pace: .zero)
        try press("Enter")
        try await sees(" written")
    }

    func vimQuits(opened: Date) async throws -> TrueTimes { try await quit(":", "q", "Enter", opened: opened) }

    func nano(_ name: String, shows text: String) async throws -> Date { try await start("nano \(name)", shows: text) }

    func nanoSaves() async throws {
        try press("C-o")
        try await sees("File Name to Write")
        try press("Enter")
        try await sees("Wrote ")
    }

    @discardableResult
    private func tmux(_ words: [String]) throws -> String {
        let outcome = try Child.run(["tmux", "-S", socket] + words)
        guard outcome.status == 0 else { throw School.Failed(description: "tmux \(words)\n\(outcome)") }
        return outcome.output
    }
}
