#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# An analyzer for Daybook: lines of a text, and how many of them are empty.
#
#     daybook analyze --analyzer Examples/analyzers/lines.sh notes.txt
set -eu

# The request is one line of JSON on standard input; this one needs nothing of it. The document is descriptor 3.
all=$(wc -l <&3)
# From its beginning again: opened by its path.
empty=$(grep -c '^[[:space:]]*$' /proc/self/fd/3 || true)

printf '{"version":1,"items":[
  {"identifier":"line_count","title":"Lines","kind":"quantity","value":%d},
  {"identifier":"empty_line_count","title":"Empty Lines","kind":"quantity","value":%d}]}\n' "$all" "$empty"
