// SPDX-License-Identifier: Apache-2.0
package import Settings

/// What the daemon is started with.
package struct DaemonOptions: Sendable {
    package var settings: Settings
    /// Read again on SIGHUP; nil where there is none.
    package var configurationPath: String?
    /// What the command line overrides, also after a reload.
    package var socketPath: String?
    package var statePath: String?
    /// The analyzer, for where no service listens.
    package var analyzerProgram: String?
    package var version: String

    package init(
        settings: Settings, configurationPath: String? = nil, socketPath: String? = nil, statePath: String? = nil,
        analyzerProgram: String? = nil, version: String
    ) {
        self.settings = settings
        self.configurationPath = configurationPath
        self.socketPath = socketPath
        self.statePath = statePath
        self.analyzerProgram = analyzerProgram
        self.version = version
        applyOverrides()
    }

    mutating func applyOverrides() {
        if let socketPath { settings.server.socket = socketPath }
        if let statePath { settings.server.state = statePath }
    }
}

/// What keeps the daemon from starting, in words for an administrator.
package struct StartError: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
