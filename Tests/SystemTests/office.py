# SPDX-License-Identifier: Apache-2.0
"""Somebody works on a document in LibreOffice: opens it, writes a sentence and saves, twice, and closes it.

    office.py DOCUMENT SENTENCE PAUSE      PAUSE: seconds before each save and before closing

The office must listen on the pipe "parts". Prints when the document was opened and closed, by the clock that nobody sets."""
import json
import sys
import time

import uno
from com.sun.star.beans import PropertyValue

document, sentence, pause = sys.argv[1], sys.argv[2], float(sys.argv[3])


def boot():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def desktop():
    resolver = uno.getComponentContext().ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    end = time.monotonic() + 60
    while True:
        try:
            context = resolver.resolve("uno:pipe,name=parts;urp;StarOffice.ComponentContext")
            return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


office = desktop()
hidden = PropertyValue()
hidden.Name, hidden.Value = "Hidden", True
opened = boot()
writer = office.loadComponentFromURL(uno.systemPathToFileUrl(document), "_blank", 0, (hidden,))
for _ in range(2):
    time.sleep(pause)
    text = writer.getText()
    text.insertString(text.getEnd(), " " + sentence, False)
    writer.store()
time.sleep(pause)
writer.close(True)
print(json.dumps({"opened": opened, "left": boot(), "saves": 2}))
try:
    office.terminate()
except Exception:  # It ends before it answers.
    pass
