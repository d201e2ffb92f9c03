#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the tests mirror include/mmm: each header has a test at its path below test, or a line in
headers_without_a_test.txt that names another test, which includes the header.

    header_tests.py [ROOT]       checks ROOT (default: this repository)
    header_tests.py --self-test  plants each kind of mistake and demands that it is found

The tests of cost/plane.hpp are cost/plane.cpp, plane.static.cpp, plane.property.cpp and so on; a .cuh has none. A line of the list is
    HEADER: TEST        paths below include/mmm and below test or the root; the test includes the header, or a header
                        that does
    FOLDER/*: TEST      the same of every header directly in that folder that has no test and no other line
    HEADER: umbrella    the header consists of include directives
"""
import pathlib
import re
import sys
import tempfile

LIST = "headers_without_a_test.txt"
KINDS = ["", ".static", ".property", ".threads", ".thrust", ".long", ".property.long", ".threads.long"]
FURTHER = ["support", "reject", "kernel", "cuda", "prediction", "program", "docs", "consumer", "packages", "replay"]  # no tests of a header
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def lines_of(file):
    """The list as {header or FOLDER/*: (line number, test)}, and complaints."""
    entries, complaints = {}, []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, test = (part.strip() for part in line.partition(":"))
        if not colon or not test:
            complaints.append(f"test/{LIST}:{number}: not HEADER: TEST: {line}")
        elif name in entries:
            complaints.append(f"test/{LIST}:{number}: {name} has a line already, {entries[name][0]}")
        else:
            entries[name] = number, test
    return entries, complaints


def included(root, test, known):
    """The paths below include/mmm of all headers that a test includes, directly or not."""
    found, left = set(), [test]
    while left:
        file = left.pop()
        if file not in known:
            known[file] = INCLUDE.findall(file.read_text(encoding="utf-8"))
        for name in known[file]:
            for place in (root / "include" / name, file.parent / name, root / "test" / name):
                if place.is_file() and place not in found:
                    found.add(place)
                    left.append(place)
                    break
    library = root / "include" / "mmm"
    return {place.relative_to(library).as_posix() for place in found if library in place.parents}


def complaints_of(root):
    tests, library = root / "test", root / "include" / "mmm"
    headers = sorted(f.relative_to(library).as_posix() for f in library.rglob("*") if f.suffix in (".hpp", ".cuh"))
    entries, complaints = lines_of(tests / LIST)
    tested = {h for h in headers if h.endswith(".hpp") and any((tests / h).with_suffix(f"{kind}.cpp").is_file() for kind in KINDS)}
    used, reached, known = set(), {}, {}
    for header in headers:
        folder = f"{header.rpartition('/')[0]}/*"
        name = header if header in entries else folder if folder in entries and header not in tested else None
        if name is None:
            if header not in tested:
                complaints.append(f"include/mmm/{header}: no test at test/{header.rpartition('.')[0]}*.cpp, and no line in test/{LIST}")
            continue
        number, test = entries[name]
        used.add(name)
        if header in tested:
            complaints.append(f"test/{LIST}:{number}: {header} has a test at its path")
        elif test == "umbrella":
            if re.sub(r"//.*|^\s*#\s*(pragma|include|if|endif|else)\b.*", "", (library / header).read_text(encoding="utf-8"), flags=re.M).strip():
                complaints.append(f"test/{LIST}:{number}: {header} has more than include directives")
        else:
            place = next((p for p in (tests / test, root / test) if p.is_file()), None)
            if place is None:
                complaints.append(f"test/{LIST}:{number}: there is no {test}")
                continue
            if test not in reached:
                reached[test] = included(root, place, known)
            if header not in reached[test]:
                complaints.append(f"test/{LIST}:{number}: {test} does not include {header}")
    complaints += [f"test/{LIST}:{number}: {name}: no such header, or none without a test"
                   for name, (number, _) in entries.items() if name not in used]
    for file in sorted(tests.rglob("*.cpp")):
        place = file.relative_to(tests)
        if len(place.parts) > 1 and place.parts[0] not in FURTHER and not (library / place.parent).is_dir():
            complaints.append(f"test/{place}: there is no folder include/mmm/{place.parent}, and so CMake does not build it")
        elif (len(place.parts) == 1 or place.parts[0] not in FURTHER) and "." + ".".join(place.name.split(".")[1:-1]) not in (".", *KINDS):
            complaints.append(f"test/{place}: not a kind of test; CMake picks up x.cpp and " + ", ".join(f"x{k}.cpp" for k in KINDS[1:]))
    return complaints


def self_test():
    good = {"include/mmm/all.hpp": "#pragma once\n// All.\n#include <mmm/cost/plane.hpp>\n", "include/mmm/cost/plane.hpp": "int x;\n",
            "include/mmm/cost/line.hpp": "int y;\n", "include/mmm/index/box.hpp": "int z;\n", "test/cost/plane.static.cpp": '#include "support/a.hpp"\n',
            "test/support/a.hpp": "#include <mmm/cost/line.hpp>\n", "test/index/period.cpp": "#include <mmm/index/box.hpp>\n",
            f"test/{LIST}": "# A comment.\nall.hpp: umbrella\ncost/*: cost/plane.static.cpp\nindex/box.hpp: index/period.cpp\n"}
    mistakes = [
        ({"include/mmm/index/key.hpp": ""}, "include/mmm/index/key.hpp: no test"),
        ({"include/mmm/cost/key.hpp": ""}, "does not include cost/key.hpp"),
        ({"test/support/a.hpp": ""}, "does not include cost/line.hpp"),
        ({"test/index/box.property.cpp": ""}, "has a test at its path"),
        ({"include/mmm/all.hpp": "int x;\n"}, "more than include directives"),
        ({f"test/{LIST}": good[f"test/{LIST}"].replace("period", "box")}, "there is no index/box.cpp"),
        ({f"test/{LIST}": good[f"test/{LIST}"] + "index/old.hpp: index/period.cpp\n"}, "index/old.hpp: no such header"),
        ({f"test/{LIST}": good[f"test/{LIST}"] + "all.hpp: umbrella\n"}, "has a line already"),
        ({f"test/{LIST}": good[f"test/{LIST}"] + "all.hpp\n"}, "not HEADER: TEST"),
        ({"test/unit/a.cpp": ""}, "there is no folder include/mmm/unit"),
        ({"test/cost/plane.slow.cpp": ""}, "not a kind of test"),
    ]
    failures = 0
    for changes, expected in [({}, None), *mistakes]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (good | changes).items():
                file = pathlib.Path(folder, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            found = complaints_of(pathlib.Path(folder))
            ok = not found if expected is None else len(found) == 1 and expected in found[0]
            failures += not ok
            print("found " if ok else "MISSED", expected, "" if ok else found)
    return failures


if sys.argv[1:] == ["--self-test"]:
    sys.exit(1 if self_test() else 0)
checked = pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).resolve().parent.parent
wrong = complaints_of(checked)
print("\n".join(wrong) or "each header has a test, or a test that includes it")
sys.exit(1 if wrong else 0)
