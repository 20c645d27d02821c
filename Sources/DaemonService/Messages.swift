// SPDX-License-Identifier: Apache-2.0
import EventLoop

/// The kinds of messages that an administrator may look for in the systemd journal; `systemd/daybook.catalog` explains each.
enum Messages {
    static let started = MessageID("00000000000000000000000000000000")
}
