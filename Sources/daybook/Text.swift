// SPDX-License-Identifier: Apache-2.0
import DaybookJSON

/// 1234567 as `1,234,567`.
func grouped(_ number: Int64) -> String {
    let digits = String(number.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { result += "," }
        result.append(digit)
    }
    return (number < 0 ? "-" : "") + result
}

/// Bytes as people read them: `640 bytes`, `12 kB`, `3.4 GB`.
func sizeText(_ bytes: Int64) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    var value = Double(bytes) / 1000
    for unit in ["kB", "MB", "GB"] {
        if value < 999.5 { return (value < 9.95 ? oneDecimal(value) : String(Int(value.rounded()))) + " " + unit }
        value /= 1000
    }
    return (value < 9.95 ? oneDecimal(value) : grouped(Int64(value.rounded()))) + " TB"
}

private func oneDecimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
}

/// JSON on one line. What turns the direction of text, is not seen, or is a control character beyond ASCII is escaped: the same value, and
/// nothing that a terminal acts on.
func terminalSafe(_ value: JSONValue) -> String {
    let text = value.text
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            // Only within strings: outside them, JSON is ASCII without controls.
            for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                let hex = String(unit, radix: 16)
                result.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).unicodeScalars)
            }
        default: result.append(scalar)
        }
    }
    return String(result)
}

/// An object of the members that are there.
func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONObject {
    var result = JSONObject()
    for (key, value) in members { result[key] = value }
    return result
}
