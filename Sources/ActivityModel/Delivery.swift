// SPDX-License-Identifier: Apache-2.0

/// How far a program on this machine has read an audio or video document: the position of its handle, and the file's size, in bytes. What was
/// read need not have been heard: players read ahead.
package struct Delivery: Hashable, Sendable {
    package let position: Int64
    package let size: Int64

    /// Nil where nothing was read, or there is nothing to read. A position behind the end is the end.
    package init?(position: Int64, size: Int64) {
        guard size > 0, position > 0 else { return nil }
        self.position = min(position, size)
        self.size = size
    }

    /// Above 0, at most 1.
    package var share: Double { Double(position) / Double(size) }

    /// Rounded down: 99 % never reads 100 %.
    package var percent: Int { Int(share * 100) }

    /// The one that got further; of equals the first. Whoever plays a passage again has not lost the rest.
    package static func further(_ first: Delivery?, _ second: Delivery) -> Delivery {
        guard let first, first.share >= second.share else { return second }
        return first
    }

    /// Endings of names of audio and video files.
    private static let endings: Set<String> = [
        "wav", "wave", "aif", "aiff", "mp3", "ogg", "oga", "ogv", "opus", "flac", "m4a", "m4b", "m4v", "mp4", "mov", "mkv", "mka", "webm",
        "avi",
        "wma", "wmv", "aac", "mpg", "mpeg",
    ]

    /// Whether a document is audio or video, by its name.
    package static func concerns(_ path: PathBytes) -> Bool {
        let name = path.name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex, name.count - dot <= 8 else { return false }
        return endings.contains(String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased())
    }
}
