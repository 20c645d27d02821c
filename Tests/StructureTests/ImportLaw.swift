// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Who may import whom: core imports core; shell imports core and the shell below it; nobody imports products.
enum ImportLaw {
    /// The core: pure values. Nothing of the system, and C targets only where they compute.
    static let core: [String: Set<String>] = [
        "ActivityModel": [],
        "DaybookJSON": ["CDaybookJSON"],
        "ClassLists": ["ActivityModel", "DaybookJSON"],
        "Quizzes": ["ActivityModel", "ClassLists"],
        "Inference": ["ActivityModel"],
        "TextAnalysis": ["ActivityModel", "CDaybookICU", "CDaybookSyllables"],
        "JournalFormat": ["ActivityModel", "DaybookJSON", "CDaybookCrypto"],
        "DaybookVarlink": ["DaybookJSON"],
        "Ledger": ["ActivityModel", "Inference"],
        "Reports": ["ActivityModel", "Inference", "Ledger", "DaybookJSON"],
        "ProgramTexts": [],
    ]

    /// The shell: Linux, at the edge. All may import `Glibc`; none Foundation or Dispatch.
    static let shell: [String: Set<String>] = [
        "DaybookLinux": ["CDaybookLinux"],
        "EventLoop": ["DaybookLinux", "CSystemd", "CDaybookLinux"],
        "FolderWatcher": ["ActivityModel", "Inference", "DaybookLinux", "CDaybookLinux"],
        "JournalStore": ["ActivityModel", "JournalFormat", "DaybookJSON", "DaybookLinux", "CDaybookLinux", "CZstd"],
        "AnalyzerClient": ["ActivityModel", "DaybookJSON", "DaybookLinux", "CDaybookLinux"],
        "DocumentReading": [
            "ActivityModel", "Quizzes", "TextAnalysis", "DaybookJSON", "DaybookLinux", "CDaybookLinux", "CZip", "CExpat", "CMarkdown",
            "CUchardet", "CHTML", "CZlib", "CDaybookICU", "CDaybookMedia",
        ],
        "PageFiles": ["DaybookLinux", "CAcl"],
        "Settings": ["ActivityModel", "Inference", "DaybookLinux", "CTOML"],
        // All but DocumentReading and TextAnalysis: documents are opened in another process.
        "DaemonService": Set(core.keys).subtracting(["TextAnalysis"]).union([
            "DaybookLinux", "EventLoop", "FolderWatcher", "JournalStore", "AnalyzerClient", "Settings", "PageFiles", "CSystemd",
            "CDaybookLinux",
        ]),
    ]

    /// Programs. Nobody imports them.
    static let products: [String: Set<String>] = [
        "daybookd": ["DaemonService", "DaybookLinux", "DaybookVarlink", "EventLoop", "ProgramTexts", "Settings"],
        "daybook-analyze": [
            "DocumentReading", "AnalyzerClient", "DaybookLinux", "CDaybookLinux", "DaybookJSON", "ActivityModel", "ClassLists", "Quizzes",
            "ProgramTexts", "TextAnalysis", "CSeccomp",
        ],
        "daybook": Set(core.keys).subtracting(["TextAnalysis"]).union([
            "DaybookLinux", "CDaybookLinux", "JournalStore", "AnalyzerClient", "Settings", "CZip",
        ]),
        // A library for apps, whose interface is made of Foundation's types.
        "ClassKit": ["DaybookVarlink", "DaybookJSON", "DaybookLinux", "Foundation", "Dispatch"],
        // A measuring tool may use what it measures.
        "benchmarks": Set(core.keys).union(shell.keys).union(["CDaybookLinux", "CDaybookBench", "CZip"]),
    ]

    static let system: Set<String> = ["Glibc", "Synchronization"]

    /// What a target may import; nil where the law does not know it.
    static func allowed(for target: String) -> Set<String>? {
        if let core = core[target] { return core }
        return (shell[target] ?? products[target])?.union(system)
    }

    /// The modules that a Swift source imports.
    static func imports(in source: String) -> [String] {
        let access = #"(?:public|package|internal|fileprivate|private)"#
        let kinds = #"(?:struct|class|enum|protocol|typealias|func|let|var|actor)"#
        let pattern = #"(?m)(?:^|;)[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:\#(access)[ \t]+)?import[ \t]+(?:\#(kinds)[ \t]+)?(\w+)"#
        guard let expression = try? Regex(pattern) else { return ["the pattern of ImportLaw.imports is broken"] }
        return source.matches(of: expression).compactMap { $0.output[1].substring.map(String.init) }
    }
}

/// The package's own files.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every file below a folder of the package, as paths relative to the package; built things and version control left out.
    static func files(below folder: String = "") -> [String] {
        let start = folder.isEmpty ? root : root.appending(path: folder)
        guard let names = FileManager.default.enumerator(atPath: start.path) else { return [] }
        var files: [String] = []
        while let name = names.nextObject() as? String {
            if name == ".build" || name == ".git" || name.hasSuffix("/.build") {
                names.skipDescendants()
                continue
            }
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            if let type = names.fileAttributes?[.type] as? FileAttributeType, type == .typeRegular, path != ".git" { files.append(path) }
        }
        return files.sorted()
    }

    static func text(_ path: String) throws -> String { String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self) }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root.appending(path: path).path) }
}
