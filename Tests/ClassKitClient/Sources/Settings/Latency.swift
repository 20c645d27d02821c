// SPDX-License-Identifier: Apache-2.0
import ClassKit

/// Saves one change of a document's activity after the other, and prints the median and the slowest in milliseconds.
func measureSaves(of document: URL) async {
    do {
        let store = CLSDataStore.shared
        let count = CLSQuantityItem(identifier: "saves", title: "Saves")
        let activity = try await store.fetchActivity(for: document)
        activity.primaryActivityItem = count
        var times: [Duration] = []
        for number in 1...200 {
            count.quantity = Double(number)
            let start = ContinuousClock.now
            try await store.save()
            times.append(start.duration(to: .now))
        }
        times.sort()
        print("median \(times[100] / .milliseconds(1)) slowest \(times[199] / .milliseconds(1))")
    } catch {
        print("failed: \(error.localizedDescription)")
    }
}
