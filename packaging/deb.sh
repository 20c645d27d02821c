#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# deb.sh [VERSION]: makes a Debian package of what `make build` has built, and prints where it is. Without VERSION it has that of
# packaging/debian/changelog. OUT: where to put it, .build/deb without it; what is there goes.
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
out=${OUT:-$tree/.build/deb}
rm -rf "$out"
mkdir -p "$out/daybook"
cp -R "$tree/packaging/debian" "$out/daybook/debian"
cd "$out/daybook"
# The licence of the table, as the file copyright wants it: indented, and a dot where a line is empty.
sed 's/^$/./; s/^/ /' "$tree/Sources/CDaybookSyllables/LICENSE-cmudict" > ../cmudict
sed -i -e '/^@CMUDICT@$/{r ../cmudict' -e 'd}' debian/copyright
if [ $# -gt 0 ]; then
    {
        printf 'daybook (%s) bookworm; urgency=medium\n\n  * A build of its own.\n\n' "$1"
        # Of now: lintian wants a later entry to have a later date.
        printf '%s  %s\n' "$(sed -n '/^ -- /{s/>.*/>/p;q}' "$tree/packaging/debian/changelog")" "$(LC_ALL=C date -R)"
        echo
        cat "$tree/packaging/debian/changelog"
    } > debian/changelog
fi
TREE=$tree dpkg-buildpackage --build=binary --unsigned-changes --unsigned-buildinfo > ../log 2>&1 || { cat ../log >&2; exit 1; }
cd ..
rm -rf daybook cmudict
echo "$out"/daybook_*.deb
