// SPDX-License-Identifier: Apache-2.0

/// How far a folder has come in its share's layouts, so that a folder below costs one comparison of its own name and not of its whole path.
///
/// Says the same as `LayoutSet.canLead`, `placement` and `assignmentFolder` (a test compares them).
package struct LayoutCursor: Equatable, Sendable {
    /// Bit n: layout n still matches.
    fileprivate var alive: UInt64
    /// Names between the share and the folder, at most 65,535.
    fileprivate(set) var depth: UInt16

    /// The most layouts a share may have.
    package static let layoutLimit = 64
}

extension LayoutSet {
    /// The share itself; nil where it has no layout, or more than `LayoutCursor.layoutLimit`.
    package var start: LayoutCursor? {
        guard !layouts.isEmpty, layouts.count <= LayoutCursor.layoutLimit else { return nil }
        return LayoutCursor(alive: layouts.count == 64 ? .max : (1 << UInt64(layouts.count)) - 1, depth: 0)
    }

    /// The folder of this name in a folder; nil where it can lead to no document, so that it is neither watched nor named.
    package func entering(_ name: ArraySlice<UInt8>, from cursor: LayoutCursor) -> LayoutCursor? {
        if isExcluded(name) { return nil }
        var alive = cursor.alive
        let depth = Int(cursor.depth)
        for index in layouts.indices where alive & (1 << UInt64(index)) != 0 {
            let parts = layouts[index].parts
            if depth < parts.count - 1, case .name(let wanted) = parts[depth], !name.elementsEqual(wanted) {
                alive &= ~(1 << UInt64(index))
            }
        }
        guard alive != 0 else { return nil }
        return LayoutCursor(alive: alive, depth: cursor.depth == .max ? .max : cursor.depth + 1)
    }

    /// Whether files of this folder have a placement.
    package func holdsDocuments(_ cursor: LayoutCursor) -> Bool {
        layouts.indices.contains { index in
            cursor.alive & (1 << UInt64(index)) != 0 && Int(cursor.depth) >= layouts[index].parts.count - 1
        }
    }

    /// Whether the folder stands at `{assignment}` of a layout.
    package func isAssignment(_ cursor: LayoutCursor) -> Bool {
        guard cursor.depth > 0 else { return false }
        return layouts.indices.contains { index in
            let place = Int(cursor.depth) - 1
            let parts = layouts[index].parts
            return cursor.alive & (1 << UInt64(index)) != 0 && place < parts.count && parts[place] == .assignment
        }
    }
}
