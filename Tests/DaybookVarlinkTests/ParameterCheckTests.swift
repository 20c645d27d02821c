// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Testing

@testable import DaybookVarlink

@Suite("Parameters")
struct ParameterCheckTests {
    private let interface: InterfaceDescription
    private let fields: [InterfaceDescription.Field]

    init() throws {
        interface = try InterfaceDescription(
            parsing: """
                interface org.example.check
                type Kind (small, large)
                type Node (name: string, next: ?Node)
                method Do(
                  flag: ?bool, count: ?int, ratio: ?float, name: ?string, any: ?object, list: ?[]int, holes: ?[]?int, map: ?[string]Kind,
                  kind: ?Kind, node: ?Node, pair: ?(x: int, y: int)
                ) -> ()
                method Must(name: string) -> ()
                """)
        fields = try #require(interface.method("Do")).input
    }

    @Test(
        "of the declared types pass as they are",
        arguments: [
            ["flag": true], ["count": -3], ["ratio": 2], ["ratio": 2.5], ["name": ""], ["any": ["x": [1, nil]]], ["list": []],
            ["list": [1, 2]], ["holes": [1, nil]], ["map": ["a": "small", "b": "large"]], ["kind": "large"],
            ["node": ["name": "a", "next": ["name": "b"]]], ["pair": ["x": 1, "y": 2]], [:],
        ] as [JSONObject])
    func good(parameters: JSONObject) throws {
        #expect(try interface.checked(parameters, as: fields) == parameters)
    }

    @Test(
        "that are missing, unknown or of another type are named by their path",
        arguments: [
            (["flag": 1], "flag"), (["flag": "true"], "flag"), (["count": 1.5], "count"), (["count": "1"], "count"),
            (["ratio": "1"], "ratio"), (["name": 1], "name"), (["any": []], "any"), (["list": [1, "a"]], "list[1]"),
            (["list": [nil]], "list[0]"), (["list": ["a": 1]], "list"), (["map": ["a": "small", "b": "tiny"]], "map.b"),
            (["kind": "tiny"], "kind"), (["kind": 0], "kind"), (["node": ["next": nil]], "node.name"),
            (["node": ["name": "a", "next": ["name": "b", "more": 1]]], "node.next.more"), (["pair": ["x": 1]], "pair.y"),
            (["other": nil], "other"),
        ] as [(JSONObject, String)])
    func bad(parameters: JSONObject, path: String) {
        let error = #expect(throws: ParameterMistake.self) { try interface.checked(parameters, as: fields) }
        #expect(error?.path == path)
    }

    @Test("that are null where they may be absent are left out")
    func nulls() throws {
        let found = try interface.checked(["name": nil, "count": 4, "node": ["name": "a", "next": nil]], as: fields)
        #expect(found == ["count": 4, "node": ["name": "a"]])
        let must = try #require(interface.method("Must")).input
        #expect(throws: ParameterMistake(path: "name", expected: .string)) { try interface.checked(["name": nil], as: must) }
    }

    @Test("may nest as deep as the limit, and no deeper")
    func depth() throws {
        func node(_ depth: Int) -> JSONValue { depth == 1 ? ["name": "a"] : ["name": "a", "next": node(depth - 1)] }
        // The parameters themselves are at depth 0, so the innermost name is one deeper than its node.
        let deepest = InterfaceDescription.valueNestingLimit - 1
        _ = try interface.checked(["node": node(deepest)], as: fields)
        #expect(throws: ParameterMistake.self) { try interface.checked(["node": node(deepest + 1)], as: fields) }
    }
}
