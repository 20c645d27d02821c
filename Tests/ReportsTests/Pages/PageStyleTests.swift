// SPDX-License-Identifier: Apache-2.0
import Foundation
import JournalFormat
import Testing

@testable import Reports

@Suite("The style of published pages")
struct PageStyleTests {
    /// The contrast of two colours as WCAG 2.1 defines it, from 1 to 21.
    private func contrast(_ first: String, _ second: String) throws -> Double {
        func luminance(_ color: String) throws -> Double {
            let number = try #require(Int(color.dropFirst(), radix: 16))
            let parts = [number >> 16, number >> 8 & 0xff, number & 0xff].map { Double($0) / 255 }
            let linear = parts.map { $0 <= 0.03928 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        }
        let (one, other) = (try luminance(first), try luminance(second))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    @Test("has contrast AA in light and in dark: 4.5 for text, 3 for what plots are drawn with", arguments: [PageColors.light, .dark])
    func contrast(colors: PageColors) throws {
        for ground in [colors.paper, colors.card] {
            for text in [colors.ink, colors.soft, colors.mark, colors.second] {
                #expect(try contrast(text, ground) >= 4.5, "\(text) \(ground)")
            }
        }
        #expect(try abs(contrast("#000000", "#ffffff") - 21) < 0.01)
        #expect(try contrast("#777777", "#ffffff") < 4.5)
        // Lines of one student each are half transparent.
        for ground in [colors.card] {
            let mixed = try mix(colors.mark, ground, PageStyle.faint)
            #expect(try contrast(mixed, ground) >= 3, "\(mixed) \(ground)")
        }
        // All colours of the sheet are these.
        let used = Set(PageStyle.sheet.matches(of: /#[0-9a-f]{6}/).map { String($0.output) })
        let known = [PageColors.light, .dark].flatMap { [$0.paper, $0.card, $0.ink, $0.soft, $0.line, $0.mark, $0.second] }
        #expect(used.isSubset(of: Set(known)) && used.count > 10)
    }

    private func mix(_ top: String, _ below: String, _ opacity: Double) throws -> String {
        let (one, other) = (try #require(Int(top.dropFirst(), radix: 16)), try #require(Int(below.dropFirst(), radix: 16)))
        let parts = [16, 8, 0].map { shift in
            Int((Double(one >> shift & 0xff) * opacity + Double(other >> shift & 0xff) * (1 - opacity)).rounded())
        }
        return "#" + parts.map { String(format: "%02x", $0) }.joined()
    }

    @Test("is the one whose digest the policy names, and names nothing from elsewhere")
    func digest() {
        let digest = Array(PageStyle.sheet.utf8).withUnsafeBytes { Digest.of($0) }
        #expect(PageStyle.digest == "sha256-" + digest.withBytes { Data($0).base64EncodedString() })
        for word in ["http", "url(", "@import", "<"] { #expect(!PageStyle.sheet.contains(word), "\(word)") }
    }
}
