// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "examples",
    products: [
        .executable(name: "quiz", targets: ["quiz"]),
        .executable(name: "editor", targets: ["editor"]),
        .executable(name: "listening", targets: ["listening"]),
    ],
    dependencies: [.package(name: "daybook", path: "..")],
    targets: ["quiz", "editor", "listening"].map { name in
        .executableTarget(name: name, dependencies: [.product(name: "ClassKit", package: "daybook")])
    },
    swiftLanguageModes: [.v6]
)
