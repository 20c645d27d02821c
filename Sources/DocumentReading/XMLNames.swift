// SPDX-License-Identifier: Apache-2.0

/// The vocabularies that we read; any other is `other`.
enum XMLSpace: UInt8 {
    case none, other
    // Office Open XML, both its forms
    case word, drawing, presentation, spreadsheet, relationshipID, compatibility, relationships, contentTypes, extendedProperties
    // OpenDocument
    case office, text, table, draw, slideshow, style, format, manifest, dublinCore, svg, meta
    // EPUB
    case container, package

    /// By the URI; made once for each distinct URI of a document.
    init(uri: String) {
        self = Self.known[uri] ?? .other
    }

    private static let known: [String: XMLSpace] = {
        var known: [String: XMLSpace] = [
            "http://schemas.openxmlformats.org/markup-compatibility/2006": .compatibility,
            "http://schemas.openxmlformats.org/package/2006/relationships": .relationships,
            "http://schemas.openxmlformats.org/package/2006/content-types": .contentTypes,
            "http://purl.org/dc/elements/1.1/": .dublinCore,
            "urn:oasis:names:tc:opendocument:xmlns:container": .container,
            "http://www.idpf.org/2007/opf": .package,
        ]
        // The transitional and the strict form of the standard.
        for base in ["http://schemas.openxmlformats.org", "http://purl.oclc.org/ooxml"] {
            let year = base.hasSuffix("ooxml") ? "" : "/2006"
            known["\(base)/wordprocessingml\(year)/main"] = .word
            known["\(base)/drawingml\(year)/main"] = .drawing
            known["\(base)/presentationml\(year)/main"] = .presentation
            known["\(base)/spreadsheetml\(year)/main"] = .spreadsheet
            known["\(base)/officeDocument\(year)/relationships"] = .relationshipID
            known["\(base)/officeDocument\(year)/extended-properties"] = .extendedProperties
            known["\(base)/officeDocument\(year)/extendedProperties"] = .extendedProperties
        }
        let openDocument: [(String, XMLSpace)] = [
            ("office", .office), ("text", .text), ("table", .table), ("drawing", .draw), ("presentation", .slideshow), ("style", .style),
            ("manifest", .manifest), ("xsl-fo-compatible", .format), ("svg-compatible", .svg), ("meta", .meta),
        ]
        for (name, space) in openDocument { known["urn:oasis:names:tc:opendocument:xmlns:\(name):1.0"] = space }
        return known
    }()
}

/// The names of elements and attributes that we read; any other is `other`.
enum XMLLocal: String {
    case a, alternateContent = "AlternateContent", annotation, application = "Application", appVersion = "AppVersion"
    case automaticStyles = "automatic-styles", basedOn, body, booleanValue = "boolean-value", br, breakBefore = "break-before", c
    case cell, changeInfo = "change-info", choice = "Choice", `class`, comment, container, contentType = "ContentType"
    case coveredTableCell = "covered-table-cell", cr, currency, customShape = "custom-shape", cxnSp, dateValue = "date-value"
    case defaultLanguage = "default-language", defaultStyle = "default-style", defaultType = "Default", del, deletion, delInstrText
    case delText, display, docDefaults, document, documentContent = "document-content", documentStatistic = "document-statistic"
    case drawingPageProperties = "drawing-page-properties", ellipse, encryptionData = "encryption-data", endnote
    case extensionName = "Extension", extLst, f, fallback = "Fallback", family, fileEntry = "file-entry", fldChar, fldCharType
    case fontFaceDecls = "font-face-decls", footer, footerFirst = "footer-first", footerLeft = "footer-left", footnote
    case formatChange = "format-change", forms, frame, ftr, fullPath = "full-path", generator, graphicFrame, h, hdr, header
    case headerFirst = "header-first", headerLeft = "header-left", hiddenParagraph = "hidden-paragraph", hiddenText = "hidden-text"
    case href, id, identifier = "Id", idref, ilvl, ins, insertion, instrText, `is`, isHidden = "is-hidden", item, itemref, lang
    case language, lastRenderedPageBreak, latentStyles, line, linear, lineBreak = "line-break", list, listItem = "list-item", lvl
    case manifest, masterStyles = "master-styles", mediaType = "media-type", meta, metadata, moveFrom, moveTo, name, nextPage
    case noBreakHyphen, noteBody = "note-body", noteCitation = "note-citation", notes
    case numberColumnsRepeated = "number-columns-repeated", numberRowsRepeated = "number-rows-repeated", numId, numPr, outlineLvl
    case override = "Override", p, package, page, pageBreakBefore, pageCount = "page-count", pages = "Pages"
    case paragraphProperties = "paragraph-properties", parentStyleName = "parent-style-name", partName = "PartName", ph, phoneticPr
    case pic, pPr, pPrChange, presentation, pStyle, ptab, r, rect, relationship = "Relationship", rootfile, row, rPh, rPr, rPrChange
    case rStyle, rt, rubyPr, rubyText = "ruby-text", s, scripts, sdtEndPr, sdtPr, section, sectPr, settings, sheet, sheetData, sheets
    case show, si, sld, sldId, sldIdLst, smartTag, softHyphen, softPageBreak = "soft-page-break", sp, span, spine, spreadsheet, sst
    case state, string, stringValue = "string-value", style, styleId, styleName = "style-name", styles, t, tab, table
    case tableCell = "table-cell", tableRow = "table-row", target = "Target", targetMode = "TargetMode", tblGrid, tblPr, tblPrEx
    case tblStylePr, tc, tcPr, text, textProperties = "text-properties", textShape = "text-shape", timeValue = "time-value", timing
    case title, transition, txbxContent, type, typeName = "Type", v, val, value, valueType = "value-type", vanish, visibility
    case workbook, worksheet
    case other = ""

    init(name: String) { self = Self(rawValue: name) ?? .other }

    /// A header or footer of a master page of OpenDocument, of all pages, of the first, of left ones.
    var isMargin: Bool {
        switch self {
        case .header, .headerLeft, .headerFirst, .footer, .footerLeft, .footerFirst: true
        default: false
        }
    }
}

struct XMLName: Equatable {
    var space: XMLSpace
    var local: XMLLocal
}
