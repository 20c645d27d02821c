// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import DaybookVarlink
import EventLoop
import Glibc
import JournalStore
import Settings

/// What belongs to the metrics file.
struct MetricsState {
    var counts = MetricsCounts()
    var writer: MetricsWriter?
    var timer: TimerSource?
    var trouble: String?
}

extension Daemon {
    /// At the start and with each new configuration; without a file there is no timer and no thread.
    func configureMetrics() {
        guard settings.metrics.file != nil else {
            metrics.timer?.disarm()
            metrics.writer?.stop()
            metrics.writer = nil
            return
        }
        if metrics.writer == nil {
            do throws(SystemCallError) { metrics.writer = try MetricsWriter() } catch {
                return log.error("no metrics are written", ["reason": .plain(error.description)], id: Messages.metrics)
            }
        }
        metricsDue()
    }

    func metricsDue() {
        guard let path = settings.metrics.file, let writer = metrics.writer else { return }
        writer.write(metricsText, to: path)
        if writer.trouble != metrics.trouble {
            metrics.trouble = writer.trouble
            if let trouble = metrics.trouble {
                log.error("metrics cannot be written", ["reason": .plain(trouble)], id: Messages.metrics)
            } else {
                log.notice("metrics can be written again", id: Messages.metrics)
            }
        }
        metrics.timer?.arm(at: (HostClock.boot() + settings.metrics.interval).microseconds, accuracy: .seconds(1))
    }

    private var metricsText: String {
        MetricsText(
            wholeStatus, metrics.counts, startSeconds: Double(startedAt.microseconds) / 1_000_000, residentBytes: Self.residentBytes
        ).text
    }

    static var residentBytes: Int64? {
        // Pages in all, then those in memory.
        let fields = (try? SmallFile.readLine("/proc/self/statm"))?.split(separator: " ")  // absent where /proc is hidden
        return fields.flatMap { $0.count > 1 ? Int64($0[1]) : nil }.map { $0 * Int64(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// Counts what has become durable.
    func count(_ durable: DurableEntry) {
        let entry = durable.entry
        if entry.boot == boot {
            metrics.counts.committed(after: Double(HostClock.boot().microseconds - entry.mono.microseconds) / 1_000_000)
        }
        switch entry.body {
        case .gap(let facts):
            metrics.counts.gaps[facts.cause.rawValue, default: 0] += 1
            metrics.counts.lostEvents += UInt64(clamping: facts.lost ?? 0)
        case .metrics(let facts):
            if facts.error == nil { metrics.counts.measured += 1 } else { metrics.counts.unmeasured += 1 }
        default: break
        }
    }
}
