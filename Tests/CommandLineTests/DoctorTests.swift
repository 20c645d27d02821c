// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import daybook

@Suite("The doctor")
struct DoctorTests {
    @Test("finds the mount of a path, and those below it")
    func mounts() {
        let table = MountTable(
            parsing: Array(
                """
                21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
                30 21 8:2 / /srv rw - xfs /dev/sdb1 rw
                31 30 0:50 / /srv/classes rw,nosuid master:2 propagate_from:1 - nfs4 server:/classes rw,vers=4.2
                32 31 0:51 / /srv/classes/7b\\040media ro - tmpfs none rw
                33 21 0:52 / /srvother rw - overlay overlay rw
                broken line
                34 21 0:53 / /half rw -
                """.utf8))
        #expect(table.mounts.map(\.type) == ["ext4", "xfs", "nfs4", "tmpfs", "overlay"])
        #expect(table.mount(of: "/home/x")?.type == "ext4")
        #expect(table.mount(of: "/srv")?.type == "xfs")
        #expect(table.mount(of: "/srvother/x")?.type == "overlay")
        #expect(table.mount(of: "/srv/classes/7a/essay")?.source == "server:/classes")
        #expect(table.mount(of: "/srv/classes/7b media/x")?.type == "tmpfs")
        #expect(table.mounts(below: "/srv/classes").map { String(decoding: $0.point, as: UTF8.self) } == ["/srv/classes/7b media"])
        #expect(table.mounts(below: "/srv/classes/7b media").isEmpty)
    }

    @Test(
        "knows what the kind of a file system means",
        arguments: [("ext4", FileSystemFitness.good), ("nfs4", .remote), ("overlay", .layered), ("tmpfs", .volatile)])
    func fitness(type: String, fitness: FileSystemFitness) {
        #expect(FileSystemFitness(type: type) == fitness)
    }

    @Test("says how long the disk lasts, once the journal is a week old")
    func forecast() throws {
        #expect(RoomForecast(bytes: 1_000_000, days: 6.9, free: 1 << 40) == nil)
        #expect(RoomForecast(bytes: 0, days: 100, free: 1 << 40) == nil)
        // 700 MB in 7 days are 100 MB a day.
        let forecast = try #require(RoomForecast(bytes: 700_000_000, days: 7, free: 2_950_000_000))
        #expect(forecast.bytesPerDay == 100_000_000)
        #expect(forecast.days == 29)
        #expect(forecast.days < RoomForecast.soon)
    }
}
