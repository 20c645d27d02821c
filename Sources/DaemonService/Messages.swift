// SPDX-License-Identifier: Apache-2.0
import EventLoop

/// The kinds of messages that an administrator may look for in the systemd journal; `systemd/catalog/daybook.catalog` explains each.
enum Messages {
    static let serves = MessageID("1674a7fcb2cd4317852746d6c7e782b0")
    static let stopping = MessageID("85abaed1ae5d485c96146628d42f7f79")
    static let settingsApplied = MessageID("021a97d1772248cf8ec9533754f9a573")
    static let settingsRefused = MessageID("a6c95f79eab94b408779faadf7cb37c7")
    static let gap = MessageID("a3418bc8fc7b4be1975de0ab66c599a0")
    static let watching = MessageID("5e3e58c8cd934d6a9f29fc746c875ab4")
    static let storeFailing = MessageID("68eae68a8b6a45afa8bd9941f6203847")
    static let repaired = MessageID("89b0bf6845d942c6b96d8520c95b30d1")
    static let notSigned = MessageID("3c1bd0a5d0e94a54bb4df41bb1c2fd7e")
    static let cutOff = MessageID("8f2f5a5f6c3b4d0cb2a4b0f0a9f8a771")
    static let sight = MessageID("da12d4623873478585be3d989ce814ba")
    static let recording = MessageID("60660c348b0b43f890f5db0fffb758b3")
    static let forgotten = MessageID("da322327eb224d8b866876fe773e0faf")
    static let retention = MessageID("20a0e99f8aaa45c1baa13681b7ab9449")
    static let erasing = MessageID("30a19e9fd37b44b5a03426d7081fccc2")
    static let slowFollower = MessageID("4322e71fa524407cb57013d3f1dec664")
    static let pages = MessageID("5d8c6a1f0b3e4c7fa2d96e4b7c1805d3")
    static let metrics = MessageID("6c1d90f4c1f34a3c8a1c5d2fb6a7e0d4")
    static let notTrusted = MessageID("b7c2e91f5d0a4f6c8e13a4d97b20c6f5")
    static let analyzerFailing = MessageID("425b4826b20647ad80d053baab05b60d")
}
