#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the library and the device say what they say in the field's words: names, and how comments begin.

    words.py [ROOT]        checks ROOT/include/mmm, ROOT/device and the names elsewhere (default: this repository)
    words.py --self-test   plants each kind of mistake and demands that it is found

In all C++ sources the names of EVERYWHERE are refused. In include/mmm and device, except the device's tests, the names of
NAMES, the openings of OPENINGS and the phrases of PROSE are refused, too.
"""
import pathlib
import re
import sys
import tempfile

ROOTS = {"include/mmm": "", "device": "device/"}  # and what a place in ALLOWED begins with
EXEMPT = {"device/test"}
SOURCES = (".hpp", ".cpp", ".cuh", ".cu")
EVERY_TREE = ["include", "device", "tool", "test", "example", "benchmark", "python"]


def part(*words):
    """Names that have one of the words between underscores."""
    return re.compile(r"(?:\w*_)?(?:" + "|".join(words) + r")(?:_\w*)?")


# A pattern that a whole name matches, and the field's word.
EVERYWHERE = [
    (part("deal", "deals", "dealt"), "assign"),
    (re.compile(r"most_\w+|Most"), "max_x, Max"),
    (re.compile(r"kept_items|keeping|keeping_one|run_keeping\w*|block_threads_keeping"), "thread_items, items_per_thread"),
    (re.compile(r"tile_said|said_in_pieces|say_in_pieces|tell_\w+"), "tile_status, inspect, publish, notify"),
    (re.compile(r"chosen_way|quickest_way|compares_ways"), "candidate"),
]
NAMES = [
    (re.compile(r"of|at|from|what|who"), "a noun"),
    (re.compile(r"(?:of|at|from|what|who)_"), "a noun"),
    (part("way", "ways"), "candidate, variant"),
    (part("tell", "tells", "told", "say", "says", "said"), "publish, notify, inspect"),
    (part("keep", "keeps", "kept", "keeping", "Kept", "Keeping"), "store, hold; items_per_thread"),
    (re.compile(r"(?!\w*look_back)(?:\w*_)?(?:look|looks|looked|seen|settled|alike)(?:_\w*)?"),
     "examine, covered, equivalent"),  # decoupled look-back is the field's word
    (part("account"), "timing_model"),
    (part("slant", "slants"), "half-plane cut"),
    (part("digit", "digits"), "dimension (of a box)"),
    (part("meeting", "meetings"), "reconvergence point"),
    (re.compile(r"move_(?:setp|set|selp)\w*"), "comparison, selection"),
    (re.compile(r"most"), "max_x"),
]
# How no comment begins; then how no sentence within one begins.
OPENINGS = re.compile(r"(?:Of|Those|That of|That which|What|In which|Which|As|Whether|Where|Once|By how|From (?:now|here) on|After this)\b")
LATER_OPENINGS = re.compile(r"[.:] ((?:Of|Those|That of|That which|What|In which)) (?!\d)")
# What no comment says.
PROSE = re.compile(r"\b(?:dealt|deals? (?:out|to)|tells? (?:each other|the others)|(?:takes|is) the other way)\b", re.IGNORECASE)
# (folder or file, name or opening): the reason why it is right there.
ALLOWED = {
    ("algorithm/sort", "digit"): "the digits of a radix sort's keys",
    ("algorithm/scan/scan_of_node.hpp", "keep"): "a handle's function, mmm::vocabulary::keep",
    ("choose/fastest_sort.hpp", "digit"): "the digits of a radix sort's keys",
    ("algorithm/access/reading.hpp", "keep"): "a handle's function, mmm::vocabulary::keep",
    ("algorithm/histogram/histogram.hpp", "alike"): "mmm::spread::alike, a public name",
    ("core/failure.hpp", "digit"): "decimal digits",
    ("device", "digit"): "decimal digits of names and literals",
    ("device/report/html_style.cpp", "of"): "the script of a page, in a raw text",
    ("device/report/html_style.cpp", "at"): "the script of a page, in a raw text",
    ("device/report/html_style.cpp", "from"): "a class of the style sheet, in a raw text",
    ("execution", "digit"): "the digits of a radix sort's keys; decimal digits in a trace's file",
    ("execution", "keep"): "mmm::vocabulary::keep, a public name, and what it calls in a back end",
    ("index/expression_text.hpp", "digit"): "decimal digits",
    ("report/drawing.hpp", "digit"): "decimal digits",
    ("report/page_style.hpp", "of"): "the script of a page, in a raw text",
}
COMMENT = re.compile(r"^\s*(//[!/]?)(?!<)\s?(.*)$")
STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')


def code_of(line):
    """A line without its texts and its comment."""
    return STRING.sub('""', line).split("//", 1)[0]


def names_in(line):
    if line.lstrip().startswith("#"):
        return
    code = code_of(line)
    for match in re.finditer(r"[A-Za-z_]\w*", code):
        before, after = code[:match.start()], code[match.end():]
        if match.group() == "at" and re.match(r"\(|<\w+>\(", after):
            continue  # access to an element, as in the standard library
        if match.group() == "what" and re.search(r"(\.|->)$", before) and after.startswith("("):
            continue  # std::exception::what
        yield match.group()


def comments_of(lines):
    """(number of the first line, text) of each comment that has lines of its own."""
    number = 0
    while number < len(lines):
        match = COMMENT.match(lines[number])
        if not match or "SPDX" in lines[number]:
            number += 1
            continue
        first, kind, text = number, match.group(1), []
        while number < len(lines) and (match := COMMENT.match(lines[number])) and match.group(1) == kind:
            text.append(match.group(2).strip())
            number += 1
        yield first + 1, " ".join(text)


def key_of(found, allowed):
    """Whether an entry of ALLOWED is for the name found: a name, or a part of one."""
    return found == allowed or allowed in found.split("_") or allowed + "s" in found.split("_")


def allowed_at(inside, found, used):
    places = [inside.as_posix(), *(parent.as_posix() for parent in inside.parents)]
    for place, what in ALLOWED:
        if place in places and key_of(found, what):
            used.add((place, what))
            return True
    return False


def openings_in(lines):
    """(line, words) of each comment's sentence that does not begin with its subject."""
    for number, comment in comments_of(lines):
        if opening := OPENINGS.match(comment) or LATER_OPENINGS.search(comment):
            yield number, (opening.group(1) if opening.groups() else opening.group()).strip()


def complaints_of(inside, text, used):
    """(line, complaint) for each name, opening and phrase in a file that is refused."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        for name in names_in(line):
            for pattern, word in NAMES:
                if pattern.fullmatch(name) and not allowed_at(inside, name, used):
                    yield number, f"`{name}`: {word}"
                    break
    for number, words in openings_in(lines):
        if not allowed_at(inside, words, used):
            yield number, f"a sentence begins with `{words}`: the subject first"
    for number, comment in comments_of(lines):
        if said := PROSE.search(comment):
            yield number, f"`{said.group()}`: assigned, publishes, candidate"


def check(root):
    """(complaints, number of sources checked)"""
    complaints, used = [], set()
    for tree in EVERY_TREE:
        for file in sorted((root / tree).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            lines, place = file.read_text().splitlines(), file.relative_to(root).as_posix()
            for number, line in enumerate(lines, 1):
                for name in names_in(line):
                    for pattern, word in EVERYWHERE:
                        if pattern.fullmatch(name):
                            complaints.append(f"{place}:{number}: `{name}`: {word}")
                            break
            if not place.startswith(tuple(ROOTS)) or place.startswith(tuple(EXEMPT)):
                complaints += [f"{place}:{number}: a sentence begins with `{words}`: the subject first"
                               for number, words in openings_in(lines)]
    count = 0
    for top, prefix in ROOTS.items():
        for folder in sorted(path for path in (root / top).iterdir() if path.is_dir()) if (root / top).is_dir() else []:
            name = prefix + folder.name
            if name in EXEMPT:
                continue
            for file in sorted(folder.rglob("*")):
                if file.suffix in SOURCES:
                    count += 1
                    inside = pathlib.PurePosixPath(prefix) / file.relative_to(root / top).as_posix()
                    complaints += [f"{file.relative_to(root).as_posix()}:{number}: {complaint}"
                                   for number, complaint in complaints_of(inside, file.read_text(), used)]
    complaints += [f"{place} has no `{what}` any more: it is not to be in ALLOWED" for place, what in ALLOWED
                   if (place, what) not in used
                   and any((root / top / place.removeprefix(prefix)).exists() for top, prefix in ROOTS.items()
                           if place.startswith(prefix))]
    return complaints, count


def self_test():
    cases = [
        ("a clean header", "algorithm/a.hpp", "//! Number of tiles.\nint max_tiles;\n", None),
        ("a bound", "algorithm/a.hpp", "int most_tiles;\n", "`most_tiles`: max_x"),
        ("a bound elsewhere", "../../tool/a.cpp", "int most_tiles;\n", "`most_tiles`: max_x"),
        ("a bound in a text", "algorithm/a.hpp", 'char const* a = "most_tiles";\n', None),
        ("a name", "algorithm/a.hpp", "int from = 0;\n", "`from`: a noun"),
        ("a member", "choose/a.hpp", "int of_;\n", "`of_`: a noun"),
        ("a function", "algorithm/a.hpp", "int told(int x);\n", "`told`: publish"),
        ("a member of the standard library", "algorithm/a.hpp", "int b = a.at(0);\n", None),
        ("a member of another class", "algorithm/a.hpp", "int b = a.of(0);\n", "`of`: a noun"),
        ("an allowed name", "algorithm/sort/a.hpp", "int digit = 0;\n", None),
        ("the same elsewhere", "algorithm/scan/a.hpp", "int digit = 0;\n", "`digit`: dimension"),
        ("an opening", "algorithm/a.hpp", "//! Of tiles, the last one.\nint a;\n", "begins with `Of`"),
        ("an opening after the first sentence", "algorithm/a.hpp", "  // One tile. What is left\n  // of it.\n", "begins with `What`"),
        ("a private word in a comment", "algorithm/a.hpp", "//! Tiles dealt\n//! to the DMMs.\nint a;\n", "`dealt`: assigned"),
        ("an opening in the second line", "algorithm/a.hpp", "//! The tiles\n//! of what is left.\nint a;\n", None),
        ("the name of a case", "algorithm/a.hpp", "//! `Of` is a type.\nint a;\n", None),
        ("an element's access", "algorithm/a.hpp", "int at(int k);\n", None),
        ("a place", "algorithm/a.hpp", "int at = 0;\n", "`at`: a noun"),
        ("look-back", "algorithm/a.hpp", "int look_back_rounds;\n", None),
        ("a look", "algorithm/a.hpp", "int looked_at;\n", "`looked_at`: examine"),
        ("a name in the device", "../../device/core/a.cpp", "int from = 0;\n", "device/core/a.cpp:1: `from`: a noun"),
        ("an opening in the device", "../../device/core/a.hpp", "// What a warp does.\nint a;\n", "begins with `What`"),
        ("the device's tests", "../../device/test/a.cpp", "int from = 0;\n", None),
        ("an opening in the device's tests", "../../device/test/a.cpp", "// What a warp does.\nint a;\n", "begins with `What`"),
        ("an opening in a tool", "../../tool/a.cpp", "// Where lines end.\nint a;\n", "begins with `Where`"),
    ]
    failed = 0
    for what, name, text, demanded in cases:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "include", "mmm", name)
            pathlib.Path(folder, "include", "mmm").mkdir(parents=True)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            complaints, _ = check(pathlib.Path(folder))
        complaints = [c for c in complaints if "ALLOWED" not in c]
        right = not complaints if demanded is None else any(demanded in c for c in complaints)
        print(("ok      " if right else "FAILED  ") + what + (f": {complaints}" if not right else ""))
        failed += not right
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    complaints, count = check(root)
    for line in complaints:
        print(line)
    if count == 0:
        print(f"{root}: no sources under include/mmm or device")
        return 1
    print(f"{count} files, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
