# SPDX-License-Identifier: Apache-2.0
"""A student who saves again and again, and a follower who waits for each save in the journal.

usage: student.py SOCKET DOCUMENT UID LOGIN STOPFILE
Goes on until STOPFILE exists, then prints {"saves": …, "worst": seconds, "median": seconds, "worstReply": seconds}.
"""
import json, os, socket, subprocess, sys, threading, time

path, document, uid, login, stop = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]


def connect(message):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.sendall(json.dumps(message).encode() + b"\0")
    return client


replies = []


def ask():
    """How long anybody waits for a plain answer meanwhile."""
    while not os.path.exists(stop):
        began = time.monotonic()
        client = connect({"method": "org.varlink.service.GetInfo"})
        client.settimeout(60)
        assert client.recv(65536), "no answer"
        client.close()
        replies.append(time.monotonic() - began)
        time.sleep(0.05)


follower = connect({"method": "org.daybook.Journal.Tail", "parameters": {"follow": True, "names": True}, "more": True})
rest = b""


def entries(until):
    global rest
    while (left := until - time.monotonic()) > 0:
        follower.settimeout(left)
        try:
            data = follower.recv(1 << 20)
        except TimeoutError:
            return
        assert data, "the follower was cut off"
        rest += data
        *messages, rest = rest.split(b"\0")
        for message in messages:
            yield from json.loads(message)["parameters"]["entries"]


def save(text):
    # By a process of their own, as on a server: one that is root again a moment later is taken for root's.
    write = ["sh", "-c", 'printf %s "$0" > "$1"', text, document]
    subprocess.run(["setpriv", "--reuid", str(uid), "--clear-groups"] + write, check=True)


asking = threading.Thread(target=ask)
asking.start()
mine, waits = set(), []
while not os.path.exists(stop):
    began = time.monotonic()
    save("Hamlet waits. " * (len(waits) + 1))
    found = None
    for entry in entries(began + 60):
        if entry["kind"] == "activity.started" and entry.get("person", {}).get("login") == login:
            mine.add(entry["activity"])
        if entry["kind"] == "evidence" and entry["activity"] in mine and entry["what"] in ("saved", "brought-in"):
            found = time.monotonic() - began
            break
    waits.append(found if found is not None else 60.0)
asking.join()
print(json.dumps({"saves": len(waits), "worst": max(waits), "median": sorted(waits)[len(waits) // 2], "worstReply": max(replies)}))
