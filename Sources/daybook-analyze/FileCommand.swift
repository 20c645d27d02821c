// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import DaybookLinux
import DocumentReading
import Glibc

/// `daybook-analyze FILE…`: one answer for each file, whatever the file does.
struct FileCommand {
    let sandbox: Sandbox
    let limits: WorkerLimits
    let isJSON: Bool

    /// The exit status.
    func run(_ files: [[UInt8]]) -> Int32 {
        var failed = false
        for file in files {
            let measurement = measure(file)
            if measurement.error != nil { failed = true }
            var out: [UInt8]
            if isJSON {
                out = measurement.json(after: ["file": .string(escapedText(file))]).encodedBytes
                out.append(0x0a)
            } else {
                out = Array(ForPeople.text(file: escapedText(file), measurement).utf8)
            }
            guard write(out) else { return 1 }
        }
        return failed ? 1 : 0
    }

    private func measure(_ file: [UInt8]) -> Measurement {
        let memory: SealedMemory
        do {
            memory = try DocumentCopier(limit: Int64(limits.reading.documentBytes)).copy(path: file)
        } catch {
            return Measurement(error: error.description)
        }
        let name = file.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        do {
            let worker = try memory.descriptor.withRaw { raw throws(SystemCallError) in
                try Worker(document: raw, name: name, analyzers: [], limits: limits, sandbox: sandbox)
            }
            return wait(worker)
        } catch {
            return Measurement(error: "not measured: no process for it (\(error))")
        }
    }

    private func wait(_ worker: Worker) -> Measurement {
        while true {
            let left = worker.deadline - Clocks.bootMicroseconds()
            if left <= 0 { worker.stop(overdue: true) }
            let hasEnded = worker.ended.withRaw { ended in
                worker.reply.withRaw { reply in
                    var wanted = [
                        pollfd(fd: ended, events: Int16(POLLIN), revents: 0), pollfd(fd: reply, events: Int16(POLLIN), revents: 0),
                    ]
                    // A reply that was hung up stays ready; the end of the process follows at once.
                    _ = poll(&wanted, nfds_t(wanted.count), left <= 0 ? -1 : Int32(clamping: left / 1000 + 1))
                    return wanted[0].revents != 0
                }
            }
            worker.receive()
            if hasEnded { return worker.finish() }
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            let code = errno
            if written == -1, code == EINTR { continue }
            // Whoever reads has gone (a pager that was quit, say).
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
