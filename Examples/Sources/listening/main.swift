// SPDX-License-Identifier: Apache-2.0
import ClassKit

// A listening exercise: listening FILE.wav. Then line by line: play FROM TO (in per cent), or quit.

guard CommandLine.arguments.count == 2, let recording = Recording(url: URL(fileURLWithPath: CommandLine.arguments[1])) else {
    print("usage: listening FILE.wav")
    exit(2)
}

await listen(to: recording)
