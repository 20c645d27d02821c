// SPDX-License-Identifier: Apache-2.0
import DaemonService
import DaybookJSON
import Testing

@Suite("An entry without names")
struct EntryMaskTests {
    @Test("says the same of the same people and documents in one call, and never who or which")
    func masks() throws {
        var mask = EntryMask()
        let entry: JSONObject = [
            "seq": 4, "kind": "metrics", "document": ["share": "/srv", "path": "8b/Hamlet/berg/Mein Tagebuch.odt"],
            "assignment": "8b/Hamlet", "person": ["uid": 61_002, "login": "berg"], "size": 7, "salt": "ab", "digest": "cd", "chain": "ef",
        ]
        let first = mask.masked(entry)
        #expect(first == mask.masked(entry))
        #expect(
            JSONValue.object(first).text
                == #"{"seq":4,"kind":"metrics","document":{"share":"/srv","path":"document-1.odt"},"assignment":"assignment-1","person":"person-1","size":7}"#
        )
    }

    @Test("hides every field that can name somebody", arguments: ["person", "by", "byLogin", "displayName", "students", "folder", "title"])
    func fields(key: String) {
        var mask = EntryMask()
        let values: [JSONValue] = ["berg", ["uid": 61_002, "login": "berg"], [["uid": 61_002, "login": "berg"]], 61_002]
        for value in values {
            let shown = JSONValue.object(mask.masked(["kind": "assignment.created", key: value])).text
            #expect(!shown.contains("berg") && !shown.contains("61002"), "\(shown)")
        }
    }

    @Test("does not let an ending speak", arguments: ["a.von Anna", "a", ".geheim-anna", "a.annabel"])
    func endings(name: String) {
        var mask = EntryMask()
        let shown = mask.masked(["kind": "evidence", "document": ["share": "/srv", "path": .string(name)]])
        #expect(shown["document"]?["path"]?.stringValue == "document-1")
    }
}
