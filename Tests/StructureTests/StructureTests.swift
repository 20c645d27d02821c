// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The import law")
struct ImportLawTests {
    @Test("holds in every source file")
    func holds() throws {
        let sources = Repository.files(below: "Sources").filter { $0.hasSuffix(".swift") }
        #expect(sources.count > 20)
        for path in sources {
            let target = String(path.split(separator: "/")[1])
            let allowed = try #require(
                ImportLaw.allowed(for: target), "target \(target) has no place in the law; give it one in ImportLaw.swift")
            for module in ImportLaw.imports(in: try Repository.text(path)) where module != target {
                #expect(allowed.contains(module), "\(path) imports \(module), which \(target) may not")
            }
        }
    }

    @Test("is free of circles, and nobody may import a product")
    func noCircles() {
        let all = ImportLaw.core.merging(ImportLaw.shell) { $1 }.merging(ImportLaw.products) { $1 }
        for (target, allowed) in all {
            #expect(allowed.isDisjoint(with: ImportLaw.products.keys), "\(target)")
            var reached = allowed
            var next = Array(allowed)
            while let name = next.popLast() {
                for further in all[name] ?? [] where reached.insert(further).inserted { next.append(further) }
            }
            #expect(!reached.contains(target), "\(target) would import itself")
        }
        for (target, allowed) in ImportLaw.core {
            #expect(allowed.isDisjoint(with: ImportLaw.shell.keys), "\(target) is core and may not import the shell")
        }
    }

    @Test("sees every way to write an import")
    func sees() {
        let source = """
            import A
            package import B
              @testable import C
            @preconcurrency public import D
            import struct E.Thing
            import F.Submodule
            // import G
            let x = "import H"
            #if os(Linux)
            import I; import J
            #endif
            @_spi(Inner) import K
            """
        #expect(ImportLaw.imports(in: source) == ["A", "B", "C", "D", "E", "F", "I", "J", "K"])
    }

    @Test("forbids the system to the core, and Foundation to the daemon")
    func forbids() {
        for target in ImportLaw.core.keys {
            #expect(ImportLaw.allowed(for: target)?.isDisjoint(with: ["Glibc", "Foundation", "Dispatch", "Synchronization"]) == true)
        }
        for target in Array(ImportLaw.shell.keys) + ["daybookd"] {
            #expect(ImportLaw.allowed(for: target)?.isDisjoint(with: ["Foundation", "Dispatch", "FoundationEssentials"]) == true)
        }
    }
}

@Suite("Every file of the package")
struct FileTests {
    /// Files that have no place for a comment, and the licence itself.
    private static func carriesLicence(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let kinds = ["swift", "c", "h", "cpp", "sh", "py", "toml", "service", "socket", "conf", "catalog", "md", "varlink", "modulemap"]
        return kinds.contains { name.hasSuffix(".\($0)") } || ["Makefile", "box", "run"].contains(name)
    }

    @Test("names its licence at the top")
    func licence() throws {
        let files = Repository.files().filter(Self.carriesLicence)
        #expect(files.count > 50)
        for path in files {
            let top = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).prefix(2)
            #expect(top.contains { $0.contains("SPDX-License-Identifier: Apache-2.0") }, "\(path)")
        }
    }

    @Test("is free of paths of the machine it was written on, left-over conflicts and unfinished work")
    func clean() throws {
        // Written so that this file is none of those it looks for.
        let markers = ["<<<" + "<<<< ", ">>>" + ">>>> ", "FIX" + "ME", "TO" + "DO", "unsafe" + "Flags("]
        let here = Repository.root.path
        for path in Repository.files() where Self.carriesLicence(path) {
            let text = try Repository.text(path)
            for marker in markers { #expect(!text.contains(marker), "\(path): \(marker)") }
            // A checkout at the top of the file system would make this a slash.
            if here.count > 4 { #expect(!text.contains(here), "\(path) names this checkout's folder") }
        }
    }

    @Test("opens no network socket: the units allow local ones only")
    func noNetwork() throws {
        for unit in ["daybookd.service", "daybook-analyze.service"] {
            let families = try Repository.text("systemd/\(unit)").split(separator: "\n").filter { $0.hasPrefix("RestrictAddressFamilies=") }
            #expect(families == ["RestrictAddressFamilies=AF_UNIX"], "\(unit)")
        }
    }

    @Test("of the messages in the systemd journal has its explanation in the catalog")
    func catalog() throws {
        let catalog = try Repository.text("systemd/catalog/daybook.catalog")
        let explained = Set(catalog.matches(of: /(?m)^-- ([0-9a-f]{32})$/).map { String($0.output.1) })
        #expect(explained.count == catalog.matches(of: /(?m)^Subject:\ /).count)
        var used: Set<String> = []
        for path in Repository.files(below: "Sources") where path.hasSuffix(".swift") {
            used.formUnion(try Repository.text(path).matches(of: /MessageID\("([0-9a-f]{32})"/).map { String($0.output.1) })
        }
        #expect(used.isSubset(of: explained), "not in the catalog: \(used.subtracting(explained))")
    }
}

@Suite("The daemon's program")
struct LinkTests {
    /// Programs are built beside the tests.
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(
        path: "daybookd")

    @Test(
        "is linked to none of the libraries that open documents",
        .enabled(if: Repository.exists("Sources/daybookd"), "the daemon's source is not here yet"))
    func linked() throws {
        let ldd = Process()
        ldd.executableURL = URL(filePath: "/usr/bin/ldd")
        ldd.arguments = [Self.program.path]
        let output = Pipe()
        ldd.standardOutput = output
        try ldd.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        ldd.waitUntilExit()
        #expect(ldd.terminationStatus == 0)
        #expect(text.contains("libsystemd"), "\(text)")
        // Compresses the journal's segments; nothing that comes from a share reaches it.
        #expect(text.contains("libzstd"), "\(text)")
        for library in ["libzip", "libexpat", "libicu", "libmd4c", "libuchardet"] { #expect(!text.contains(library), "\(text)") }
    }
}
