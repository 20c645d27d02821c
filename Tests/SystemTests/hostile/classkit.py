# SPDX-License-Identifier: Apache-2.0
"""classkit.py SOCKET DOCUMENT: says to org.daybook.ClassKit what no library would, and prints what was wrong with the answers; then how many there were."""
import json, os, socket, struct, sys, threading

where, document = sys.argv[1:3]
count = 0


class Connection:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        # Waits while very many others are waiting to be let in; with Python's own time limit it would be told at once to come again.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 30, 0))
        self.socket.connect(where)
        self.socket.settimeout(30)
        self.rest = b""

    def raw(self, data):
        """The reply, or None where the connection ended."""
        try:
            self.socket.sendall(data)
            while b"\0" not in self.rest:
                more = self.socket.recv(1 << 16)
                if not more:
                    return None
                self.rest += more
        except (BrokenPipeError, ConnectionResetError):
            return None
        reply, self.rest = self.rest.split(b"\0", 1)
        return json.loads(reply)

    def call(self, method, **parameters):
        """On a new connection where the last one was ended for what it said."""
        reply = self.raw(json.dumps({"method": "org.daybook.ClassKit." + method, "parameters": parameters}).encode() + b"\0")
        if reply is None:
            self.__init__()
        return reply


def wrong(what, reply):
    print("WRONG", what, str(reply)[:300], flush=True)


def refused(what, reply):
    """An error, an outcome with one, or a closed connection; never an acknowledged object."""
    global count
    count += 1
    if reply is None or "error" in reply:
        return
    outcomes = reply["parameters"].get("outcomes", [])
    if not outcomes or not all(outcome.get("error") for outcome in outcomes):
        wrong(what, reply)


def taken(what, reply):
    global count
    count += 1
    if reply is None or "error" in reply or any(outcome.get("error") for outcome in reply["parameters"].get("outcomes", [])):
        wrong(what, reply)


when = "2024-01-15T08:00:00.000000Z"
store = {"app": "org.example.Quiz"}


def context(path=("hostile",), **more):
    value = {"path": list(path), "type": "quiz", "title": "Hostile", "displayOrder": 0, "assignable": True, "capabilities": [],
             "navigationChildren": [], "created": when, "modified": when}
    return {"context": value | more}


def activity(subject=None, **more):
    value = {"id": "hostile", "created": when, "modified": when, "running": False, "duration": 1, "ranges": [], "primary": None,
             "additional": []}
    return {"activity": value | more, "subject": subject or {"document": document}}


def item(**more):
    return {"identifier": "i", "title": "I", "kind": "quantity", "quantity": 1} | more


one = Connection()


def save(*changes, store=store):
    return one.call("Save", store=store, changes=list(changes))


def text(change):
    """The same save as text, for what no JSON library writes."""
    return json.dumps({"method": "org.daybook.ClassKit.Save", "parameters": {"store": store, "changes": [change]}})


# Texts.
for size in (257, 5_000, 100_000):
    refused(f"title of {size}", save(context(title="x" * size)))
    refused(f"identifier of {size}", save(context(("x" * size,))))
    refused(f"item of {size}", save(activity(primary=item(identifier="x" * size))))
refused("a title of many parts", save(context(title="e" + "\u0301" * 20_000)))
refused("a message that is too long", Connection().raw(text(context(title="x" * 1_000_000)).encode() + b"\0"))
for bad in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"):
    refused(f"bytes {bad!r}", Connection().raw(text(context(title="BAD")).encode().replace(b"BAD", bad) + b"\0"))
for escape in ("\\ud800", "\\udc00\\ud800", "\\u00", "\\x41", "\\"):
    refused(f"escape {escape}", Connection().raw(text(context(title="BAD")).replace("BAD", escape).encode() + b"\0"))
# A zero byte within a text is one character; unescaped it ends the message.
taken("an escaped zero byte", save(context(("zero\0byte",), title="\0\x1b[2J\u202e")))
refused("half a message", Connection().raw(text(context())[:40].encode() + b"\0"))
refused("no JSON", Connection().raw(b"\0"))
refused("nested lists", Connection().raw(b'{"method":"org.daybook.ClassKit.Save","parameters":{"store":' + b"[" * 100_000 + b"\0"))

# Trees.
for depth in (9, 100, 5_000):
    refused(f"depth {depth}", save(context(["a"] * depth)))
    refused(f"removal at depth {depth}", save({"remove": ["a"] * depth}))
    refused(f"an activity at depth {depth}", save(activity({"context": ["a"] * depth})))
    for method in ("GetContexts", "GetLink"):
        parameters = {"path": ["a"] * depth} | ({"store": store} if method == "GetContexts" else {})
        if method == "GetContexts" or depth > 9:
            refused(f"{method} of depth {depth}", one.call(method, **parameters))
    refused(f"done at depth {depth}", one.call("CompleteAssigned", store=store, context=["a"] * depth))
    refused(f"notices at depth {depth}", one.call("GetNotices", store=store, subject={"context": ["a"] * depth}, activity="1"))
refused("no identifier", save(context([])))
refused("an empty identifier", save(context(["a", ""])))
refused("the main context removed", save({"remove": []}))
refused("nothing", save({}))
refused("everything", save(context() | activity() | {"remove": ["a"]}))
refused("two created at other times", {"parameters": {"outcomes": save(
    context(["twice"]), context(["twice"], created="2024-01-15T09:00:00.000000Z"))["parameters"]["outcomes"][1:]}})
refused("navigation to 101", save(context(navigationChildren=[{"path": ["a"]}] * 101)))
refused("a link with a space", save(context(universalLink="no link")))
refused("a range backwards", save(context(suggestedAge={"from": 9, "to": 8})))
refused("a range below zero", save(context(suggestedCompletionTime={"from": -1, "to": None})))
refused("two of one kind", save(context(capabilities=[{"kind": "score"}] * 2)))
refused("an order that is no number", save(context(displayOrder=1e300)))
for app in ("", "a/b", ".", "..", ".hidden", "a\0b", "a\nb", "x" * 257):
    refused(f"app {app[:9]!r}", save(context(), store={"app": app}))

# Numbers. `json` writes NaN and Infinity as Python does, which is no JSON.
for duration in (-1, -1e-9, 1e10, 1e308, float("nan"), float("inf"), "5", None, True, []):
    broken = isinstance(duration, float) and (duration != duration or duration == float("inf"))
    refused(f"duration {duration}", (Connection() if broken else one).raw(text(activity(duration=duration)).encode() + b"\0"))
refused("a duration of 1e400", Connection().raw(text(activity(duration=77.25)).replace("77.25", "1e400").encode() + b"\0"))
for start, end in ((-0.1, 0.5), (0, 1.1), (0.5, 0.5), (0.6, 0.5), (0, 1e300), (-1e300, 1), (1, 1)):
    refused(f"range {start} {end}", save(activity(ranges=[{"from": start, "to": end}])))
refused("1001 ranges", save(activity(ranges=[{"from": n / 2002, "to": (n + 0.5) / 2002} for n in range(1001)])))
for score, maximum in ((4, 3), (-1, 3), (0, 0), (1, -1), (1e308, 1e307)):
    refused(f"score {score} of {maximum}", save(activity(primary=item(kind="score", score=score, maxScore=maximum))))
refused("101 items", save(activity(additional=[item(identifier=str(n)) for n in range(101)])))
refused("an item twice", save(activity(additional=[item(), item()])))
refused("an item without a value", save(activity(primary={"identifier": "i", "title": "", "kind": "binary"})))
for key in ("created", "modified"):
    for time in ("9999-12-31T23:59:59Z", "2099-01-01T00:00:00Z", "-1", "", "now", "2024-13-01T00:00:00Z", "2024-01-15T08:00:00",
                 "2024-01-15T08:00:00." + "9" * 100_000 + "X", "99999-01-01T00:00:00Z"):
        refused(f"{key} {time[:30]}", save(activity(**{key: time})))
        refused(f"a context's {key} {time[:30]}", save(context(**{key: time})))

# Names.
for name in ("", "x" * 65, "../../x", "a b", "a\0", "ä"):
    refused(f"activity {name[:9]!r}", save(activity(id=name)))
    refused(f"notices of {name[:9]!r}", one.call("GetNotices", store=store, subject={"document": document}, activity=name))
for path in ("/etc/passwd", "relative", "", "/", document + "/../../../../../../etc/passwd", "/" * 5_000, document + "\0"):
    refused(f"document {path[:20]!r}", save(activity({"document": path})))
    refused(f"the activity of {path[:20]!r}", one.call("GetActivity", store=store, subject={"document": path}))
    refused(f"handing in {path[:20]!r}", one.call("Submit", store=store, document=path))
refused("no subject", save({"activity": activity()["activity"]}))
refused("two subjects", save(activity({"document": document, "context": ["a"]})))
refused("a method that is not", one.call("Become", role="teacher"))
refused("a role that is not", one.call("DeveloperRole", role="administrator"))

# Much.
refused("5001 changes", one.call("Save", store=store, changes=[{"remove": ["a"]}] * 5001))
# Small values cost more memory than text: a save that never ends is told so before it has 8 MiB.
unfinished, refusal = [Connection(), Connection()], None
for number in range(40):
    reply = unfinished[number % 2].call("Save", store=store, changes=[{"remove": [""] * 40_000}], continues=True)
    count += 1
    if reply is None or "error" in reply:
        refusal = reply
        break
if "unfinished" not in str(refusal):
    wrong("unfinished saves", refusal)
for connection in unfinished:
    connection.socket.close()
refused("pieces for two stores", (one.call("Save", store=store, changes=[], continues=True), save(context(), store={"app": "other"}))[1])

# A development store has an end, too. Its owner may be a teacher there.
dev = store | {"environment": "development"}
one.call("DeveloperRole", role="teacher")
full = None
for number in range(2_000):
    changes = [context([f"{number} {n}"], summary="z" * 4_000) for n in range(50)]
    reply = one.call("Save", store=dev, changes=changes)
    count += 1
    if "error" in reply or any(outcome.get("error") for outcome in reply["parameters"]["outcomes"]):
        full = number
        break
if full is None or full > 60:
    wrong("a full development store", full)
one.call("DeveloperReset")
one.call("DeveloperRole", role="student")

# Saves in a loop are told to come less often.
for number in range(2_000):
    reply = save(activity(duration=number % 50))
    count += 1
    if "error" in reply:
        break
if "LimitReached" not in str(reply):
    wrong("saves in a loop", reply)


# Thousands of connections: some are refused, and whoever has one is answered.
def many():
    for _ in range(400):
        try:
            connection = Connection()
            connection.socket.sendall(os.urandom(64))
            connection.socket.close()
        except OSError:
            pass


threads = [threading.Thread(target=many) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
count += 3200
# Those that are still to be let in and ended count against this person, too.
for _ in range(5_000):
    reply = Connection().raw(json.dumps({"method": "org.daybook.ClassKit.GetContexts", "parameters": {"store": store, "path": ["a"]}}).encode() + b"\0")
    if reply is not None:
        break
taken("one more", reply)
print(count)
