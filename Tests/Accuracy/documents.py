# SPDX-License-Identifier: Apache-2.0
"""Documents that LibreOffice made, each with the words "Hamlet waits for his father."."""
from school import PEOPLE, TEXT, installed, run

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<office:document'
NAMES = ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
NAMES += ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3"'
FLAT_TEXT = f"""{HEAD}{NAMES} office:mimetype="application/vnd.oasis.opendocument.text">
<office:body><office:text><text:p>{TEXT.strip()}</text:p></office:text></office:body></office:document>
"""
FLAT_SLIDES = f"""{HEAD}{NAMES} xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:mimetype="application/vnd.oasis.opendocument.presentation">
<office:body><office:presentation><draw:page draw:name="One"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="4cm">
<draw:text-box><text:p>{TEXT.strip()}</text:p></draw:text-box></draw:frame></draw:page>
</office:presentation></office:body></office:document>
"""
KINDS = {"odt": ("fodt", FLAT_TEXT), "docx": ("fodt", FLAT_TEXT), "pptx": ("fodp", FLAT_SLIDES)}


SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Misc"><prop oor:name="ShowTipOfTheDay" oor:op="fuse"><value>false</value></prop></item>
</oor:items>
"""


def office_profile(home):
    return f"-env:UserInstallation=file://{home}/office"


def make(room, wanted):
    """What is in the documents whose rows ask for a kind ("odt", "docx", "pptx") instead of a text. LibreOffice makes them with the
    profiles of the students, so that later these are as of somebody who has worked with it before."""
    kinds = sorted({content for content in wanted if content in KINDS})
    if not installed("soffice"):
        return {kind: b"" for kind in kinds}
    made = {}
    for person in ("berg", "linden"):
        home, number = f"{room}/home/{person}", str(PEOPLE[person])
        as_person = ["setpriv", "--reuid", number, "--regid", number, "--clear-groups", "env", f"HOME={home}"]
        write(f"{home}/office/user/registrymodifications.xcu", SETTINGS, as_person)
        for kind in kinds:
            flat, text = KINDS[kind]
            write(f"{home}/made.{flat}", text, as_person)
            convert = ["soffice", office_profile(home), "--headless", "--convert-to", kind, "--outdir", home, f"{home}/made.{flat}"]
            run(as_person + convert, within=120)
            with open(f"{home}/made.{kind}", "rb") as file:
                made[kind] = file.read()
    return made


def write(path, text, as_person):
    run([*as_person, "sh", "-c", 'mkdir -p "$(dirname "$0")" && printf "%s" "$1" > "$0"', path, text])
