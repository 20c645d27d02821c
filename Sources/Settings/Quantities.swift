// SPDX-License-Identifier: Apache-2.0

/// A configured length of time: `90s`, `5m`, `1h 30m`, `200ms`.
package func parseDuration(_ text: String) -> Duration? {
    let units: [String: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let milliseconds = parseQuantity(text, units: units) else { return nil }
    return .milliseconds(milliseconds)
}

/// A configured number of bytes: `64MiB`, `512KiB`, `1GiB`.
func parseSize(_ text: String) -> Int? {
    parseQuantity(text, units: ["B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40]).map(Int.init)
}

/// One or more whole numbers, each with its unit, largest unit first and no unit twice; nil for everything else, also where the sum does
/// not fit.
private func parseQuantity(_ text: String, units: [String: Int64]) -> Int64? {
    var sum: Int64 = 0
    var lastFactor = Int64.max
    var rest = text.utf8[...]
    repeat {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        let unit = rest.prefix { (UInt8(ascii: "A")...UInt8(ascii: "z")).contains($0) }
        rest = rest.dropFirst(unit.count)
        guard let number = Int64(String(decoding: digits, as: UTF8.self)), let factor = units[String(decoding: unit, as: UTF8.self)],
            factor < lastFactor
        else { return nil }
        lastFactor = factor
        let (product, overflows) = number.multipliedReportingOverflow(by: factor)
        let (total, overflowsToo) = sum.addingReportingOverflow(product)
        guard !overflows, !overflowsToo else { return nil }
        sum = total
        if rest.first == UInt8(ascii: " "), rest.count > 1 { rest = rest.dropFirst() }
    } while !rest.isEmpty
    return sum
}

/// The way a duration is written in the configuration.
func durationText(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if milliseconds != 0 { return "\(seconds.multipliedReportingOverflow(by: 1000).partialValue &+ milliseconds)ms" }
    for (unit, factor) in [("d", Int64(86_400)), ("h", 3600), ("m", 60)] where seconds != 0 && seconds % factor == 0 {
        return "\(seconds / factor)\(unit)"
    }
    return "\(seconds)s"
}

/// The way a number of bytes is written in the configuration.
func sizeText(_ bytes: Int) -> String {
    for (unit, factor) in [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    where bytes != 0 && bytes % factor == 0 {
        return "\(bytes / factor)\(unit)"
    }
    return "\(bytes)B"
}
