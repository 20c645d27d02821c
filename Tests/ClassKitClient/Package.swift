// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// An app as others write one. Its targets have names that Daybook's own have, too: SwiftPM must not mind. Varlink is compiled as Swift 5, Reports as
// Swift 6, from the same files (those of Reports are links).
let classKit = Target.Dependency.product(name: "ClassKit", package: "daybook")

let package = Package(
    name: "client",
    dependencies: [.package(name: "daybook", path: "../.."), .package(name: "examples", path: "../../Examples")],
    targets: [
        .target(name: "Varlink", dependencies: [classKit], swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "Reports", dependencies: [classKit], swiftSettings: [.swiftLanguageMode(.v6)]),
        // The examples are built along with it, by the same build.
        .executableTarget(
            name: "Settings",
            dependencies: [
                "Varlink", "Reports", classKit, .product(name: "editor", package: "examples"), .product(name: "quiz", package: "examples"),
                .product(name: "listening", package: "examples"),
            ], swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
