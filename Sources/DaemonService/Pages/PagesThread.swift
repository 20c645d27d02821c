// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Ledger
import PageFiles
import Reports

/// What the loop wants done with pages. The values are whole: nothing is looked up while a page is made.
enum PagesRequest: Sendable {
    enum Content: Sendable {
        case assignment(ClassPage)
        case person(StudentPage)
    }

    /// Another folder than the one before, whose pages go. Nil: none.
    case open(path: String?, outside: [String])
    /// All pages but those at these places go.
    case sweep(Set<[String]>)
    /// `old` is where it was, if that is elsewhere. What cannot be written goes where `isDue` is true: the old one must not stay.
    case write(PageKey, Content, steps: [PageStep], old: [String]?, isDue: Bool)
    case remove(PageKey, [String])
}

enum PagesAnswer: Sendable {
    case opened(PageTrouble?)
    case swept(PageTrouble?)
    /// How long making it took, and its bytes.
    case written(PageKey, PageTrouble?, took: Duration, size: Int)
    case removed(PageKey, PageTrouble?)
}

/// Makes pages and writes them, on a thread of its own: neither the words nor the disk keep the loop waiting.
final class PagesThread: Sendable {
    let requests: HandOver<PagesRequest>
    private let answers: HandOver<PagesAnswer>
    private let thread = OneTime<WorkerThread>()

    init(clock: LocalClock, answers: HandOver<PagesAnswer>) throws(SystemCallError) {
        self.answers = answers
        requests = HandOver(capacity: 65_536, wake: nil)
        let requests = requests
        thread.set(
            try WorkerThread(name: "pages") {
                var press = PagePress(clock: clock)
                while let batch = requests.takeWaiting() {
                    for request in batch where !answers.hasClosed { _ = answers.putWaiting(press.handle(request)) }
                }
            })
    }

    /// Ends after the page that is being written. What waits is dropped: the next start makes all pages anew.
    func stop() {
        answers.close()
        _ = requests.takeAll()
        requests.close()
        thread.take()?.join()
    }
}

/// The thread's own state.
struct PagePress {
    let clock: LocalClock
    private var folder: PageFolder?
    private var path: String?

    init(clock: LocalClock) { self.clock = clock }

    mutating func handle(_ request: PagesRequest) -> PagesAnswer {
        switch request {
        case .open(let path, let outside): return .opened(open(path, outside))
        case .sweep(let places): return .swept(attempt { folder throws(PageTrouble) in try folder.sweep(keeping: places) })
        case .remove(let key, let place): return .removed(key, attempt { folder throws(PageTrouble) in try folder.remove(place) })
        case .write(let key, let content, let steps, let old, let isDue):
            let began = Clocks.bootMicroseconds()
            let files = make(content)
            let trouble = attempt { folder throws(PageTrouble) in
                if let old { try folder.remove(old) }
                do throws(PageTrouble) {
                    try folder.write(files, at: steps)
                } catch {
                    if isDue { try folder.remove(steps.map(\.name)) }
                    throw error
                }
            }
            return .written(
                key, trouble, took: .microseconds(Clocks.bootMicroseconds() - began), size: files.reduce(0) { $0 + $1.bytes.count })
        }
    }

    private mutating func open(_ path: String?, _ outside: [String]) -> PageTrouble? {
        if let folder, self.path != path {
            // They would stay there, out of date, for everybody who could read them.
            do { try folder.sweep(keeping: []) } catch { return error }
        }
        folder = nil
        self.path = path
        guard let path else { return nil }
        do throws(PageTrouble) {
            folder = try PageFolder(path, outside: outside)
            return nil
        } catch {
            return error
        }
    }

    private func attempt(_ body: (PageFolder) throws(PageTrouble) -> Void) -> PageTrouble? {
        guard let folder else { return nil }
        do throws(PageTrouble) {
            try body(folder)
            return nil
        } catch {
            return error
        }
    }

    private func make(_ content: PagesRequest.Content) -> [(name: String, bytes: [UInt8])] {
        switch content {
        case .assignment(let page):
            [("index.html", Array(page.html(clock: clock).utf8)), ("index.csv", Array(page.csv(clock: clock).utf8))]
        case .person(let page): [("index.html", Array(page.html(clock: clock).utf8))]
        }
    }
}
