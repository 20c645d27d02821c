// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc

/// Why pages are not published, in words for an administrator; without names of people.
package enum PageTrouble: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(String, code: Int32)
    case foreign(String, owner: UInt32)
    case open(String, mode: UInt32)
    case inUse(String)
    /// Inside a share or the state folder, or around it.
    case overlaps(String, other: String)
    /// The service may not write there.
    case readOnly(String)
    /// The file system keeps no access control lists.
    case noLists(String)
    case tooManyReaders(Int)
    /// A name below the folder is not a folder of ours.
    case inTheWay
    case failed(SystemCallError)

    init(_ error: any Error) {
        switch error {
        case let trouble as PageTrouble: self = trouble
        case let error as SystemCallError: self = .failed(error)
        default: self = .inTheWay
        }
    }

    package var description: String {
        switch self {
        case .missing(let path, let code):
            "\(path) cannot be opened as a folder: \(errnoText(code)); make it, owned by the account that the server runs as"
        case .foreign(let path, let owner):
            "\(path) belongs to uid \(owner), and its owner could read every page; make it belong to the account that the server runs as"
        case .open(let path, let mode):
            "\(path) has mode \(String(mode, radix: 8)), so others could put their own pages into it; use 0755"
        case .inUse(let path):
            "\(path) is not empty and was not made for pages; name an empty folder, since what is stale in it is removed"
        case .overlaps(let path, let other):
            "\(path) and \(other) are in each other; pages need a folder of their own, outside every share and the state folder"
        case .readOnly(let path):
            "\(path) is read-only for the server: its unit needs a drop-in with ReadWritePaths=\(path) (systemctl edit daybookd), or the file "
                + "system is mounted read-only"
        case .noLists(let path):
            "the file system of \(path) keeps no POSIX access control lists, so a page would be readable by nobody or by everybody; "
                + "use ext4, xfs or btrfs (with the acl mount option where it is off)"
        case .tooManyReaders(let count):
            "a class with \(count) teachers has no page: at most \(Readers.atMost) readers fit"
        case .inTheWay: "a file or a link stands where a folder of pages is to be; remove it"
        case .failed(let error): "a page cannot be written: \(error)"
        }
    }
}
