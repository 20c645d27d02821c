// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Varlink programs by others: the Python package `varlink`, and `varlinkctl` of a systemd that this machine need not have. Both are
/// fetched once, into the package's build folder; nothing is installed.
enum ThirdParty {
    struct Failed: Error, CustomStringConvertible { var description: String }

    static let pythonPackage = "varlink==31.0.0"
    /// The first Debian whose systemd has `varlinkctl`.
    static let debian = "trixie"

    private static let cache = Box.package.appending(path: ".build/third-party").path

    /// Why these tests cannot run here, nil where they can. Where they must run, they fail instead of being left out.
    static let obstacle: String? = {
        if let obstacle = School.obstacle { return obstacle }
        for program in ["mmdebstrap", "python3"] where !Programs.isInstalled(program) { return "\(program) is not here (make packages)" }
        return nil
    }()

    /// A Python that has the package.
    static let python = Result {
        let folder = try fetched("python") { folder in
            try must(["/usr/bin/python3", "-m", "venv", folder])
            try must([folder + "/bin/pip", "install", "--quiet", "--disable-pip-version-check", pythonPackage])
        }
        return folder + "/bin/python"
    }

    /// The words that run `varlinkctl` with the libraries that came with it.
    static let varlinkctl = Result {
        let root = try fetched("systemd-\(debian)") { folder in
            try must(["mmdebstrap", "--quiet", "--variant=extract", "--include=systemd", debian, folder])
        }
        let libraries = try FileManager.default.contentsOfDirectory(atPath: root + "/usr/lib")
            .filter { $0.hasSuffix("-linux-gnu") }.map { "\(root)/usr/lib/\($0)" }
        let loaders = try FileManager.default.contentsOfDirectory(atPath: root + "/usr/lib64").filter { $0.hasPrefix("ld-linux") }
        guard let loader = loaders.first, !libraries.isEmpty else { throw Failed(description: "no dynamic loader below \(root)") }
        let path = libraries.flatMap { [$0, $0 + "/systemd"] }.joined(separator: ":")
        return ["\(root)/usr/lib64/\(loader)", "--library-path", path, "\(root)/usr/bin/varlinkctl"]
    }

    /// Makes a folder of the cache unless it is there. What was interrupted is made anew.
    private static func fetched(_ name: String, _ make: (String) throws -> Void) throws -> String {
        let folder = "\(cache)/\(name)"
        let done = folder + ".done"
        if FileManager.default.fileExists(atPath: done) { return folder }
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        try make(folder)
        try Data().write(to: URL(filePath: done))
        return folder
    }

    private static func must(_ command: [String]) throws {
        let outcome = try Child.run(["timeout", "300"] + command)
        guard outcome.status == 0 else { throw Failed(description: "\(command.joined(separator: " "))\n\(outcome)") }
    }
}
