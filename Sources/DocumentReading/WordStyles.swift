// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// What the style sheet of a Word document says that matters for counting.
final class WordStyles: XMLHandler {
    private struct Style {
        var name = ""
        var basedOn: String?
        var isHidden: Bool?
        var isHeading: Bool?
        var isList: Bool?
    }

    /// The language of text that says nothing else.
    private(set) var language: String?
    private var styles: [String: Style] = [:]
    private var current: (id: String, style: Style)?
    private var inRunProperties = false

    func isHidden(_ id: String?) -> Bool { value(id, \.isHidden) ?? false }

    func isList(_ id: String?) -> Bool { value(id, \.isList) ?? false }

    /// What a paragraph of this style is, by the style's name in the file, which Word writes in English whatever its own language.
    func place(_ id: String?) -> Place? {
        var next = id
        var steps = 0
        while let id = next, let style = styles[id], steps < 16 {
            let name = style.name.lowercased()
            if name.hasPrefix("heading") || name == "title" || name == "subtitle" || style.isHeading == true { return .heading }
            if name == "caption" { return .caption }
            if name == "html preformatted" || name == "source code" || name == "code" { return .code }
            if name.hasPrefix("toc ") { return .listItem }
            next = style.basedOn
            steps += 1
        }
        return nil
    }

    /// Follows what a style is based on; a circle ends after a few steps.
    private func value(_ id: String?, _ property: KeyPath<Style, Bool?>) -> Bool? {
        var next = id
        var steps = 0
        while let id = next, let style = styles[id], steps < 16 {
            if let value = style[keyPath: property] { return value }
            next = style.basedOn
            steps += 1
        }
        return nil
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        guard name.space == .word else { return .into }
        switch name.local {
        case .style:
            if let id = attributes[.word, .styleId] { current = (id, Style()) }
        case .name: current?.style.name = attributes[.word, .val] ?? ""
        case .basedOn: current?.style.basedOn = attributes[.word, .val]
        case .vanish: if inRunProperties { current?.style.isHidden = isOn(attributes) }
        case .outlineLvl: if let level = attributes[.word, .val].flatMap(Int.init) { current?.style.isHeading = (0..<9).contains(level) }
        case .numPr: current?.style.isList = true
        case .rPr: inRunProperties = true
        case .lang: if current == nil, let value = attributes[.word, .val] { language = value }
        case .tblStylePr, .rPrChange, .pPrChange, .latentStyles: return .over
        default: break
        }
        return .into
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}

    func end(_ name: XMLName) throws(ReadingError) {
        guard name.space == .word else { return }
        if name.local == .rPr { inRunProperties = false }
        if name.local == .style, let done = current {
            // More styles than any real document has are ignored.
            if styles.count < 20_000 { styles[done.id] = done.style }
            current = nil
        }
    }
}

/// A Word property that is switched on by being there and off by its value.
func isOn(_ attributes: XMLAttributes) -> Bool {
    switch attributes[.word, .val] {
    case "0", "false", "off": false
    default: true
    }
}
