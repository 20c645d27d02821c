// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The apps that use the ClassKit library: the package of its API test, and the examples. Built once, in a folder of their own.
enum Clients {
    struct Failed: Error, CustomStringConvertible { var description: String }

    static let scratch = Box.package.appending(path: ".build/clients").path

    /// The folder with their programs. A warning is an error: an app that compiles for Apple's systems without one must here, too.
    static let folder = Result {
        let build = [
            "timeout", "900", "swift", "build", "--package-path", Box.package.appending(path: "Tests/ClassKitClient").path,
            "--scratch-path", scratch,
            "-Xswiftc", "-warnings-as-errors",
        ]
        var outcome = try Child.run(build)
        // Where a file that is embedded was added since the last build, SwiftPM compiles the old list once more, and the new one the next time.
        if outcome.status != 0 { outcome = try Child.run(build) }
        guard outcome.status == 0, !outcome.output.contains("warning:") else { throw Failed(description: "\(outcome)") }
        return scratch + "/debug"
    }
}
