// SPDX-License-Identifier: Apache-2.0
import ActivityModel

// Numbers for words, in memory and in snapshots. A changed number is another version of the snapshot (`Ledger.snapshotVersion`).

protocol Coded: Equatable {
    /// All cases, in the order of their codes.
    static var coded: [Self] { get }
    var code: UInt8 { get }
}

extension Coded {
    init?(code: UInt8) {
        guard code < Self.coded.count else { return nil }
        self = Self.coded[Int(code)]
    }
}

extension Evidence.Kind: Coded {
    static let coded: [Self] = [.opened, .closed, .saved, .typed, .read, .lockAppeared, .lockVanished, .lockChanged, .broughtIn]

    var code: UInt8 {
        switch self {
        case .opened: 0
        case .closed: 1
        case .saved: 2
        case .typed: 3
        case .read: 4
        case .lockAppeared: 5
        case .lockVanished: 6
        case .lockChanged: 7
        case .broughtIn: 8
        }
    }
}

extension Presence: Coded {
    static let coded: [Self] = [.held, .companion, .process, .points]

    var code: UInt8 {
        switch self {
        case .held: 0
        case .companion: 1
        case .process: 2
        case .points: 3
        }
    }
}

extension IdentitySource: Coded {
    static let coded: [Self] = [.event, .holder, .companion, .save, .assumed, .unknown]

    var code: UInt8 {
        switch self {
        case .event: 0
        case .holder: 1
        case .companion: 2
        case .save: 3
        case .assumed: 4
        case .unknown: 5
        }
    }
}

extension SessionEnding: Coded {
    static let coded: [Self] = [.closed, .companion, .idle, .censored, .process]

    var code: UInt8 {
        switch self {
        case .closed: 0
        case .companion: 1
        case .idle: 2
        case .censored: 3
        case .process: 4
        }
    }
}

extension Confidence: Coded {
    static let coded: [Self] = [.none, .thin, .fair, .good]

    var code: UInt8 {
        switch self {
        case .none: 0
        case .thin: 1
        case .fair: 2
        case .good: 3
        }
    }
}

extension Item.Method: Coded {
    static let coded: [Self] = [.counted, .declared, .estimated]

    var code: UInt8 {
        switch self {
        case .counted: 0
        case .declared: 1
        case .estimated: 2
        }
    }
}

extension Item.BinaryType: Coded {
    static let coded: [Self] = [.trueFalse, .passFail, .yesNo, .correctIncorrect]

    var code: UInt8 {
        switch self {
        case .trueFalse: 0
        case .passFail: 1
        case .yesNo: 2
        case .correctIncorrect: 3
        }
    }
}
