// SPDX-License-Identifier: Apache-2.0

extension SettingsDecoder {
    mutating func readMetrics(_ table: TableReader) {
        var table = table
        if let text = table.text("file"), !text.value.isEmpty, let path = absolutePath(text, of: "file") {
            // The collector reads no other names.
            if !path.value.hasSuffix(".prom") { mistakes.add(path.position, "the name of the metrics file must end with .prom") }
            if let share = settings.shares.first(where: { path.value.hasPrefix($0.path + "/") }) {
                mistakes.add(path.position, "file lies below the share \(share.path), and nothing is ever written there")
            }
            settings.metrics.file = path.value
        }
        table.duration("interval", into: &settings.metrics.interval, in: .seconds(1) ... .seconds(3600))
        table.finish()
    }
}
