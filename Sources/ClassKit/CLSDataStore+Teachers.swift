// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
public import Foundation

// What the share sheet does on Apple's systems. As there, the app learns neither who may do it nor what came of it: the person is told.
extension CLSDataStore {
    /// Not in Apple's SDK, where the share sheet's "Save to Schoolwork" does it: remembers a context that a teacher may want to assign later. The teacher sees a
    /// notice.
    public func bookmark(_ context: CLSContext) { teach("CreateBookmark", "bookmarked", of: context) }

    /// Not in Apple's SDK, where the share sheet's "Schoolwork" does it: begins an assignment with this context, as a draft that the teacher goes on with. The
    /// teacher sees a notice. The class may be left out by who teaches only one.
    public func startAssignment(with context: CLSContext, class name: String? = nil) {
        teach("StartAssignment", "drafted an assignment", of: context, ["class": name.map { .string($0) } ?? .null])
    }

    /// Not in Apple's SDK: the same with a document.
    public func bookmark(_ documentURL: URL) { teach("CreateBookmark", "bookmarked", of: documentURL) }

    /// Not in Apple's SDK: the same with a document.
    public func startAssignment(with documentURL: URL, class name: String? = nil) {
        teach("StartAssignment", "drafted an assignment", of: documentURL, ["class": name.map { .string($0) } ?? .null])
    }

    private func teach(_ method: String, _ deed: String, of context: CLSContext, _ more: JSONObject = [:]) {
        let (title, path) = Model.locked { (context.fields.title, [settings.app] + context.path) }
        teach(method, deed, title, ["context": ContextForm.list(path)], more)
    }

    private func teach(_ method: String, _ deed: String, of url: URL, _ more: JSONObject = [:]) {
        let title = url.deletingPathExtension().lastPathComponent
        do { teach(method, deed, title, ["document": .string(try Self.path(of: url))], more) } catch {
            notices.told("'\(title)' was not \(deed): \(error.localizedDescription)")
        }
    }

    private func teach(_ method: String, _ deed: String, _ title: String, _ material: JSONObject, _ more: JSONObject) {
        var parameters = more
        parameters["title"] = title.isEmpty ? .null : .string(title)
        parameters["material"] = .object(material)
        // The classes of the development environment are made up; real ones must not notice.
        guard settings.environment == .production else { return notices.dropped("\(deed): '\(title)', in a class that is made up") }
        Callbacks.enter()
        wire.queue.async { [parameters] in
            do throws(CLSError) {
                _ = try self.wire.call("org.daybook.Classroom.\(method)", parameters)
                self.notices.told("\(deed): \(title)")
            } catch {
                let reason = error.code == .authorizationDenied ? "that is for teachers" : error.localizedDescription
                self.notices.told("not \(deed): \(title): \(reason)")
            }
            Callbacks.leave()
        }
    }
}
