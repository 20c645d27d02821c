// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
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

    /// Reads to the end, or until there is enough. FileHandle's own reading gives up, or dies, where a signal interrupts it.
    private static func read(_ pipe: Pipe, until isEnough: (Data) -> Bool = { _ in false }) -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(data) {
            let count = Glibc.read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            data.append(contentsOf: buffer[..<count])
        }
        return data
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
            let data = read(errors)
            errorBox.withLock { $0 = data }
            errorsRead.signal()
        }
        reader.start()
        var seen = Data()
        if lines == 0 {
            seen = read(output)
        } else {
            seen = read(output) { $0.count(where: { $0 == 10 }) >= lines }
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
