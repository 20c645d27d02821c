// SPDX-License-Identifier: Apache-2.0
import FolderWatcher
import Glibc
import Inference
import Testing

/// A share that a FUSE program serves from another folder: what is done in that folder, this kernel never hears of, as with a file server.
@Suite(
    "A share on a network file system",
    .enabled(if: geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0, "needs root and FUSE"),
    .enabled(if: access("/usr/bin/bindfs", X_OK) == 0, "needs bindfs (make packages)"))
struct NetworkTests {
    @Test("is looked at again and again, and tells once what others did, and not twice what was done here")
    func polled() throws {
        let rig = try Rig(
            isStarted: false,
            prepare: { base in
                #expect(
                    Rig.run(
                        "mkdir '\(base)/server' '\(base)/server/d' && echo old > '\(base)/server/old' && sleep 0.3"
                            + " && bindfs -o attr_timeout=0,entry_timeout=0 '\(base)/server' '\(base)/share'"))
            }, adjust: { $0.pollInterval = .milliseconds(200) })
        defer { Rig.run("umount -l '\(rig.root)'") }
        let server = rig.base + "/server"
        try rig.start()
        #expect(rig.states.last?.reason?.contains("network file system (fuse)") == true)
        rig.settle()
        rig.forget()
        Rig.write(server + "/d/new")
        #expect(Rig.run("mkdir '\(server)/e' && echo 1 > '\(server)/e/f'"))
        rig.wait("what others did") { $0.lines.contains("found d/new") && $0.lines.contains("found e/f") }
        #expect(!rig.lines.contains("found old"))
        rig.forget()
        rig.write("here")
        // Two looks later, at the latest, the first of them is over.
        Rig.write(server + "/d/second")
        rig.wait("the second") { $0.lines.contains("found d/second") }
        Rig.write(server + "/d/third")
        rig.wait("the third") { $0.lines.contains("found d/third") }
        #expect(rig.lines.filter { $0.hasPrefix("found") } == ["found d/second", "found d/third"], "each once")
        #expect(rig.lines.contains("closed+ here"))
        #expect(Rig.run("rm -r '\(server)/e'"))
        rig.wait("the folder's end") { $0.lines.contains("missing e/") }
    }
}
