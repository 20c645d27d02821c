// SPDX-License-Identifier: Apache-2.0
import Glibc
import ProgramTexts

/// The arguments as bytes: `CommandLine.arguments` mends what is not UTF-8, and the mended name is no file.
func rawArguments() -> [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        CommandLine.unsafeArgv[index].map { pointer in
            Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
        }
    }
}

/// The descriptors that systemd passes to this process, from 3 on.
func passedSockets() -> Range<Int32> {
    func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
    guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), (1...64).contains(count) else { return 3..<3 }
    return 3..<(3 + count)
}

func complain(_ message: String) {
    let bytes = Array("daybook-analyze: \(message)\n".utf8)
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    Ending.watch()
    let passed = passedSockets()
    var options: Options
    do {
        options = try Options(rawArguments(), socketsPassed: !passed.isEmpty)
    } catch {
        complain("\(error.message); see daybook-analyze --help")
        return 2
    }
    switch options.mode {
    case .help:
        print(ProgramDescription.analyze.help)
        return 0
    case .version:
        print("daybook-analyze, protocol 1")
        return 0
    case .checkSandbox, .files, .service: break
    }
    if let path = options.keyPath {
        do {
            options.key = try KeyFile.read(path)
        } catch {
            complain(error.message)
            return 2
        }
    }
    guard let sandbox = Sandbox() else {
        complain("the system call filter cannot be made, and without it no document is read; is libseccomp for this machine?")
        return 1
    }
    let sandboxes = Sandboxes(reader: sandbox, program: ProgramSandbox())
    switch options.mode {
    case .help, .version: return 0
    case .checkSandbox: return SandboxCheck.run(sandbox: sandbox, limits: options.limits)
    case .files(let files): return FileCommand(sandboxes: sandboxes, options).run(files)
    case .service(let descriptor):
        let service = Service(sandboxes: sandboxes, limits: options.limits)
        let sockets = descriptor.map { [$0] } ?? Array(passed)
        guard !sockets.isEmpty else {
            complain("systemd passed no socket; enable daybook-analyze.socket, or use --fd")
            return 2
        }
        for socket in sockets where !service.serve(socket) {
            complain("descriptor \(socket) is no open socket")
            return 2
        }
        service.run()
        return 0
    }
}

exit(run())
