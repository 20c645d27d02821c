// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The apps that use the ClassKit library: the package of its API test, and the examples. Built once, in a folder of their own.
enum Clients {
    struct Failed: Error, CustomStringConvertible { var description: String }

    static let scratch = Box.package.appending(path: ".build/clients").path

    /// The folder with their programs. A warning is an error: an app that compiles for Apple's systems without one must here, too.
    static let folder = Result {
        let outcome = try Child.run([
            "timeout", "900", "swift", "build", "--package-path", Box.package.appending(path: "Tests/ClassKitClient").path,
            "--scratch-path",
            scratch,
            // Else SwiftPM does not see that the package it depends on, this one, has a file more.
            "--disable-build-manifest-caching", "-Xswiftc", "-warnings-as-errors",
        ])
        guard outcome.status == 0, !outcome.output.contains("warning:") else { throw Failed(description: "\(outcome)") }
        return scratch + "/debug"
    }
}
