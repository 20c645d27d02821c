// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What of the machine this process can see. Evidence of a kind that cannot be seen is off, and `status` and `doctor` name it.
package struct Sight: Equatable, Sendable {
    package enum Result: Equatable, Sendable {
        case seen
        /// In words for an administrator, with what to do.
        case hidden(String)

        package var isSeen: Bool { self == .seen }
    }

    /// `/proc/PID/status` of somebody else's process: who is behind an event or a held file.
    package var processStatus: Result
    /// The links in `/proc/PID/fd` of somebody else's process: who holds a file open.
    package var openFiles: Result
    /// The owner of somebody else's file: who saved or locked a document.
    package var owners: Result
    /// Which run of the machine this is: without it no duration can be trusted over a restart.
    package var bootID: Result

    package init(processStatus: Result, openFiles: Result, owners: Result, bootID: Result) {
        self.processStatus = processStatus
        self.openFiles = openFiles
        self.owners = owners
        self.bootID = bootID
    }

    /// Looks at `/proc` and at the owners of `shares` and what is directly in them.
    package static func test(shares: [String], procfs: String = "/proc") -> Sight {
        let table = ProcTable(procfs: procfs)
        let processes = foreignProcesses(table, procfs)
        return Sight(
            processStatus: testStatus(processes, table, procfs), openFiles: testOpenFiles(processes, table, procfs),
            owners: testOwners(shares, procfs), bootID: testBootID(procfs))
    }

    // MARK: Each

    /// Tried, since any of them may end while it is looked at.
    private static let processesTried = 8

    /// Other users' processes that run a program, and the first one, which is root's and never ends. To root nobody's are foreign.
    private static func foreignProcesses(_ table: ProcTable, _ procfs: String) -> [Int32] {
        let me = geteuid()
        var found: [Int32] = []
        for pid in ((try? table.names(of: procfs, in: AT_FDCWD)) ?? []).compactMap(ProcTable.number) where found.count < processesTried {
            // Kernel threads have an empty command line and no files.
            if let status = try? table.status(of: pid), status.effectiveUID != me,
                (try? SmallFile.read("\(procfs)/\(pid)/cmdline", limit: 4_194_304))?.isEmpty == false
            {
                found.append(pid)
            }
        }
        return found + [1]
    }

    private static func testStatus(_ processes: [Int32], _ table: ProcTable, _ procfs: String) -> Result {
        var why = "other users' processes are not visible in \(procfs)"
        for pid in processes {
            do throws(SystemCallError) {
                if try table.status(of: pid) != nil { return .seen }
            } catch {
                why = error.description
            }
        }
        return .hidden("\(why); who saves cannot be told from processes (\(processAdvice))")
    }

    private static func testOpenFiles(_ processes: [Int32], _ table: ProcTable, _ procfs: String) -> Result {
        var why = "other users' processes are not visible in \(procfs)"
        for pid in processes {
            do throws(SystemCallError) {
                // A process without open files shows an empty folder; one that hides them shows none.
                guard let first = try table.names(of: "\(procfs)/\(pid)/fd", in: AT_FDCWD).first else { return .seen }
                var byte: CChar = 0
                let code = readlink("\(procfs)/\(pid)/fd/\(first)", &byte, 1) == -1 ? errno : 0
                // ENOENT: it closed that file meanwhile; the folder was readable.
                if code == 0 || code == ENOENT { return .seen }
                why = "readlink \(procfs)/PID/fd: \(errnoText(code))"
            } catch {
                why = error.description
            }
        }
        // With nobody's process but the first one's to try, which some machines guard above all: the privilege itself tells.
        if processes == [1], let first = try? table.status(of: 1), first.pid == 1, let own = try? Capabilities.current(),
            own.effective.contains(.inspectProcesses)
        {
            return .seen
        }
        return .hidden("\(why); who holds a document open cannot be told (\(openFilesAdvice))")
    }

    private static func testOwners(_ shares: [String], _ procfs: String) -> Result {
        // A user namespace that maps only a few uids shows everybody else as 65534.
        if let map = try? SmallFile.read(procfs + "/self/uid_map"), let mapped = mappedUIDs(map), mapped < 65_536 {
            return .hidden(
                "only \(mapped) user ids are visible in this user namespace; whose a document is cannot be told (\(ownersAdvice))")
        }
        let me = geteuid()
        var strangers = 0
        for share in shares {
            let names = ((try? ProcTable().names(of: share, in: AT_FDCWD)) ?? []).prefix(1000).map { share + "/" + $0 }
            for path in [share] + names {
                var there = stat()
                guard lstat(path, &there) == 0, there.st_uid != me, there.st_uid != 0 else { continue }
                if there.st_uid != overflowUID { return .seen }
                strangers += 1
            }
        }
        if strangers == 0 { return .seen }
        return .hidden(
            "everything in the shares seems to belong to uid \(overflowUID); whose a document is cannot be told (\(ownersAdvice))")
    }

    private static func testBootID(_ procfs: String) -> Result {
        do throws(SystemCallError) {
            _ = try BootIdentity.current(procfs: procfs)
            return .seen
        } catch {
            return .hidden("\(error); times cannot be joined over a restart (ProcSubset=pid must not be set in the service unit)")
        }
    }

    /// What the kernel shows for a uid that has no place in the namespace.
    package static let overflowUID: UInt32 = 65_534

    /// How many uids a `uid_map` maps; nil where it is malformed.
    static func mappedUIDs(_ map: [UInt8]) -> UInt64? {
        var sum: UInt64 = 0
        for line in String(decoding: map, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let count = UInt32(words[2]) else { return nil }
            sum += UInt64(count)
        }
        return sum
    }

    private static let processAdvice = "the service unit must not hide processes: CAP_SYS_PTRACE with ProtectProc=invisible"
    private static let openFilesAdvice = "the service unit needs CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH"
    private static let ownersAdvice = "PrivateUsers= must not be set in the service unit"
}
