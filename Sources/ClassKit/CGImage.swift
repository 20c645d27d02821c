// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A picture: rows of pixels from the top, four bytes each (red, green, blue, alpha). A small stand-in for Apple's class of that name, which
/// is there only on Apple's systems; for `CLSContext.thumbnail`.
public final class CGImage: Sendable {
    /// Pixels of a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// All pixels.
    public let pixels: Data

    /// The widest and highest picture.
    static let limit = 16_384

    /// Not in Apple's SDK. Nil where the bytes are not width × height × 4, or a side is not from 1 to 16,384.
    public init?(width: Int, height: Int, pixels: Data) {
        guard (1...Self.limit).contains(width), (1...Self.limit).contains(height), pixels.count == width * height * 4 else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// As a thumbnail: itself, or scaled down so that no side is longer than allowed. Nil where both sides are too short.
    var thumbnail: CGImage? {
        let sides = ClassKitLimits.thumbnailSides
        guard max(width, height) >= sides.lowerBound else { return nil }
        let longest = max(width, height)
        guard longest > sides.upperBound else { return self }
        return scaled(to: max(1, width * sides.upperBound / longest), max(1, height * sides.upperBound / longest))
    }

    /// Each new pixel is the mean of those it covers. Colours count by their alpha, so that what cannot be seen leaves no edge.
    private func scaled(to newWidth: Int, _ newHeight: Int) -> CGImage? {
        var result = Data(count: newWidth * newHeight * 4)
        pixels.withUnsafeBytes { source in
            for row in 0..<newHeight {
                let rows = row * height / newHeight..<max(row * height / newHeight + 1, (row + 1) * height / newHeight)
                for column in 0..<newWidth {
                    let columns = column * width / newWidth..<max(column * width / newWidth + 1, (column + 1) * width / newWidth)
                    var (sums, alpha) = ((red: 0, green: 0, blue: 0), 0)
                    for y in rows {
                        for x in columns {
                            let pixel = (y * width + x) * 4
                            let weight = Int(source[pixel + 3])
                            alpha += weight
                            sums.red += Int(source[pixel]) * weight
                            sums.green += Int(source[pixel + 1]) * weight
                            sums.blue += Int(source[pixel + 2]) * weight
                        }
                    }
                    guard alpha > 0 else { continue }
                    let place = (row * newWidth + column) * 4
                    result[place] = UInt8(sums.red / alpha)
                    result[place + 1] = UInt8(sums.green / alpha)
                    result[place + 2] = UInt8(sums.blue / alpha)
                    result[place + 3] = UInt8(alpha / (rows.count * columns.count))
                }
            }
        }
        return CGImage(width: newWidth, height: newHeight, pixels: result)
    }
}
