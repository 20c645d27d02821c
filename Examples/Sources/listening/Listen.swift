// SPDX-License-Identifier: Apache-2.0
import ClassKit

/// Makes the contexts that teachers can assign when somebody first asks for them.
final class Catalogue: NSObject, CLSDataStoreDelegate {
    func createContext(forIdentifier identifier: String, parentContext: CLSContext, parentIdentifierPath: [String]) -> CLSContext? {
        let isChapter = parentIdentifierPath.isEmpty
        let context = CLSContext(type: isChapter ? .chapter : .audio, identifier: identifier, title: identifier.capitalized)
        context.isAssignable = !isChapter
        if !isChapter {
            context.addProgressReportingCapabilities([CLSProgressReportingCapability(kind: .percent, details: "How much was heard")])
        }
        return context
    }
}

/// Plays what is asked for and reports how much was heard.
func listen(to recording: Recording) async {
    let name = recording.url.deletingPathExtension().lastPathComponent
    let store = CLSDataStore.shared
    let catalogue = Catalogue()
    store.delegate = catalogue

    var activity: CLSActivity?
    do {
        let context = try await store.contexts(matchingIdentifierPath: ["listening", name]).last
        context?.becomeActive()
        // Who goes on listening goes on with the same attempt.
        activity = context?.currentActivity ?? context?.createNewActivity()
    } catch {
        print("(not connected: \(error.localizedDescription))")
    }
    activity?.start()

    print("\(name): \(Int(recording.seconds.rounded())) seconds. play FROM TO (per cent), or quit.")
    while let line = readLine(), line != "quit" {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "play", let from = Double(words[1]), let to = Double(words[2]), from >= 0, to <= 100, from < to
        else {
            print("play FROM TO (per cent), or quit.")
            continue
        }
        await recording.play(from: from / 100 * recording.seconds, to: to / 100 * recording.seconds)
        activity?.addProgressRange(fromStart: from / 100, toEnd: to / 100)
        if let progress = activity?.progress { print("\(Int((progress * 100).rounded())) % heard.") }
    }

    activity?.stop()
    do {
        try await store.save()
    } catch {
        print("(not saved: \(error.localizedDescription))")
    }
    // The store does not keep its delegate alive.
    withExtendedLifetime(catalogue) {}
}
