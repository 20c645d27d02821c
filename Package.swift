// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A core target: pure values, no descriptors, clock, files or threads.
func core(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: swiftSettings)
}

/// A shell target: Linux, at the edge.
func shell(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: swiftSettings)
}

let targets: [Target] = [
    // C shims and system libraries
    .target(name: "CDaybookJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CDaybookCrypto", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CDaybookICU", linkerSettings: [.linkedLibrary("icuuc")]),
    .target(name: "CDaybookSyllables", exclude: ["derive.py", "LICENSE-cmudict"]),
    .target(name: "CDaybookMedia", linkerSettings: [.linkedLibrary("tag")]),
    .target(name: "CDaybookLinux"),
    .target(name: "CTOML", linkerSettings: []),
    .target(name: "CDaybookBench"),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CMarkdown", pkgConfig: "md4c", providers: [.apt(["libmd4c-dev"])]),
    .systemLibrary(name: "CAcl", pkgConfig: "libacl", providers: [.apt(["libacl1-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CHTML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CUchardet", pkgConfig: "uchardet", providers: [.apt(["libuchardet-dev"])]),

    // core
    core("ActivityModel"),
    core("DaybookJSON", ["CDaybookJSON"]),
    core("ClassLists", ["ActivityModel", "DaybookJSON"]),
    core("Quizzes", ["ActivityModel", "ClassLists"]),
    core("Inference", ["ActivityModel"]),
    core("TextAnalysis", ["ActivityModel", "CDaybookICU", "CDaybookSyllables"]),
    core("JournalFormat", ["ActivityModel", "DaybookJSON", "CDaybookCrypto"]),
    core("DaybookVarlink", ["DaybookJSON"], resources: [.embedInCode("Interfaces")]),
    core("Ledger", ["ActivityModel", "Inference"]),
    core("Reports", ["ActivityModel", "Inference", "Ledger", "DaybookJSON"]),
    core("ProgramTexts"),

    // shell
    shell("DaybookLinux", ["CDaybookLinux"]),
    shell("EventLoop", ["DaybookLinux", "CSystemd"]),
    shell("FolderWatcher", ["ActivityModel", "Inference", "DaybookLinux"]),
    shell("JournalStore", ["ActivityModel", "JournalFormat", "DaybookLinux", "DaybookJSON", "CZstd"]),
    shell("AnalyzerClient", ["ActivityModel", "DaybookJSON", "DaybookLinux", "CDaybookLinux"]),
    shell(
        "DocumentReading",
        [
            "ActivityModel", "Quizzes", "TextAnalysis", "DaybookLinux", "DaybookJSON", "CZip", "CExpat", "CMarkdown", "CUchardet", "CHTML",
            "CZlib", "CDaybookICU", "CDaybookMedia",
        ]),
    shell("Settings", ["ActivityModel", "Inference", "DaybookLinux", "CTOML"]),
    shell("PageFiles", ["DaybookLinux", "CAcl"]),
    shell(
        "DaemonService",
        [
            "ActivityModel", "ClassLists", "Inference", "JournalFormat", "DaybookVarlink", "DaybookJSON", "Ledger", "Quizzes", "Reports",
            "DaybookLinux", "EventLoop", "FolderWatcher", "JournalStore", "Settings", "CSystemd", "AnalyzerClient", "PageFiles",
        ]),

    // products
    program("daybookd", ["DaemonService", "DaybookLinux", "DaybookVarlink", "EventLoop", "ProgramTexts", "Settings"]),
    program(
        "daybook-analyze",
        [
            "DocumentReading", "AnalyzerClient", "DaybookLinux", "CDaybookLinux", "DaybookJSON", "ActivityModel", "ClassLists", "Quizzes",
            "ProgramTexts", "TextAnalysis", "CSeccomp",
        ]),
    program(
        "daybook",
        [
            "ActivityModel", "AnalyzerClient", "ClassLists", "Inference", "Quizzes", "Reports", "Ledger", "DaybookVarlink",
            "DaybookJSON", "DaybookLinux", "CDaybookLinux", "JournalFormat", "JournalStore", "ProgramTexts", "Settings", "CZip",
        ]),

    // Apps link it, so what it reaches carries our prefix: SwiftPM allows a name once in all packages together.
    .target(
        name: "ClassKit", dependencies: ["DaybookVarlink", "DaybookJSON", "DaybookLinux"], swiftSettings: swiftSettings),

    // daybook-analyze is run by it, so it must be built
    program(
        "benchmarks",
        [
            "ActivityModel", "DaemonService", "DaybookJSON", "Inference", "DaybookLinux", "FolderWatcher", "JournalFormat", "JournalStore",
            "Ledger", "PageFiles", "Reports", "CDaybookBench", "CZip", "daybook-analyze",
        ]),

    // tests
    tests("ActivityModelTests", ["ActivityModel"]),
    tests("DaybookJSONTests", ["DaybookJSON"]),
    tests("ClassListsTests", ["ClassLists", "ActivityModel", "DaybookJSON"]),
    tests("QuizzesTests", ["Quizzes", "ActivityModel", "ClassLists"]),
    tests("InferenceTests", ["ActivityModel", "Inference"], exclude: ["LockFiles", "ProcessTraces", "Traces"]),
    tests("TextAnalysisTests", ["TextAnalysis", "ActivityModel"], resources: [.embedInCode("HeldOut")]),
    tests("JournalFormatTests", ["JournalFormat", "ActivityModel", "DaybookJSON"]),
    tests("DaybookVarlinkTests", ["DaybookVarlink", "DaybookJSON"]),
    tests("LedgerTests", ["Ledger", "ActivityModel", "Inference"]),
    // Of benchmarks it takes the class of a whole term.
    tests("ReportsTests", ["Reports", "Ledger", "ActivityModel", "Inference", "DaybookJSON", "JournalFormat", "benchmarks"]),
    tests("DaybookLinuxTests", ["DaybookLinux"]),
    tests("EventLoopTests", ["EventLoop", "DaybookLinux"]),
    tests("FolderWatcherTests", ["FolderWatcher", "ActivityModel", "Inference", "DaybookLinux"]),
    // Of benchmarks it kills a part again and again.
    tests("JournalStoreTests", ["JournalStore", "JournalFormat", "ActivityModel", "DaybookLinux", "DaybookJSON", "benchmarks"]),
    tests("DocumentReadingTests", ["DocumentReading", "Quizzes", "TextAnalysis", "ActivityModel", "DaybookLinux", "CZip", "CZlib"]),
    tests(
        "AnalyzerClientTests", ["AnalyzerClient", "ActivityModel", "DaybookLinux", "CDaybookLinux", "DaybookJSON", "daybook-analyze"],
        exclude: ["Documents"]),
    tests("PageFilesTests", ["PageFiles", "DaybookLinux", "CAcl"]),
    tests("SettingsTests", ["Settings", "ActivityModel", "Inference"]),
    tests(
        "DaemonServiceTests",
        [
            "DaemonService", "AnalyzerClient", "daybook-analyze", "ActivityModel", "ClassLists", "Inference", "DaybookJSON", "DaybookLinux",
            "DaybookVarlink", "EventLoop",
            "JournalFormat", "JournalStore", "Ledger", "PageFiles", "Reports", "Settings",
        ]),
    tests(
        "CommandLineTests",
        [
            "daybook", "DaybookVarlink", "DaybookJSON", "DaybookLinux", "ActivityModel", "ClassLists", "CZip", "Inference", "JournalFormat",
            "JournalStore",
            "Ledger", "ProgramTexts", "Reports", "Settings",
        ]),
    tests("ClassKitTests", ["ClassKit", "DaybookJSON", "DaybookLinux"]),
    tests("StructureTests", []),
    tests(
        "SystemTests", ["ClassKit", "DaybookJSON", "DaybookLinux"],
        exclude: ["box", "hostile", "machine.sh", "office.py", "package.sh", "pages.sh", "parts.py", "parts.sh"]),
]

let package = Package(
    name: "daybook",
    // The programs are products, too: SwiftPM makes one of each executable target by itself, though only where this package is built for its
    // own sake. Named here, they would keep an app that uses ClassKit from having targets named Reports or Settings.
    products: [.library(name: "ClassKit", targets: ["ClassKit"])],
    targets: targets,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
