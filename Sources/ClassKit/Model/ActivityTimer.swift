// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Foundation

/// Counts the time between start and stop. On a clock that stands still while the machine sleeps, as nobody works then.
struct ActivityTimer: Equatable {
    /// Of all stretches that have ended.
    private(set) var banked: Int64
    private(set) var startedAt: Int64?

    init(seconds: Double = 0) {
        // What somebody else counted: a figure of more than centuries is none.
        banked = seconds.isFinite ? Int64((min(max(seconds, 0), 1e10) * 1e6).rounded()) : 0
    }

    var isRunning: Bool { startedAt != nil }

    func seconds(at now: Int64 = Clocks.monotonicMicroseconds()) -> Double {
        Double(banked + (startedAt.map { max(0, now - $0) } ?? 0)) / 1e6
    }

    /// Takes away what was no work, of the stretch that runs.
    mutating func leaveOut(_ microseconds: Int64, at now: Int64) {
        startedAt = startedAt.map { min(now, $0 + microseconds) }
    }

    /// False where it runs already.
    mutating func start(at now: Int64 = Clocks.monotonicMicroseconds()) -> Bool {
        guard startedAt == nil else { return false }
        startedAt = now
        return true
    }

    /// False where it does not run.
    mutating func stop(at now: Int64 = Clocks.monotonicMicroseconds()) -> Bool {
        guard let start = startedAt else { return false }
        banked += max(0, now - start)
        startedAt = nil
        return true
    }
}
