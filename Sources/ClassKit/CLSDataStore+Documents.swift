// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
public import Foundation
import Glibc

extension CLSDataStore {
    /// The current activity at a document, a new one where there is none yet, so that opening and closing a file get the same one. Do not keep it: ask
    /// each time. A file in no watched folder is `CLSError.invalidArgument`. Whether anything is recorded does not show.
    public func fetchActivity(for url: URL, completion: @escaping (CLSActivity?, (any Error)?) -> Void) {
        let completion = UncheckedBox(completion)
        wire.queue.async {
            do {
                let activity = UncheckedBox(try self.activity(of: try Self.path(of: url)))
                Callbacks.run { completion.value(activity.value, nil) }
            } catch {
                Callbacks.run { completion.value(nil, error) }
            }
        }
    }

    /// The current activity at a document, a new one where there is none yet.
    public func fetchActivity(for url: URL) async throws -> CLSActivity {
        try await withCheckedThrowingContinuation { continuation in
            fetchActivity(for: url) { activity, error in
                if let activity {
                    continuation.resume(returning: activity)
                } else {
                    continuation.resume(throwing: error ?? CLSError(.none))
                }
            }
        }
    }

    /// Whether a document belongs to an assignment that goes on and that was set for this person as a student. False for teachers, and for want of any
    /// right.
    public func checkIsAssignedDocument(_ documentURL: URL, completion: @escaping (Bool, (any Error)?) -> Void) {
        let completion = UncheckedBox(completion)
        ask("IsAssigned", documentURL) { reply, error in completion.value(reply["assigned"]?.boolValue ?? false, error) }
    }

    /// Whether a document belongs to an assignment that goes on and that was set for this person as a student.
    public func isAssignedDocument(_ documentURL: URL) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            checkIsAssignedDocument(documentURL) { isAssigned, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isAssigned) }
            }
        }
    }

    /// Not in Apple's SDK, where a button of ClassKitUI does it: hands in a document that is assigned to this person. `CLSError.invalidUpdate` says why it
    /// cannot be.
    public func submitAssignedDocument(_ documentURL: URL) async throws { try await tell("Submit", documentURL) }

    /// Not in Apple's SDK, where a button of ClassKitUI does it: takes back a document that was handed in.
    public func withdrawAssignedDocument(_ documentURL: URL) async throws { try await tell("Withdraw", documentURL) }

    private func tell(_ method: String, _ url: URL) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            ask(method, url) { _, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    private func ask(_ method: String, _ url: URL, _ completion: @escaping @Sendable (JSONObject, CLSError?) -> Void) {
        wire.queue.async {
            do throws(CLSError) {
                let path = try Self.path(of: url)
                let reply = try self.wire.call("org.daybook.ClassKit.\(method)", ["store": self.form, "document": .string(path)])
                Callbacks.run { completion(reply, nil) }
            } catch {
                Callbacks.run { completion([:], error) }
            }
        }
    }

    /// On the wire's queue.
    private func activity(of path: String) throws(CLSError) -> CLSActivity {
        let known = Model.locked { activities.last { !$0.isSuperseded && $0.isOf(path) } }
        // What is not saved yet, or counts, is newer than anything that the daemon has.
        if let known, Model.locked({ known.needsSave || known.timer.isRunning }) { return known }
        let value: JSONValue?
        do {
            value = try wire.call("org.daybook.ClassKit.GetActivity", ["store": form, "subject": ["document": .string(path)]])["activity"]
        } catch {
            guard let known, error.code == .databaseInaccessible else { throw error }
            return known
        }
        return Model.locked {
            if let known, value?["id"]?.stringValue == nil || value?["id"]?.stringValue == known.id {
                // Whoever is no student gets nothing back, and must not see a difference.
                if let value, value["id"] != nil { ActivityForm.update(known, from: value) }
                return known
            }
            known.map(supersede)
            let activity =
                ActivityForm.activity(value, subject: .document(path), store: self) ?? CLSActivity(subject: .document(path), store: self)
            register(activity)
            return activity
        }
    }

    /// Asks for a context's current activity, and waits for the answer.
    func loadActivity(of context: CLSContext, at path: [String]) {
        wire.queue.sync {
            let reply = try? wire.call("org.daybook.ClassKit.GetActivity", ["store": form, "subject": ["context": ContextForm.list(path)]])
            // Without an answer what is known stays, and the next call asks again.
            guard let value = reply?["activity"] else { return }
            Model.locked {
                context.isActivityKnown = true
                guard context.current.map({ !$0.needsSave && !$0.timer.isRunning }) ?? true, value["id"] != nil else { return }
                if let current = context.current, current.id == value["id"]?.stringValue {
                    return ActivityForm.update(current, from: value)
                }
                guard let activity = ActivityForm.activity(value, subject: .context(WeakContext(context)), store: self) else { return }
                context.current.map(supersede)
                context.current = activity
                register(activity)
            }
        }
    }

    /// A file's absolute path without symbolic links, as the daemon knows it. A file that is not there yet has the path of its folder.
    static func path(of url: URL) throws(CLSError) -> String {
        guard url.isFileURL else { throw CLSError(.invalidArgument, "\(url.absoluteString) is no file") }
        let path = url.absoluteURL.standardizedFileURL.path
        if let real = realPath(path) { return real }
        let (folder, name) = (url.absoluteURL.deletingLastPathComponent().path, url.lastPathComponent)
        return realPath(folder).map { $0 == "/" ? "/" + name : $0 + "/" + name } ?? path
    }

    private static func realPath(_ path: String) -> String? {
        guard let raw = realpath(path, nil) else { return nil }
        defer { free(raw) }
        return String(cString: raw)
    }
}

extension CLSActivity {
    func isOf(_ path: String) -> Bool {
        if case .document(let own) = subject { own == path } else { false }
    }
}
