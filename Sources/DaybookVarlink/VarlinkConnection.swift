// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// One client of the daemon, as bytes in and bytes out. The socket lives elsewhere.
///
/// Calls are answered in their order, one at a time: a call is handed out by `next` once the one before it has its last reply. The owner
/// does, after every `receive` and after every last reply:
///
///     while let event = connection.next() {
///         switch event {
///         case .send(let bytes): …            // the connection has answered by itself
///         case .call(let id, let call): …     // answer now or later, by `reply` and `fail`
///         case .close(let why): …             // nothing more comes; close without a word
///         }
///     }
///
/// and reads from the socket only while `wantsInput`, so that a client that sends more than it waits for waits itself.
package struct VarlinkConnection: Sendable {
    /// Names a call within its connection; never used twice.
    package struct CallID: Hashable, Sendable {
        package let rawValue: UInt64
    }

    package enum Event: Equatable, Sendable {
        case send([UInt8])
        case call(CallID, VarlinkCall)
        case close(Closing)
    }

    /// Why a connection cannot go on.
    package enum Closing: Equatable, Sendable, CustomStringConvertible {
        case framing(VarlinkFraming.Failure)
        /// Not JSON, too deep, or no call.
        case notACall

        package var description: String {
            switch self {
            case .framing(let failure): failure.description
            case .notACall: "a message is no Varlink call"
            }
        }
    }

    private struct Active: Sendable {
        let id: CallID
        let more: Bool
        let oneway: Bool
    }

    private let service: VarlinkService
    private let limits: VarlinkLimits
    private var framing: VarlinkFraming
    /// The call that is being answered.
    private var active: Active?
    private var lastID: UInt64 = 0
    private var closing: Closing?
    private var closingTold = false

    package init(service: VarlinkService, limits: VarlinkLimits = VarlinkLimits()) {
        self.service = service
        self.limits = limits
        framing = VarlinkFraming(messageLimit: limits.messageLength, unreadLimit: limits.unreadLength)
    }

    /// False while enough calls wait: leave the rest in the socket.
    package var wantsInput: Bool { closing == nil && framing.waiting < limits.waitingCalls }

    /// The call that is being answered; nil between calls.
    package var activeCall: CallID? { active?.id }

    /// Takes what a read returned. Mistakes come back from `next`.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        guard closing == nil else { return }
        do { try framing.receive(bytes) } catch { closing = .framing(error) }
    }

    /// What is to be done now; nil while a call is being answered or nothing waits.
    package mutating func next() -> Event? {
        guard active == nil else { return nil }
        while closing == nil, let message = framing.next() {
            guard let value = try? JSONValue(parsing: message), let call = VarlinkCall(value) else {
                // There is nothing to answer to: the protocol knows no error for it.
                closing = .notACall
                break
            }
            switch service.judge(call) {
            case .dispatch(let checked):
                lastID += 1
                let id = CallID(rawValue: lastID)
                active = Active(id: id, more: checked.more, oneway: checked.oneway)
                return .call(id, checked)
            case .answer(let parameters):
                if !call.oneway { return .send(VarlinkFraming.frame(VarlinkReply(parameters).message)) }
            case .refuse(let error):
                if !call.oneway { return .send(Self.frame(error)) }
            }
        }
        guard let closing, !closingTold else { return nil }
        closingTold = true
        return .close(closing)
    }

    /// The bytes of a reply; nothing for a call without reply or one that has ended. A reply that does not continue ends the call, and so
    /// does the first one to a caller that did not ask for more.
    package mutating func reply(_ id: CallID, _ parameters: JSONObject, continues: Bool = false) -> [UInt8] {
        guard let active, active.id == id else { return [] }
        let continues = continues && active.more
        if !continues { self.active = nil }
        if active.oneway { return [] }
        return VarlinkFraming.frame(VarlinkReply(parameters, continues: continues).message)
    }

    /// The same with parameters that are encoded already: `write` appends their object, about so many bytes.
    package mutating func reply(
        _ id: CallID, continues: Bool, capacity: Int, _ write: (inout [UInt8]) -> Void
    ) -> [UInt8] {
        guard let active, active.id == id else { return [] }
        let continues = continues && active.more
        if !continues { self.active = nil }
        if active.oneway { return [] }
        return VarlinkFraming.frame(continues: continues, capacity: capacity, write)
    }

    /// The bytes of an error, which ends the call.
    package mutating func fail(_ id: CallID, _ error: VarlinkError) -> [UInt8] {
        guard let active, active.id == id else { return [] }
        self.active = nil
        return active.oneway ? [] : Self.frame(error)
    }

    private static func frame(_ error: VarlinkError) -> [UInt8] {
        VarlinkFraming.frame(VarlinkReply(error.parameters, error: error.name).message)
    }
}
