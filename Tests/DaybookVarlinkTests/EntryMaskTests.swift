// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Testing

@testable import DaybookVarlink

@Suite("An entry without names")
struct EntryMaskTests {
    private func masked(_ mask: inout EntryMask, _ text: String) throws -> String {
        let entry = try #require(JSONValue(parsing: text).objectValue)
        return JSONValue.object(mask.masked(entry)).text
    }

    @Test("has numbers that stay the same for the same person, document, class and assignment")
    func numbers() throws {
        var mask = EntryMask()
        #expect(
            try masked(
                &mask,
                #"{"v":1,"seq":7,"at":"t","boot":"b","mono":5,"kind":"activity.started","activity":3,"document":{"share":"/srv/classes","path":"7b/Hamlet/berg/essay.odt"},"assignment":"7b/Hamlet","person":{"uid":2001,"login":"berg"},"identity":"event","presence":"held","openedAt":4,"notBefore":4,"salt":"s","digest":"d","chain":"c"}"#
            )
                == #"{"v":1,"seq":7,"at":"t","boot":"b","mono":5,"kind":"activity.started","activity":3,"document":{"share":"/srv/classes","path":"document-1.odt"},"assignment":"assignment-1","person":{"login":"person-1"},"identity":"event","presence":"held","openedAt":4,"notBefore":4}"#
        )
        #expect(
            try masked(
                &mask,
                #"{"seq":8,"kind":"assignment.created","assignment":"7b/Macbeth","title":"Macbeth","class":"7b","share":"/srv/classes","folder":"7b/Macbeth","due":"t","by":2001,"rule":{"name":"2026-1"},"students":[{"uid":2002,"login":"ito"},{"uid":2001,"login":"berg"}],"excused":[{"uid":2002,"login":"ito"}]}"#
            )
                == #"{"seq":8,"kind":"assignment.created","assignment":"assignment-2","class":"class-1","share":"/srv/classes","due":"t","by":"person-1","rule":{"name":"2026-1"},"students":[{"login":"person-2"},{"login":"person-1"}],"excused":[{"login":"person-2"}]}"#
        )
        #expect(
            try masked(
                &mask,
                #"{"seq":9,"kind":"metrics","document":{"share":"/srv/classes","path":"7b/Hamlet/berg/essay.odt"},"items":[{"identifier":"question_1","title":"Who is Berg?","kind":"quantity","value":3}],"notes":[{"identifier":"lix","reason":"berg"}],"error":"berg"}"#
            )
                == #"{"seq":9,"kind":"metrics","document":{"share":"/srv/classes","path":"document-1.odt"},"items":[{"identifier":"question_1","kind":"quantity","value":3}],"notes":[{"identifier":"lix"}],"error":"hidden"}"#
        )
        #expect(
            try masked(
                &mask,
                #"{"seq":10,"kind":"person","person":{"uid":2003,"login":"new"},"displayName":"New One","role":"student","classes":["7b","8a"]}"#
            )
                == #"{"seq":10,"kind":"person","person":{"login":"person-3"},"role":"student","classes":["class-1","class-2"]}"#)
        #expect(
            try masked(
                &mask,
                #"{"seq":11,"kind":"assignment.changed","assignment":"7b/Macbeth","title":"Macbeth","class":"7b","share":"/srv/classes","rule":{"name":"wide"},"students":[],"ruleBefore":{"name":"2026-1"},"changedBy":2003,"changedByLogin":"new"}"#
            )
                == #"{"seq":11,"kind":"assignment.changed","assignment":"assignment-2","class":"class-1","share":"/srv/classes","rule":{"name":"wide"},"students":[],"ruleBefore":{"name":"2026-1"},"changedBy":"person-3"}"#
        )
    }

    @Test("keeps of what a lock file says only whose form it has")
    func lockWords() throws {
        var mask = EntryMask()
        #expect(
            try masked(
                &mask,
                #"{"seq":8,"kind":"evidence","activity":7,"what":"lock-says","when":5,"says":{"program":"libreoffice","login":"jberg","name":"Berg, Jonas","host":"PC-12"},"salt":"s"}"#
            ) == #"{"seq":8,"kind":"evidence","activity":7,"what":"lock-says","when":5,"says":{"program":"libreoffice"}}"#)
        #expect(
            try masked(&mask, #"{"seq":9,"kind":"evidence","activity":7,"what":"lock-says","when":5,"says":"Berg"}"#)
                == #"{"seq":9,"kind":"evidence","activity":7,"what":"lock-says","when":5}"#)
    }

    @Test(
        "keeps no ending that may be part of a name",
        arguments: [
            ("a/essay.odt", ".odt"), ("a/ESSAY.DOCX", ".docx"), ("a/essay.berg", ""), ("a/.odt", ""), ("a.odt/x", ""), ("x.o\\xff", ""),
            ("", ""),
        ])
    func endings(path: String, ending: String) {
        var mask = EntryMask()
        let entry: JSONObject = ["kind": "metrics", "document": ["share": "/s", "path": .string(path)]]
        #expect(mask.masked(entry)["document"]?["path"] == .string("document-1" + ending))
    }

    @Test("of a later kind is only its frame, whatever its fields are called")
    func unknownKinds() throws {
        var mask = EntryMask()
        #expect(
            try masked(&mask, #"{"v":2,"seq":7,"kind":"later.kind","person":{"uid":1,"login":"berg"},"size":4,"reason":"berg"}"#)
                == #"{"v":2,"seq":7,"kind":"later.kind"}"#)
        #expect(try masked(&mask, #"{"seq":7,"person":"berg"}"#) == #"{"seq":7}"#)
    }

    @Test("drops members of a known kind that it does not know, and members of another shape")
    func unknownMembers() throws {
        var mask = EntryMask()
        #expect(
            try masked(
                &mask,
                #"{"kind":"gap","cause":"overflow","who":"berg","person":"berg","document":"berg","students":"berg","by":"berg","items":"berg"}"#
            ) == #"{"kind":"gap","cause":"overflow"}"#)
    }

    @Test("never gives a number twice, also when it has forgotten whose it was")
    func forgetting() throws {
        var mask = EntryMask()
        func login(_ uid: Int64) -> String? { mask.masked(["kind": "recording", "by": .integer(uid)])["by"]?.stringValue }
        for uid in 1...Int64(EntryMask.rememberedNames) { _ = login(uid) }
        #expect(login(1) == "person-1")
        #expect(login(-1) == "person-\(EntryMask.rememberedNames + 1)", "one more than it remembers")
        #expect(login(1) == "person-\(EntryMask.rememberedNames + 2)")
    }
}
