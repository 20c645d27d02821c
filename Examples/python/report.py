#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""report.py FILE PROGRESS SCORE MAXIMUM: works on a document until Return, then reports it (needs the package varlink of PyPI)."""
import os, sys, time, uuid
from datetime import datetime, timezone
import varlink


def now():
    return datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")


store = {"app": "org.example.report"}
subject = {"document": os.path.realpath(sys.argv[1])}
progress, score, maximum = map(float, sys.argv[2:5])
socket = os.environ.get("DAYBOOK_SOCKET", "/run/daybook/daybook.sock")

with varlink.Client("unix:" + socket) as client, client.open("org.daybook.ClassKit") as classkit:
    # Open: go on with the attempt that there is, or begin one.
    activity = classkit.GetActivity(store, subject).get("activity")
    if activity is None:
        activity = {"id": str(uuid.uuid4()), "created": now(), "duration": 0, "ranges": [], "additional": []}
    start = time.monotonic()
    input("Press Return when the work is done. ")

    activity |= {"modified": now(), "running": False, "duration": activity["duration"] + time.monotonic() - start}
    activity["ranges"].append({"from": 0, "to": progress})
    activity["primary"] = {"identifier": "score", "title": "Score", "kind": "score", "score": score, "maxScore": maximum}
    outcome = classkit.Save(store, [{"activity": activity, "subject": subject}])["outcomes"][0]
    print(outcome.get("reason") or "Saved.")
