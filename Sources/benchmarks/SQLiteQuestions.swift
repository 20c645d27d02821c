// SPDX-License-Identifier: Apache-2.0

/// The same facts in SQLite by Python's module, indexed for the same questions. Both answer with less than Daybook does: sums of pauses up to
/// five minutes instead of time on task with bounds.
enum SQLiteQuestions {
    static let script = """
        csv, os, sqlite3, sys, time = map(__import__, ("csv", "os", "sqlite3", "sys", "time"))
        folder, what = sys.argv[1], sys.argv[2]
        path = folder + "/facts.sqlite"

        def rows(name):
            with open(f"{folder}/{name}.csv", newline="") as file:
                yield from csv.reader(file)

        if what == "make":
            began = time.monotonic()
            base = sqlite3.connect(path)
            base.executescript('''
                pragma journal_mode = off; pragma synchronous = off;
                create table session (id integer primary key, person text, assignment text, document text, opened integer);
                create table evidence (session integer, kind text, first integer, last integer, count integer, continuous integer);
                create table metrics (document text, person text, assignment text, saved integer, words real, v2 real, v3 real, v4 real,
                    v5 real, v6 real, v7 real, v8 real, v9 real, v10 real, v11 real, v12 real, v13 real, v14 real);''')
            base.executemany("insert into session values (?,?,?,?,?)", rows("session"))
            base.executemany("insert into evidence values (?,?,?,?,?,?)", rows("evidence"))
            base.executemany("insert into metrics values (" + ",".join("?" * 18) + ")", rows("metrics"))
            base.executescript('''
                create index session_person on session (person); create index session_assignment on session (assignment, person);
                create index evidence_session on evidence (session, first, last); create index metrics_work on metrics (assignment, person, saved);
                analyze;''')
            base.commit()
            print("make", time.monotonic() - began)
            print("make-cpu", time.process_time())
            print("bytes", os.path.getsize(path))
        else:
            began = time.monotonic()
            base = sqlite3.connect(path)
            base.execute("select max(id) from session").fetchall()
            print("start", time.monotonic() - began)
            work = '''with sign as (select s.id, s.person, e.first, e.last, e.kind,
                    e.first - lag(e.last) over (partition by s.id order by e.first) as pause
                    from session s join evidence e on e.session = s.id where s.{} = ?)
                select {}, count(*), sum(last - first) + sum(case when pause between 0 and 300000000 then pause else 0 end),
                    sum(kind = 'saved'), max(last) from sign group by {}'''
            report = work.format("assignment", "person", "person")
            sessions = work.format("person", "id", "id")
            last = '''select person, words from (select person, words, row_number() over (partition by person order by saved desc) as n
                from metrics where assignment = ?) where n = 1'''

            def median(name, ask):
                times = []
                for turn in range(25):
                    began = time.process_time()
                    count = ask(turn)
                    times.append((time.process_time() - began) * 1000)
                    assert count > 0
                print(name, sorted(times)[12])
                print(name + "-most", max(times))

            assignments = [row[0] for row in base.execute("select distinct assignment from session")]
            def ask_report(turn):
                wanted = (assignments[turn * 7919 % len(assignments)],)
                return len(base.execute(report, wanted).fetchall()) if len(base.execute(last, wanted).fetchall()) >= 0 else 0
            median("report", ask_report)
            median("sessions", lambda turn: len(base.execute(sessions, (f"student{1000 + turn * 37 % 1000}",)).fetchall()))
            with open("/proc/self/status") as status:
                for line in status:
                    if line.startswith("VmRSS:"):
                        print("resident", int(line.split()[1]) * 1024 / 1e6)
        """

    /// jq reads all of the journal for each question: sessions of one student with the number of their signs.
    static let jq = """
        reduce inputs as $e ({}; if $e.kind == "activity.started" and $e.person.login == "student1037"
        then .["\\($e.activity)"] = {opened: $e.openedAt, signs: 0}
        elif $e.kind == "evidence" and has("\\($e.activity)") then .["\\($e.activity)"].signs += 1 else . end) | length
        """
}
