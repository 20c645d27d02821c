// SPDX-License-Identifier: Apache-2.0

/// What the styles of an OpenDocument say that matters for counting.
final class OpenDocumentStyles: XMLHandler {
    private struct Key: Hashable {
        var family: String
        var name: String
    }

    private struct Style {
        var parent: String?
        var isHidden: Bool?
        var language: String?
        var isPageHidden = false
        var breaksPage = false
    }

    /// The language of paragraphs that say nothing else.
    private(set) var language: String?
    private var styles: [Key: Style] = [:]
    private var current: (key: Key, style: Style)?
    private var defaultFamily: String?

    func isHidden(_ family: String, _ name: String?) -> Bool { value(family, name, \.isHidden) ?? false }

    func language(_ family: String, _ name: String?) -> String? { value(family, name, \.language) }

    /// True for a paragraph of a style that begins a page.
    func breaksPage(_ name: String?) -> Bool { name.flatMap { styles[Key(family: "paragraph", name: $0)] }?.breaksPage ?? false }

    func isPageHidden(_ name: String?) -> Bool {
        name.flatMap { styles[Key(family: "drawing-page", name: $0)] }?.isPageHidden ?? false
    }

    /// True where a style or one that it is based on has one of these names.
    func descends(_ name: String?, from names: Set<String>) -> Bool {
        var next = name
        for _ in 0..<16 {
            guard let name = next else { return false }
            if names.contains(name) { return true }
            next = styles[Key(family: "paragraph", name: name)]?.parent
        }
        return false
    }

    /// Follows the parents of a style; a circle ends after a few steps.
    private func value<Value>(_ family: String, _ name: String?, _ property: KeyPath<Style, Value?>) -> Value? {
        var next = name
        for _ in 0..<16 {
            guard let name = next, let style = styles[Key(family: family, name: name)] else { return nil }
            if let value = style[keyPath: property] { return value }
            next = style.parent
        }
        return nil
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        if name.space == .office {
            // Text is read by another handler.
            return name.local == .body || name.local == .masterStyles ? .over : .into
        }
        guard name.space == .style else { return .into }
        switch name.local {
        case .style:
            if let style = attributes[.style, .name], let family = attributes[.style, .family] {
                current = (Key(family: family, name: style), Style(parent: attributes[.style, .parentStyleName]))
            }
        case .defaultStyle: defaultFamily = attributes[.style, .family]
        case .textProperties:
            if let display = attributes[.text, .display] { current?.style.isHidden = display == "none" }
            if let value = attributes[.format, .language] {
                if current != nil { current?.style.language = value } else if defaultFamily == "paragraph" { language = value }
            }
        case .paragraphProperties: if attributes[.format, .breakBefore] == "page" { current?.style.breaksPage = true }
        case .drawingPageProperties: current?.style.isPageHidden = attributes[.slideshow, .visibility] == "hidden"
        default: break
        }
        return .into
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}

    func end(_ name: XMLName) throws(ReadingError) {
        guard name.space == .style else { return }
        if name.local == .defaultStyle { defaultFamily = nil }
        if name.local == .style, let done = current {
            // More styles than any real document has are ignored.
            if styles.count < 50_000 { styles[done.key] = done.style }
            current = nil
        }
    }
}
