// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// The file of a quiz key, as its teacher wrote it. It never goes into a message for people, a log or the journal.
package struct AnswerKey: Equatable, Sendable {
    /// Without folders; its ending may say the form.
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    package var json: JSONObject { ["name": .string(name), "text": .string(text)] }

    package init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue, let text = json["text"]?.stringValue else { return nil }
        self.init(name: name, text: text)
    }
}
