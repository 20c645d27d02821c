// SPDX-License-Identifier: Apache-2.0

/// A long list in pieces of equal size: appending never moves what is there, and while a copy is kept, a change copies one piece.
struct Chunked<Element: Sendable>: Sendable {
    /// Elements of a piece.
    static var size: Int { 4096 }

    private(set) var pieces: [ContiguousArray<Element>] = []
    private(set) var count = 0

    /// Takes pieces as they were; all but the last are whole.
    init(pieces: [ContiguousArray<Element>] = []) {
        self.pieces = pieces
        count = pieces.reduce(0) { $0 + $1.count }
    }

    mutating func append(_ element: Element) {
        if count & (Self.size - 1) == 0 {
            var piece = ContiguousArray<Element>()
            // A small ledger stays small.
            if count > 0 { piece.reserveCapacity(Self.size) }
            pieces.append(piece)
        }
        pieces[pieces.count - 1].append(element)
        count += 1
    }

    subscript(index: Int) -> Element {
        get { pieces[index / Self.size][index & (Self.size - 1)] }
        _modify { yield &pieces[index / Self.size][index & (Self.size - 1)] }
    }
}
