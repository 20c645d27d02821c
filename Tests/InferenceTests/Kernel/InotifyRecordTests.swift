// SPDX-License-Identifier: Apache-2.0
import Inference
import Testing

@Suite("An inotify record")
struct InotifyRecordTests {
    private func bytes(_ watch: Int32, _ mask: UInt32, _ cookie: UInt32, _ name: [UInt8], padding: Int = 0, claims: UInt32? = nil)
        -> [UInt8]
    {
        let padded = name + Array(repeating: 0, count: padding)
        let words = [UInt32(bitPattern: watch), mask, cookie, claims ?? UInt32(padded.count)]
        return words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } } + padded
    }

    private func parse(_ bytes: [UInt8]) -> (records: [InotifyRecord], error: InotifyParseError?) {
        var records = [InotifyRecord(watch: 99, mask: [])]
        var failure: InotifyParseError?
        bytes.withUnsafeBytes { buffer in
            do throws(InotifyParseError) {
                try InotifyRecord.parse(RawSpan(_unsafeBytes: buffer), into: &records)
            } catch {
                failure = error
            }
        }
        return (records, failure)
    }

    @Test("keeps any name as bytes, without the kernel's padding")
    func names() {
        let batch = bytes(1, 0x100, 0, [0x61, 0xff, 0x0a], padding: 13) + bytes(2, 0x4000_0020, 0, []) + bytes(-1, 0x4000, 0, [])
        let (records, error) = parse(batch)
        #expect(error == nil)
        #expect(
            records == [
                InotifyRecord(watch: 1, mask: .create, cookie: 0, name: 16..<19),
                InotifyRecord(watch: 2, mask: [.isFolder, .open], cookie: 0, name: 48..<48),
                InotifyRecord(watch: -1, mask: .queueOverflow, cookie: 0, name: 64..<64),
            ])
    }

    @Test("is kept up to the byte where a batch was cut, and the cut is an error")
    func cuts() {
        let batch = bytes(1, 2, 0, Array("one".utf8), padding: 13) + bytes(2, 2, 7, Array("two".utf8), padding: 1)
        let whole = parse(batch).records
        for length in 0...batch.count {
            let (records, error) = parse(Array(batch.prefix(length)))
            let count = length < 32 ? 0 : length < 52 ? 1 : 2
            #expect(records == Array(whole.prefix(count)), "cut at \(length)")
            let expected: InotifyParseError? =
                switch length {
                case 0, 32, 52: nil
                case ..<16: .truncatedHeader(offset: 0)
                case ..<32: .truncatedName(offset: 0)
                case ..<48: .truncatedHeader(offset: 32)
                default: .truncatedName(offset: 32)
                }
            #expect(error == expected, "cut at \(length)")
        }
    }

    @Test("that claims more than there is is refused, whatever it claims")
    func claims() {
        for claim in [1, 16, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, .max] as [UInt32] {
            #expect(parse(bytes(1, 2, 0, [], claims: claim)).error == .truncatedName(offset: 0))
        }
    }

    @Test("never traps, whatever the bytes")
    func fuzz() {
        var random = SystemRandomNumberGenerator()
        var parsed = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...120, using: &random)
            // Mostly small numbers, so that many lengths fit.
            let noise = (0..<length).map { _ in Bool.random(using: &random) ? UInt8.random(in: 0...3, using: &random) : 0 }
            let (records, _) = parse(noise)
            parsed += records.count
            for record in records { #expect(record.name.lowerBound >= 16 && record.name.upperBound <= length) }
        }
        #expect(parsed > 1000)
    }
}
