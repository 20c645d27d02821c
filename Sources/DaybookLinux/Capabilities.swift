// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux

/// The privileges of a thread, and of what it executes.
package struct Capabilities: Equatable, Sendable {
    /// A set of capabilities; bit N is capability N of `capabilities(7)`.
    package struct Set: OptionSet, Sendable {
        package let rawValue: UInt64
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        package static let readEverything = Set(rawValue: 1 << 2)  // CAP_DAC_READ_SEARCH
        package static let inspectProcesses = Set(rawValue: 1 << 19)  // CAP_SYS_PTRACE
        package static let administer = Set(rawValue: 1 << 21)  // CAP_SYS_ADMIN
    }

    package var effective: Set
    package var permitted: Set
    package var inheritable: Set
    package var bounding: Set
    package var ambient: Set

    package static let none = Capabilities(effective: [], permitted: [], inheritable: [], bounding: [], ambient: [])

    /// Those of the calling thread.
    package static func current() throws(SystemCallError) -> Capabilities {
        var sets = daybook_capabilities()
        _ = try systemCall("capget") { Int(daybook_capabilities_get(&sets)) }
        return Capabilities(
            effective: Set(rawValue: sets.effective), permitted: Set(rawValue: sets.permitted),
            inheritable: Set(rawValue: sets.inheritable),
            bounding: Set(rawValue: sets.bounding), ambient: Set(rawValue: sets.ambient))
    }

    /// Takes every capability from the calling thread, for good; threads made before keep theirs.
    package static func dropAll() throws(SystemCallError) {
        _ = try systemCall("capset") { Int(daybook_capabilities_drop_all()) }
    }

    /// No program that the calling thread executes from now on gains privileges, e.g. by a set-uid bit.
    package static func forbidNew() throws(SystemCallError) {
        _ = try systemCall("prctl PR_SET_NO_NEW_PRIVS") { Int(daybook_no_new_privileges()) }
    }
}
