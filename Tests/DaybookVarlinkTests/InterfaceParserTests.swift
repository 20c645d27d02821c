// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DaybookVarlink

@Suite("Interface texts")
struct InterfaceParserTests {
    @Test("of Daybook are read, and end up in the program as they stand")
    func ownTexts() {
        #expect(DaybookInterfaces.service.name == "org.varlink.service")
        #expect(DaybookInterfaces.service.methods.map(\.name) == ["GetInfo", "GetInterfaceDescription"])
        #expect(
            Set(DaybookInterfaces.service.errors.keys) == [
                "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter", "PermissionDenied", "ExpectedMore",
            ])
        #expect(DaybookInterfaces.journal.method("Tail")?.input.map(\.name) == ["after", "count", "kinds", "follow", "names"])
        #expect(DaybookInterfaces.reports.method("Status")?.output == [.init("status", .named("ServerStatus"))])
    }

    @Test("have all types of the language")
    func allTypes() throws {
        let text = """
            # About it.
            interface org.example.all-kinds.2

            type Kind (small, very_large)   # an enumeration
            type Empty ()
            type Thing (
              # a comment inside
              a: bool, b: int, c: float, d: string, e: object, f: ?int, g: []string, h: [string]int, i: Kind, j: ?[]Thing,
              k: (x: int, y: (on, off)), l: [string](), m: []?[]int
            )

            # Does it.
            # Twice.
            method Do(thing: Thing, kinds: []Kind) -> (
                done: bool)
            method Nothing() -> ()
            error Failed (why: string, where: ?Kind)
            """
        let interface = try InterfaceDescription(parsing: text)
        #expect(interface.name == "org.example.all-kinds.2")
        #expect(interface.text == text)
        #expect(interface.types["Kind"] == .enumeration(["small", "very_large"]))
        #expect(interface.types["Empty"] == .structure([]))
        #expect(
            interface.types["Thing"]
                == .structure([
                    .init("a", .bool), .init("b", .int), .init("c", .float), .init("d", .string), .init("e", .object),
                    .init("f", .optional(.int)), .init("g", .array(.string)), .init("h", .map(.int)), .init("i", .named("Kind")),
                    .init("j", .optional(.array(.named("Thing")))),
                    .init("k", .structure([.init("x", .int), .init("y", .enumeration(["on", "off"]))])),
                    .init("l", .map(.structure([]))), .init("m", .array(.optional(.array(.int)))),
                ]))
        #expect(interface.method("Do")?.comment == "Does it.\nTwice.")
        #expect(interface.method("Do")?.output == [.init("done", .bool)])
        #expect(interface.method("Nothing")?.comment == "")
        #expect(interface.errors["Failed"] == [.init("why", .string), .init("where", .optional(.named("Kind")))])
    }

    @Test(
        "say at which line they are wrong",
        arguments: [
            ("interface nodot", 1, "'nodot' is no interface name"),
            ("interface a..b", 1, "'a..b' is no interface name"),
            ("interface a.-b", 1, "'a.-b' is no interface name"),
            ("interfaces a.b", 1, "expected 'interface', found 'interfaces'"),
            ("interface a.b\ntype T (a: Missing)", 2, "type Missing is not defined"),
            ("interface a.b\ntype T (a: int)\n\ntype T (b: int)", 4, "the name T stands twice"),
            ("interface a.b\nmethod M() -> ()\nmethod M() -> ()", 3, "the name M stands twice"),
            ("interface a.b\nerror E()\nerror E()", 3, "the name E stands twice"),
            ("interface a.b\ntype T (a: int)\nmethod T() -> ()", 3, "the name T stands twice"),
            ("interface a.b\nmethod T() -> ()\nerror T()", 3, "the name T stands twice"),
            ("interface a.b\ntype T (a, a)", 2, "'a' stands twice"),
            ("interface a.b\ntype T (a, b: int)", 2, "some members have a type and some have none"),
            ("interface a.b\nmethod M(a, b) -> ()", 2, "every member here needs a type"),
            ("interface a.b\nmethod m() -> ()", 2, "'m' must begin with a capital and have letters and digits only"),
            ("interface a.b\nmethod M()", 2, "expected '->'"),
            ("interface a.b\ntype T (a: ??int)", 2, "'?' stands twice"),
            ("interface a.b\ntype T (_a: int)", 2, "'_a' is no member name"),
            ("interface a.b\ntype T (a__b: int)", 2, "'a__b' is no member name"),
            ("interface a.b\ntype T (a: int", 2, "expected ')'"),
            ("interface a.b\nvalue V ()", 2, "expected type, method or error, found 'value'"),
            ("interface a.b\ntype T (a: [int]int)", 2, "expected 'string', found 'int'"),
        ])
    func mistakes(text: String, line: Int, what: String) {
        #expect(throws: InterfaceProblem(line: line, what: what)) { try InterfaceDescription(parsing: text) }
    }

    @Test("may nest types as deep as the limit, and no deeper")
    func nesting() throws {
        func text(_ depth: Int) -> String { "interface a.b\ntype T (a: \(String(repeating: "[]", count: depth - 1))int)" }
        _ = try InterfaceDescription(parsing: text(InterfaceParser.nestingLimit))
        #expect(throws: InterfaceProblem(line: 2, what: "types are nested more than 32 deep")) {
            try InterfaceDescription(parsing: text(InterfaceParser.nestingLimit + 1))
        }
    }

    @Test("cut anywhere or with any byte changed never stop the reader")
    func hostile() {
        let whole = Array(DaybookInterfaces.journal.text.utf8)
        for index in whole.indices {
            _ = try? InterfaceDescription(parsing: String(decoding: whole[..<index], as: UTF8.self))
            var changed = whole
            changed[index] ^= 0x15
            _ = try? InterfaceDescription(parsing: String(decoding: changed, as: UTF8.self))
        }
    }
}
