#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The package on a fresh Debian with a systemd as its first process: installed, used by two students, upgraded while they work, removed,
# purged. Says how long each step took, and ends with 1 at the first thing that is not as promised.
#
#   package.sh bookworm|trixie FIRST.deb SECOND.deb     two packages of Daybook for that release, the second one newer
#
# As root; needs mmdebstrap and systemd-container. The root of that release is kept in CACHE (/var/tmp/daybook-roots without it), so that
# only the first run downloads it.
# What runs inside is expanded there.
# shellcheck disable=SC2016
set -Eeuo pipefail

release=$1 first=$(realpath "$2") second=$(realpath "$3")
# shellcheck source=Tests/SystemTests/machine.sh
source "$(dirname "$0")/machine.sh"

step "a fresh root of $release"
fresh_root "$release" "$release" systemd systemd-sysv dbus libnss-systemd procps samba smbclient
fetch "$first"
cp "$first" "$work/root/packages/first.deb"
cp "$second" "$work/root/packages/second.deb"
# shellcheck disable=SC2119
boot
# Folders and files of the root's own file system, but for those of apt, dpkg, logs and running programs.
listing='find / -xdev \( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /packages -o -path /var/log -o -path /var/cache \
    -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/lib/systemd -o -path /var/lib/samba -o -path "/var/lib/private" \
    -o -path "*/__pycache__" -o -path /srv -o -path /root -o -path /home -o -path /var/tmp \) -prune -o -print | LC_ALL=C sort'
in_box "$listing" > "$work/before"
in_box 'getent passwd | cut -d: -f1; getent group | cut -d: -f1' > "$work/accounts-before"

install() { in_box "cp /packages/$1.deb /run/daybook.deb; DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install /run/daybook.deb 2>&1"; }

step 'install'
install first > "$work/install" || { cat "$work/install"; fail 'apt-get install'; }
grep -q 'records nothing. Next: sudo daybook setup' "$work/install" || { cat "$work/install"; fail 'it does not say what is next'; }
in_box '! { systemctl is-active -q daybookd.service daybookd.socket || systemctl is-enabled -q daybookd.service daybookd.socket; }'
in_box 'getent passwd daybook daybook-analyze && getent group daybook-admin && test "$(stat -c "%a %U" /var/lib/daybook-pages)" = "755 daybook"' \
    > /dev/null
in_box 'systemd-analyze verify daybookd.service daybookd.socket daybook-analyze.service daybook-analyze.socket'
in_box 'journalctl --list-catalog | grep -q "Daybook serves"'
in_box 'test -s /usr/share/doc/daybook/sbom.cdx.json -a -s /usr/share/daybook/varlink/org.daybook.Reports.varlink'

step 'a Samba with two students'
in_box 'for login in berg linden kelly; do useradd -M $login; done; groupadd students-8b; usermod -aG students-8b berg; usermod -aG students-8b linden
    mkdir -p "/srv/classes/8b/2030-03-14 Hamlet essay/"{berg,linden}; cd /srv/classes/8b; chown kelly . *; chown berg */berg; chown linden */linden
    echo "To be." > "2030-03-14 Hamlet essay/berg/first.txt"'
in_box 'cat > /etc/samba/smb.conf << "END"
[global]
server role = standalone server
disable netbios = yes
load printers = no
disable spoolss = yes
interfaces = lo
bind interfaces only = yes
[classes]
path = /srv/classes
read only = no
END
ip link set lo up 2> /dev/null || true
printf "hamlet\nhamlet\n" | smbpasswd -s -a linden > /dev/null && systemctl start smbd
echo "To be, or not to be, that is the question." > /run/over-samba.txt'

step 'setup'
# Without a list nothing is guessed, and nothing written.
echo 'source = inotify' | "$here/box" in "$box" bash -c 'cat > /run/answers.few; ! daybook setup --answers /run/answers.few > /run/said 2>&1
    grep -q "does not answer .shares." /run/said && test ! -e /etc/daybook/config.toml' || fail 'setup went on without an answer'
"$here/box" in "$box" bash -c 'cat > /run/answers.setup' << 'END'
shares = classes
teachers = kelly
END
in_box 'daybook setup --dry-run --answers /run/answers.setup > /run/said && grep -q "class 8b / assignment 2030-03-14 Hamlet essay / person berg" /run/said \
    && grep -q "pattern = .{class}/{assignment}/{person}/{document}." /run/said && test ! -e /etc/daybook/config.toml' \
    || { in_box 'cat /run/said'; fail 'setup --dry-run'; }
# Somebody who saves while setup waits for it.
in_box 'systemd-run --quiet --unit=student-tries --uid=linden bash -c "cd /srv/classes/8b/*/linden; while sleep 0.5; do echo x >> try.txt; done"'
in_box 'daybook setup --answers /run/answers.setup' > "$work/setup" || { cat "$work/setup"; fail 'setup'; }
in_box 'systemctl stop student-tries; rm /srv/classes/8b/*/linden/try.txt'
grep -q '8b: 2 listed, 1 of 1 by each one.s groups, - in class lists' "$work/setup" || { cat "$work/setup"; fail 'setup counts the class wrongly'; }
grep -q 'try.txt was saved. Credited to: linden' "$work/setup" || { cat "$work/setup"; fail 'setup does not show whom it would credit'; }
grep -q 'path = /var/lib/daybook-pages' "$work/setup" || fail 'setup does not print the stanza for smb.conf'
in_box 'daybook status --json | grep -q "\"state\":\"off\"" && systemctl is-enabled -q daybookd.socket && test -s /etc/daybook/facts.md'
in_box '! ls -d /run/daybook-setup-* 2> /dev/null; test "$(stat -c "%a %G" /etc/daybook/config.toml)" = "640 daybook-admin"'
# The same again by what it wrote down changes nothing.
in_box 'cp /etc/daybook/config.toml /run/before; cp /etc/daybook/setup.answers /run/again; echo "prove = no" >> /run/again
    daybook setup --answers /run/again > /run/said 2>&1 || { cat /run/said; exit 1; }; diff /run/before /etc/daybook/config.toml && test ! -e /etc/daybook/config.toml.old-1'
# A document that is saved all the time never rests, so it is measured at once here.
in_box 'printf "[analyzer]\nsettle = \"0s\"\n" >> /etc/daybook/config.toml; systemctl restart daybookd.service; daybook recording on'
eventually "daybook status | grep -q 'complete, '"

step 'two students work, one of them over Samba'
# An editor that keeps its document open, and one that opens it for each save; both go on over the upgrade.
in_box 'cat > /run/holds << "END"
cd "/srv/classes/8b/2030-03-14 Hamlet essay/berg"
echo "Hamlet waits." > essay.txt
exec 3<> essay.txt
while sleep 0.5; do echo "He doubts, and the ghost does not come again." >> essay.txt; done
END
cat > /run/saves << "END"
cd "/srv/classes/8b/2030-03-14 Hamlet essay/linden"
number=0
while sleep 0.02; do number=$(((number + 1) % 50)); echo "A line of many." >> notes-$number.txt; done
END
cat > /run/asks << "END"
while :; do
    if timeout 30 daybook status --json > /run/answer 2>> /run/refused; then echo answered; else echo refused; fi >> /run/answers
done
END'
in_box 'for pair in berg:holds linden:saves root:asks; do
        systemd-run --quiet --unit=student-${pair#*:} --uid=${pair%:*} bash /run/${pair#*:}
    done' || fail 'the students could not begin'
eventually 'smbclient //127.0.0.1/classes -U linden%hamlet -c "cd \"8b/2030-03-14 Hamlet essay/linden\"; put /run/over-samba.txt speech.txt"'
eventually "daybook sessions --person berg --json | grep -q essay.txt"
eventually "daybook sessions --person linden --json | grep -q speech.txt"
eventually "daybook report 'Hamlet essay' | grep -i berg | grep -q 'working now'"
opened=$(in_box "daybook sessions --person berg --json | grep -o '\"openedAt\":\"[^\"]*\"'")

step 'upgrade while they work'
in_box 'systemctl show -p MainPID --value daybookd.service; stat -L -c %i /run/daybook/daybook.sock' > "$work/pid-before"
asked=$(in_box 'wc -l < /run/answers')
install second > "$work/upgrade" || { cat "$work/upgrade"; fail 'the upgrade'; }
in_box 'systemctl show -p MainPID --value daybookd.service; stat -L -c %i /run/daybook/daybook.sock' > "$work/pid-after"
[ "$(sed -n 1p "$work/pid-before")" != "$(sed -n 1p "$work/pid-after")" ] || fail 'the daemon was not restarted'
[ "$(sed -n 2p "$work/pid-before")" = "$(sed -n 2p "$work/pid-after")" ] || fail 'the listening socket is another one'
eventually "[ \"\$(wc -l < /run/answers)\" -gt $((asked + 20)) ]"
# The one call that the old daemon had taken up and not answered when it ended may be cut off; nobody finds the door closed.
in_box 'touch /run/refused; test "$(grep -c refused /run/answers)" = "$(grep -c "closed the connection" /run/refused)" -a "$(grep -c refused /run/answers)" -le 1' \
    || { in_box 'sort /run/refused | uniq -c' >&2; fail 'somebody who asked was refused'; }
echo "  asked $(in_box 'wc -l < /run/answers') times, cut off $(in_box 'grep -c refused /run/answers || true')"
eventually "daybook sessions --person berg --json | grep -q '\"ended\":null'"
[ "$(in_box "daybook sessions --person berg --json | grep -o '\"openedAt\":\"[^\"]*\"'")" = "$opened" ] \
    || { in_box 'daybook sessions --person berg' >&2; fail "berg's session of before the upgrade is another one"; }
sessions=$(in_box 'daybook sessions --person linden --json | wc -l')
in_box 'systemctl stop student-saves student-holds student-asks'
[ "$sessions" -ge 51 ] || fail "of linden's 51 documents $sessions have a session"
eventually "[ \$(daybook sessions --person linden --json | wc -l) = $sessions ]"
in_box 'daybook verify /var/lib/daybook'
in_box 'daybook doctor' > "$work/doctor" || { cat "$work/doctor"; fail 'doctor finds something that stops recording'; }

step 'setup --remove and back'
in_box 'daybook setup --remove > /run/said; test ! -e /etc/daybook/config.toml -a -s /var/lib/daybook/current.jsonl
    ! systemctl is-enabled -q daybookd.socket; ! systemctl is-active -q daybookd.service'
in_box 'daybook setup --answers /run/again > /run/said; daybook verify /var/lib/daybook > /dev/null; daybook recording on'

step 'remove: configuration and journal stay'
in_box 'apt-get -qq -y remove daybook > /run/said 2>&1 || { cat /run/said; exit 1; }'
in_box '! systemctl is-active -q daybookd.service daybookd.socket daybook-analyze.socket && test -s /etc/daybook/config.toml -a -s /var/lib/daybook/current.jsonl'
in_box '! pgrep -x daybookd && test ! -e /run/daybook/daybook.sock'

step 'purge with keep-data: the journal stays'
install second > /dev/null
in_box 'touch /etc/daybook/keep-data; apt-get -qq -y purge daybook > /run/said 2>&1 || { cat /run/said; exit 1; }'
in_box 'test ! -e /etc/daybook -a -s /var/lib/daybook/current.jsonl && getent passwd daybook > /dev/null'

step 'purge: nothing stays'
install second > /dev/null
in_box 'apt-get -qq -y purge daybook > /run/said 2>&1 && apt-get -qq -y autoremove --purge >> /run/said 2>&1 || { cat /run/said; exit 1; }'
in_box "$listing" > "$work/after"
# What belongs to this test, and what Samba and systemd made meanwhile.
LC_ALL=C comm -13 "$work/before" "$work/after" | grep -v -e '^/etc/samba/smb.conf' -e '^/etc/[a-z]*-$' -e '^/etc/.*lock$' -e '^/var/spool/' \
    > "$work/left" || true
if [ -s "$work/left" ]; then cat "$work/left" >&2; fail 'purge left something'; fi
in_box 'getent passwd | cut -d: -f1; getent group | cut -d: -f1' | grep -vx -e berg -e linden -e kelly -e students-8b > "$work/accounts-after"
diff "$work/accounts-before" "$work/accounts-after" || fail 'purge left an account'
in_box '! find / -xdev -name "*daybook*" -not -path "/proc/*" -not -path "/var/log/*" | grep .'
step 'all good'
