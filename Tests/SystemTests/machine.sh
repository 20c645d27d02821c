# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# For scripts that boot a fresh Debian, to be read by them (`source`): a root by mmdebstrap, a container with a systemd, commands in it.
#
#   fresh_root NAME RELEASE PACKAGE…    the root $work/root of these packages; kept in CACHE (/var/tmp/daybook-roots without it) as NAME,
#                                       so that only the first run downloads it
#   fetch DEB                           what that package needs, into the root: the container has no network
#   boot [systemd-nspawn option…]       the root in a container
#   in_box LINE                         a line of shell inside
#   eventually LINE                     the same again and again until it is true
#
# Sets work, a folder that goes at the end; the container too. As root; needs mmdebstrap and systemd-container.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${CACHE:-/var/tmp/daybook-roots}
me=$(basename "$0")
began=$SECONDS

fail() { echo "$me: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'run it as root: it boots a container'
for program in mmdebstrap systemd-nspawn; do command -v $program > /dev/null || fail "needs $program (make packages)"; done
work=$(mktemp -d "/var/tmp/daybook-${me%.sh}-XXXXXX")
box=$work/box

step() { printf '== %s: %s (%s s)\n' "$me" "$*" $((SECONDS - began)); }
# What is set here means nothing there. Without pipefail: grep -q ends before who writes to it.
in_box() { "$here/box" in "$box" bash -c "set -eu; $1" || { echo "$me: failed inside: $1" >&2; return 1; }; }
eventually() {
    for _ in $(seq 300); do
        if in_box "$1" > /dev/null 2>&1; then return; fi
        sleep 0.1
    done
    in_box "$1" || { echo "$me: did not come true: $1" >&2; return 1; }
}
clean() {
    status=$?
    if [ $status != 0 ] && [ -e "$box/leader" ]; then in_box 'journalctl -u "daybook*" -n 40 --no-pager' >&2 || true; fi
    if [ -e "$box" ]; then "$here/box" down "$box"; fi
    rm -rf --one-file-system "$work"
}
trap clean EXIT
trap 'echo "$me: line $LINENO failed" >&2' ERR

fresh_root() {
    local name=$1 release=$2
    shift 2
    mkdir -p "$cache"
    # Another list of packages is another root.
    if [ ! -e "$cache/$name.tar" ] || [ "$(cat "$cache/$name.packages" 2> /dev/null)" != "$*" ]; then
        rm -f "$cache/$name.tar"
        mmdebstrap --quiet --variant=minbase --include="$(echo "$@" | tr ' ' ',')" "$release" "$cache/$name.part.tar"
        echo "$*" > "$cache/$name.packages"
        mv "$cache/$name.part.tar" "$cache/$name.tar"
    fi
    mkdir "$work/root"
    tar -xf "$cache/$name.tar" -C "$work/root"
}
fetch() {
    mkdir -p "$work/root/packages"
    cp "$1" "$work/root/packages/fetched.deb"
    cp /etc/resolv.conf "$work/root/etc/resolv.conf"
    chroot "$work/root" sh -c 'apt-get -qq update && apt-get -qq -y --no-install-recommends --download-only install /packages/fetched.deb' \
        > "$work/fetch" 2>&1 || { cat "$work/fetch" >&2; fail 'what the package needs cannot be fetched'; }
    rm "$work/root/packages/fetched.deb"
}
boot() {
    BOX_ROOT=$work/root "$here/box" up "$box" "$@"
    in_box 'systemctl --version | head -n 1'
}
