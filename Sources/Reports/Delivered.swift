// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger

extension Delivery {
    static let identifier = "delivered_percent"

    /// Why it is not known of a document that was open.
    static let reasonAgainst = "how far it was played is not known; only a player on this server shows it, and no network does"
}

extension [SessionRow] {
    /// The audio and video documents among them in the order of their first sessions, each with how far it was read at most; nil: not known.
    var deliveries: [(document: String, delivery: Delivery?)] {
        var found: [(document: String, delivery: Delivery?)] = []
        for row in self where Delivery.concerns(PathBytes(bytes: [UInt8](row.document.utf8))) {
            if let index = found.firstIndex(where: { $0.document == row.document }) {
                if let new = row.delivery { found[index].delivery = Delivery.further(found[index].delivery, new) }
            } else {
                found.append((row.document, row.delivery))
            }
        }
        return found
    }
}

extension ClassReport {
    /// How far the main document was delivered, as a result; nil where it is no audio or video, or it is not known.
    static func delivered(_ document: DocumentRef?, in sessions: [SessionRecord]) -> Item? {
        let furthest = sessions.reduce(nil as Delivery?) { best, session in
            guard session.work.document == document, let new = session.work.delivery else { return best }
            return Delivery.further(best, new)
        }
        return furthest.map {
            Item(
                identifier: Delivery.identifier, title: "Delivered (percent)", value: .quantity(Double($0.percent)), method: .estimated)
        }
    }
}
