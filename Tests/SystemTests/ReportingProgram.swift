// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that reports by itself, in Python and without any library of ours: what any language can do.
enum ReportingProgram {
    static let app = "org.example.Quiz"

    /// `call(METHOD, …)` of `org.daybook.ClassKit`, and what it sends.
    private static let prelude = """
        import json, os, socket, sys, time
        class Daybook:
            def __init__(self, path):
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                self.rest = b""
            def call(self, method, interface="org.daybook.ClassKit", **parameters):
                self.socket.sendall(json.dumps({"method": interface + "." + method, "parameters": parameters}).encode() + b"\\0")
                while b"\\0" not in self.rest:
                    more = self.socket.recv(65536)
                    if not more:
                        raise EOFError("the daemon has gone")
                    self.rest += more
                reply, self.rest = self.rest.split(b"\\0", 1)
                reply = json.loads(reply)
                if "error" in reply:
                    raise RuntimeError(reply["error"].split(".")[-1] + ": " + json.dumps(reply.get("parameters")))
                return reply["parameters"]
        daybook = Daybook(sys.argv[1])
        call = daybook.call
        store = {"app": "org.example.Quiz"}
        dev = {"app": "org.example.Quiz", "environment": "development"}
        when = "2024-01-15T08:00:%02d.000000Z"
        def context(*path, created=0, **more):
            value = {"path": list(path), "type": "quiz", "title": "Quiz " + path[-1], "displayOrder": 0, "assignable": True,
                     "capabilities": [], "navigationChildren": [], "created": when % created, "modified": when % created}
            return {"context": value | more}
        def item(score, maximum):
            return {"identifier": "score", "title": "Score", "kind": "score", "score": score, "maxScore": maximum}
        def activity(subject, id="1", created=0, duration=60, running=False, ranges=(), primary=None, additional=()):
            value = {"id": id, "created": when % created, "modified": when % created, "running": running, "duration": duration,
                     "ranges": [{"from": a, "to": b} for a, b in ranges], "primary": primary, "additional": list(additional)}
            return {"activity": value, "subject": subject}
        def save(*changes, store=store, good=True):
            reply = call("Save", store=store, changes=list(changes))
            bad = [outcome for outcome in reply["outcomes"] if outcome.get("error")]
            assert not (good and bad), bad
            return reply
        quiz = {"context": ["chapter 1", "quiz"]}

        """

    static func words(_ script: String, in school: School, _ arguments: [String] = []) -> [String] {
        ["python3", "-c", prelude + script, school.folder + "/daybook.sock"] + arguments
    }
}

extension School {
    /// Runs a reporting program as a person; what it prints.
    func report(_ script: String, as person: Person, _ arguments: [String] = []) throws -> String {
        let outcome = try Child.run(command(ReportingProgram.words(script, in: self, arguments), as: person))
        guard outcome.status == 0 else { throw Failed(description: "\(outcome)") }
        return outcome.output
    }

    /// Entries of a kind, as objects.
    func entries(_ kind: String) throws -> [[String: Any]] {
        try journal().filter { $0.contains("\"kind\":\"\(kind)\"") }.map { line in
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                throw Failed(description: "no object: \(line)")
            }
            return object
        }
    }
}
