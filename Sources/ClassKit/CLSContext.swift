// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A piece of an app's content that can be assigned, in a tree below the app's main context.
///
/// Do not keep contexts: look them up by their identifier path each time.
open class CLSContext: CLSObject, @unchecked Sendable {
    /// Unique among its siblings, and the same for all people and on all machines.
    public let identifier: String

    var fields: ContextFields
    weak var above: CLSContext?
    var children: [CLSContext] = []
    /// Only of a main context.
    weak var ownStore: CLSDataStore?
    /// Where the daemon has it, nil where it does not.
    var savedPath: [String]?
    /// It came from the daemon, so that it can go there, too.
    var isFromDaemon = false
    var current: CLSActivity?
    /// The daemon was asked for the current activity since the context was looked up.
    var isActivityKnown = false

    /// A context that hangs nowhere yet. Identifier and title have at most 256 characters.
    public init(type: CLSContextType, identifier: String, title: String) {
        self.identifier = identifier
        fields = ContextFields(type: type, title: title)
        super.init()
    }

    /// As the daemon has it, or the main context.
    init(identifier: String, fields: ContextFields, created: Date?) {
        self.identifier = identifier
        self.fields = fields
        super.init(created: created)
    }

    func read<Value>(_ path: KeyPath<ContextFields, Value>) -> Value { Model.locked { fields[keyPath: path] } }

    func write<Value>(_ path: WritableKeyPath<ContextFields, Value>, _ value: Value) {
        Model.locked {
            fields[keyPath: path] = value
            touch()
        }
    }

    // MARK: What it is

    /// The kind of content.
    open var type: CLSContextType { read(\.type) }

    /// Changes the kind of content. `app` is for the main context alone.
    open func setType(_ type: CLSContextType) { write(\.type, type) }

    /// What teachers read instead of "Custom", for a context of type `custom`.
    open var customTypeName: String? {
        get { read(\.customTypeName) }
        set { write(\.customTypeName, newValue) }
    }

    /// What teachers and students read: at most 256 characters.
    open var title: String {
        get { read(\.title) }
        set { write(\.title, newValue) }
    }

    /// Siblings are shown with the lowest first. 0 unless set.
    open var displayOrder: Int {
        get { read(\.displayOrder) }
        set { write(\.displayOrder, newValue) }
    }

    /// The subject.
    open var topic: CLSContextTopic? {
        get { read(\.topic) }
        set { write(\.topic, newValue) }
    }

    /// What is opened for this context instead of the app.
    open var universalLinkURL: URL? {
        get { read(\.universalLinkURL) }
        set { write(\.universalLinkURL, newValue) }
    }

    /// A description for teachers: at most 4000 characters.
    open var summary: String? {
        get { read(\.summary) }
        set { write(\.summary, newValue) }
    }

    /// A picture. A large one is scaled down to 330 pixels; one with both sides below 80 changes nothing, and the next save says so. It stays in this
    /// program's memory and is neither saved nor sent: it is as large as hundreds of entries of the journal, and nothing of Daybook's shows pictures.
    open var thumbnail: CGImage? {
        get { read(\.thumbnail) }
        set {
            guard let newValue else { return write(\.thumbnail, nil) }
            if let thumbnail = newValue.thumbnail { return write(\.thumbnail, thumbnail) }
            let least = ClassKitLimits.thumbnailSides.lowerBound
            note(.invalidArgument, "the thumbnail of '\(identifier)' is smaller than \(least) by \(least) pixels")
        }
    }

    /// Whether it can be assigned, or only holds others. True unless set.
    open var isAssignable: Bool {
        get { read(\.isAssignable) }
        set { write(\.isAssignable, newValue) }
    }

    /// For which age, in years, both ends included. From 0 to `Int.max - 1`, which mean no limit, unless set.
    open var suggestedAge: NSRange {
        get { read(\.suggestedAge) }
        set { write(\.suggestedAge, newValue) }
    }

    /// How long it takes, in minutes, both ends included. From 0 to `Int.max - 1`, which mean no limit, unless set.
    open var suggestedCompletionTime: NSRange {
        get { read(\.suggestedCompletionTime) }
        set { write(\.suggestedCompletionTime, newValue) }
    }

    // MARK: What it reports

    /// What it tells about a student's work: at least the duration.
    open var progressReportingCapabilities: Set<CLSProgressReportingCapability> {
        let own = Model.locked { fields.capabilities.values.map { $0 } }
        return Set(own + [Self.duration])
    }

    private static let duration = CLSProgressReportingCapability(kind: .duration, details: nil)

    /// Adds capabilities, or replaces those of the same kind. One of kind `duration` is left out, as every context has that.
    open func addProgressReportingCapabilities(_ capabilities: Set<CLSProgressReportingCapability>) {
        Model.locked {
            for capability in capabilities where capability.kind != .duration { fields.capabilities[capability.kind] = capability }
            touch()
        }
    }

    /// Leaves the duration alone.
    open func resetProgressReportingCapabilities() { write(\.capabilities, [:]) }

    // MARK: Coding

    /// Reads what `encode(with:)` wrote: a context that hangs nowhere.
    public required init?(coder: NSCoder) {
        func text(_ key: String) -> String? { coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) } }
        func range(_ key: String) -> NSRange {
            NSRange(location: coder.decodeInteger(forKey: key + ".location"), length: coder.decodeInteger(forKey: key + ".length"))
        }
        guard let identifier = text("identifier"), let title = text("title"),
            let type = CLSContextType(rawValue: coder.decodeInteger(forKey: "type")),
            let capabilities = coder.decodeObject(of: [NSArray.self, CLSProgressReportingCapability.self], forKey: "capabilities")
                as? [CLSProgressReportingCapability]
        else { return nil }
        self.identifier = identifier
        fields = ContextFields(type: type, title: title)
        fields.customTypeName = text("customTypeName")
        fields.displayOrder = coder.decodeInteger(forKey: "displayOrder")
        fields.topic = text("topic").map(CLSContextTopic.init(rawValue:))
        fields.universalLinkURL = text("universalLinkURL").flatMap(URL.init(string:))
        fields.summary = text("summary")
        fields.isAssignable = coder.decodeBool(forKey: "isAssignable")
        fields.suggestedAge = range("suggestedAge")
        fields.suggestedCompletionTime = range("suggestedCompletionTime")
        for capability in capabilities { fields.capabilities[capability.kind] = capability }
        super.init(coder: coder)
    }

    /// Writes the context's own properties, without its picture.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        let fields = Model.locked { self.fields }
        func write(_ text: String?, _ key: String) { if let text { coder.encode(text as NSString, forKey: key) } }
        func write(_ range: NSRange, _ key: String) {
            coder.encode(range.location, forKey: key + ".location")
            coder.encode(range.length, forKey: key + ".length")
        }
        write(identifier, "identifier")
        write(fields.title, "title")
        coder.encode(fields.type.rawValue, forKey: "type")
        write(fields.customTypeName, "customTypeName")
        coder.encode(fields.displayOrder, forKey: "displayOrder")
        write(fields.topic?.rawValue, "topic")
        write(fields.universalLinkURL?.absoluteString, "universalLinkURL")
        write(fields.summary, "summary")
        coder.encode(fields.isAssignable, forKey: "isAssignable")
        write(fields.suggestedAge, "suggestedAge")
        write(fields.suggestedCompletionTime, "suggestedCompletionTime")
        coder.encode(fields.capabilities.values.sorted { $0.kind.rawValue < $1.kind.rawValue } as NSArray, forKey: "capabilities")
    }
}
