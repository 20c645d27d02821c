// SPDX-License-Identifier: Apache-2.0
import FolderWatcher
import Testing

@Suite("The length of the kernel's queue")
struct QueueLengthTests {
    @Test(
        "decides how soon it is read and how many folders are listed in one go, and changes nothing where it is the usual one",
        arguments: [
            (nil, Duration.milliseconds(10), 256), (16_384, .milliseconds(10), 256), (131_072, .milliseconds(10), 256),
            (1024, .microseconds(1280), 85), (64, .microseconds(80), 5), (1, .microseconds(1), 1), (0, .zero, 1), (-1, .zero, 1),
            (Int.max, .milliseconds(10), 256),
        ] as [(Int?, Duration, Int)])
    func limits(length: Int?, wait: Duration, slice: Int) {
        var options = WatcherOptions(privateFolder: "/nowhere") { _ in false }
        options.queueLength = length
        #expect(min(options.batchDelay, options.longestWait) == wait)
        #expect(options.slice == slice)
    }
}
