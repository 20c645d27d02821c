// SPDX-License-Identifier: Apache-2.0

/// Everything that is wrong with a configuration, in the order of the text.
package struct SettingsProblems: Error, Equatable, Sendable, CustomStringConvertible {
    package struct Problem: Equatable, Sendable {
        /// From 1; nil where the file as a whole is meant. Columns count characters.
        package var line: Int?
        package var column: Int?
        /// What is wrong and what to write instead.
        package var message: String

        package init(line: Int?, column: Int?, message: String) {
            self.line = line
            self.column = column
            self.message = message
        }
    }

    /// The file as it was named, nil where the text came from elsewhere.
    package var file: String?
    /// Never empty.
    package var problems: [Problem]

    package init(file: String? = nil, problems: [Problem]) {
        self.file = file
        self.problems = problems
    }

    /// One line each: `FILE:LINE:COLUMN: message`.
    package var lines: [String] {
        problems.map { problem in
            let place = [file ?? "configuration", problem.line.map(String.init), problem.column.map(String.init)]
            return place.compactMap(\.self).joined(separator: ":") + ": " + problem.message
        }
    }

    package var description: String { lines.joined(separator: "\n") }
}
