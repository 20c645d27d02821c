// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

/// The built program, run as a process.
struct Program {
    struct Result: Equatable {
        var code: Int32
        var output: String
        var errors: String
        var wasKilled = false
    }

    enum Trouble: Error { case notBuilt(String), tooLong }

    /// Beside the test program, where the build puts both.
    static func file(_ name: String) throws -> URL {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = own.appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let other = bundle.appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: other.path) { return other }
        throw Trouble.notBuilt(beside.path)
    }

    /// Runs to the end. `lines` > 0 closes the output after so many lines, as `head` does.
    static func run(
        _ words: [String], program: URL? = nil, environment: [String: String] = [:], stopAfterLines lines: Int = 0, limit: Double = 60
    ) throws -> Result {
        let process = Process()
        process.executableURL = try program ?? file("daybook")
        process.arguments = words
        process.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "TZ": "UTC"].merging(environment) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Whatever hangs ends here, so that a bug is a failure and not a stuck run.
        let watch = Thread {
            Thread.sleep(forTimeInterval: limit)
            if process.isRunning { process.terminate() }
        }
        watch.start()
        let errorBox = Mutex(Data())
        let errorsRead = DispatchSemaphore(value: 0)
        let reader = Thread {
            let data = errors.fileHandleForReading.readDataToEndOfFile()
            errorBox.withLock { $0 = data }
            errorsRead.signal()
        }
        reader.start()
        var seen = Data()
        if lines == 0 {
            seen = output.fileHandleForReading.readDataToEndOfFile()
        } else {
            while seen.count(where: { $0 == 10 }) < lines {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                seen.append(more)
            }
            try output.fileHandleForReading.close()
        }
        process.waitUntilExit()
        errorsRead.wait()
        return Result(
            code: process.terminationStatus, output: String(decoding: seen, as: UTF8.self),
            errors: String(decoding: errorBox.withLock { $0 }, as: UTF8.self), wasKilled: process.terminationReason == .uncaughtSignal)
    }
}

/// A folder of its own for one test, removed at its end.
final class Folder {
    let path: String

    init() throws {
        var name = Array("/var/tmp/daybook-cli-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw POSIXError(.EIO) }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }
}
