// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import JournalStore

/// A call that is answered once what it changed is on the disk.
struct WaitingEntry {
    var client: ClientID
    var call: VarlinkConnection.CallID
    /// The last entry that it gave to the writer.
    var body: EntryBody
    /// For the error where the disk refuses.
    var interface: String
    /// Made when it is sent, from the ledger as it is then.
    var answer: (Daemon) -> JSONObject
}

extension Daemon {
    /// Journals, and answers when the last of the entries is on the disk; at once where there is none.
    func submit(
        _ entries: [EntryBody], for client: ClientState, _ call: VarlinkConnection.CallID,
        interface: String = "org.daybook.Classroom", answer: @escaping (Daemon) -> JSONObject
    ) {
        guard let last = entries.last else { return reply(client, call, answer(self)) }
        guard submit(entries) else {
            return fail(client, call, storeFailing(storageTrouble ?? "too many entries wait for the disk", interface))
        }
        // Somebody waits for exactly these.
        writer?.hurry()
        waitingEntries.append(
            WaitingEntry(client: client.client.id, call: call, body: last, interface: interface, answer: answer))
    }

    func answerWaitingEntries(_ entries: [DurableEntry]) {
        guard !waitingEntries.isEmpty else { return }
        for durable in entries {
            // Of equal entries the first is the first one's.
            guard let index = waitingEntries.firstIndex(where: { $0.body == durable.entry.body }) else { continue }
            let waiting = waitingEntries.remove(at: index)
            if let client = clients[waiting.client] { reply(client, waiting.call, waiting.answer(self)) }
        }
    }

    func failWaitingEntries(_ reason: String) {
        let failed = waitingEntries
        waitingEntries = []
        for waiting in failed {
            if let client = clients[waiting.client] { fail(client, waiting.call, storeFailing(reason, waiting.interface)) }
        }
    }
}
