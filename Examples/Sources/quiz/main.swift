// SPDX-License-Identifier: Apache-2.0
import ClassKit

// A quiz in the terminal: quiz [NAME], or from an assignment by a link. Answers come line by line.

do {
    try await Library.setUp()
} catch {
    // It can be played all the same.
    print("(not connected: \(error.localizedDescription))")
}

let asked = NSUserActivity.atLaunch?.contextIdentifierPath?.last ?? CommandLine.arguments.dropFirst().first ?? "capitals"
guard let quiz = Library.quizzes.first(where: { $0.identifier == asked }) else {
    print("There is no quiz '\(asked)'. There are: \(Library.quizzes.map(\.identifier).joined(separator: ", "))")
    exit(2)
}

await play(quiz)
