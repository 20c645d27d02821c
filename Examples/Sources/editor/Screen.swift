// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The terminal: keys in, lines out. What comes through a pipe is read as if it were typed.
final class Screen {
    enum Key: Equatable {
        case insert(Character)
        case erase, left, right, up, down, save, leave
    }

    private let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    private var before = termios()

    init() {
        guard isTerminal, tcgetattr(STDIN_FILENO, &before) == 0 else { return }
        var raw = before
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        put("\u{1b}[?1049h")
    }

    /// Gives the terminal back as it was.
    func close() {
        guard isTerminal else { return }
        put("\u{1b}[?1049l")
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    }

    /// The next key; nil at the end of a pipe.
    func key() -> Key? {
        while let byte = byte() {
            switch byte {
            case 0x13: return .save
            case 0x11: return .leave
            case 0x08, 0x7f: return .erase
            case 0x0a, 0x0d: return .insert("\n")
            case 0x1b:
                guard self.byte() == 0x5b, let arrow = self.byte() else { continue }
                switch arrow {
                case 0x41: return .up
                case 0x42: return .down
                case 0x43: return .right
                case 0x44: return .left
                default: continue
                }
            case 0x20..<0x7f: return .insert(Character(UnicodeScalar(byte)))
            case 0xc2..<0xf5:
                var bytes = [byte]
                let more = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
                for _ in 0..<more { if let next = self.byte() { bytes.append(next) } }
                if let character = String(validating: bytes, as: UTF8.self)?.first { return .insert(character) }
            default: continue
            }
        }
        return nil
    }

    /// Shows the lines around the place.
    func show(_ text: EditedText, name: String) {
        guard isTerminal else { return }
        var size = winsize()
        let known = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 2
        let height = known ? Int(size.ws_row) : 24
        let width = known ? Int(size.ws_col) : 80
        let first = max(0, text.row - (height - 3))
        let left = max(0, text.column - (width - 2))
        var out = "\u{1b}[H\u{1b}[2J\u{1b}[7m \(name)   Ctrl-S save   Ctrl-Q leave \u{1b}[0m"
        for line in text.lines[first...].prefix(height - 1) { out += "\r\n" + String(line.dropFirst(left).prefix(width - 1)) }
        put(out + "\u{1b}[\(text.row - first + 2);\(text.column - left + 1)H")
    }

    private func byte() -> UInt8? {
        var byte: UInt8 = 0
        return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
    }

    private func put(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
