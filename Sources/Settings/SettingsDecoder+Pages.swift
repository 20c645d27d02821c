// SPDX-License-Identifier: Apache-2.0

extension SettingsDecoder {
    mutating func readPages(_ table: TableReader) {
        var table = table
        if let text = table.text("directory"), !text.value.isEmpty, let path = absolutePath(text, of: "directory") {
            if let problem = pagesProblem(path.value) { mistakes.add(path.position, problem) }
            settings.pages.directory = path.value
        }
        table.duration("interval", into: &settings.pages.interval, in: .seconds(1) ... .seconds(86_400))
        table.finish()
    }

    /// By the names in the paths; where a link leads is seen when the folder is opened.
    private func pagesProblem(_ path: String) -> String? {
        let forbidden = ["/", "/proc", "/sys", "/dev", "/run", "/etc", "/boot", "/usr"]
        if let system = forbidden.first(where: { path == $0 || ($0 != "/" && path.hasPrefix($0 + "/")) }) {
            return "\(shown(path)) cannot hold pages: \(system) is the system's own"
        }
        if let share = settings.shares.first(where: { $0.path.hasPrefix("/") && overlaps($0.path, path) }) {
            return
                "directory \(shown(path)) overlaps the share \(shown(share.path)); nothing is ever written below a share, so pages need a "
                + "folder of their own"
        }
        if overlaps(path, settings.server.state) {
            return
                "directory \(shown(path)) overlaps the state folder \(shown(settings.server.state)), which nobody else may enter; pages need "
                + "a folder of their own"
        }
        return nil
    }
}
