// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import FolderWatcher
import Glibc
import Inference
import Testing

extension WatcherTests {
    @Suite("Reads of our own")
    struct OwnReadTests {
        private func copy(_ rig: Rig, _ name: String, meanwhile: () -> Void = {}) {
            guard let token = rig.watcher.beginOwnRead(share: 0, path: PathBytes(name)) else {
                Issue.record("no place for a read")
                return
            }
            let file = open(rig.path(name), O_RDONLY)
            meanwhile()
            close(file)
            rig.watcher.endOwnRead(token)
        }

        @Test("are not reported, and leave other people's reads before and after")
        func dropped() throws {
            let rig = try Rig(prepare: {
                mkdir($0 + "/share/d", 0o755)
                Rig.write($0 + "/share/d/essay")
                Rig.write($0 + "/share/d/other")
            })
            rig.forget()
            rig.read("d/essay")
            copy(rig, "d/essay")
            rig.read("d/other")
            rig.read("d/essay")
            rig.settle()
            #expect(
                rig.lines == ["opened d/essay", "closed d/essay", "opened d/other", "closed d/other", "opened d/essay", "closed d/essay"])
        }

        @Test("hide nothing that a person does to the document meanwhile")
        func person() throws {
            let rig = try Rig(prepare: { Rig.write($0 + "/share/essay") })
            rig.forget()
            copy(rig, "essay") {
                rig.write("essay", "typed by a person")
                rig.read("essay")
                rig.rename("essay", "renamed")
            }
            rig.settle()
            // The kernel joined our open with the person's, which followed at once; of the two closes one is ours, whichever that was.
            #expect(rig.lines == ["modified essay", "closed+ essay", "opened essay", "renamed essay > renamed", "closed renamed"])
        }

        @Test("come one after the other, hundreds of them, without one left over")
        func many() throws {
            let rig = try Rig(prepare: { Rig.write($0 + "/share/essay") })
            rig.forget()
            var done = 0
            while done < 300 {
                guard let token = rig.watcher.beginOwnRead(share: 0, path: PathBytes("essay")) else {
                    // All places are taken until the watcher has read on.
                    rig.settle()
                    continue
                }
                rig.read("essay")
                rig.watcher.endOwnRead(token)
                done += 1
            }
            rig.settle()
            #expect(rig.lines == [])
            rig.read("essay")
            rig.settle()
            #expect(rig.lines == ["opened essay", "closed essay"])
        }

        @Test("are refused beyond the limit, and possible again once the watcher has read on")
        func limit() throws {
            let rig = try Rig(adjust: { $0.batchDelay = .seconds(1) })
            var tokens = 0
            for _ in 0..<16 {
                guard let token = rig.watcher.beginOwnRead(share: 0, path: PathBytes("x")) else { continue }
                tokens += 1
                rig.watcher.endOwnRead(token)
            }
            #expect(tokens == 16)
            if rig.watcher.beginOwnRead(share: 0, path: PathBytes("x")) != nil { Issue.record("one more than the limit") }
            rig.wait("a free place", every: 5) { rig in
                guard let token = rig.watcher.beginOwnRead(share: 0, path: PathBytes("x")) else { return false }
                rig.watcher.endOwnRead(token)
                return true
            }
        }
    }
}
