// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Inference

/// Some documents of a real tree, and what layouts make of them.
struct TreeSample: Equatable {
    /// Paths below the share.
    var documents: [PathBytes] = []
    /// False where there are more than were looked at.
    var isComplete = true

    /// A look must not take the night.
    static let timeLimit = Duration.seconds(10)
    static let documentLimit = 20_000

    init(documents: [PathBytes]) { self.documents = documents }

    /// Walks breadth first, so that of a large tree every class is seen before any is seen whole. Links and other devices are not followed.
    init(share: String) {
        let deadline = Deadline(after: Self.timeLimit)
        var top = stat()
        guard lstat(share, &top) == 0 else { return }
        var waiting: [PathBytes] = [.root]
        let excluded = LayoutSet([], excluding: LayoutSet.defaultExclusions)
        while !waiting.isEmpty {
            var below: [PathBytes] = []
            for folder in waiting {
                guard !deadline.hasPassed, documents.count < Self.documentLimit else {
                    isComplete = false
                    return
                }
                for (name, isFolder) in Self.names(share, folder, device: top.st_dev) where !excluded.isExcluded(name[...]) {
                    // Hidden names are companions, or somebody's settings.
                    if name.first == UInt8(ascii: ".") { continue }
                    let path = folder.appending(name)
                    if isFolder { below.append(path) } else { documents.append(path) }
                }
            }
            waiting = below
        }
    }

    /// The names of the folders at the top that have documents below them; none where there are more than that.
    func tops(atMost limit: Int) -> [String] {
        var names: [String] = []
        for document in documents {
            let parts = document.bytes.split(separator: PathBytes.slash, maxSplits: 1)
            guard parts.count == 2, let name = String(validating: parts[0], as: UTF8.self), !names.contains(name) else { continue }
            guard names.count < limit else { return [] }
            names.append(name)
        }
        return names
    }

    private static func names(_ share: String, _ folder: PathBytes, device: dev_t) -> [([UInt8], isFolder: Bool)] {
        let path = Array(share.utf8) + (folder.isRoot ? [] : [PathBytes.slash] + folder.bytes)
        let raw = open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard raw >= 0 else { return [] }
        guard let listing = fdopendir(raw) else {
            close(raw)
            return []
        }
        defer { closedir(listing) }
        var found: [([UInt8], isFolder: Bool)] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != [UInt8(ascii: ".")], name != [UInt8(ascii: "."), UInt8(ascii: ".")] else { continue }
            var facts = stat()
            guard fstatat(raw, name.map { CChar(bitPattern: $0) } + [0], &facts, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch facts.st_mode & S_IFMT {
            case S_IFDIR where facts.st_dev == device: found.append((name, true))
            case S_IFREG: found.append((name, false))
            default: break
            }
        }
        return found.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }
}

/// Which layout fits a tree, by where the names of accounts stand in it.
enum LayoutProposal {
    /// Common ones first: where several fit equally well, the first does. The last two are those of UCS@school and linuxmuster.net.
    static let presets = [
        "{class}/{assignment}/{person}/{document}", "{class}/{person}/{assignment}/{document}", "{assignment}/{person}/{document}",
        "{person}/{assignment}/{document}", "{class}/{person}/{document}", "{person}/{document}",
        "{person}/Unterrichtsmaterial/{assignment}/{document}", "{class}/{person}/transfer/{assignment}/{document}",
    ]

    /// Folders at the top of a share that may be such a one; a share of more folders than these has none.
    static let topLimit = 12

    /// `isPerson` says whether an account has that name. In homes each layout needs a folder of a fixed name, so that nothing else of a
    /// person is watched.
    static func best(for sample: TreeSample, inHomes: Bool, isPerson: (String) -> Bool) -> String {
        var known: [String: Bool] = [:]
        func isKnown(_ name: String) -> Bool {
            if let answer = known[name] { return answer }
            let answer = isPerson(name)
            known[name] = answer
            return answer
        }
        var best: (pattern: String, points: Int)?
        // Where a whole school is one share, the classes are below a folder of a fixed name, such as `students` beside `teachers`.
        let tops = sample.tops(atMost: topLimit).filter { !isKnown($0) }
        for (text, preset) in presets.map({ ($0, $0) }) + tops.flatMap({ top in presets.map { ("\(top)/\($0)", $0) } }) {
            // Presets are tested.
            guard let pattern = try? LayoutPattern(text), let inner = try? LayoutPattern(preset), !inHomes || namesFolder(inner) else {
                continue
            }
            let layout = LayoutSet([pattern])
            // A layout that names the folder for schoolwork wins where there are such folders, although a wider one fits more documents: what
            // else is in a person's folder is theirs.
            let weight = namesFolder(inner) ? 100 : 1
            // A name where a person belongs and none is tells against it. More fixed names fit by less chance, so they count more.
            let points = sample.documents.reduce(0) { sum, document in
                guard let placement = layout.placement(ofDocument: document), let person = placement.person else { return sum }
                guard isKnown(person) else { return sum - 1 }
                let others = [placement.className, placement.assignment].compactMap { $0 }
                return sum + (others.contains(where: isKnown) ? 0 : weight * (2 + pattern.parts.count))
            }
            if points > best?.points ?? 0 { best = (text, points) }
        }
        return best?.pattern ?? (inHomes ? "{person}/Schoolwork/{assignment}/{document}" : presets[0])
    }

    /// Whether something stands in it that is no placeholder.
    static func namesFolder(_ pattern: LayoutPattern) -> Bool {
        pattern.parts.contains { if case .name = $0 { true } else { false } }
    }

    /// Up to so many documents as a layout reads them, e.g. `8b / 2026-03-14 Hamlet / berg / essay.odt`, from as many folders as there are.
    static func decoded(_ sample: TreeSample, _ layout: LayoutSet, atMost limit: Int) -> [String] {
        var lines: [String] = []
        var seen: Set<PathBytes> = []
        for document in sample.documents where lines.count < limit {
            guard let placement = layout.placement(ofDocument: document), seen.insert(document.folder).inserted else { continue }
            let words = [
                placement.className.map { "class \($0)" }, placement.assignment.map { "assignment \($0)" },
                placement.person.map { "person \($0)" }, "document \(escapedText(document.name))",
            ]
            lines.append(words.compactMap { $0 }.joined(separator: " / "))
        }
        return lines
    }
}
