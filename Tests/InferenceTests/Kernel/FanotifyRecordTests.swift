// SPDX-License-Identifier: Apache-2.0
import Inference
import Testing

@Suite("A fanotify record")
struct FanotifyRecordTests {
    private func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    private func part(_ type: UInt8, _ handle: [UInt8], _ name: [UInt8], padding: Int = 1) -> [UInt8] {
        let body =
            [UInt8](repeating: 7, count: 8) + little(UInt32(handle.count)) + little(Int32(1)) + handle + name
            + Array(repeating: 0, count: padding)
        return [type, 0] + little(UInt16(body.count + 4)) + body
    }

    private func event(_ mask: UInt64, pid: Int32 = 5, _ parts: [UInt8]) -> [UInt8] {
        little(UInt32(24 + parts.count)) + [3, 0] + little(UInt16(24)) + little(mask) + little(Int32(-1)) + little(pid) + parts
    }

    private func parse(_ bytes: [UInt8]) -> (records: [FanotifyRecord], error: FanotifyParseError?) {
        var records = [FanotifyRecord(mask: [], pid: 99)]
        var failure: FanotifyParseError?
        bytes.withUnsafeBytes { buffer in
            do throws(FanotifyParseError) {
                try FanotifyRecord.parse(RawSpan(_unsafeBytes: buffer), into: &records)
            } catch {
                failure = error
            }
        }
        return (records, failure)
    }

    private let handle: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    @Test("names the folder by its handle, keeps any name as bytes, and says whose it is")
    func parts() {
        let batch =
            event(0x128, part(2, handle, [0x61, 0xff, 0x0a], padding: 5))
            + event(0x1000_0000, part(10, handle, [0x62]) + part(12, handle, [0x63]) + [4, 0, 8, 0] + little(Int32(33)))
            + event(0x1000_0000, pid: 0, [77, 0, 6, 0, 1, 2] + part(12, handle, [0x63]))
            + event(0x4000, [])
        let (records, error) = parse(batch)
        #expect(error == nil)
        // 24 of header, 4 of the part's, 24 of the handle with its own header, 8 of the name.
        #expect(
            records == [
                FanotifyRecord(
                    mask: [.create, .open, .closeWrite], pid: 5, place: FanotifyRecord.Place(folder: 28..<52, name: 52..<55)),
                FanotifyRecord(
                    mask: .rename, pid: 5, process: 33, place: FanotifyRecord.Place(folder: 88..<112, name: 112..<113),
                    newPlace: FanotifyRecord.Place(folder: 118..<142, name: 142..<143)),
                FanotifyRecord(mask: .rename, pid: 0, newPlace: FanotifyRecord.Place(folder: 186..<210, name: 210..<211)),
                FanotifyRecord(mask: .queueOverflow, pid: 5),
            ])
        #expect(records[0].mask.isMerged && !records[1].mask.isMerged)
    }

    @Test("is kept up to the byte where a batch was cut, and the cut is an error")
    func cuts() {
        let first = event(2, part(2, handle, Array("one".utf8)))
        let batch = first + event(2, part(2, handle, Array("two".utf8)))
        let whole = parse(batch).records
        for length in 0...batch.count {
            let (records, error) = parse(Array(batch.prefix(length)))
            let count = length / first.count
            #expect(records == Array(whole.prefix(count)), "cut at \(length)")
            #expect(error == (length % first.count == 0 ? nil : .truncated(offset: count * first.count)), "cut at \(length)")
        }
    }

    @Test("is refused where a length in it is larger than what holds it, or its version is another")
    func lies() {
        let good = event(2, part(2, handle, Array("one".utf8)))
        // Length of the event, of its header, of its part, of the handle.
        for (place, bytes) in [
            (0, little(UInt32.max)), (0, little(UInt32(23))), (6, little(UInt16(1000))), (6, little(UInt16(8))), (26, little(UInt16(3))),
            (26, little(UInt16(500))), (36, little(UInt32.max)), (36, little(UInt32(129))), (36, little(UInt32(13))),
            (26, little(UInt16(19))),
        ] {
            var bad = good
            bad.replaceSubrange(place..<place + bytes.count, with: bytes)
            let (records, error) = parse(good + bad)
            #expect(records.count == 1, "\(place) \(bytes)")
            #expect(error != nil, "\(place) \(bytes)")
        }
        var other = good
        other[4] = 4
        #expect(parse(other).error == .otherVersion(offset: 0))
    }

    @Test("of any bytes at all lies within its batch", arguments: 0..<40)
    func fuzz(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        let good = event(0x128, part(2, handle, [0x61])) + event(0x1000_0000, part(10, handle, [0x62]) + part(12, handle, [0x63]))
        for _ in 0..<500 {
            var bytes = good
            for _ in 0..<1 + next() % 4 { bytes[Int(next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: next()) }
            bytes.removeLast(Int(next() % 8))
            for record in parse(bytes).records {
                for range in [record.place.folder, record.place.name, record.newPlace.folder, record.newPlace.name] {
                    #expect(range.upperBound <= bytes.count)
                }
            }
        }
    }

    @Test("of several happenings tells them in the only order that fits what is there")
    func order() {
        func told(_ mask: FanotifyMask, isThere: Bool = true) -> [FanotifyMask] {
            var told: [FanotifyMask] = []
            mask.forEachHappening(isThere: { isThere }) { told.append($0) }
            return told
        }
        let all: FanotifyMask = [.create, .delete, .open, .modify, .closeWrite, .closeNoWrite, .attributes]
        #expect(told(all, isThere: true) == [.delete, .create, .open, .modify, .attributes, .closeWrite, .closeNoWrite])
        #expect(told(all, isThere: false) == [.create, .open, .modify, .attributes, .closeWrite, .closeNoWrite, .delete])
        #expect(told([.open, .delete], isThere: true) == [.open, .delete])
        #expect(told([.rename, .isFolder, .queueOverflow]).isEmpty)
    }
}

@Suite("The table of handles")
struct HandleTableTests {
    private func handle(_ number: Int) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } + Array(repeating: 1, count: 16) }

    @Test("gives each handle one number, and numbers of removed ones again")
    func numbers() throws {
        var table = HandleTable()
        let added = (table.add(handle(1)[...]), table.add(handle(2)[...]))
        let (first, second) = (try #require(added.0), try #require(added.1))
        #expect(first != second && table.add(handle(1)[...]) == first && table.count == 2)
        #expect(table.number(of: handle(3)[...]) == nil)
        table.remove(first)
        table.remove(first)
        #expect(table.number(of: handle(1)[...]) == nil && table.handle(of: first) == nil && table.count == 1)
        #expect(table.add(handle(3)[...]) == first)
        #expect(table.handle(of: first).map(Array.init) == handle(3) && table.handle(of: second).map(Array.init) == handle(2))
    }

    @Test("refuses what is no handle: nothing, or more than the kernel's longest")
    func limit() {
        var table = HandleTable()
        #expect(table.add([]) == nil)
        #expect(table.add(Array(repeating: 1, count: 145)[...]) == nil)
        #expect(table.add(Array(repeating: 1, count: 144)[...]) != nil)
    }

    @Test("knows the right ones after any adding and removing, and stays as small as what it holds")
    func churn() {
        var table = HandleTable()
        var held: [Int: Int32] = [:]
        for turn in 0..<100_250 {
            let number = (turn &* 7919) % 500
            if let known = held.removeValue(forKey: number) {
                table.remove(known)
            } else {
                held[number] = table.add(handle(number)[...])
            }
        }
        #expect(table.count == held.count && held.count > 10)
        for number in 0..<500 { #expect(table.number(of: handle(number)[...]) == held[number], "\(number)") }
        #expect(held.values.allSatisfy { $0 < 500 }, "numbers are used again")
    }
}
