// SPDX-License-Identifier: Apache-2.0
import ClassKit
import Foundation
import Reports
import Varlink

if CommandLine.arguments.contains("leave") {
    // A command-line program whose last act is a save that nobody waits for.
    CLSDataStore.shared.mainAppContext.addChildContext(CLSContext(type: .page, identifier: "page", title: "Saved on leaving"))
    CLSDataStore.shared.save()
    exit(0)
}

if let place = CommandLine.arguments.firstIndex(of: "latency") {
    // How long a save takes from call to completion, in milliseconds: the median of 200.
    await measureSaves(of: URL(fileURLWithPath: CommandLine.arguments[place + 1]))
    exit(0)
}

if let place = CommandLine.arguments.firstIndex(of: "share") {
    // What the share sheet does on Apple's systems, with a context and a document.
    await share(document: URL(fileURLWithPath: CommandLine.arguments[place + 1]))
    exit(0)
}

if CommandLine.arguments.contains("opened") {
    await showWhatIsOpened()
    exit(0)
}

// The same code as Swift 5 and as Swift 6: what it does must not differ.
let link = NSUserActivity(activityType: "org.example.plain")
let old = Varlink.useObjects() + Varlink.useErrors() + Varlink.useKeyPaths() + Varlink.useLinks(link) + (await Varlink.useStoreAsync())
let new = Reports.useObjects() + Reports.useErrors() + Reports.useKeyPaths() + Reports.useLinks(link) + (await Reports.useStoreAsync())
print(Varlink.useMore(CLSDataStore.shared.mainAppContext, URL(fileURLWithPath: "/tmp/essay.txt")))
let (oldMaker, newMaker) = (Varlink.Maker(), Reports.Maker())
Varlink.useStore(delegate: oldMaker)
Reports.useStore(delegate: newMaker)

// What the main actor's completions do on other threads must not end the program.
let file = URL(fileURLWithPath: "/tmp/essay.txt")
let (oldScreen, newScreen) = (Varlink.Screen(url: file), Reports.Screen(url: file))
oldScreen.opened()
newScreen.opened()
oldScreen.saved(words: 558) {}
newScreen.saved(words: 558) {}
do { try await oldScreen.closed() } catch { print("closed: \(type(of: error))") }
do { try await newScreen.closed() } catch { print("closed: \(type(of: error))") }
func wait() async {
    do { try await CLSDataStore.shared.save() } catch CLSError.databaseInaccessible { print("no daemon") } catch { print("\(error)") }
}
await wait()

print(old == new ? "the same in both" : "they differ:\n\(old)\n\(new)")
for line in new { print(line) }
