// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Recording switched by several at once", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct SwitchTests {
    @Test("answers each of them, also where the next one wanted the opposite")
    func opposite() async throws {
        let school = try School()
        try await school.start()
        // One after the other on connections of their own, faster than the disk confirms.
        let script = """
            import json, socket, sys
            clients = []
            for state in ["off", "on", "paused", "on", "off", "on"]:
                client = socket.socket(socket.AF_UNIX)
                client.settimeout(20)
                client.connect(sys.argv[1])
                call = {"method": "org.daybook.Reports.SetRecording", "parameters": {"state": state}}
                client.sendall(json.dumps(call).encode() + b"\\0")
                clients.append(client)
            for client in clients:
                reply = b""
                while not reply.endswith(b"\\0"):
                    reply += client.recv(65536)
                assert "error" not in json.loads(reply[:-1]), reply
            print("answered", len(clients))
            """
        let outcome = try Child.run(["python3", "-c", script, school.folder + "/daybook.sock"])
        #expect(outcome.status == 0 && outcome.output == "answered 6\n", "\(outcome)")
    }
}
