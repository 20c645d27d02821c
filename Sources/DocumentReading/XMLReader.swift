// SPDX-License-Identifier: Apache-2.0
import CExpat
import Glibc

/// The attributes of one element, valid during its start.
struct XMLAttributes {
    fileprivate let pointers: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    fileprivate let reader: XMLReader

    /// The value; nil where the element has no such attribute.
    subscript(space: XMLSpace, local: XMLLocal) -> String? {
        guard let pointers else { return nil }
        var index = 0
        while let name = pointers[index], let value = pointers[index + 1] {
            if reader.names.attribute(name) == XMLName(space: space, local: local) { return String(cString: value) }
            index += 2
        }
        return nil
    }
}

/// What comes after the start of an element.
enum XMLStep { case into, over }

/// Gets the elements and texts of one part in their order. After `over`, nothing of that element comes, also not its end.
protocol XMLHandler: AnyObject {
    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep
    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError)
    func end(_ name: XMLName) throws(ReadingError)
}

/// expat with the limits of the document: bounded depth, no entity may be declared, nothing outside the part is ever read.
final class XMLReader {
    private let parser: XML_Parser
    private let handler: any XMLHandler
    private let depthLimit: Int
    private struct State {
        var depth = 0
        /// The depth below which all is skipped; 0 where nothing is.
        var skipBelow = 0
        var failure: ReadingError?
    }

    // Owner: this object, whose thread alone uses it. Behind a pointer as the names are: it is looked at for every element.
    private let state: UnsafeMutablePointer<State>
    fileprivate let names = XMLNameTable()
    private let what: String

    /// Reads a part of a container; nil where there is none of that name. `filter` takes out before what says nothing about text.
    static func read(
        _ part: String, of archive: ZipArchive, through filter: RunPropertyFilter? = nil, into handler: any XMLHandler
    ) throws(ReadingError) -> Void? {
        let reader = try XMLReader(handler, depthLimit: archive.document.limits.xmlDepth, what: "the part \(part)")
        func feed(_ piece: UnsafeRawBufferPointer) throws(ReadingError) { try reader.feed(piece, isLast: false) }
        let found: Void? = try archive.read(part) { piece throws(ReadingError) in
            if let filter { try filter.pass(piece, to: feed) } else { try feed(piece) }
        }
        guard found != nil else { return nil }
        try filter?.finish(to: feed)
        try reader.feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        return ()
    }

    /// Reads XML in memory.
    static func read(
        _ bytes: [UInt8], what: String, of document: Document, into handler: any XMLHandler
    ) throws(ReadingError) {
        let reader = try XMLReader(handler, depthLimit: document.limits.xmlDepth, what: what)
        var failure: ReadingError?
        bytes.withUnsafeBytes { buffer in
            do throws(ReadingError) { try reader.feed(buffer, isLast: true) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Reads a document that is XML itself.
    static func read(_ document: Document, into handler: any XMLHandler) throws(ReadingError) {
        let reader = try XMLReader(handler, depthLimit: document.limits.xmlDepth, what: "the document")
        let bytes = try document.bytes()
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + (64 << 10))
            try reader.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), isLast: false)
            start = end
        }
        try reader.feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    private init(_ handler: any XMLHandler, depthLimit: Int, what: String) throws(ReadingError) {
        guard let parser = XML_ParserCreate(nil) else { throw .tooLarge(what: "no memory for its XML") }
        self.parser = parser
        self.handler = handler
        self.depthLimit = depthLimit
        self.what = what
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(parser, xmlStart, xmlEnd)
        XML_SetCharacterDataHandler(parser, xmlText)
        XML_SetEntityDeclHandler(parser, xmlEntity)
    }

    deinit {
        XML_ParserFree(parser)
        state.deinitialize(count: 1)
        state.deallocate()
    }

    private func feed(_ piece: UnsafeRawBufferPointer, isLast: Bool) throws(ReadingError) {
        let base = piece.baseAddress?.assumingMemoryBound(to: CChar.self)
        let status = XML_Parse(parser, base, Int32(piece.count), isLast ? 1 : 0)
        if let failure = state.pointee.failure { throw failure }
        guard status == XML_STATUS_OK else {
            let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown"
            throw .damaged(what: "\(what) is not well-formed XML (\(words), line \(XML_GetCurrentLineNumber(parser)))")
        }
    }

    private func stop(_ error: ReadingError) {
        if state.pointee.failure == nil { state.pointee.failure = error }
        XML_StopParser(parser, 0)
    }

    fileprivate func start(_ pointer: UnsafePointer<XML_Char>, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        guard state.pointee.failure == nil else { return }
        state.pointee.depth += 1
        let depth = state.pointee.depth
        guard depth <= depthLimit else { return stop(.tooLarge(what: "elements nested deeper than \(depthLimit) in \(what)")) }
        guard state.pointee.skipBelow == 0 else { return }
        if let attributes { names.declare(attributes, depth: depth) }
        do throws(ReadingError) {
            if try handler.start(names.element(pointer), XMLAttributes(pointers: attributes, reader: self)) == .over {
                state.pointee.skipBelow = depth
            }
        } catch {
            stop(error)
        }
    }

    fileprivate func end(_ pointer: UnsafePointer<XML_Char>) {
        guard state.pointee.failure == nil else { return }
        let depth = state.pointee.depth
        defer { state.pointee.depth -= 1 }
        if state.pointee.skipBelow != 0 {
            guard state.pointee.skipBelow == depth else { return }
            state.pointee.skipBelow = 0
            return names.leave(depth: depth)
        }
        do throws(ReadingError) { try handler.end(names.element(pointer)) } catch { stop(error) }
        names.leave(depth: depth)
    }

    fileprivate func text(_ bytes: UnsafeRawBufferPointer) {
        guard state.pointee.failure == nil, state.pointee.skipBelow == 0 else { return }
        do throws(ReadingError) { try handler.text(bytes) } catch { stop(error) }
    }

    fileprivate func entityDeclared() {
        stop(.damaged(what: "\(what) declares entities, which no office program writes"))
    }
}

// Called for every element and piece of text: the reader lives as long as its parser, so nobody needs to hold it.
private func withReader(_ pointer: UnsafeMutableRawPointer?, _ body: (XMLReader) -> Void) {
    guard let pointer else { return }
    Unmanaged<XMLReader>.fromOpaque(pointer)._withUnsafeGuaranteedRef { body($0) }
}

private func xmlStart(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    guard let name else { return }
    withReader(context) { $0.start(name, attributes) }
}

private func xmlEnd(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?) {
    guard let name else { return }
    withReader(context) { $0.end(name) }
}

private func xmlText(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<XML_Char>?, _ length: Int32) {
    withReader(context) { $0.text(UnsafeRawBufferPointer(start: text, count: Int(max(0, length)))) }
}

private func xmlEntity(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?, _ isParameter: Int32, _ value: UnsafePointer<XML_Char>?,
    _ length: Int32, _ base: UnsafePointer<XML_Char>?, _ system: UnsafePointer<XML_Char>?, _ publicID: UnsafePointer<XML_Char>?,
    _ notation: UnsafePointer<XML_Char>?
) {
    withReader(context) { $0.entityDeclared() }
}
