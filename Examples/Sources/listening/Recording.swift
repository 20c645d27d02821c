// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A recording in a WAV file: how long it is, and a way to hear a part of it.
struct Recording {
    let url: URL
    let seconds: Double

    /// Nil where the file is no WAV file.
    init?(url: URL) {
        guard let data = try? Data(contentsOf: url), data.count >= 44, data.starts(with: Array("RIFF".utf8)) else { return nil }
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[data.startIndex + offset + $1]) << (8 * $1) } }
        let bytesPerSecond = number(28)
        guard bytesPerSecond > 0 else { return nil }
        self.url = url
        seconds = Double(data.count - 44) / Double(bytesPerSecond)
    }

    /// Plays a part: through the loudspeaker where ALSA's player is here, else in silence, which takes as long.
    func play(from start: Double, to end: Double) async {
        let player = URL(fileURLWithPath: "/usr/bin/aplay")
        if FileManager.default.isExecutableFile(atPath: player.path), let part = part(from: start, to: end) {
            let process = Process()
            process.executableURL = player
            process.arguments = ["--quiet", part.path]
            process.standardError = FileHandle.nullDevice
            let began = Date()
            if (try? process.run()) != nil { process.waitUntilExit() }
            try? FileManager.default.removeItem(at: part)
            // Without a sound card it ends at once.
            if process.terminationStatus == 0 { return }
            try? await Task.sleep(for: .seconds(max(0, end - start - Date().timeIntervalSince(began))))
        } else {
            try? await Task.sleep(for: .seconds(end - start))
        }
    }

    /// A file with that part alone.
    private func part(from start: Double, to end: Double) -> URL? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        let body = data.dropFirst(44)
        let perSecond = Double(body.count) / seconds
        let range = Int(start * perSecond) & ~3..<Int(end * perSecond) & ~3
        let part = FileManager.default.temporaryDirectory.appendingPathComponent("listening-\(UUID().uuidString).wav")
        let piece = data.prefix(44) + body.dropFirst(range.lowerBound).prefix(range.count)
        return (try? Data(piece).write(to: part)) != nil ? part : nil
    }
}
