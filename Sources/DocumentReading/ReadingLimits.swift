// SPDX-License-Identifier: Apache-2.0

/// How much one document may ask of us. One more than a limit is an error that names it, never a cut: half a document has no honest count.
package struct ReadingLimits: Equatable, Sendable {
    /// Bytes of the document as it lies on disk.
    package var documentBytes = 100 << 20
    /// Bytes unpacked from a container, all parts that are read together.
    package var unpackedBytes = 256 << 20
    /// How many times larger than packed a part may be, if it is larger than `ratioFreeBytes`. Deflate cannot exceed 1032.
    package var packingRatio = 400
    package var ratioFreeBytes = 8 << 20
    /// Files in a container.
    package var members = 20_000
    /// Bytes of a style sheet, which is held in memory.
    package var styleBytes = 32 << 20
    /// Elements inside each other.
    package var xmlDepth = 512
    /// Bytes of text, all places together. Text is counted as it comes, so this is not memory.
    package var textBytes = 256 << 20
    /// Slides of a presentation.
    package var slides = 10_000

    package static let standard = ReadingLimits()

    package init() {}
}
