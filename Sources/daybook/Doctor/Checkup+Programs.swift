// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Settings

extension Checkup {
    /// Programs whose word counts: whoever could put another program in the place of one would be believed.
    func listedPrograms() -> [Finding] {
        (settings?.classKit.trusted ?? []).map { path in
            guard let hand = ForeignHand.on(path) else {
                return Finding("programs", .good, "\(path): its word counts, and root alone can change it")
            }
            let what = "\(path) is listed under [[classkit.trusted]], but its word does not count: \(hand)"
            let mend =
                switch hand.reason {
                case .owner, .mode: "chown root:root and chmod go-w for \(hand.place), or install the program where root alone may write"
                case .unseen, .kind: "correct the path in the configuration, or install the program there"
                }
            return Finding("programs", .warning, what, mend: mend)
        }
    }
}
