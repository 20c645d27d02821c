// SPDX-License-Identifier: Apache-2.0
import DaybookJSON

/// One thing that `doctor` looked at.
struct Finding: Equatable, Sendable {
    enum State: String, Sendable {
        case good
        /// Could not be looked at, or is only worth knowing.
        case note
        /// Something is seen late, or not at all, while the rest goes on.
        case warning
        /// Recording would stop, or would not begin.
        case stops
    }

    /// What was looked at, e.g. `limits`.
    var check: String
    var state: State
    var what: String
    /// What to do about it.
    var mend: String?

    init(_ check: String, _ state: State, _ what: String, mend: String? = nil) {
        self.check = check
        self.state = state
        self.what = what
        self.mend = mend
    }

    var json: JSONValue {
        .object(
            object(["check": .string(check), "state": .string(state.rawValue), "what": .string(what), "mend": mend.map { .string($0) }]))
    }
}
