// SPDX-License-Identifier: Apache-2.0
import ClassKit

/// Asks the questions and reports what came of it.
func play(_ quiz: Quiz) async {
    // Each time the quiz is played it is a new attempt.
    let store = CLSDataStore.shared
    let context = try? await store.contexts(matchingIdentifierPath: [Library.chapter, quiz.identifier]).last
    context?.becomeActive()
    let activity = context?.createNewActivity()
    activity?.start()

    var right = 0
    print(quiz.title)
    for (index, question) in quiz.questions.enumerated() {
        print("\(index + 1). \(question.text)")
        guard let answer = readLine() else { break }
        let item = CLSBinaryItem(identifier: question.identifier, title: question.text, type: .correctIncorrect)
        item.value = answer.trimmingCharacters(in: .whitespaces).lowercased() == question.answer.lowercased()
        if item.value { right += 1 }
        print(item.value ? "   Right." : "   No, it is \(question.answer).")
        activity?.addAdditionalActivityItem(item)
        activity?.addProgressRange(
            fromStart: Double(index) / Double(quiz.questions.count), toEnd: Double(index + 1) / Double(quiz.questions.count))
    }

    let total = quiz.questions.count
    activity?.primaryActivityItem = CLSScoreItem(identifier: "score", title: "Right answers", score: Double(right), maxScore: Double(total))
    activity?.stop()
    context?.resignActive()
    print("\(right) of \(total) right.")
    do {
        try await store.save()
    } catch {
        print("(not saved: \(error.localizedDescription))")
    }
}
