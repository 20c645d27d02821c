// SPDX-License-Identifier: Apache-2.0

/// The known name that somebody most likely meant, nil where none is near. Counts missing, extra, wrong and swapped letters.
func nearestName(to name: String, among known: some Sequence<String>) -> String? {
    // A key can be as long as the file; comparing such a one would cost its square.
    let wanted = Array(name.lowercased())
    guard wanted.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in known {
        let distance = distance(wanted, Array(candidate.lowercased()))
        if distance <= max(1, candidate.count / 3), distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.name
}

private func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var rows = [[Int]](repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
    for i in 0...left.count { rows[i][0] = i }
    for j in 0...right.count { rows[0][j] = j }
    for i in 1...left.count {
        for j in 1...right.count {
            let change = left[i - 1] == right[j - 1] ? 0 : 1
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + change)
            if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
            }
        }
    }
    return rows[left.count][right.count]
}
