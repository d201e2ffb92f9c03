#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the table of docs/gpu.md that has a row for each of CUB's device-wide algorithms.

    cub_table.py [ROOT]       checks ROOT/docs/gpu.md (default: this repository)
    cub_table.py --self-test  plants each kind of mistake and demands that it is found

Demanded: every class of CLASSES has a row, and a row 7 cells: CUB's algorithms, the call, four
properties, and streams, graphs and storage. Where there is no call ("no"), the other cells are empty.
Otherwise each names a test case of test/**/*.cu in a code span, or is "yes", which stands for that of
the last cell, or begins with "no", but the last one.
"""
import pathlib
import sys
import tempfile

from papers import cases_of, spans

# The files device_*.cuh of CUB 3.0.
CLASSES = ["DeviceAdjacentDifference", "DeviceCopy", "DeviceFor", "DeviceHistogram", "DeviceMemcpy", "DeviceMerge", "DeviceMergeSort",
           "DevicePartition", "DeviceRadixSort", "DeviceReduce", "DeviceRunLengthEncode", "DeviceScan", "DeviceSegmentedRadixSort",
           "DeviceSegmentedReduce", "DeviceSegmentedSort", "DeviceSelect", "DeviceTransform"]
BEGIN, END = "<!-- cub -->\n", "<!-- end of cub -->\n"


def check(root):
    """The complaints, and the number of rows."""
    text = (root / "docs/gpu.md").read_text()
    if BEGIN not in text or END not in text:
        return ["docs/gpu.md: the marks of the table are missing"], 0
    start = text[:text.index(BEGIN)].count("\n") + 2
    cases, _ = cases_of(root, "*.cu")
    complaints, named = [], set()
    rows = text[text.index(BEGIN) + len(BEGIN):text.index(END)].splitlines()[2:]  # below the head
    for line, row in enumerate(rows, start + 2):
        cells = [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]

        def complain(what):
            complaints.append(f"docs/gpu.md:{line}: {cells[0]}: {what}")

        if len(cells) != 7:
            complain(f"{len(cells)} cells, not 7")
            continue
        named |= {code.split("::")[0] for _, code in spans(cells[0])}
        called = bool(spans(cells[1]))
        if not called and not cells[1].startswith("no"):
            complain("neither a call nor no")
        for place, cell in enumerate(cells[2:], 3):
            tests = [code for _, code in spans(cell)]
            if not called and cell:
                complain(f"cell {place} is not empty, but there is no call")
            if called and not tests and (place == 7 or cell != "yes" and not cell.startswith("no")):
                complain(f"cell {place} names no test")
            for test in tests:
                if test not in cases:
                    complain(f"there is no test {test}")
    complaints += [f"docs/gpu.md: no row for {name}" for name in CLASSES if name not in named]
    return complaints, len(rows)


def self_test():
    head = BEGIN + "| CUB | here | type | operator | iterators | n | rest |\n|---|---|---|---|---|---|---|\n"
    others = "| " + ", ".join(f"`{name}`" for name in CLASSES[1:]) + " | no | | | | | |\n"
    good = f"| `{CLASSES[0]}::F` | `f()` | yes | no, not x | no | some: `a case` | `a case` |\n"
    cases = [(head + good + others + END, None), (head + others + END, f"no row for {CLASSES[0]}"), (good, "marks"),
             (head + good.replace("some: `a case`", "some: `a castle`") + others + END, "no test a castle"),
             (head + good.replace("| no |", "| maybe |") + others + END, "cell 5 names no test"),
             (head + good.replace("| `a case` |\n", "| no |\n") + others + END, "cell 7 names no test"),
             (head + good.replace("`f()`", "f") + others + END, "neither a call"), (head + good.replace("`f()`", "no") + others + END, "is not empty"),
             (head + good.replace("| no |", "| no | no |") + others + END, "8 cells")]
    wrong = []
    for text, demanded in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "test").mkdir()
            (root / "docs/gpu.md").write_text(text)
            (root / "test/s.cu").write_text('TEST_CASE("a case") {}\n')
            found, _ = check(root)
        if (demanded is None) != (not found) or demanded and not any(demanded in complaint for complaint in found):
            wrong.append(f"{text!r}: {found}, demanded: {demanded}")
    print("\n".join(wrong) or f"{len(cases)} cases as demanded")
    return 1 if wrong else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    complaints, rows = check(pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).resolve().parent.parent)
    print("\n".join(complaints + [f"{rows} rows, {len(complaints)} complaints"]))
    return 1 if complaints else 0


sys.exit(main())
