// SPDX-License-Identifier: Apache-2.0
import CSystemd
import DaybookLinux
import Glibc

/// Tells systemd how the service is (`sd_notify(3)`). Without systemd (no NOTIFY_SOCKET) nothing happens.
package enum Notify {
    /// The service answers its socket.
    package static func ready(status: String) { send("READY=1\n" + line("STATUS", status)) }

    /// The settings are being read anew; `ready` ends that.
    package static func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(Clocks.monotonicMicroseconds())") }

    package static func stopping(status: String) { send("STOPPING=1\n" + line("STATUS", status)) }

    /// One line for `systemctl status`; no names and no paths below a class, since everybody may read it.
    package static func status(_ text: String) { send(line("STATUS", text)) }

    /// A sign of life by hand; `EventLoop.startWatchdog` does it by itself.
    package static func alive() { send("WATCHDOG=1") }

    /// Asks for more time to start, reload or stop.
    package static func extendTimeout(by span: Duration) { send("EXTEND_TIMEOUT_USEC=\(span.wholeMicroseconds)") }

    private static func send(_ state: String) {
        // An answer below zero means that systemd cannot be reached, and then there is nobody to tell.
        _ = sd_notify(0, state)
    }

    /// A control character would begin another assignment, e.g. MAINPID.
    static func line(_ name: StaticString, _ text: String) -> String {
        "\(name)=" + String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
    }
}
