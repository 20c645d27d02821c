#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# pages.sh FOLDER PAGES STANZA: a real Samba on the loopback of a network of its own, with the accounts of FOLDER/passwd and the shares
# that the file STANZA has. Then, from standard input, one line for each look, `LOGIN SHARE COMMANDS`, is asked of it by smbclient; before
# each answer comes the line `== LOGIN SHARE COMMANDS`. Runs in namespaces of its own: unshare --mount --net.
set -eu
folder=$1 pages=$2 stanza=$3
mount --bind "$folder/passwd" /etc/passwd
ip link set lo up
samba=$folder/samba
mkdir -p "$samba"
for name in private lock state cache pid ncalrpc log; do mkdir -p "$samba/$name"; done
cat > "$samba/smb.conf" << END
[global]
server role = standalone server
interfaces = lo
bind interfaces only = yes
smb ports = 445
disable netbios = yes
load printers = no
disable spoolss = yes
map to guest = never
passdb backend = tdbsam
private dir = $samba/private
lock directory = $samba/lock
state directory = $samba/state
cache directory = $samba/cache
pid directory = $samba/pid
ncalrpc dir = $samba/ncalrpc
log file = $samba/log/%m
END
sed "s|/var/lib/daybook-pages|$pages|" "$stanza" >> "$samba/smb.conf"
testparm -s "$samba/smb.conf" > "$samba/testparm" 2>&1 || { cat "$samba/testparm"; exit 1; }
for login in berg linden kelly stranger; do
    printf 'hamlet\nhamlet\n' | smbpasswd -c "$samba/smb.conf" -s -a "$login" > "$samba/smbpasswd" 2>&1 || { cat "$samba/smbpasswd"; exit 1; }
done
smbd --foreground --no-process-group --configfile "$samba/smb.conf" > "$samba/smbd" 2>&1 &
smbd=$!
trap 'kill $smbd 2> /dev/null || true; wait $smbd 2> /dev/null || true' EXIT
tries=0
until smbclient -L 127.0.0.1 -U kelly%hamlet -s "$samba/smb.conf" > /dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { echo 'Samba does not answer'; cat "$samba/smbd" "$samba/log/"* 2> /dev/null; exit 1; }
    sleep 0.1
done
while read -r login share commands; do
    echo "== $login $share $commands"
    smbclient "//127.0.0.1/$share" -U "$login%hamlet" -s "$samba/smb.conf" -c "$commands" 2>&1 || true
done
