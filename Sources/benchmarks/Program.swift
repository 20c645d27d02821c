// SPDX-License-Identifier: Apache-2.0
import CDaybookBench
import Glibc

/// Other programs: run, and what they used of the processor.
enum Program {
    struct Usage {
        var status: Int32
        /// Nanoseconds, user and system.
        var cpu: Int64
    }

    static func start(_ arguments: [String], errors: UnsafeMutablePointer<Int32>? = nil) throws -> pid_t {
        var pointers = arguments.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        let pid = bench_start(&pointers, errors)
        guard pid > 0 else { throw BenchmarkFailure.errno("cannot start \(arguments[0])") }
        return pid
    }

    static func run(_ arguments: [String]) throws -> Usage {
        let pid = try start(arguments)
        var usage = Usage(status: 0, cpu: 0)
        guard bench_wait(pid, &usage.status, &usage.cpu) == 0 else { throw BenchmarkFailure.errno("cannot wait for \(arguments[0])") }
        return usage
    }

    /// The processor time of a program that must succeed.
    static func cpu(_ arguments: [String]) throws -> Double {
        let usage = try run(arguments)
        guard usage.status == 0 else { throw BenchmarkFailure("\(arguments.joined(separator: " ")) ended with \(usage.status)") }
        return Double(usage.cpu)
    }

    /// A program beside this one.
    static func sibling(_ name: String) -> String? {
        let own = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String in
            guard let base = buffer.baseAddress else { return "" }
            let count = readlink("/proc/self/exe", base, Int(PATH_MAX))
            return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        guard let slash = own.lastIndex(of: "/") else { return nil }
        let path = own[...slash] + name
        return access(String(path), X_OK) == 0 ? String(path) : nil
    }
}

/// Writes a file whole.
func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    guard let file = fopen(path, "w") else { throw BenchmarkFailure.errno("cannot make \(path)") }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw BenchmarkFailure.errno("cannot write \(path)") }
}
