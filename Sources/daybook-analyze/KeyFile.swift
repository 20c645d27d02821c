// SPDX-License-Identifier: Apache-2.0
import AnalyzerClient
import DaybookLinux
import Quizzes

/// The quiz key that `--key` names, checked before any document is opened.
enum KeyFile {
    static func read(_ path: [UInt8]) throws(Options.Failure) -> AnswerKey {
        let file = String(decoding: path, as: UTF8.self)
        let bytes: [UInt8]
        do {
            // One byte more than a key may have: then it says so itself.
            let document = try OpenedDocument(path: path)
            var buffer = [UInt8](repeating: 0, count: QuizKey.longestFile + 1)
            let got = try buffer.withUnsafeMutableBytes { bytes throws(SystemCallError) in try document.descriptor.read(into: bytes, at: 0)
            }
            bytes = Array(buffer.prefix(got))
        } catch {
            throw Options.Failure(message: "the quiz key \(file): \(error)")
        }
        do throws(UnusableKey) {
            _ = try QuizKey(bytes, file: file)
        } catch {
            throw Options.Failure(message: "the quiz key has mistakes:\n\(error)")
        }
        let name = path.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return AnswerKey(name: name, text: String(decoding: bytes, as: UTF8.self))
    }
}
