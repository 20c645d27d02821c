// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import CDaybookMedia
package import TextAnalysis

/// Audio and video: how long it lasts.
package struct MediaAnalyzer: Analyzer {
    package let identifier = "media"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool { Self.kind(document) != nil }

    package func measure(_ document: Document, _ choice: MetricChoice) throws(ReadingError) -> Measurement {
        guard let kind = Self.kind(document) else { throw .noAnalyzer(kind: "this format") }
        let milliseconds = daybook_media_duration(
            kind, document.size,
            { context, offset, buffer, length in
                guard let context, let buffer else { return 0 }
                let document = Unmanaged<Document>.fromOpaque(context).takeUnretainedValue()
                return document.read(at: offset, into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
            }, Unmanaged.passUnretained(document).toOpaque())
        guard milliseconds > 0 else { throw .damaged(what: "how long it lasts cannot be told") }
        let item = Item(
            identifier: "duration_seconds", title: "Duration (s)", value: .quantity(Double(milliseconds) / 1000), method: .declared)
        return Measurement(format: kind, items: choice.wants(item.identifier) ? [item] : [])
    }

    private static func kind(_ document: Document) -> String? {
        func has(_ text: String, at offset: Int = 0) -> Bool { document.starts(with: Array(text.utf8), at: offset) }
        if has("OggS") { return has("OpusHead", at: 28) ? "opus" : has("\u{1}vorbis", at: 28) ? "ogg" : nil }
        if has("fLaC") { return "flac" }
        if has("RIFF"), has("WAVE", at: 8) { return "wav" }
        if has("FORM"), has("AIF", at: 8) { return "aiff" }
        if has("ftyp", at: 4) { return "mp4" }
        if has("ID3") { return "mp3" }
        // Without a tag an MPEG stream begins with eleven bits that are set and a layer that exists.
        let head = document.head
        if head.count > 4, head[0] == 0xff, head[1] & 0xe0 == 0xe0, head[1] & 0x06 == 0x02, head[1] & 0x18 != 0x08, head[2] & 0xf0 != 0xf0,
            head[2] & 0x0c != 0x0c, document.nameExtension == "mp3"
        {
            return "mp3"
        }
        return nil
    }
}
