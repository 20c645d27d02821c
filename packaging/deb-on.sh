#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# deb-on.sh RELEASE OUT [VERSION…]: makes packages for another release of Debian than this machine's, in a root of that release with this
# machine's Swift, and puts one for each VERSION into OUT (without VERSION: that of packaging/debian/changelog); lintian looks at them.
#
# As root; needs mmdebstrap. The root is kept in CACHE (/var/tmp/daybook-roots without it), what was built in .build/RELEASE.
set -euo pipefail

release=$1 out=$2
shift 2
tree=$(cd "$(dirname "$0")/.." && pwd)
cache=${CACHE:-/var/tmp/daybook-roots}
root=$cache/build-$release
fail() { echo "deb-on.sh: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'run it as root: it makes a root of another Debian'
command -v mmdebstrap > /dev/null || fail 'needs mmdebstrap (make packages)'
# The toolchain is a folder of its own, so that it can be shown to the other root.
swift=$(dirname "$(dirname "$(dirname "$(realpath "$(command -v swift)")")")")
case $swift in / | /usr) fail "Swift lies in $swift, among the system's own files, which another Debian cannot use" ;; esac

mkdir -p "$cache" "$tree/.build/$release" "$out"
if [ ! -e "$root.done" ]; then
    rm -rf --one-file-system "$root"
    # The programs that Swift needs beside what is linked in.
    swift_needs="ca-certificates git libc6-dev gcc g++ libncurses6 libedit2 libsqlite3-0 libcurl4 libxml2 tzdata make"
    packages=$(make -s --no-print-directory -C "$tree" list-build-packages DEBIAN="$(case $release in bookworm) echo 12 ;; *) echo 13 ;; esac)")
    mmdebstrap --quiet --variant=minbase --include="$(echo "$swift_needs $packages" | tr -s ' ' ',')" "$release" "$root"
    touch "$root.done"
fi
mkdir -p "$root$swift" "$root$tree"
# In a mount namespace of its own: nothing stays mounted, whatever happens. The tree has the same path inside, but another folder .build.
# shellcheck disable=SC2016
exec unshare --mount bash -euc '
    root=$1 swift=$2 tree=$3 release=$4 out=$5
    shift 5
    mount --bind "$tree" "$root$tree"
    mount --bind "$tree/.build/$release" "$root$tree/.build"
    mount --bind "$swift" "$root$swift"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    inside() { chroot "$root" env -i PATH="$swift/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root LC_ALL=C.UTF-8 bash -euc "cd \"\$0\"; $1" "$tree"; }
    inside "make build"
    [ $# -gt 0 ] || set -- ""
    for version in "$@"; do
        inside "packaging/deb.sh $version; lintian --fail-on error,warning .build/deb/daybook_*.deb"
        cp "$root$tree/.build/deb/"daybook_*.deb "$out/"
    done
' deb-on.sh "$root" "$swift" "$tree" "$release" "$(realpath "$out")" "$@"
