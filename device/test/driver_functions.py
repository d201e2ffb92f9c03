#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the list of the driver's functions (device/driver/functions.def), and its table in the docs.

  driver_functions.py LIBRARY [--cuda-headers FOLDER] [--write]

LIBRARY: libmmm_device.so. Every function of the list is exported by it, and is served or refused by
name; docs/driver-functions.md says which; --write writes the table. FOLDER has the toolkit's cuda.h
and cudaTypedefs.h: every function that they declare is in the list, in all its versions, and a
function that is served takes as many parameters as theirs. Exit status 77 (skipped) without nm.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
page = root / "docs" / "driver-functions.md"
driver = here.parent / "driver"
mark = "<!-- the table is written by device/test/driver_functions.py --write -->\n"

parser = argparse.ArgumentParser()
parser.add_argument("library")
parser.add_argument("--cuda-headers", default="")
parser.add_argument("--write", action="store_true")
options = parser.parse_args()
failures = []


def check(condition, *what):
    if not condition:
        failures.append(" ".join(map(str, what)))
    return condition


def listed():
    """(symbol, name, version, of a thread's own stream) of each function of the list"""
    rows = re.findall(r"^MMM_CU_(FUNCTION|PER_THREAD)\((\w+), (\w+), (\d+)\)$", (driver / "functions.def").read_text(), re.M)
    return [(symbol, name, int(version), kind == "PER_THREAD") for kind, symbol, name, version in rows]


def exported():
    """{symbol: is it served} of the library"""
    text = subprocess.run(["nm", "-D", "--defined-only", options.library], capture_output=True, text=True, check=True).stdout
    return {m[2]: m[1] == "T" for m in re.finditer(r"^\w+ ([TW]) (cu[A-Z]\w+)", text, re.M)}


def parameters(text):
    """The number of parameters in the text between a function's parentheses."""
    text = text.strip()
    if text in ("", "void"):
        return 0
    depth, count = 0, 1
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        count += c == "," and depth == 0
    return count


def of_headers(folder):
    """{name: {version: parameters}} of cudaTypedefs.h; names that cuda.h declares"""
    text = (folder / "cudaTypedefs.h").read_text()
    found = {}
    for name, version, rest in re.findall(r"\(CUDAAPI \*PFN_(cu\w+?)_v(\d+)\)\(([^;]*)\);", text):
        found.setdefault(name, {})[int(version)] = parameters(rest)
    declared = set(re.findall(r"^CUresult CUDAAPI (cu\w+)\(", (folder / "cuda.h").read_text(), re.M))
    return found, declared


def defined():
    """{symbol: parameters} of the functions that the sources define"""
    found = {}
    for file in sorted(driver.glob("*.cpp")):
        if file.name == "functions.cpp":
            continue
        text = subprocess.run(["c++", "-std=c++20", "-E", "-P", f"-I{root}", f"-I{root / 'include'}", f"-I{root / 'tool'}", str(file)],
                              capture_output=True, text=True, check=True).stdout
        for name, rest in re.findall(r"CUresult\s+(cu[A-Z]\w*)\s*\(((?:[^()]|\([^()]*\))*)\)\s*\{", text):
            found[name] = parameters(rest)
    return found


def check_headers(folder, rows):
    versions, declared = of_headers(folder)
    known = {(name, version) for _, name, version, of_thread in rows if not of_thread}
    symbols = {symbol for symbol, *_ in rows}
    for name in sorted(declared):
        check(name in symbols or name + "_v2" in symbols, "cuda.h declares", name, "which is not in functions.def")
    for name, all_of_it in versions.items():
        for version in all_of_it:
            check((name, version) in known or version == 7000 and name in {n for n, _ in known}, name, "of version", version,
                  "is not in functions.def")
    counts = defined()
    compared = 0
    for symbol, name, version, of_thread in rows:
        wanted = versions.get(name, {}).get(version)
        if symbol in counts and wanted is not None:
            compared += 1
            check(counts[symbol] == wanted, symbol, "takes", counts[symbol], "parameters; the toolkit's takes", wanted)
    check(compared >= 200, "only", compared, "functions were compared with the toolkit's")


def table(rows, served):
    newest = {}
    for symbol, name, version, of_thread in rows:
        if not of_thread:
            newest.setdefault(name, []).append((version, symbol))
    count = sum(served[max(all_of_it)[1]] for all_of_it in newest.values())
    lines = [f"{count} of {len(newest)} functions are served.\n", "\n", "| function | |\n", "|---|---|\n"]
    for name, all_of_it in sorted(newest.items()):
        first = min((v for v, s in all_of_it if served[s]), default=None)
        if first is None:
            said = "refused"
        elif not served[max(all_of_it)[1]]:
            said = "refused, but for an older version"
        elif first > min(all_of_it)[0]:
            said = f"served, as of CUDA {first // 1000}.{first % 1000 // 10}"
        else:
            said = "served"
        lines.append(f"| `{name}` | {said} |\n")
    return "".join(lines)


if shutil.which("nm") is None:
    print("nm not found: skipped")
    sys.exit(77)
rows, served = listed(), exported()
check(len(rows) > 600, "functions.def has", len(rows), "functions")
for symbol, *_ in rows:
    check(symbol in served, options.library, "does not export", symbol)
for symbol in sorted(served.keys() - {symbol for symbol, *_ in rows}):
    check(False, options.library, "exports", symbol, "which is not in functions.def")
if options.cuda_headers:
    check_headers(pathlib.Path(options.cuda_headers), rows)
if not failures:
    text = page.read_text()
    now = text[:text.index(mark) + len(mark)] + "\n" + table(rows, served)
    if options.write:
        page.write_text(now)
    else:
        check(text == now, "the table in", page.name, "is not up to date:", sys.argv[0], "LIBRARY --write")
for failure in failures[:40]:
    print(failure)
print(f"{len(rows)} functions, {len(failures)} failures")
sys.exit(1 if failures else 0)
