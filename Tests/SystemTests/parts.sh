#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The package among real parts, on a Debian 12 of its own with a systemd: a directory service, Samba, OpenSSH, editors; then what goes wrong
# on a server. What Daybook says is compared with what was done, by the clock and by hand (parts.py).
#
#   parts.sh DAYBOOK.deb [--set-clock] [PART…]     only these parts; --set-clock: sets this machine's clock two seconds ahead and back again,
#                                                  for the part about that
#
# As root; needs mmdebstrap, systemd-container, e2fsprogs, and /dev/fuse. Takes four minutes, and some more where its root must be downloaded.
set -Eeuo pipefail

deb=$(realpath "$1")
shift
sets_clock=
if [ "${1:-}" = --set-clock ]; then
    sets_clock=yes
    shift
fi
# shellcheck source=Tests/SystemTests/machine.sh
source "$(dirname "$0")/machine.sh"
tree=$(cd "$here/../.." && pwd)

step 'a fresh root'
fresh_root bookworm-parts bookworm systemd systemd-sysv dbus libnss-systemd procps samba smbclient openssh-server openssh-client sshfs smbnetfs \
    fuse3 tmux vim libreoffice-writer-nogui python3-uno python3 acl slapd ldap-utils nslcd libnss-ldapd poppler-utils
fetch "$deb"
cp "$deb" "$work/root/packages/daybook.deb"
# A client of Windows shares that holds documents open, as Word does; of the same Python as the root's.
if [ ! -e "$cache/smbprotocol.done" ]; then
    rm -rf "$cache/smbprotocol"
    /usr/bin/python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check --target "$cache/smbprotocol" smbprotocol==1.17.0
    touch "$cache/smbprotocol.done"
fi
cp -R "$cache/smbprotocol" "$work/root/opt/smbprotocol"

# The share and the state on disks of their own: small ones, that can be full.
for disk in share:512M state:64M; do
    truncate -s "${disk#*:}" "$work/${disk%:*}.image"
    mkfs.ext4 -q "$work/${disk%:*}.image"
    mkdir "$work/${disk%:*}"
    mount -o loop "$work/${disk%:*}.image" "$work/${disk%:*}"
done
# udev would let everybody mount.
mknod --mode=666 "$work/fuse" c 10 229
clean_all() {
    status=$?
    (exit $status) || true
    if [ $status != 0 ] && [ -e "$box/leader" ]; then in_box 'journalctl -u "daybook*" -n 60 --no-pager' >&2 || true; fi
    if [ -e "$box" ]; then "$here/box" down "$box"; fi
    for disk in share state; do if mountpoint -q "$work/$disk"; then umount "$work/$disk"; fi; done
    rm -rf --one-file-system "$work"
    exit $status
}
trap clean_all EXIT
boot --bind-ro="$tree:/opt/tree" --bind="$work/share:/srv/disk" --bind="$work/state:/var/lib/daybook" --bind="$work/fuse:/dev/fuse"

# The clock is the machine's: it is set from outside, where the file set-clock asks for it, and told in another.
if [ -n "$sets_clock" ]; then
    in_box 'touch /run/clock-can-be-set'
    (
        trap - EXIT ERR
        while [ -e "$box/leader" ]; do
            if in_box 'test -s /run/set-clock' 2> /dev/null; then
                by=$(in_box 'cat /run/set-clock; rm /run/set-clock')
                date --set="$by seconds" > "$work/clock" 2>&1 && in_box 'touch /run/clock-is-set'
            fi
            sleep 0.2
        done
    ) &
fi

step 'parts'
in_box 'PYTHONPATH=/opt/smbprotocol:/opt/tree/Tests/Accuracy PYTHONDONTWRITEBYTECODE=1 python3 /opt/tree/Tests/SystemTests/parts.py'" $*"
step 'all good'
