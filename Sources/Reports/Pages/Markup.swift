// SPDX-License-Identifier: Apache-2.0

/// HTML. What is written as a literal is markup; whatever is put into one is text and cannot become markup, unless it is `Markup` itself.
package struct Markup: Equatable, Sendable, ExpressibleByStringInterpolation {
    package private(set) var html: String

    package init() { html = "" }

    package init(stringLiteral value: String) { html = value }

    package init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }

    /// Text, with nothing in it that a browser obeys.
    package init(text: String) {
        html = ""
        html.reserveCapacity(text.utf8.count)
        text.appendEscaped(to: &html)
    }

    package static func += (left: inout Markup, right: Markup) { left.html += right.html }

    package static func + (left: Markup, right: Markup) -> Markup {
        var sum = left
        sum += right
        return sum
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        package init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity + interpolationCount * 12) }

        package mutating func appendLiteral(_ literal: String) { html += literal }
        package mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
        package mutating func appendInterpolation(_ text: String) { text.appendEscaped(to: &html) }
        package mutating func appendInterpolation(_ number: Int) { html += String(number) }

        /// A place in a plot, to a tenth.
        package mutating func appendInterpolation(_ place: Double) {
            let tenths = nearest(place * 10)
            if tenths < 0 { html += "-" }
            html += String(abs(tenths) / 10)
            if tenths % 10 != 0 {
                html += "."
                html += String(abs(tenths) % 10)
            }
        }

        /// Text by somebody else: whatever its direction of writing, what stands around it keeps its own.
        package mutating func appendInterpolation(name text: String) {
            var escaped = ""
            text.appendEscaped(to: &escaped)
            // A name of nothing must still be seen to be there.
            html += escaped.allSatisfy(\.isWhitespace) ? "–" : "<bdi>" + escaped + "</bdi>"
        }
    }
}

extension Sequence<Markup> {
    package func joined() -> Markup { reduce(into: Markup()) { $0 += $1 } }
}

extension String {
    /// Control characters and what is no character become the replacement character; signs that turn the direction of writing around, and
    /// others that nobody sees, go.
    fileprivate func appendEscaped(to html: inout String) {
        for scalar in unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case " "..."~": html.unicodeScalars.append(scalar)
            default:
                // U+FFFE, U+FFFF and their like at the end of each plane, and U+FDD0 to U+FDEF.
                if scalar.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(scalar.value) {
                    html += "\u{fffd}"
                    continue
                }
                switch scalar.properties.generalCategory {
                case .control, .surrogate: html += "\u{fffd}"
                case .lineSeparator, .paragraphSeparator: html += " "
                case .format where scalar != "\u{200D}" && scalar != "\u{200C}": continue
                default: html.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
