// SPDX-License-Identifier: Apache-2.0

/// Another rule that somebody asks for: one that is known, with some of its limits changed.
package struct RuleChoice: Hashable, Sendable {
    /// The raw values stand in the interface and on the command line.
    package enum Base: String, Sendable, CaseIterable {
        /// The one that the assignment has.
        case own
        /// The one that a new assignment would get.
        case configured
        /// The one that is built in.
        case standard
    }

    package var base: Base
    package var idleContinuous: Duration?
    package var idleSavesOnly: Duration?
    package var atLeast: Duration?
    package var atMost: Duration?

    package init(
        base: Base = .own, idleContinuous: Duration? = nil, idleSavesOnly: Duration? = nil, atLeast: Duration? = nil,
        atMost: Duration? = nil
    ) {
        self.base = base
        self.idleContinuous = idleContinuous
        self.idleSavesOnly = idleSavesOnly
        self.atLeast = atLeast
        self.atMost = atMost
    }

    /// The rule that is meant, for an assignment with the rule `own`. One that has changed limits is named by them.
    package func applied(own: Rule, configured: Rule) throws(RuleMistake) -> Rule {
        let known: Rule =
            switch base {
            case .own: own
            case .configured: configured
            case .standard: Rule()
            }
        var rule = known
        rule.idleContinuous = idleContinuous ?? known.idleContinuous
        rule.idleSavesOnly = idleSavesOnly ?? known.idleSavesOnly
        rule.atLeast = atLeast ?? known.atLeast
        rule.atMost = atMost ?? known.atMost
        guard rule != known else { return known }
        if let mistake = rule.mistake { throw mistake }
        rule.name = rule.limitsName
        return rule
    }
}

/// Limits that do not fit together, or are out of range; the text says which, and what would be right.
package struct RuleMistake: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

extension Rule {
    /// What each limit may be; `at-least` may also be zero.
    package static let limitRange = Duration.seconds(1) ... .seconds(86_400)

    /// Why nothing can be computed by these limits; nil where they are good.
    package var mistake: RuleMistake? {
        let limits = [
            ("idle-continuous", idleContinuous, Self.limitRange), ("idle-saves-only", idleSavesOnly, Self.limitRange),
            ("at-least", atLeast, .zero...Self.limitRange.upperBound), ("at-most", atMost, Self.limitRange),
        ]
        for (key, limit, range) in limits where !range.contains(limit) {
            return RuleMistake("\(key) is \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)), not \(Self.text(limit))")
        }
        for (key, idle, _) in limits.prefix(2) {
            if atLeast > idle {
                return RuleMistake("at-least (\(Self.text(atLeast))) must not be longer than \(key) (\(Self.text(idle)))")
            }
            if idle > atMost { return RuleMistake("\(key) (\(Self.text(idle))) must not be longer than at-most (\(Self.text(atMost)))") }
        }
        return nil
    }

    /// A name that says what the limits are, for a rule that nobody has named: `idle 10m/15m, at least 2m, at most 60m`.
    package var limitsName: String {
        var standard = Rule()
        standard.name = name
        if self == standard { return Rule().name }
        return "idle \(Self.text(idleContinuous))/\(Self.text(idleSavesOnly)), at least \(Self.text(atLeast)), at most \(Self.text(atMost))"
    }

    /// `5m`, `90s`, `2h`; in milliseconds where it must be.
    package static func text(_ limit: Duration) -> String {
        let milliseconds = limit.microseconds / 1000
        if milliseconds % 1000 != 0 { return "\(milliseconds)ms" }
        let seconds = milliseconds / 1000
        // People say 60 minutes of a limit, and two hours.
        if seconds != 0, seconds % 3600 == 0, seconds != 3600 { return "\(seconds / 3600)h" }
        return seconds != 0 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}

/// An assignment's rule was changed for good.
package struct RuleChange: Hashable, Sendable {
    /// The one it had before.
    package var before: Rule
    /// Who changed it.
    package var by: UInt32
    package var byLogin: String

    package init(before: Rule, by: UInt32, byLogin: String) {
        self.before = before
        self.by = by
        self.byLogin = byLogin
    }
}
