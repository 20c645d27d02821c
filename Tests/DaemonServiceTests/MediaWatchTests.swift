// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Testing

@testable import DaemonService

@Suite("Audio and video that is open")
struct MediaWatchTests {
    private let id = ActivityID(7)

    private func look(_ name: String = "8b/Hymn/hymn.MP3") -> MediaLook {
        MediaLook(session: id, share: 0, path: PathBytes(name), pid: nil, uid: 2001)
    }

    private func at(_ seconds: Int64) -> BootTime { BootTime(microseconds: seconds * 1_000_000) }

    private func position(_ bytes: Int64) -> MediaPosition { MediaPosition(pid: 42, delivery: Delivery(position: bytes, size: 1000)) }

    private func percent(_ event: SessionEvent?) -> Int? {
        guard case .delivered(_, let delivery, _) = event else { return nil }
        return delivery.percent
    }

    @Test("is written where it got further, every 30 seconds at most, and at the end")
    func writing() {
        var watch = MediaWatch()
        #expect(watch.begin(look()))
        #expect(watch.take(id, MediaPosition(pid: 42, delivery: nil), at: at(0)) == nil, "nothing was read yet")
        #expect(percent(watch.take(id, position(100), at: at(5))) == 10)
        for second in stride(from: Int64(10), to: 35, by: 5) {
            #expect(watch.take(id, position(100 + second), at: at(second)) == nil, "too soon")
        }
        #expect(percent(watch.take(id, position(140), at: at(35))) == 14)
        #expect(watch.take(id, position(50), at: at(70)) == nil, "a passage again")
        #expect(watch.take(id, position(200), at: at(75)) != nil)
        #expect(watch.take(id, position(999), at: at(80)) == nil)
        #expect(percent(watch.end(id, at: at(82))) == 99, "never a hundred before the last byte")
        #expect(watch.isIdle)
        #expect(watch.take(id, position(1000), at: at(85)) == nil, "an answer that comes too late")
    }

    @Test("is looked at by the process that was found, one look at a time, and only where it is recorded")
    func looking() {
        var watch = MediaWatch()
        #expect(watch.begin(look()))
        #expect(watch.due { _ in false }.isEmpty)
        #expect(watch.due { _ in true }.map(\.pid) == [nil])
        #expect(watch.due { _ in true }.isEmpty, "it has not answered")
        _ = watch.take(id, position(1), at: at(1))
        #expect(watch.due { _ in true }.map(\.pid) == [42])
        watch.notAsked(id)
        watch.change(id) { $0.path = PathBytes("8b/Hymn/other.mp3") }
        #expect(watch.due { _ in true }.map(\.path.text) == ["8b/Hymn/other.mp3"])
    }

    @Test("is not looked at again where no program here holds it, and nothing but audio and video ever is")
    func idle() {
        var watch = MediaWatch()
        #expect(!watch.begin(look("8b/Hamlet/essay.odt")) && !watch.begin(look("8b/mp3")) && !watch.begin(look("8b/.mp3")))
        #expect(watch.isIdle)
        #expect(watch.begin(look()))
        #expect(watch.take(id, nil, at: at(1)) == nil)
        #expect(watch.isIdle)
    }
}
