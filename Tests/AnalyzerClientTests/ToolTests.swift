// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Glibc
import Testing

/// Small documents of our own beside this file; `Documents/README.md` says how they were made.
@Suite("Debian's programs for documents that we do not read ourselves", .serialized)
struct ToolTests {
    struct Case: CustomTestStringConvertible {
        var file: String
        var format: String
        var words: Int64
        var program: String
        var package: String
        /// Another figure that it has, with or without the program.
        var besides: (identifier: String, value: Int64)?

        var testDescription: String { file }
    }

    static let cases = [
        Case(
            file: "pages.pdf", format: "pdf", words: 9, program: "pdftotext", package: "poppler-utils",
            besides: (identifier: "page_count", value: 2)),
        Case(file: "letter.doc", format: "doc", words: 12, program: "catdoc", package: "catdoc"),
        Case(file: "list.xls", format: "xls", words: 8, program: "xls2csv", package: "catdoc"),
        Case(file: "talk.ppt", format: "ppt", words: 9, program: "catppt", package: "catdoc"),
        Case(file: "letter.pages", format: "pages", words: 5, program: "pages2text", package: "libetonyek-tools"),
        Case(file: "talk.key", format: "key", words: 3, program: "key2text", package: "libetonyek-tools"),
        Case(file: "list.numbers", format: "numbers", words: 3, program: "numbers2text", package: "libetonyek-tools"),
    ]

    private func measure(_ file: String, by prefix: [String] = []) throws -> JSONValue {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let (output, _) = try run(["--json", "\(folder)/Documents/\(file)"], by: prefix)
        return try JSONValue(parsing: output.split(separator: "\n").first.map(String.init) ?? "")
    }

    private func item(_ identifier: String, _ answer: JSONValue) -> JSONValue? {
        answer["items"]?.arrayValue?.first { $0["identifier"]?.stringValue == identifier }
    }

    private func reason(_ identifier: String, _ answer: JSONValue) -> String? {
        answer["notes"]?.arrayValue?.first { $0["identifier"]?.stringValue == identifier }?["reason"]?.stringValue
    }

    @Test("give the words, as an estimate", arguments: cases)
    func words(of document: Case) throws {
        try #require(access("/usr/bin/\(document.program)", X_OK) == 0, "\(document.package) is not here (make packages)")
        let answer = try measure(document.file)
        #expect(answer["error"] == .null)
        #expect(answer["format"]?.stringValue == document.format)
        #expect(item("total_word_count", answer)?["value"] == .integer(document.words), "\(answer)")
        #expect(item("total_word_count", answer)?["method"]?.stringValue == "estimated")
        #expect(reason("total_word_count", answer) == nil)
        if let (identifier, value) = document.besides { #expect(item(identifier, answer)?["value"] == .integer(value)) }
    }

    @Test(
        "that are not installed: no words, the package to install, and what is known without them",
        .enabled(if: getuid() == 0, "needs root"),
        arguments: cases)
    func absent(for document: Case) throws {
        // What cannot be run is not installed: of all mounts but this one.
        let hidden = ["unshare", "--mount", "sh", "-c", "mount --bind /dev/null \"$0\" && exec \"$@\"", "/usr/bin/\(document.program)"]
        let answer = try measure(document.file, by: hidden)
        #expect(answer["error"] == .null)
        #expect(item("total_word_count", answer) == nil)
        #expect(reason("total_word_count", answer) == "not measured: install \(document.package)", "\(answer)")
        if let (identifier, value) = document.besides { #expect(item(identifier, answer)?["value"] == .integer(value)) }
    }

    @Test("that find a damaged document say so, and nothing is counted", arguments: ["doc", "xls", "ppt"])
    func damaged(kind: String) throws {
        let document = try #require(Self.cases.first { $0.format == kind })
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let whole = try bytes(of: "\(folder)/Documents/\(document.file)")
        let temporary = try TemporaryFolder()
        for length in [600, whole.count / 2] {
            let path = try temporary.file("cut.\(kind)")
            let raw = open(path, O_WRONLY)
            #expect(whole.prefix(length).withUnsafeBytes { write(raw, $0.baseAddress, $0.count) } == length)
            close(raw)
            let (output, _) = try run(["--json", path])
            let answer = try JSONValue(parsing: output.split(separator: "\n").first.map(String.init) ?? "")
            // As much as can be counted, or why not; never all of what is not there.
            let found = item("total_word_count", answer)?["value"]
            #expect(found != nil || answer["error"] != .null || reason("total_word_count", answer) != nil, "\(answer)")
        }
    }

    private func bytes(of path: String) throws -> [UInt8] {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        try #require(raw >= 0)
        defer { close(raw) }
        var all = [UInt8](repeating: 0, count: 64 << 10)
        all.removeLast(all.count - max(0, read(raw, &all, all.count)))
        return all
    }
}
