#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# One made-up student: student.sh EDITOR FOLDER LOGIN. Touches files the way the named editor does, some seconds at a time.
set -euo pipefail
editor=$1 folder=$2 login=$3
cd "$folder"

text="Hamlet knows from the beginning what the ghost demands of him, yet he hesitates through four long acts before he does anything about \
it. Many readers have called this hesitation weakness, and some of his own speeches seem to agree with them. I would argue that it is \
honest doubt, because the evidence of a ghost is hardly sufficient for an execution. He arranges a performance to test the conscience of \
the king, he discovers the king at prayer, and he turns away again because the moment is ambiguous. Only when his own death has become \
certain does he act without considering the consequences. The tragedy therefore asks whether a thoughtful person can ever act decisively, \
and it refuses to give us a comfortable answer. "

# The first words of an essay, in paragraphs.
words() {
    local long=
    while [ "$(wc -w <<< "$long")" -lt "$1" ]; do long+=$text; done
    tr -s ' \n' '\n' <<< "$long" | head -n "$1" | paste -s -d ' ' | fold -s -w 480 | sed 's/$/\n/'
}

# A swap file as vim and nano lay it out: who, where, which file, and at its end whether something is unsaved.
swap_file() { # NAME, 0x55 or 0x00
    local file=.$1.swp
    { printf 'b0VIM 9.0\0\0\0'; head -c 1012 /dev/zero; } > "$file"
    put "$file" 24 "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($$ & 255)) $(($$ >> 8 & 255)) $(($$ >> 16 & 255)) $(($$ >> 24 & 255)))"
    put "$file" 28 "$login"
    put "$file" 68 "$(uname -n)"
    put "$file" 108 "$folder/$1"
    put "$file" 1007 "\\x$2"
}
put() { printf "%b" "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

odt() { # FILE, number of words
    local parts
    parts=$(mktemp -d "${TMPDIR:-/var/tmp}/student.XXXXXX")
    printf 'application/vnd.oasis.opendocument.text' > "$parts/mimetype"
    mkdir "$parts/META-INF"
    cat > "$parts/META-INF/manifest.xml" << 'END'
<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>
END
    {
        printf '<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3"><office:body><office:text>'
        words "$2" | sed '/^$/d; s|.*|<text:p>&</text:p>|'
        printf '</office:text></office:body></office:document-content>\n'
    } > "$parts/content.xml"
    (cd "$parts" && zip -q -X -0 essay.odt mimetype && zip -q -X essay.odt content.xml META-INF/manifest.xml)
    cat "$parts/essay.odt" > "$1"
    rm -rf "$parts"
}

case $editor in
vim)
    # Swap file from opening to closing, written while typing; saves by a new file in the old one's place. Goes on until told to stop.
    trap 'rm -f .essay.txt.swp; exit 0' TERM INT
    words 40 > essay.txt
    swap_file essay.txt 00
    count=60
    while true; do
        for _ in 1 2 3; do
            sleep 2
            head -c 4096 /dev/zero >> .essay.txt.swp
        done
        words "$count" > ./4913
        mv essay.txt essay.txt~
        mv ./4913 essay.txt
        rm essay.txt~
        if [ "$count" -lt 600 ]; then count=$((count + 25)); fi
    done
    ;;
nano)
    # Swap file, and saves in place.
    sleep "$((RANDOM % 4)).5"
    swap_file essay.md 00
    for count in 35 90 150 188; do
        swap_file essay.md 55
        sleep 4
        words "$count" > essay.md
    done
    sleep 2
    rm .essay.md.swp
    ;;
writer)
    # Holds the document open, beside it a lock file; saves by renaming a temporary file over it.
    odt essay.odt 10
    sleep "$((RANDOM % 3)).5"
    exec 3<> essay.odt
    lock=",$login,$(uname -n),$(date '+%d.%m.%Y %H:%M'),file:///nowhere;"
    printf '%s' "$lock" > '.~lock.essay.odt#'
    for count in 180 360 540; do
        sleep 5
        exec 3>&-
        rm '.~lock.essay.odt#'
        odt "lu$$0.tmp" "$count"
        printf '%s' "$lock" > '.~lock.essay.odt#'
        mv "lu$$0.tmp" essay.odt
        exec 3<> essay.odt
    done
    sleep 3
    exec 3>&-
    rm '.~lock.essay.odt#'
    ;;
gedit)
    # No lock file; saves by renaming a temporary file over the document. Not at the same second as all the others, which would look like
    # a program that goes through everybody's folders.
    sleep 3.3
    words 120 > essay.txt
    for count in 250 390 505; do
        sleep 5.3
        cat essay.txt > /dev/null
        words "$count" > .goutputstream-DEMO01
        mv .goutputstream-DEMO01 essay.txt
    done
    ;;
stick)
    # Written elsewhere and put here in one go.
    sleep 10.6
    words 301 > essay.txt
    ;;
*)
    echo "student.sh: no editor '$editor'" >&2
    exit 2
    ;;
esac
