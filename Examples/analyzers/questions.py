#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An analyzer for Daybook: how many questions a text asks, and whether it has a title.

daybook analyze --analyzer Examples/analyzers/questions.py essay.txt
"""
import json
import sys

request = json.load(sys.stdin)
with open(request["document"], encoding="utf-8", errors="replace") as document:
    lines = document.read().splitlines()

first = next((line.strip() for line in lines if line.strip()), "")
answer = {
    "version": 1,
    "items": [
        {"identifier": "question_count", "title": "Questions", "kind": "quantity", "value": sum(line.count("?") for line in lines)},
        {"identifier": "has_title", "title": "Has a Title", "kind": "binary", "valueType": "yesNo",
         "value": 0 < len(first) <= 80 and not first.endswith((".", "!", "?"))},
    ],
}
if not first:
    answer = {"version": 1, "error": "the text is empty"}
json.dump(answer, sys.stdout)
