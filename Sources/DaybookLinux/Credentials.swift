// SPDX-License-Identifier: Apache-2.0
import Glibc

/// As whom this process acts.
package struct Credentials: Equatable, Sendable {
    package var uid: UInt32
    package var gid: UInt32
    package var groups: [UInt32]

    /// The effective ones, with every supplementary group.
    package static func current() throws(SystemCallError) -> Credentials {
        while true {
            let count = try systemCall("getgroups") { Int(getgroups(0, nil)) }
            var groups = [gid_t](repeating: 0, count: count)
            // Asked with room for one more than there were, so that a group gained meanwhile is not missed.
            groups.append(0)
            do throws(SystemCallError) {
                let got = try systemCall("getgroups") { Int(getgroups(Int32(groups.count), &groups)) }
                return Credentials(uid: geteuid(), gid: getegid(), groups: Array(groups.prefix(got)))
            } catch {
                if error.code != EINVAL { throw error }
            }
        }
    }
}
