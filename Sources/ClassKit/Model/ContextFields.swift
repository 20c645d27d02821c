// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What is said of a context, apart from where it hangs.
struct ContextFields {
    /// A child for navigation: the context itself, or the path of one that was not looked up yet.
    enum Navigation {
        case context(CLSContext)
        case path([String])
    }

    var type: CLSContextType
    var title: String
    var customTypeName: String?
    var displayOrder = 0
    var topic: CLSContextTopic?
    var universalLinkURL: URL?
    var summary: String?
    var isAssignable = true
    var suggestedAge = ContextFields.noLimits
    var suggestedCompletionTime = ContextFields.noLimits
    var capabilities: [CLSProgressReportingCapability.Kind: CLSProgressReportingCapability] = [:]
    var navigation: [Navigation] = []
    /// Kept in memory only.
    var thumbnail: CGImage?

    /// From 0, without an upper limit.
    static let noLimits = NSRange(location: 0, length: Int.max)

    init(type: CLSContextType, title: String) {
        self.type = type
        self.title = title
    }
}
