// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("Audio and video")
struct MediaTests {
    private func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    /// Silence of so many samples, 8,000 a second.
    private func wav(_ samples: Int, declared: Int? = nil) -> [UInt8] {
        let data = declared ?? samples
        return Array("RIFF".utf8) + little(36 + data, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2)
            + little(8000, 4) + little(8000, 4) + little(1, 2) + little(8, 2) + Array("data".utf8) + little(data, 4)
            + [UInt8](repeating: 128, count: samples)
    }

    @Test("say how long they last")
    func duration() {
        let measured = measure(wav(12_000), "a.wav")
        #expect(measured.error == nil)
        #expect(measured.format == "wav")
        #expect(measured.items.map(\.identifier) == ["duration_seconds"])
        #expect(measured.items.first?.value == .quantity(1.5))
    }

    @Test("that are cut, empty or lie about their sizes say an error or a time, and harm nobody")
    func damage() {
        let whole = wav(400)
        for length in 12..<whole.count { _ = measure(Array(whole.prefix(length)), "a.wav") }
        #expect(measure(Array(whole.prefix(20)), "a.wav").error != nil)
        for mark in ["fLaC", "ID3\u{4}\u{0}\u{0}\u{7f}\u{7f}\u{7f}\u{7f}", "\u{0}\u{0}\u{0}\u{18}ftypM4A "] {
            #expect(measure(Array(mark.utf8) + [UInt8](repeating: 0xff, count: 3000), "a.mp3").error != nil)
        }
        #expect(measure(Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + Array("OpusHead".utf8), "a.opus").error != nil)
        #expect(measure([], "a.mp3").error == "the file is empty")
    }
}
