#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the real daemon on many folders: how long until it answers, how long its first crawl takes beside `find` of the same tree
# with cold caches in both orders, what memory it holds, and which system calls it makes in a minute in which nothing happens.
#
#   Tests/Scale/scale.sh [FOLDERS [FILES]]            10000 folders and 100000 files without more
#   Tests/Scale/scale.sh --image FOLDERS FILES        the tree on an ext4 image of its own
#
# Needs root (caches, mount) and strace. Build first:
#   swift build -c release && swift build -c release --product benchmarks
# DIR: where to work, /var/tmp without it. BUILT: where the programs are, .build/release without it. TURNS: 2 without it.
# Everything is made in a new folder that is removed at the end. fs.inotify.max_user_watches is raised where it is too low, and put back.
set -eu

here=$(cd "$(dirname "$0")/../.." && pwd)
built=${BUILT:-$here/.build/release}
turns=${TURNS:-2}
image=
if [ "${1:-}" = --image ]; then
    image=yes
    shift
fi
folders=${1:-10000}
files=${2:-$((folders * 10))}
[ "$(id -u)" = 0 ] || { echo 'scale.sh: run it as root: it drops caches and may mount' >&2; exit 1; }
for program in daybookd daybook daybook-analyze benchmarks; do
    [ -x "$built/$program" ] || { echo "scale.sh: $built/$program is not there; build it first" >&2; exit 1; }
done

work=$(mktemp -d "${DIR:-/var/tmp}/daybook-scale-XXXXXX")
limit=/proc/sys/fs/inotify/max_user_watches
before=$(cat $limit)
pid=
stop_daemon() {
    [ -n "$pid" ] || return 0
    kill "$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || true
    pid=
}
clean() {
    stop_daemon
    if mountpoint -q "$work/disk"; then umount "$work/disk"; fi
    echo "$before" > $limit
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

if [ "$before" -lt $((folders + 1000)) ]; then echo $((folders + 1000)) > $limit; fi
share=$work/disk/share
mkdir "$work/disk"
if [ -n "$image" ]; then
    truncate -s 8G "$work/image"
    mkfs.ext4 -q -b 1024 -N $((folders + files + 10000)) "$work/image"
    mount -o loop "$work/image" "$work/disk"
fi
echo "making $folders folders with $files files"
"$built/benchmarks" make-tree "$share" "$folders" "$files"
cat > "$work/config.toml" <<END
[server]
socket = "$work/socket"
state = "$work/state"
[recording]
enabled = true
[analyzer]
socket = ""
[[share]]
path = "$share"
[[share.layout]]
pattern = "{class}/{assignment}/{person}/{document}"
END

milliseconds() { echo $(($(date +%s%N) / 1000000)); }
cold() {
    sync
    echo 3 > /proc/sys/vm/drop_caches
    sleep 1
}
status() { "$built/daybook" --socket "$work/socket" "$@" status 2> /dev/null; }

run_find() {
    cold
    local start
    start=$(milliseconds)
    find "$share" > "$work/found"
    found=$(($(milliseconds) - start))
    echo "  find: $found ms"
}

run_crawl() {
    rm -rf "$work/state"
    mkdir "$work/state"
    cold
    local start answer middle='' said
    start=$(milliseconds)
    "$built/daybookd" --config "$work/config.toml" > "$work/log" 2>&1 &
    pid=$!
    until status --json > "$work/answer"; do
        kill -0 "$pid" || { cat "$work/log" >&2; exit 1; }
        sleep 0.005
    done
    answer=$(($(milliseconds) - start))
    # Its message tells the end; asking all the time would take the processor from what is measured.
    local turn=0 log=''
    until [[ $log == *watching\ share=* ]]; do
        [[ $log != *'not watched completely'* ]] || { echo 'not everything is watched' >&2; status >&2; exit 1; }
        sleep 0.02
        turn=$((turn + 1))
        if [ $((turn % 25)) = 0 ]; then
            said=$(status | grep -o 'crawl[a-z]* [0-9]* %' || true)
            middle=${said:-$middle}
        fi
        log=$(< "$work/log")
    done
    crawled=$(($(milliseconds) - start))
    echo "  daybookd: first answer after $answer ms${middle:+ (it last says: $middle)}, crawl complete after $crawled ms from the start"
}

memory() { awk '/^(VmHWM|VmRSS|RssAnon)/ { printf "  %s %.1f MB", $1, $2 / 1024 } END { print "" }' "/proc/$pid/status"; }

echo 'crawl and find, both with cold caches, in both orders:'
for _ in $(seq "$turns"); do
    run_find
    run_crawl
    echo "  ratio of the first crawl: $(awk "BEGIN { printf \"%.2f\", $crawled / $found }")"
    memory
    stop_daemon
    run_crawl
    first=$crawled
    memory
    stop_daemon
    run_find
    echo "  ratio of the second crawl: $(awk "BEGIN { printf \"%.2f\", $first / $found }")"
done

echo 'a minute in which nothing happens:'
run_crawl
# A client's time-out (30 s) still has its timer; after that nothing is due.
sleep 35
memory
strace -f -c -o "$work/calls" -p "$pid" > /dev/null 2>&1 &
tracer=$!
sleep 60
kill -INT "$tracer"
wait "$tracer" || true
if [ -s "$work/calls" ]; then cat "$work/calls"; else echo '  no system call at all'; fi
