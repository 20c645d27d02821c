// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Ledger

/// The server's own clocks.
enum HostClock {
    static func boot() -> BootTime { BootTime(microseconds: Clocks.bootMicroseconds()) }

    static func wall() -> WallTime { WallTime(microseconds: Clocks.wallMicroseconds()) }

    /// The server's time zone, by the C library.
    static let local = LocalClock { instant in
        var seconds = time_t(instant.microseconds >= 0 ? instant.microseconds / 1_000_000 : (instant.microseconds - 999_999) / 1_000_000)
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil,
            let date = CivilDate(year: Int64(fields.tm_year) + 1900, month: Int64(fields.tm_mon) + 1, day: Int64(fields.tm_mday))
        else { return LocalClock.utc.civil(instant) }  // beyond the year 9999
        return CivilTime(date: date, hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: min(59, Int(fields.tm_sec)))
    }
}
