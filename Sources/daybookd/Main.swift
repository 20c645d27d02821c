// SPDX-License-Identifier: Apache-2.0
import DaemonService
import DaybookLinux
import DaybookVarlink
import EventLoop
import Glibc
import ProgramTexts
import Settings

/// `daybookd [--config FILE] [--socket PATH] [--state DIR]`: the daemon, in the foreground.
@main
enum Main {
    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        var config = Settings.defaultPath
        var socket: String?
        var state: String?
        var analyzer: String?
        while let word = arguments.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            func value() -> String {
                if parts.count == 2 { return parts[1] }
                guard let next = arguments.popFirst() else { fail("\(word) needs a value", status: 2) }
                return next
            }
            switch parts[0] {
            case "--config": config = value()
            case "--socket": socket = value()
            case "--state": state = value()
            case "--analyzer": analyzer = value()
            case "--version":
                print("daybookd \(DaybookVersion.text)")
                return
            case "--help", "-h":
                print(ProgramDescription.daybookd(configuration: Settings.defaultPath).help)
                return
            default: fail("unknown argument '\(word)'; daybookd --help lists what there is", status: 2)
            }
        }
        let settings: Settings
        do {
            settings = try Settings.load(config)
        } catch {
            for line in error.lines { complain(line) }
            fail("without a good configuration nothing is started; 'daybook config check \(config)' says when it is one", status: 1)
        }
        let log = SystemJournal(identifier: "daybookd", showsNames: settings.server.logNames)
        let options = DaemonOptions(
            settings: settings, configurationPath: config, socketPath: socket, statePath: state,
            analyzerProgram: analyzer ?? ProgramFolder.sibling("daybook-analyze"), version: DaybookVersion.text)
        do {
            exit(try Daemon(options: options, log: log).run())
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func complain(_ text: String) {
        let line = Array("daybookd: \(text)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        complain(text)
        exit(status)
    }
}

enum ProgramFolder {
    /// A program in the folder that this one runs from; nil where there is none that can be run.
    static func sibling(_ name: String) -> String? {
        let own = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> [UInt8] in
            guard let base = buffer.baseAddress else { return [] }
            let count = readlink("/proc/self/exe", base, Int(PATH_MAX))
            return count <= 0 ? [] : buffer.prefix(count).map { UInt8(bitPattern: $0) }
        }
        guard let slash = own.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let path = String(decoding: own[...slash], as: UTF8.self) + name
        return access(path, X_OK) == 0 ? path : nil
    }
}
