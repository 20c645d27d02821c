// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Somebody at a desktop without a screen: LibreOffice of theirs under Xvfb, already started, driven by keys.
final class Desktop {
    /// Why these tests cannot run here, nil where they can.
    static let obstacle: String? = {
        if let obstacle = School.obstacle { return obstacle }
        return ["soffice", "Xvfb", "xdotool"].first { !Programs.isInstalled($0) }.map { "\($0) is not here" }
    }()

    private let school: School
    private let person: School.Person
    private var started: [Child] = []
    private var display = ""

    init(_ person: School.Person, in school: School) async throws {
        self.school = school
        self.person = person
        let profile = school.home(person) + "/profile/user"
        for folder in [school.home(person) + "/profile", profile] { try school.makeFolder(folder, for: person) }
        try school.put(Self.settings, "registrymodifications.xcu", for: person, in: profile)

        let number = school.folder + "/display"
        // Without -noreset it starts anew when its last client goes, which xdotool does all the time, and refuses whoever comes meanwhile.
        let server = ["Xvfb", "-displayfd", "1", "-ac", "-noreset", "-nolisten", "tcp", "-screen", "0", "1280x900x24"]
        started.append(try Child(server, output: number))
        display = try await school.eventually("Xvfb is ready") {
            let lines = try String(contentsOfFile: number, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            return lines.dropLast().first { Int($0) != nil }.map { ":\($0)" }
        }
    }

    deinit {
        // A group each: soffice starts others.
        for child in started.dropFirst() { child.killGroup() }
        // Xvfb takes its socket with it.
        started.first?.end(SIGTERM)
    }

    // MARK: LibreOffice

    private func office(_ words: [String], profile name: String = "profile") -> [String] {
        let profile = "-env:UserInstallation=file://\(school.home(person))/\(name)"
        return school.command(["soffice", "--norestore", "--nologo", profile] + words, as: person, environment: ["DISPLAY": display])
    }

    /// A document in the person's folder, made from a flat one by LibreOffice at home.
    func make(_ name: String, from flat: String, _ flatExtension: String) throws {
        let file = URL(filePath: name)
        let home = school.home(person)
        let stem = file.deletingPathExtension().lastPathComponent
        let source = try school.put(flat, "\(stem).\(flatExtension)", for: person, in: home)
        // With a profile of its own: a LibreOffice that is ending still takes what is started with the same one, and nothing comes of it.
        let conversion = ["--headless", "--convert-to", file.pathExtension, "--outdir", home, source]
        let outcome = try Child.run(office(conversion, profile: "profile-\(stem)"))
        let made = "\(home)/\(name)"
        guard outcome.status == 0, FileManager.default.fileExists(atPath: made) else {
            throw School.Failed(description: "LibreOffice made no \(name)\n\(outcome)")
        }
        try FileManager.default.moveItem(atPath: made, toPath: "\(school.work(person))/\(name)")
    }

    /// Starts LibreOffice without a document, so that a document opens as fast as for somebody at work.
    func startOffice() async throws {
        started.append(try Child(office([]), output: school.folder + "/office.log"))
        _ = try await window("LibreOffice", within: 60)
    }

    /// Opens a document of the person's folder, as a double click does, and waits for its window. The result is when it was asked for and when it was
    /// there: on a busy machine the program that hands the name to LibreOffice takes its time.
    func open(_ name: String) async throws -> (asked: Date, shown: Date) {
        let now = Date()
        started.append(try Child(office(["\(school.work(person))/\(name)"]), output: school.folder + "/open.log"))
        try await focus(name)
        return (now, Date())
    }

    /// Saves with Ctrl+S, and says yes where LibreOffice asks whether to keep the format.
    func save(_ name: String, asksForFormat: Bool) async throws {
        let path = "\(school.work(person))/\(name)"
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try key("ctrl+s")
        if asksForFormat {
            try await focus("Confirm File Format")
            try key("Return")
        }
        try await school.eventually("LibreOffice has saved", within: 60) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes.map { $0[.systemFileNumber] as? Int != before }
        }
        try await focus(name)
    }

    /// Closes the document's window; LibreOffice goes on with its first one.
    func close(_ name: String, opened: (asked: Date, shown: Date)) async throws -> TrueTimes {
        let now = Date()
        try key("ctrl+w")
        try await school.eventually("\(name) is closed", within: 60) { try visible(name).isEmpty }
        // The window goes first, the document a moment later.
        let lock = "\(school.work(person))/.~lock.\(name)#"
        try await school.eventually("\(name)'s lock is gone", within: 60) { !FileManager.default.fileExists(atPath: lock) }
        return TrueTimes(opened: opened.asked, shown: opened.shown, quit: now, gone: Date())
    }

    // MARK: Keys and windows

    func key(_ names: String...) throws { try xdotool(["key"] + names) }

    func type(_ text: String) throws { try xdotool(["type", "--delay", "100", text]) }

    private func visible(_ title: String) throws -> [Substring] {
        // Exits with 1 where there is none.
        try run(["search", "--onlyvisible", "--name", title]).output.split(separator: "\n")
    }

    private func window(_ title: String, within seconds: Double = 30) async throws -> Substring {
        try await school.eventually("a window '\(title)' is there", within: seconds) { try visible(title).last }
    }

    private func focus(_ title: String) async throws { try xdotool(["windowfocus", "--sync", String(try await window(title))]) }

    private func xdotool(_ words: [String]) throws {
        let outcome = try run(words)
        guard outcome.status == 0 else { throw School.Failed(description: "xdotool \(words)\n\(outcome)") }
    }

    private func run(_ words: [String]) throws -> Outcome {
        try Child.run(["timeout", "30", "env", "DISPLAY=\(display)", "xdotool"] + words)
    }

    private static let settings = """
        <?xml version="1.0" encoding="UTF-8"?>
        <oor:items xmlns:oor="http://openoffice.org/2001/registry">
        <item oor:path="/org.openoffice.Office.Common/Misc"><prop oor:name="ShowTipOfTheDay" oor:op="fuse"><value>false</value></prop></item>
        </oor:items>
        """
}

/// Documents in LibreOffice's flat format, each with the words "Hamlet waits."
enum FlatDocument {
    static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" \
        xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3" \
        office:mimetype="application/vnd.oasis.opendocument.text">
        <office:body><office:text><text:p>Hamlet waits.</text:p></office:text></office:body></office:document>
        """

    static let slides = """
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" \
        xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" \
        xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.3" \
        office:mimetype="application/vnd.oasis.opendocument.presentation">
        <office:body><office:presentation><draw:page draw:name="One">
        <draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="4cm">
        <draw:text-box><text:p>Hamlet waits.</text:p></draw:text-box></draw:frame>
        </draw:page></office:presentation></office:body></office:document>
        """
}
