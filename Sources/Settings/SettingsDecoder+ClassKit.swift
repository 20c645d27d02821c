// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension SettingsDecoder {
    /// `[classkit]`: programs that report by themselves.
    mutating func readClassKit(_ table: TableReader) {
        var table = table
        for section in table.tables("trusted", name: "classkit.trusted") {
            var section = section
            let text = section.text("executable")
            if text == nil, !isPartial, section.lacks("executable") {
                mistakes.add(section.position, "this program has no executable; write executable = \"/usr/bin/quiz\"")
            }
            section.finish()
            guard let path = text.flatMap({ absolutePath($0, of: "executable") }) else { continue }
            if settings.classKit.trusted.contains(path.value) {
                mistakes.add(path.position, "the executable \(shown(path.value)) is listed already")
            } else {
                settings.classKit.trusted.append(path.value)
            }
        }
        table.finish()
    }
}
