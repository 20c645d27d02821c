// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A directory service of one's own for the real name service of the C library: a module that `nsswitch.conf` names, with a class of 2,000,
/// its teachers, and a file that says how it is.
///
/// LDAP, sssd and winbind are such modules, too; how they fail, glibc sees by what they return.
struct NameServiceModule {
    enum Mode: String {
        case up
        /// It says that it is not there, as sssd's does where its socket is not: `ENOENT`.
        case away
        /// The same without a word of why: it leaves `errno` as it was.
        case awayWithoutReason = "silent"
        /// Try again, as a directory does that is too busy.
        case busy
        /// It does not answer at all.
        case hanging
    }

    static let students = 2_000
    static let firstUID = 80_000

    /// Why there cannot be one here, nil where there can.
    static let obstacle: String? =
        School.obstacle ?? (compiler == nil ? "no C compiler is here" : nil)

    private static let compiler = ["/usr/bin/cc", "/opt/swift/usr/bin/clang", "/usr/bin/clang"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let folder: String

    /// Makes it in this folder.
    init(in folder: String) throws {
        self.folder = folder + "/nss"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        try Self.source.write(toFile: self.folder + "/module.c", atomically: true, encoding: .utf8)
        let built = try Child.run(
            [
                Self.compiler ?? "cc", "-shared", "-fPIC", "-O1", "-o", self.folder + "/libnss_daybooktest.so.2", self.folder + "/module.c",
            ])
        guard built.status == 0 else { throw School.Failed(description: "\(built)") }
        try "passwd: files daybooktest\ngroup: files daybooktest\n".write(
            toFile: self.folder + "/nsswitch.conf", atomically: true, encoding: .utf8)
        try set(.up)
    }

    /// From the next question on; whoever hangs goes on within a tenth of a second.
    func set(_ mode: Mode) throws { try mode.rawValue.write(toFile: folder + "/mode", atomically: true, encoding: .utf8) }

    /// What stands before the daemon's command line, so that it has this directory service.
    var wrapping: [String] {
        [
            "env", "LD_LIBRARY_PATH=" + folder, "DAYBOOK_TEST_NSS=" + folder + "/mode", "unshare", "--mount", "sh", "-c",
            "mount --bind \"$0\" /etc/nsswitch.conf && exec \"$@\"", folder + "/nsswitch.conf",
        ]
    }

    private static let source = """
        #include <errno.h>
        #include <grp.h>
        #include <nss.h>
        #include <pwd.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        enum { STUDENTS = \(students), FIRST = \(firstUID), CLASS = 90001, STAFF = 90002 };

        static enum nss_status mode(int *errnop) {
            for (;;) {
                char word[16] = "";
                FILE *file = fopen(getenv("DAYBOOK_TEST_NSS"), "re");
                if (file) { if (!fgets(word, sizeof word, file)) word[0] = 0; fclose(file); }
                if (!strcmp(word, "up")) return NSS_STATUS_SUCCESS;
                if (!strcmp(word, "away")) { *errnop = ENOENT; return NSS_STATUS_UNAVAIL; }
                if (!strcmp(word, "silent")) return NSS_STATUS_UNAVAIL;
                if (!strcmp(word, "busy")) { *errnop = EAGAIN; return NSS_STATUS_TRYAGAIN; }
                usleep(100000);
            }
        }

        static enum nss_status user(int number, struct passwd *entry, char *buffer, size_t size, int *errnop) {
            int length = snprintf(buffer, size, "s%d", number);
            if (length + 2 > (int)size) { *errnop = ERANGE; return NSS_STATUS_TRYAGAIN; }
            memset(entry, 0, sizeof *entry);
            entry->pw_name = buffer;
            entry->pw_passwd = entry->pw_gecos = entry->pw_dir = entry->pw_shell = buffer + length;
            entry->pw_uid = FIRST + number;
            entry->pw_gid = CLASS;
            return NSS_STATUS_SUCCESS;
        }

        enum nss_status _nss_daybooktest_getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size, int *errnop) {
            enum nss_status status = mode(errnop);
            if (status != NSS_STATUS_SUCCESS) return status;
            char *end = NULL;
            long number = name[0] == 's' && name[1] ? strtol(name + 1, &end, 10) : -1;
            if (!end || *end || number < 0 || number >= STUDENTS) return NSS_STATUS_NOTFOUND;
            return user((int)number, entry, buffer, size, errnop);
        }

        enum nss_status _nss_daybooktest_getpwuid_r(uid_t uid, struct passwd *entry, char *buffer, size_t size, int *errnop) {
            enum nss_status status = mode(errnop);
            if (status != NSS_STATUS_SUCCESS) return status;
            if (uid < FIRST || uid >= FIRST + STUDENTS) return NSS_STATUS_NOTFOUND;
            return user((int)(uid - FIRST), entry, buffer, size, errnop);
        }

        static enum nss_status group(gid_t gid, struct group *entry, char *buffer, size_t size, int *errnop) {
            size_t members = gid == CLASS ? STUDENTS + 1 : 1, used = (members + 1) * sizeof(char *);
            if (used + 64 > size) { *errnop = ERANGE; return NSS_STATUS_TRYAGAIN; }
            char **list = (char **)buffer;
            for (size_t member = 0; member < members; member++) {
                list[member] = buffer + used;
                const char *own = gid == STAFF ? "kelly" : "berg";
                int length = member < STUDENTS && gid == CLASS ? snprintf(buffer + used, size - used, "s%zu", member)
                                                               : snprintf(buffer + used, size - used, "%s", own);
                used += length + 1;
                if (used + 64 > size) { *errnop = ERANGE; return NSS_STATUS_TRYAGAIN; }
            }
            list[members] = NULL;
            entry->gr_name = strcpy(buffer + used, gid == CLASS ? "pupils9d" : "teachers9d");
            entry->gr_passwd = buffer + used + strlen(buffer + used);
            entry->gr_gid = gid;
            entry->gr_mem = list;
            return NSS_STATUS_SUCCESS;
        }

        enum nss_status _nss_daybooktest_getgrnam_r(const char *name, struct group *entry, char *buffer, size_t size, int *errnop) {
            enum nss_status status = mode(errnop);
            if (status != NSS_STATUS_SUCCESS) return status;
            if (!strcmp(name, "pupils9d")) return group(CLASS, entry, buffer, size, errnop);
            if (!strcmp(name, "teachers9d")) return group(STAFF, entry, buffer, size, errnop);
            return NSS_STATUS_NOTFOUND;
        }

        enum nss_status _nss_daybooktest_getgrgid_r(gid_t gid, struct group *entry, char *buffer, size_t size, int *errnop) {
            enum nss_status status = mode(errnop);
            if (status != NSS_STATUS_SUCCESS) return status;
            if (gid != CLASS && gid != STAFF) return NSS_STATUS_NOTFOUND;
            return group(gid, entry, buffer, size, errnop);
        }
        """
}
