// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Inference
import Settings

/// The names of folders that stand at `{person}`: whoever has a folder of their own is somebody to ask the name service for.
///
/// Asked on the accounts thread, which may wait for a disk. Bounded: a share with more folders than anybody has students says nothing more.
struct FolderNames {
    static let mostNames = 20_000
    static let mostFolders = 20_000

    private(set) var names: Set<String> = []
    private var folders = 0

    static func people(in shares: [Settings.Share]) -> [String] {
        var found = FolderNames()
        for share in shares {
            for layout in share.layouts.layouts {
                guard let place = layout.parts.firstIndex(of: .person) else { continue }
                // A share that cannot be read is told of by whoever watches it.
                guard let folder = try? Folder.open(path: share.path, for: .listing) else { continue }
                found.walk(folder, layout.parts.prefix(place + 1)[...], share.layouts)
            }
        }
        return found.names.sorted()
    }

    private mutating func walk(_ folder: borrowing OwnedDescriptor, _ parts: ArraySlice<LayoutPattern.Part>, _ layouts: LayoutSet) {
        guard let part = parts.first, folders < Self.mostFolders else { return }
        folders += 1
        let rest = parts.dropFirst()
        if case .name(let name) = part {
            if let next = try? Folder.open(name[...], in: folder, for: .listing) { walk(next, rest, layouts) }
            return
        }
        var listing = FolderListing()
        // Collected first: the listing's storage is used again for each piece.
        var children: [[UInt8]] = []
        while (try? listing.readNext(folder)) ?? false {
            for entry in listing.entries where entry.type == .folder || entry.type == .unknown {
                let name = listing.bytes[entry.name]
                if !layouts.isExcluded(name), name.first != UInt8(ascii: ".") { children.append(Array(name)) }
            }
            if children.count > Self.mostFolders { break }
        }
        for name in children {
            if part == .person {
                guard names.count < Self.mostNames else { return }
                // A login that is no UTF-8 cannot be asked for.
                if let text = String(validating: name, as: UTF8.self) { names.insert(text) }
            } else if let next = try? Folder.open(name[...], in: folder, for: .listing) {
                walk(next, rest, layouts)
            }
        }
    }
}
