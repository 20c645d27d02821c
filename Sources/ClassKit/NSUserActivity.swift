// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What somebody wants to go on with: here, a context that was opened from an assignment. A small stand-in for Apple's class of that name,
/// which Foundation has only on Apple's systems.
open class NSUserActivity: NSObject, @unchecked Sendable {
    // Sendable: guarded by `Model.lock`.
    private var storedTitle: String?
    private var storedInfo: [AnyHashable: Any]?
    private var storedPage: URL?

    /// The activity type of deep links.
    static let deepLinkType = "org.daybook.ClassKit.deepLink"
    static let scheme = "daybook://"

    /// What kind of activity it is.
    public let activityType: String
    /// The context's identifier path, below the main context, where this is a deep link; it fits `contexts(matchingIdentifierPath:)`.
    public let contextIdentifierPath: [String]?

    /// Whether a context is to be opened.
    open var isClassKitDeepLink: Bool { contextIdentifierPath != nil }

    /// A name for people.
    open var title: String? {
        get { Model.locked { storedTitle } }
        set { Model.locked { storedTitle = newValue } }
    }

    /// What else the app needs.
    open var userInfo: [AnyHashable: Any]? {
        get { Model.locked { storedInfo } }
        set { Model.locked { storedInfo = newValue } }
    }

    /// The page that shows the same.
    open var webpageURL: URL? {
        get { Model.locked { storedPage } }
        set { Model.locked { storedPage = newValue } }
    }

    /// An activity that is no deep link.
    public init(activityType: String) {
        self.activityType = activityType
        contextIdentifierPath = nil
        super.init()
    }

    /// Not in Apple's SDK: what `daybook open` hands over, `daybook://APP/IDENTIFIER/IDENTIFIER`; nil for any other link.
    public init?(deepLink: String) {
        guard let path = Self.path(of: deepLink) else { return nil }
        activityType = Self.deepLinkType
        contextIdentifierPath = path
        super.init()
    }

    /// Not in Apple's SDK: the activity that this program was started with, nil where somebody just started it. On Linux a deep link comes as an argument of the
    /// program (`Exec=quiz %u` and `MimeType=x-scheme-handler/daybook;` in its `.desktop` file).
    public static var atLaunch: NSUserActivity? { atLaunch(arguments: CommandLine.arguments) }

    static func atLaunch(arguments: [String]) -> NSUserActivity? {
        arguments.dropFirst().lazy.compactMap { NSUserActivity(deepLink: $0) }.first
    }

    /// By hand, since `URL` takes the app for a host and puts it into small letters.
    private static func path(of link: String) -> [String]? {
        guard link.lowercased().hasPrefix(scheme) else { return nil }
        var parts = link.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        let names = parts.compactMap { $0.removingPercentEncoding }
        guard names.count == parts.count, (1...ClassKitLimits.depth + 1).contains(names.count),
            names.allSatisfy({ !$0.isEmpty && $0.utf16.count <= ClassKitLimits.identifier })
        else { return nil }
        return Array(names.dropFirst())
    }
}
