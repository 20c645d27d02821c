// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Checks a text as it was read; every mistake at once.
    package static func parse(_ bytes: [UInt8], options: Options = Options()) throws(SettingsProblems) -> Settings {
        throw SettingsProblems(problems: [.init(line: nil, column: nil, message: "reading is not finished")])
    }
}
