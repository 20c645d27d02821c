// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a store needs to know of its program.
struct StoreSettings: Sendable {
    enum Environment: String, Sendable { case production, development }

    static let standardSocket = "/run/daybook/daybook.sock"

    var socket: String
    /// The main context's identifier.
    var app: String
    var title: String
    var environment: Environment

    static var ofThisProcess: StoreSettings {
        let process = ProcessInfo.processInfo
        return StoreSettings(
            variables: process.environment, bundle: Bundle.main.bundleIdentifier,
            program: CommandLine.arguments.first ?? process.processName)
    }

    init(socket: String, app: String, title: String, environment: Environment = .production) {
        self.socket = socket
        self.app = app
        self.title = title
        self.environment = environment
    }

    init(variables: [String: String], bundle: String?, program: String) {
        let name = program.split(separator: "/").last.map(String.init) ?? "program"
        // In a path of contexts a slash would part two.
        let app = (bundle.flatMap { $0.isEmpty ? nil : $0 } ?? name).replacing("/", with: "-")
        self.init(
            socket: variables["DAYBOOK_SOCKET"].flatMap { $0.isEmpty ? nil : $0 } ?? Self.standardSocket,
            app: String(decoding: app.utf16.prefix(ClassKitLimits.identifier), as: UTF16.self), title: name,
            environment: variables["DAYBOOK_CLASSKIT_ENVIRONMENT"] == "development" ? .development : .production)
    }
}
