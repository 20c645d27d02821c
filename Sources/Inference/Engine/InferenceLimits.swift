// SPDX-License-Identifier: Apache-2.0

/// The sizes and waiting times of inference. Not part of the `Rule`: they decide what counts as evidence, not how much time it is worth.
package struct InferenceLimits: Equatable, Sendable {
    /// A handle held at least this long is presence, a shorter pair of open and close is a touch.
    package var hold = Duration.seconds(2)
    /// The same for a document opened amid a sweep over many: a backup holds a big file for some seconds too.
    package var sweptHold = Duration.seconds(60)
    /// How long a vanished lock is doubted, and a close under LibreOffice's lock: it deletes, makes again and reopens at each save.
    package var closeDebounce = Duration.seconds(3)
    /// The same over a file server, where one save of many steps can take seconds.
    package var closeDebounceAfar = Duration.seconds(6)
    /// How long any other close is doubted: a lost connection takes its handle back (8 s), vim over SMB closes its swap file for 4 s.
    package var reconnect = Duration.seconds(15)
    /// A document without writes for this long is at rest.
    package var settle = Duration.seconds(2)
    /// Evidence that comes all the time is journaled at most this often for one session.
    package var fold = Duration.seconds(30)
    /// How long before its first trace on the share a program may have been started (measured: up to 1.8 s).
    package var launch = Duration.seconds(2)
    /// The same where the kernel tells when the program's process was started: the file manager, shell or launcher in front of it.
    package var promptLaunch = Duration.milliseconds(600)
    /// A process that read a document and keeps nothing open is a person's presence once it has lived this long: `cat` and running a script
    /// are over by then.
    package var alive = Duration.seconds(5)
    /// How long a program may take from opening the document to locking it.
    package var opening = Duration.seconds(10)
    /// A name that is made again this soon after it was deleted or renamed away was saved.
    package var replaced = Duration.seconds(5)
    /// A renamed document is believed to be moved after this long: editors rename the old one away while saving.
    package var displaced = Duration.seconds(2)
    /// A new name that a document has by its folder is told at most this often.
    static let announcement = Duration.seconds(2)
    /// How long a session of the journal waits after a restart for its lock or handle to be seen again.
    package var resume = Duration.seconds(120)
    /// So many documents opened within a second are a sweep; of a big one, not even the times of reading are kept.
    package var sweep = 4
    package var bigSweep = 16
    /// The longest list of documents with evidence that is kept.
    package var documents = 20_000
    /// Up to so many documents of a renamed folder are all moved with it; of more, only those with evidence.
    package var movedQuietDocuments = 512
    /// The longest list of names and folders that are remembered for some seconds.
    package var temporaries = 4096
    /// The longest list of processes that are remembered.
    package var processes = 4096
    /// Programs that are no editors.
    package var programs = ProgramNames()
    /// Accounts below this are root and services, never a person (where the kernel names the process).
    package var leastPersonUID: UInt32 = 1000
    /// How many bytes of a companion are read.
    package var companionBytes = 4096
    /// Also say `touched` for what was no session; for `replay` only.
    package var reportsTouches = false

    package init() {}
}
