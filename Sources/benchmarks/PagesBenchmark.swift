// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import Glibc
import Ledger
import PageFiles
import Reports

/// The published page of a class of 30 over a term, and one student's: what the loop works out, what the thread of pages makes and writes.
struct PagesBenchmark {
    let options: BenchmarkOptions
    let folder: String

    func run() throws {
        let term = TermClass()
        let place = folder + "/pages"
        guard mkdir(place, 0o755) == 0 else { throw BenchmarkFailure.errno("cannot make \(place)") }
        let pages = try PageFolder(place, outside: [])
        let readers = Readers(users: [61_000, 61_001])
        var times = Comparison(
            "pages: a class of 30 over a term of 14 weeks", unit: "ms of processor time",
            ["class: values", "class: page and table", "class: files", "student: values", "student: page"])
        var sizes = (0, 0)
        var own: Int32 = 0
        guard bench_process_clock(getpid(), &own) == 0 else { throw BenchmarkFailure("there is no clock of this process") }
        for _ in 0..<options.repetitions {
            var clock = bench_read_clock(own)
            func lap(_ column: Int) {
                let now = bench_read_clock(own)
                times.add(Double(now - clock) / 1e6, to: column)
                clock = now
            }
            guard let page = ClassPage(of: term.id, in: term.ledger, now: term.now, clock: .utc) else {
                throw BenchmarkFailure("there is no such page")
            }
            lap(0)
            let html = Array(page.html(clock: .utc).utf8)
            let csv = Array(page.csv(clock: .utc).utf8)
            lap(1)
            try pages.write(
                [("index.html", html), ("index.csv", csv)], at: [PageStep("10a", readers), PageStep("year-paper", readers)])
            lap(2)
            guard let student = StudentPage(of: term.people[1], in: term.ledger, now: term.now, clock: .utc) else {
                throw BenchmarkFailure("there is no such student")
            }
            lap(3)
            let own = student.html(clock: .utc)
            lap(4)
            sizes = (html.count, own.utf8.count)
        }
        show(times.text)
        show("the class's page has \(sizes.0) bytes, the student's \(sizes.1)\n")
    }

    /// The class's page and one student's, as files that a browser opens.
    func write() throws {
        let term = TermClass()
        guard let page = ClassPage(of: term.id, in: term.ledger, now: term.now, clock: .utc),
            let student = StudentPage(of: term.people[1], in: term.ledger, now: term.now, clock: .utc)
        else { throw BenchmarkFailure("there is no such page") }
        for (name, text) in [
            ("class.html", page.html(clock: .utc)), ("index.csv", page.csv(clock: .utc)), ("student.html", student.html(clock: .utc)),
        ] {
            let path = "\(folder)/\(name)"
            guard let file = fopen(path, "w") else { throw BenchmarkFailure.errno("cannot write \(path)") }
            fputs(text, file)
            guard fclose(file) == 0 else { throw BenchmarkFailure.errno("cannot write \(path)") }
        }
    }
}
