// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel recorded it when the connection was made.
package struct PeerCredentials: Hashable, Sendable {
    /// 0 where the peer lives in a process namespace that we cannot see into.
    package var pid: Int32
    package var uid: UInt32
    package var gid: UInt32

    package init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }

    /// Reads SO_PEERCRED.
    package static func of(_ socket: borrowing OwnedDescriptor) throws(SystemCallError) -> PeerCredentials {
        var peer = PeerCredentials(pid: 0, uid: .max, gid: .max)
        _ = try socket.withRaw { raw throws(SystemCallError) in
            try systemCall("getsockopt SO_PEERCRED") { Int(daybook_peer_credentials(raw, &peer.pid, &peer.uid, &peer.gid)) }
        }
        return peer
    }

    /// Reads SO_PEERGROUPS: every supplementary group of the peer, in the kernel's order. `gid` is not repeated here by itself.
    package static func groups(of socket: borrowing OwnedDescriptor) throws(SystemCallError) -> [UInt32] {
        var capacity = 64
        while true {
            var count = 0
            var code: Int32 = 0
            let groups = [UInt32](unsafeUninitializedCapacity: capacity) { buffer, used in
                let result = socket.withRaw { daybook_peer_groups($0, buffer.baseAddress, capacity, &count) }
                code = result == 0 ? 0 : errno
                used = code == 0 ? min(count, capacity) : 0
            }
            if code == 0 { return groups }
            // The kernel tells the size it needs; 65,536 groups is its own limit.
            guard code == ERANGE, count > capacity, count <= 65_536 else {
                throw SystemCallError(call: "getsockopt SO_PEERGROUPS", code: code)
            }
            capacity = count
        }
    }
}
