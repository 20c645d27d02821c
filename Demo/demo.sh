#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Daybook without a school: demo.sh [--once] [FOLDER]
#
# Without FOLDER: a throw-away class of ten made-up students, who write for half a minute with real files; then the teacher's table, and
# everything stays up to be looked at until Ctrl-C. With FOLDER: watches that folder of yours until Ctrl-C. --once ends after the table.
#
# No account is made and nothing is written outside a temporary folder, which is gone afterwards; while the demo runs, `demo` beside the
# sources is a link to it. As root, each student's files belong to
# a number of their own, so that Daybook sees who worked, as on a file server. Otherwise all files are yours; the configuration says that
# your account stands for nobody in particular, and the folder's name decides, marked `assumed`.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../.build/release
once=no share=
for word in "$@"; do
    case $word in
    --once) once=yes ;;
    -*) echo "use: demo.sh [--once] [FOLDER]" >&2; exit 2 ;;
    *) share=$word ;;
    esac
done
for program in daybookd daybook-analyze daybook; do
    [ -x "$programs/$program" ] || { echo "$programs/$program is not there; run: make build" >&2; exit 1; }
done
programs=$(cd "$programs" && pwd -P)
id -un > /dev/null 2>&1 || {
    echo "your user number, $(id -u), has no account name here, and people are known by their names; run this as a user of this machine" >&2
    exit 1
}

place=$(mktemp -d /var/tmp/daybook-demo.XXXXXX)
chmod 755 "$place"
mkdir -m 700 "$place/state"
mkdir -m 755 "$place/pages"
# So that pages have a short name. A folder of that name that somebody made, or sources that are not ours to write in, are left alone.
link=$(cd "$here/.." && pwd)/demo
if [ -e "$link" ] && [ ! -L "$link" ] || ! ln -sfn "$place" "$link" 2> /dev/null; then link=; fi
jobs=()

finish() {
    trap - EXIT INT TERM
    for job in "${jobs[@]}"; do kill "$job" 2> /dev/null || true; done
    for job in "${jobs[@]}"; do wait "$job" 2> /dev/null || true; done
    if [ -n "$link" ] && [ "$(readlink "$link")" = "$place" ]; then rm -f "$link"; fi
    rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi; }
daybook() { "$programs/daybook" --socket "$place/daybook.sock" "$@"; }
# A text as TOML writes it.
quoted() { local text=${1//\\/\\\\}; printf '"%s"' "${text//\"/\\\"}"; }

common_configuration() {
    cat << END
[server]
socket = $(quoted "$place/daybook.sock")
state = $(quoted "$place/state")
[recording]
enabled = true
[analyzer]
socket = ""
[access]
administrators = $(quoted "$(id -un)")
view-as = true
[pages]
directory = $(quoted "$place/pages")
interval = "10s"
END
}

start_daemon() {
    "$programs/daybook" config check "$place/config.toml" || exit 1
    # In a session of its own: Ctrl-C is for this script, which then still has something to ask.
    setsid "$programs/daybookd" --config "$place/config.toml" 2> "$place/daybookd.log" &
    daemon=$!
    jobs+=("$daemon")
    for _ in $(seq 100); do
        if daybook status > /dev/null 2>&1; then return; fi
        kill -0 "$daemon" 2> /dev/null || break
        sleep 0.1
    done
    echo "the daemon does not answer; it said:" >&2
    cat "$place/daybookd.log" >&2
    exit 1
}

watch_own_folder() {
    # Not every shell has done this where it stands behind SHARE=.
    case $share in \~/*) share=$HOME/${share#\~/} ;; esac
    [ -d "$share" ] || { echo "$share is no folder; make it, or name another one (SHARE=FOLDER)" >&2; exit 1; }
    share=$(realpath -e -- "$share")
    {
        common_configuration
        printf '[[share]]\npath = %s\n[[share.layout]]\npattern = "{document}"\n' "$(quoted "$share")"
    } > "$place/config.toml"
    start_daemon
    say "Watching $share. Open, write and save something there; Ctrl-C ends it and prints what came of it."
    if [ "$(id -u)" = 0 ]; then
        echo "You are root, and root is never taken for a person: only what others do is recorded. Run this as yourself to see your own work."
    fi
    hints
    trap 'echo; daybook report "$(basename "$share")" || true; daybook sessions || true; exit 130' INT
    daybook tail -f --names || true
}

# login, uid, name, what they do
class() {
    cat << 'END'
abara 61001 Abara, Chidi|vim
berg 61002 Berg, Jonas|writer
castellanos 61003 Castellanos-Ruiz, Ana|nano
demir 61004 Demir, Elif|gedit
evans 61005 Evans, Rhys|stick
fofanah 61006 Fofanah, Isatu|nothing
grant 61007 Grant, Ola|nothing
haddad 61008 Haddad, Sami|nano
ito 61009 Ito, Ren|writer
jansson 61010 Jansson, Mia|nano
END
}

run_school() {
    essay="$place/classes/8b/$(date -d '+3 days' +%F) Hamlet essay"
    mkdir -p "$essay"
    cp "$here/student.sh" "$place/student.sh"
    {
        common_configuration
        [ "$(id -u)" = 0 ] || printf '[identity]\nshared-accounts = [%s]\n' "$(id -u)"
        printf '[[share]]\npath = %s\n[[share.layout]]\npattern = "{class}/{assignment}/{person}/{document}"\n' "$(quoted "$place/classes")"
        printf '[[class]]\nname = "8b"\nteachers = "kelly"\nstudents = ['
        class | while read -r login _; do printf '"%s", ' "$login"; done
        printf ']\n[[person]]\nlogin = "kelly"\nuid = 61000\nname = "Kelly, Maeve"\n'
        class | while read -r login uid rest; do
            printf '[[person]]\nlogin = "%s"\nuid = %s\nname = "%s"\n' "$login" "$uid" "${rest%|*}"
        done
    } > "$place/config.toml"
    while read -r login uid _; do
        mkdir "$essay/$login"
        if [ "$(id -u)" = 0 ]; then chown "$uid:$uid" "$essay/$login"; fi
    done < <(class)

    start_daemon
    # The daemon may still be asking who is who.
    for try in $(seq 100); do
        if daybook recording off haddad --yes > /dev/null 2> "$place/refused"; then break; fi
        [ "$try" -lt 100 ] || { cat "$place/refused" "$place/daybookd.log" >&2; exit 1; }
        sleep 0.1
    done
    say "Class 8b writes for half a minute. The journal, as an administrator may see it:"
    "$programs/daybook" --socket "$place/daybook.sock" tail -f --names &
    tail=$!
    jobs+=("$tail")

    students=()
    while read -r login uid rest; do
        case ${rest#*|} in
        nothing) ;;
        vim) work "$login" "$uid" vim & jobs+=("$!") ;;
        *) work "$login" "$uid" "${rest#*|}" & students+=("$!"); jobs+=("$!") ;;
        esac
    done < <(class)
    for student in "${students[@]}"; do wait "$student"; done
    # A closed document is doubted for some seconds, since some editors close and open again while they save.
    sleep 7
    kill "$tail" 2> /dev/null || true
    wait "$tail" 2> /dev/null || true

    say "What the teacher sees: daybook report \"Hamlet essay\""
    daybook report "Hamlet essay"
    say "The same as a page, and each student's own: daybook pages --now"
    daybook pages --now || true
    if [ "$once" = yes ]; then return; fi
    say "Abara writes on. Everything stays up until Ctrl-C."
    hints
    wait "$daemon"
}

# With a uid of the student's own where that is allowed.
work() {
    if [ "$(id -u)" = 0 ]; then
        exec setpriv --reuid="$2" --regid="$2" --clear-groups bash "$place/student.sh" "$3" "$essay/$1" "$1"
    else
        exec bash "$place/student.sh" "$3" "$essay/$1" "$1"
    fi
}

hints() {
    cat << END

In another terminal, first paste this line:

    export DAYBOOK_SOCKET=$place/daybook.sock PATH=$programs:\$PATH

and then try:

    daybook report                    the assignments, one line each
END
    if [ -z "$share" ]; then
        cat << END
    daybook report "Hamlet essay"     one assignment: the table above
    daybook show berg                 one student: sessions, words at each save, what we know it from
    daybook me --as berg              what that student sees of it, and who has looked (demo only)
    ls "$essay"

and open in a browser:

    ${link:-$place}/pages/8b/hamlet-essay/index.html
                                      what a teacher opens on a network drive
    ${link:-$place}/pages/people/berg/index.html
                                      that student's own page
END
    fi
    cat << END
    daybook tail -f                   what an administrator watches (names hidden)
    daybook sessions                  the raw table
    daybook doctor -c $place/config.toml
                                      what would stop it here, and the mend
    daybook verify $place/state
                                      whether the journal is whole
END
}

if [ -n "$share" ]; then watch_own_folder; else run_school; fi
