// SPDX-License-Identifier: Apache-2.0

/// What a process is to a document, by its name.
enum ProgramRole: Equatable, Sendable {
    /// Most likely a person's editor or viewer: it lives as long as the person has the document open.
    case program
    /// Serves files to other machines: the process is a connection, and says nothing about what runs at its other end.
    case fileServer
    /// Runs, builds, interprets or sends what is in the file: reading it is no person's reading, and its life is not the person's presence.
    case runner
    /// Searches, indexes, synchronises or guards files. What it reads and writes is nobody's work.
    case noise
    /// Copies files, and may list them. The same; but a new document that it makes was brought in by its person.
    case copier
}

/// Names of programs whose doings mean something else than an editor's, as the kernel keeps them (`/proc/PID/comm`). A name is compared by
/// its first 15 bytes, up to the first `[`, `:` or blank, and once more without the digits and dots at its end (`python3.11`).
package struct ProgramNames: Equatable, Sendable {
    package var fileServers: Set<String>
    package var runners: Set<String>
    package var noise: Set<String>
    package var copiers: Set<String>

    package init(
        fileServers: Set<String> = ProgramNames.usualFileServers, runners: Set<String> = ProgramNames.usualRunners,
        noise: Set<String> = ProgramNames.usualNoise, copiers: Set<String> = ProgramNames.usualCopiers
    ) {
        self.fileServers = Set(fileServers.map(Self.kept))
        self.runners = Set(runners.map(Self.kept))
        self.noise = Set(noise.map(Self.kept))
        self.copiers = Set(copiers.map(Self.kept))
    }

    /// True for a program that people have documents open in, on this machine: none that serves files to another one, and none that reads
    /// them for another purpose.
    package func isLocalViewer(_ program: String) -> Bool { role(program) == .program }

    func role(_ program: String?) -> ProgramRole {
        guard let program else { return .program }
        let name = Self.kept(String(program.prefix { $0 != "[" && $0 != ":" && $0 != " " }))
        return role(exactly: name) ?? role(exactly: Self.withoutVersion(name)) ?? .program
    }

    private func role(exactly name: String) -> ProgramRole? {
        if noise.contains(name) { return .noise }
        if copiers.contains(name) { return .copier }
        if fileServers.contains(name) { return .fileServer }
        return runners.contains(name) ? .runner : nil
    }

    /// The kernel keeps 15 bytes of a name.
    private static func kept(_ name: String) -> String { String(decoding: name.utf8.prefix(15), as: UTF8.self) }

    private static func withoutVersion(_ name: String) -> String {
        var rest = name[...]
        while let last = rest.last, last.isNumber || last == "." || last == "-" { rest.removeLast() }
        return String(rest)
    }

    package static let usualFileServers = names(
        """
        smbd sshd sshd-session sftp-server internal-sftp proftpd vsftpd pure-ftpd ftpd afpd nfsd ganesha.nfsd unfsd apache httpd nginx
        lighttpd php-fpm caddy uwsgi gunicorn wsdd davserver qemu-system-x virtiofsd 9pserve
        xdg-document-portal bindfs mergerfs unionfs encfs gocryptfs cryfs
        """)

    package static let usualRunners = names(
        """
        sh bash dash zsh fish ksh mksh csh tcsh busybox python ruby perl node nodejs deno php lua luajit R Rscript java javac kotlin scala
        mono dotnet gcc cc cc1 cc1plus as ld g++ c++ clang make cmake ninja go rustc cargo swift swiftc ghc runghc stack ocaml tex latex
        pdflatex xelatex lualatex latexmk bibtex typst pandoc sqlite psql mysql m4 gs awk gawk mawk screen tmux sudo su env xargs timeout
        firefox firefox-esr chromium chrome google-chrome brave epiphany thunderbird evolution geary slack teams signal-desktop
        telegram-desktop
        """)

    package static let usualNoise = names(
        """
        cat tac head tail wc nl od xxd hexdump strings file stat cut sort uniq diff cmp comm md5sum sha1sum sha224sum sha256sum sha384sum
        sha512sum b2sum cksum sum grep egrep fgrep zgrep rg ag ack find fd fdfind ls du locate updatedb updatedb.plocate updatedb.mlocate
        rm ln touch chmod chown chgrp setfacl truncate rsync rclone restic borg borgmatic duplicity duplicati rdiff-backup bacula-fd bareos-fd amandad burp urbackupclient dump
        timeshift snapper rsnapshot git svn hg bzr git-annex unison syncthing nextcloud nextcloudcmd owncloud dropbox onedrive insync
        seaf-daemon megasync clamscan clamdscan clamd clamonacc freshclam maldet savd savscand rkhunter chkrootkit aide tripwire auditd
        tracker tracker-miner-fs tracker-miner-fs-3 tracker-extract tracker-extract-3 localsearch localsearch-extractor baloo_file
        baloo_file_extractor recoll recollindex zeitgeist-daemon zeitgeist-datahub gvfsd gvfsd-metadata gvfsd-trash tumblerd
        totem-video-thumbnailer evince-thumbnailer gdk-pixbuf-thumbnailer ffmpegthumbnailer gnome-thumbnail-font glycin-image-rs
        xdg-mime xdg-open mimetype exiftool mediainfo ffprobe pdftotext pdfinfo catdoc docx2txt odt2txt antiword
        lp lpr cupsd lsof fuser inotifywait fatrace mlocate mandb logrotate quotacheck daybookd daybook-analyze daybook
        """)

    package static let usualCopiers = names(
        """
        cp mv dd install scp tar bsdtar cpio gzip gunzip bzip2 xz zstd zip unzip 7z 7za 7zr rar unrar ar curl wget nautilus
        org.gnome.Nautilus nemo caja thunar Thunar pcmanfm pcmanfm-qt dolphin krusader spacefm doublecmd nnn lf vifm kioworker kioslave
        kdeinit kded gio
        """)

    private static func names(_ text: String) -> Set<String> { Set(text.split { $0 == " " || $0 == "\n" }.map(String.init)) }
}
