// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// One allowed shape of paths in a share, e.g. `{class}/{assignment}/{person}/{document}`.
///
/// A pattern is names between slashes. `{class}`, `{assignment}` and `{person}` stand for one whole name each, at most once;
/// `{document}` stands last and may span folders; every other name stands for itself, byte for byte.
package struct LayoutPattern: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case name([UInt8])
        case className, assignment, person, document
    }

    package enum Problem: Error, Equatable, CustomStringConvertible {
        case empty
        case documentNotLast
        case twice(String)
        case unknown(String)
        case strayBrace(String)

        package var description: String {
            switch self {
            case .empty: "the pattern is empty; write at least {document}"
            case .documentNotLast: "the pattern must end with {document}"
            case .twice(let name): "{\(name)} stands twice"
            case .unknown(let name): "{\(name)} is not known; use {class}, {assignment}, {person} and {document}"
            case .strayBrace(let name): "'\(name)' mixes braces with other characters; a placeholder stands for a whole name"
            }
        }
    }

    package let parts: [Part]
    /// As configured.
    package let text: String

    package init(_ text: String) throws(Problem) {
        var parts: [Part] = []
        for piece in text.split(separator: "/") {
            let part: Part
            switch piece {
            case "{class}": part = .className
            case "{assignment}": part = .assignment
            case "{person}": part = .person
            case "{document}": part = .document
            default:
                if piece.hasPrefix("{"), piece.hasSuffix("}") { throw .unknown(String(piece.dropFirst().dropLast())) }
                if piece.contains("{") || piece.contains("}") { throw .strayBrace(String(piece)) }
                part = .name(Array(piece.utf8))
            }
            if case .name = part {} else if parts.contains(part) { throw .twice(String(piece.dropFirst().dropLast())) }
            parts.append(part)
        }
        guard !parts.isEmpty else { throw .empty }
        guard parts.last == .document else { throw .documentNotLast }
        self.parts = parts
        self.text = text
    }

    package var hasClass: Bool { parts.contains(.className) }
    package var hasAssignment: Bool { parts.contains(.assignment) }
}

/// What a path says by its place.
package struct Placement: Equatable, Sendable {
    /// The text of the name at `{class}`; nil where the layout has none.
    package var className: String?
    package var assignment: String?
    /// The folder at `{assignment}`; nil where the layout has none.
    package var assignmentFolder: PathBytes?
    package var person: String?
    /// Which layout of the share matched.
    package var layout: Int

    package init(
        className: String? = nil, assignment: String? = nil, assignmentFolder: PathBytes? = nil, person: String? = nil, layout: Int = 0
    ) {
        self.className = className
        self.assignment = assignment
        self.assignmentFolder = assignmentFolder
        self.person = person
        self.layout = layout
    }
}

/// The allow-list of one share: what matches no layout is neither watched nor named anywhere.
package struct LayoutSet: Equatable, Sendable {
    package let layouts: [LayoutPattern]
    /// Names of folders that are never entered, as bytes, e.g. `.snapshots`; a trailing `*` matches any rest.
    package let excludedNames: [[UInt8]]

    package static let defaultExclusions = [
        ".snapshot", ".snapshots", ".zfs", "@eaDir", "#recycle", ".recycle", "lost+found", ".Trash-*",
    ]

    package init(_ layouts: [LayoutPattern], excluding names: [String] = LayoutSet.defaultExclusions) {
        self.layouts = layouts
        excludedNames = names.map { Array($0.utf8) }
    }

    /// Where a document's path belongs; nil: it does not count. The first layout that matches wins. Works for companions too, which lie
    /// in the same folders.
    package func placement(ofDocument path: PathBytes) -> Placement? {
        let names = path.components
        for (index, layout) in layouts.enumerated() {
            // `{document}` takes one name or more.
            guard names.count >= layout.parts.count else { continue }
            if let placement = match(layout, names.prefix(layout.parts.count - 1), index: index),
                !names.dropFirst(layout.parts.count - 1).dropLast().contains(where: isExcluded)
            {
                return placement
            }
        }
        return nil
    }

    /// Whether a document's path counts: whether it has a placement, without making one.
    package func counts(document path: PathBytes) -> Bool {
        let names = path.components
        return layouts.contains { layout in
            names.count >= layout.parts.count && matches(layout, names.prefix(layout.parts.count - 1))
                && !names.dropFirst(layout.parts.count - 1).dropLast().contains(where: isExcluded)
        }
    }

    /// Whether a folder can lead to a document, so that it must be watched and entered.
    package func canLead(folder path: PathBytes) -> Bool {
        let names = path.components
        if names.contains(where: isExcluded) { return false }
        return layouts.contains { layout in matches(layout, names.prefix(layout.parts.count - 1)) }
    }

    /// What a folder is that stands exactly at `{assignment}`; nil for all others.
    package func assignmentFolder(_ path: PathBytes) -> Placement? {
        let names = path.components
        for (index, layout) in layouts.enumerated() {
            guard let place = layout.parts.firstIndex(of: .assignment), names.count == place + 1 else { continue }
            if let placement = match(layout, names[...], index: index) { return placement }
        }
        return nil
    }

    package func isExcluded(_ name: ArraySlice<UInt8>) -> Bool {
        excludedNames.contains { pattern in
            if pattern.last == UInt8(ascii: "*") { return name.starts(with: pattern.dropLast()) }
            return name.elementsEqual(pattern)
        }
    }

    /// Whether the names of folders are such as the layout begins with.
    private func matches(_ layout: LayoutPattern, _ names: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        for (part, name) in zip(layout.parts, names) {
            if isExcluded(name) { return false }
            if case .name(let wanted) = part, !name.elementsEqual(wanted) { return false }
            if case .document = part { return true }
        }
        return true
    }

    private func match(_ layout: LayoutPattern, _ names: ArraySlice<ArraySlice<UInt8>>, index: Int) -> Placement? {
        guard matches(layout, names) else { return nil }
        var placement = Placement(layout: index)
        var folder = PathBytes.root
        for (part, name) in zip(layout.parts, names) {
            folder = folder.appending(name)
            switch part {
            case .name: break
            case .className: placement.className = escapedText(name)
            case .assignment:
                placement.assignment = escapedText(name)
                placement.assignmentFolder = folder
            case .person: placement.person = escapedText(name)
            case .document: return placement
            }
        }
        return placement
    }
}
