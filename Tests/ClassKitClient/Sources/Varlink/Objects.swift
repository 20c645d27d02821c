// SPDX-License-Identifier: Apache-2.0
// No import of Foundation: ClassKit brings it, as on Apple's systems.
import ClassKit

/// Every symbol of objects, contexts, activities and items, with the types that Apple's have.
public func useObjects() -> [String] {
    let context = CLSContext(type: .quiz, identifier: "quiz", title: "A quiz")
    let object: CLSObject = context
    let _: NSSecureCoding = object
    let isSecure: Bool = CLSContext.supportsSecureCoding
    let archive: Data? = try? NSKeyedArchiver.archivedData(withRootObject: context, requiringSecureCoding: true)
    let restored: CLSContext? = archive.flatMap { try? NSKeyedUnarchiver.unarchivedObject(ofClass: CLSContext.self, from: $0) }
    let created: Date = object.dateCreated
    let changed: Date = object.dateLastModified

    let identifier: String = context.identifier
    let path: [String] = context.identifierPath
    let type: CLSContextType = context.type
    context.setType(.custom)
    let custom: String? = context.customTypeName
    context.customTypeName = "Maze"
    let title: String = context.title
    context.title = "Another"
    let order: Int = context.displayOrder
    context.displayOrder = 3
    let topic: CLSContextTopic? = context.topic
    context.topic = .math
    let link: URL? = context.universalLinkURL
    context.universalLinkURL = URL(string: "https://school.example/quiz")
    let summary: String? = context.summary
    context.summary = "Three questions."
    let thumbnail: CGImage? = context.thumbnail
    context.thumbnail = nil
    let assignable: Bool = context.isAssignable
    context.isAssignable = true
    let age: NSRange = context.suggestedAge
    context.suggestedAge = NSRange(8...12)
    let time: NSRange = context.suggestedCompletionTime
    context.suggestedCompletionTime = NSRange(5...Int.max - 1)
    let capabilities: Set<CLSProgressReportingCapability> = context.progressReportingCapabilities
    context.addProgressReportingCapabilities([CLSProgressReportingCapability(kind: .score, details: "Right answers")])
    context.resetProgressReportingCapabilities()
    let kinds: [CLSProgressReportingCapability.Kind] = [.duration, .percent, .binary, .quantity, .score]
    let details: [String?] = capabilities.map { $0.details }
    let kind: [CLSProgressReportingCapability.Kind] = capabilities.map { $0.kind }

    let child = CLSContext(type: .page, identifier: "page", title: "A page")
    context.addChildContext(child)
    let parent: CLSContext? = child.parent
    child.removeFromParent()
    context.addNavigationChildContext(child)
    let navigation: [CLSContext] = context.navigationChildContexts
    context.removeNavigationChildContext(child)
    context.becomeActive()
    let active: Bool = context.isActive
    context.resignActive()

    let none: CLSActivity? = context.currentActivity
    let activity: CLSActivity = context.createNewActivity()
    activity.start()
    let started: Bool = activity.isStarted
    activity.stop()
    let duration: TimeInterval = activity.duration
    activity.progress = 0.25
    activity.addProgressRange(fromStart: 0.5, toEnd: 0.75)
    let progress: Double = activity.progress

    let score = CLSScoreItem(identifier: "score", title: "Score", score: 2, maxScore: 3)
    score.score = 1
    score.maxScore = 4
    let points: [Double] = [score.score, score.maxScore]
    let binary = CLSBinaryItem(identifier: "passed", title: "Passed", type: .passFail)
    binary.value = true
    let value: Bool = binary.value
    let valueType: CLSBinaryValueType = binary.valueType
    let quantity = CLSQuantityItem(identifier: "hints", title: "Hints")
    quantity.quantity = 2
    let count: Double = quantity.quantity
    let item: CLSActivityItem = quantity
    item.title = "Hints used"
    let itemTexts: [String] = [item.identifier, item.title]
    activity.primaryActivityItem = score
    activity.addAdditionalActivityItem(binary)
    activity.addAdditionalActivityItem(quantity)
    let primary: CLSActivityItem? = activity.primaryActivityItem
    let additional: [CLSActivityItem] = activity.additionalActivityItems
    activity.removeAllActivityItems()
    // As in public examples.
    _ = CLSBinaryItem(identifier: "one", title: "One")
    _ = CLSScoreItem(identifier: "two", title: "Two")

    let topics: [CLSContextTopic] = [
        .math, .science, .literacyAndWriting, .worldLanguage, .socialScience, .computerScienceAndEngineering, .artsAndMusic,
        .healthAndFitness,
        CLSContextTopic(rawValue: "gardening"),
    ]
    let types: [CLSContextType] = [
        .none, .app, .chapter, .section, .level, .page, .task, .challenge, .quiz, .exercise, .lesson, .book, .game, .document, .audio,
        .video, .course,
        .custom,
    ]
    let values: [CLSBinaryValueType] = [.trueFalse, .passFail, .yesNo, .correctIncorrect]

    return [
        "\(isSecure)", restored?.title ?? "-", "\(created <= changed)", identifier, "\(path)", name(of: type), custom ?? "-", title,
        "\(order)", topic?.rawValue ?? "-",
        "\(link == nil)", summary ?? "-",
        "\(thumbnail == nil)", "\(assignable)", "\(age == NSRange(0...Int.max - 1))", "\(time.location)", "\(kinds.map(\.rawValue))",
        "\(details.count)", "\(kind == [.duration])", "\(parent === context)", "\(navigation == [child])", "\(active)", "\(none == nil)",
        "\(started)", "\(duration >= 0)", "\(progress)", "\(points)", "\(value)", "\(valueType.rawValue)", "\(count)", "\(itemTexts)",
        "\(primary === score)", "\(additional.count)", "\(topics.count)", "\(types.map(\.rawValue))", "\(values.map(\.rawValue))",
    ]
}

/// Apple's enumerations may get more cases, so apps write this.
func name(of type: CLSContextType) -> String {
    switch type {
    case .quiz: return "quiz"
    case .chapter, .section, .page: return "text"
    case .none, .app, .level, .task, .challenge, .exercise, .lesson, .book, .game, .document, .audio, .video, .course, .custom:
        return "other"
    @unknown default: return "unknown"
    }
}
