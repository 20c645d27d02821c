// SPDX-License-Identifier: Apache-2.0

/// A program that measures documents beside the built-in analyzers, as it is configured. `Documentation/Analyzers.md` says what it is given and
/// what it answers.
package struct ExternalAnalyzer: Equatable, Sendable {
    /// A short name, as in the configuration and in notes about it.
    package var name: String
    /// The program, by its absolute path, and its arguments.
    package var command: [String]
    /// The identifiers of items that it may give; empty: any.
    package var items: [String]
    /// Of the processor's time for one document; by the clock it may take twice as much.
    package var seconds: Int
    /// Of address space, each process.
    package var megabytes: Int
    /// Processes and threads at a time.
    package var processes: Int

    package static let standardSeconds = 10
    package static let standardMegabytes = 512
    package static let standardProcesses = 8

    package init(
        name: String, command: [String], items: [String] = [], seconds: Int = standardSeconds, megabytes: Int = standardMegabytes,
        processes: Int = standardProcesses
    ) {
        self.name = name
        self.command = command
        self.items = items
        self.seconds = seconds
        self.megabytes = megabytes
        self.processes = processes
    }

    /// True for a small letter, then small letters, digits and hyphens, 32 characters at most.
    package static func isName(_ text: String) -> Bool { isWord(text, longest: 32, mark: UInt8(ascii: "-")) }

    /// True for what may name an item: a small letter, then small letters, digits and underscores, 64 characters at most.
    package static func isItemIdentifier(_ text: String) -> Bool { isWord(text, longest: 64, mark: UInt8(ascii: "_")) }

    private static func isWord(_ text: String, longest: Int, mark: UInt8) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = text.utf8.first, letters.contains(first), text.utf8.count <= longest else { return false }
        return text.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == mark }
    }
}
