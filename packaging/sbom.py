#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""sbom.py FOLDER: what is linked into the programs in FOLDER, as CycloneDX 1.5.

Shared libraries are read from the programs themselves and named by the Debian package that has them. What is linked statically leaves no
name behind, so it is looked for by its symbols, and a library that is not known here is an error.
"""

import json
import os
import re
import subprocess
import sys
import time
import uuid

PROGRAMS = ["daybook", "daybookd", "daybook-analyze"]
# Parts of Swift's run-time library, and symbols of each.
SWIFT_PARTS = {
    "swiftCore": r"swift_retain$",
    "swift_Concurrency": r"swift_task_create$",
    "swift_StringProcessing": r"\$s17_StringProcessing",
    "Foundation": r"\$s10Foundation|\$s20FoundationEssentials",
    "dispatch": r"^_?dispatch_async$",
}


def ask(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def libraries(program):
    """The libraries that a program names itself, with the files that they are here."""
    wanted = re.findall(r"\(NEEDED\)\s+Shared library: \[(.+?)\]", ask("readelf", "--dynamic", "--wide", program))
    found = dict(re.findall(r"^\s*(\S+) => (/\S+) ", ask("ldd", program), re.MULTILINE))
    return {name: found.get(name) for name in wanted if not name.startswith("ld-linux")}


def package_of(file):
    """The Debian package that has a file, under the name that it was installed with."""
    resolved = os.path.realpath(file)
    for name in (resolved, resolved.removeprefix("/usr"), file, file.removeprefix("/usr")):
        answer = subprocess.run(["dpkg-query", "--search", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        if answer:
            return answer.split(":")[0].split(",")[0]
    sys.exit(f"sbom.py: {file} is in no Debian package, so where it comes from cannot be said")


def debian(package, linking, programs):
    version, architecture, source = ask(
        "dpkg-query", "--show", "--showformat=${Version}\t${Architecture}\t${source:Package}\n", package
    ).splitlines()[0].split("\t")
    purl = f"pkg:deb/debian/{package}@{version.replace('+', '%2B').replace('~', '%7E')}?arch={architecture}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package,
        "version": version,
        "purl": purl,
        "properties": [
            {"name": "daybook:linking", "value": linking},
            {"name": "daybook:programs", "value": ", ".join(programs)},
            {"name": "daybook:source", "value": source},
        ],
    }


def swift(paths):
    version = re.search(r"Swift version (\S+)", ask("swift", "--version")).group(1)
    symbols = [line.split()[-1] for path in paths for line in ask("nm", path).splitlines() if line.split()[-2].upper() != "U"]
    parts = [name for name, pattern in SWIFT_PARTS.items() if any(re.search(pattern, symbol) for symbol in symbols)]
    if not parts:
        sys.exit("sbom.py: no symbol of Swift's library is in the programs; they are stripped, or not linked statically")
    return {
        "type": "library",
        "bom-ref": f"swift@{version}",
        "name": "swift",
        "version": version,
        "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}],
        "purl": f"pkg:github/swiftlang/swift@swift-{version}-RELEASE",
        "properties": [
            {"name": "daybook:linking", "value": "static"},
            {"name": "daybook:programs", "value": ", ".join(PROGRAMS)},
            {"name": "daybook:parts", "value": ", ".join(parts)},
        ],
    }


def main(folder):
    paths = [os.path.join(folder, name) for name in PROGRAMS]
    users = {}
    for name, path in zip(PROGRAMS, paths):
        for library, file in libraries(path).items():
            if file is None:
                sys.exit(f"sbom.py: {name} needs {library}, which is not here")
            users.setdefault(package_of(file), []).append(name)
    components = [swift(paths)]
    components.append(debian("libtomlplusplus-dev", "header", ["daybook", "daybookd"]))
    components.append(
        {
            "type": "data",
            "bom-ref": "cmudict",
            "name": "cmudict",
            "description": "syllables of English words, as a table",
            "licenses": [{"license": {"id": "BSD-2-Clause"}}],
            "properties": [{"name": "daybook:linking", "value": "data"}, {"name": "daybook:programs", "value": "daybook-analyze"}],
        }
    )
    components += [debian(package, "dynamic", sorted(set(programs))) for package, programs in sorted(users.items())]
    here = os.path.dirname(os.path.abspath(__file__))
    version = re.search(r'text = "(.+?)"', open(f"{here}/../Sources/DaybookVarlink/DaybookVersion.swift").read()).group(1)
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    content = json.dumps(components, sort_keys=True)
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        # The same for the same content, so that a package can be made again.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, version + content)}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "component": {"type": "application", "bom-ref": "daybook", "name": "daybook", "version": version},
        },
        "components": components,
        "dependencies": [{"ref": "daybook", "dependsOn": [component["bom-ref"] for component in components]}],
    }
    json.dump(bom, sys.stdout, indent=2)
    print()


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
