// SPDX-License-Identifier: Apache-2.0
import Inference
import Testing

@Suite("A lock file's content")
struct LockContentsTests {
    /// The layout of vim's block 0 and of nano's lock.
    private static func swap(_ program: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: program.hasPrefix("nano") ? 1024 : 4096)
        func put(_ text: String, _ at: Int) { bytes.replaceSubrange(at..<(at + text.utf8.count), with: Array(text.utf8)) }
        put("b0", 0)
        put(program, 2)
        bytes.replaceSubrange(24..<28, with: [0x39, 0x30, 0, 0])
        put("alice", 28)
        put("pc7", 68)
        put("/srv/essay.txt", 108)
        bytes[1007] = 0x55
        return bytes
    }

    private static func office(wide: Bool) -> [UInt8] {
        var bytes = [UInt8](repeating: wide ? 0x20 : 0, count: wide ? 165 : 162)
        let name = Array("Anna Berg".utf8)
        bytes[0] = UInt8(name.count)
        bytes.replaceSubrange(1..<(1 + name.count), with: name)
        let start = wide ? 55 : 54
        bytes[start] = UInt8(name.count)
        bytes[start + 1] = 0
        for (index, byte) in name.enumerated() {
            bytes[start + 2 + 2 * index] = byte
            bytes[start + 3 + 2 * index] = 0
        }
        return bytes
    }

    private static let samples: [(CompanionKind, [UInt8])] = [
        (.swap, swap("VIM 9.0")), (.swap, swap("nano 7.2")), (.emacsLock, Array("alice@pc.school.10745:1700000000".utf8)),
        (.libreOfficeLock, Array("Berg\\, Anna,alice,pc7,30.11.2026 01:03,file:///home/alice;".utf8)), (.officeOwner, office(wide: false)),
        (.officeOwner, office(wide: true)), (.kateSwap, [0, 0, 0, 18] + Array("Kate Swap File 2.0".utf8) + [0, 0, 0, 0]),
    ]

    @Test("names login, host and process")
    func reads() {
        let expected = [
            LockContents(format: .vim, login: "alice", host: "pc7", pid: 12345, hasUnsavedChanges: true),
            LockContents(format: .nano, login: "alice", host: "pc7", pid: 12345, hasUnsavedChanges: true),
            LockContents(format: .emacs, login: "alice", host: "pc.school", pid: 10745, hasUnsavedChanges: true),
            LockContents(format: .libreOffice, login: "alice", displayName: "Berg, Anna", host: "pc7"),
            LockContents(format: .word, displayName: "Anna Berg"), LockContents(format: .excelOrPowerPoint, displayName: "Anna Berg"),
            LockContents(format: .kate, hasUnsavedChanges: true),
        ]
        #expect(Self.samples.map { LockContents($0.1, of: $0.0) } == expected)
    }

    @Test("may be cut anywhere, and every bit may be wrong")
    func hostile() {
        for (kind, bytes) in Self.samples {
            for length in 0..<min(bytes.count, 1100) { _ = LockContents(Array(bytes.prefix(length)), of: kind) }
            for place in bytes.indices {
                for bit in 0..<8 where place < 1100 {
                    var changed = bytes
                    changed[place] ^= 1 << UInt8(bit)
                    let read = LockContents(changed, of: kind)
                    for text in [read?.login, read?.displayName, read?.host] {
                        #expect(!(text ?? "").unicodeScalars.contains { $0.properties.generalCategory == .control })
                    }
                }
            }
            for other in CompanionKind.allCases { _ = LockContents(bytes, of: other) }
        }
        #expect(LockContents(Array(repeating: UInt8(ascii: ","), count: 4096), of: .libreOfficeLock) == nil)
        #expect(LockContents([], of: .emacsLock) == nil)
    }
}
