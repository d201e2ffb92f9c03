#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Demands that the model's predictions for kernels equal the counts of the device in software,
request by request.

  prediction_test.py --mmm-run PATH --nvcc PATH --build FOLDER [--cxx NAME]
                     [--list NAME ...] [--quick] [--write]

The lists (lists/*.hpp) are compiled into two programs: kernels (counted.cu), and the model that
predicts each launch (model.cpp). Requests, and wavefronts or sectors, must be equal, separately for
loads and stores, for the program and for each part beside it (parts.py). Differences that a
compiler causes are listed in differences.json, with their cause, for each launch, to the last
request. The tables in docs/gpu.md must contain the counts; --write writes them. --quick compiles
kernels for 4 and 16 items per thread, without always_inline, and the kernels' host code and the model
by clang 19, which is quicker; neither changes a count. Unless it writes, it leaves out kernels that
differ from others by the machine or the type of values only (`few` in cases.hpp), and then compares
the rows of the others with those in docs/gpu.md. Exit status 77 (skipped) without nvcc.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

from parts import counted_parts, none
from tables import programs, tables, with_tables

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
DOCS = root / "docs" / "gpu.md"
A_BLOCK_PER_TILE = "wide_copy", "register_product", "tensor_core_product"  # programs, as docs/gpu.md says

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--build", required=True, type=pathlib.Path, help="where programs go")
parser.add_argument("--cxx", default="g++-12")
parser.add_argument("--list", nargs="*", help="only these; the tables are neither checked nor written then")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--write", action="store_true", help="write the tables")


def run(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(c) for c in command)}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-6000:]}")
    return done.stdout


def compiled(command, source, made):
    """A program, compiled if a source or a header is newer."""
    headers = [f for folder in (root / "include", here) for f in folder.rglob("*") if f.suffix in (".hpp", ".cuh", ".cu", ".cpp")]
    if not made.exists() or made.stat().st_mtime < max(f.stat().st_mtime for f in headers):
        run([*command, f"-I{root}/include", source, "-o", made])
    return made


def launches(options, names):
    """The predicted launches of the lists, each with its counts."""
    build = options.build / "_".join([*names, "few"] if options.few else names)
    build.mkdir(parents=True, exist_ok=True)
    lists = build / "lists.hpp"
    lists.write_text("".join(f'#include "{here}/lists/{name}.hpp"\n' for name in names) +
                     "namespace prediction {\ntemplate <class Runs>\nvoid run_lists(Runs& runs) {\n" +
                     "".join(f"  {name}::run_list(runs);\n" for name in names) + "}\n}\n", encoding="utf-8")
    host = "clang++-19" if options.quick and shutil.which("clang++-19") else options.cxx
    macros = [f'-DPREDICTION_LISTS="{lists}"']
    if options.few:
        macros.append("-DPREDICTION_FEW")
    quick_model, quick_kernels = [], []
    if options.quick:
        quick_model = ["-DMMM_ITEMS_PER_THREAD=4,16"]
        quick_kernels = [r"-DMMM_ITEMS_PER_THREAD=4\,16", "-DMMM_HOST_DEVICE=__host__ __device__", "-DMMM_INLINED="]
    model = compiled([host, "-std=c++20", "-O0", *macros, *quick_model], here / "model.cpp", build / "model")
    kernels = compiled([options.nvcc, "-x", "cu", "-std=c++20", "-O0", "-lineinfo", "-cudart", "shared", "-ccbin", host,
                        "-gencode", "arch=compute_90a,code=compute_90a", *macros, *quick_kernels],
                       here / "counted.cu", build / "counted")
    counts = build / "counts.json"
    predicted = [json.loads(line) for line in run([model]).splitlines()]
    run([options.mmm_run, "--seed", "1", "--json", counts, kernels])
    found = [json.loads(line) for line in counts.read_text(encoding="utf-8").splitlines()]
    # The chords of a triangulation are found free of cost: a kernel of its own does it.
    found = [launch for launch in found if "find_parts" not in launch["kernel"]]
    if len(predicted) != len(found) or not found:
        sys.exit(f"{len(found)} launches, {len(predicted)} predicted")
    for row, launch in zip(predicted, found):
        shape = [row["blocks"], 1, 1], [row["block_threads"], 1, 1]
        if any(name in row["program"] for name in A_BLOCK_PER_TILE):  # if they are more
            shape = [max(launch["grid"][0], row["blocks"]), 1, 1], shape[1]
        if (launch["grid"], launch["block"]) != shape or row["program"] not in launch["kernel"]:
            sys.exit(f"launch {launch['launch']} is {launch['kernel']} {launch['grid']} {launch['block']}; "
                     f"predicted: {row['program']} {shape}")
        row["counted"] = counted_parts(launch)
    return predicted


def differences(row):
    """Count minus prediction, by part and kind."""
    found = {}
    for part in set(row["parts"]) | set(row["counted"]):
        if part in ("grid barrier", "stage barrier"):
            continue  # the model makes none; how often a thread looks depends on the schedule
        predicted, counted = row["parts"].get(part, none()), row["counted"].get(part, none())
        for kind in set(predicted) | set(counted):
            more = [c - p for c, p in zip(counted.get(kind, [0, 0]), predicted.get(kind, [0, 0]))]
            if (part, kind) == ("look-back", "global load"):
                # a lower bound: a tile reads a state again until it is there
                more = [min(0, m) for m in more]
            if more != [0, 0]:
                found[part, kind] = more
    return found


def compare(rows, known):
    """The unexpected differences, and the expected ones that are missing. The cause of an expected
    difference is added to the row."""
    failures = []
    unseen = {(d["algorithm"], d["machine"], d["value"], d["part"], d["kind"], case): (d["cause"], more)
              for d in known for case, more in d["more"].items()}
    for row in rows:
        row["causes"] = []
        kernel = row["algorithm"], row["machine"], row["value"]
        for (part, kind), more in sorted(differences(row).items()):
            cause, expected = unseen.pop((*kernel, part, kind, row["with"]), (None, [0, 0]))
            if more == expected:
                row["causes"].append((cause, kind, more))
                continue
            failures.append(f"{', '.join(kernel)}, {row['with']}: {part}, {kind}: {more} more than "
                            f"{row['parts'].get(part, none()).get(kind, [0, 0])} predicted; expected: {expected} more")
    present = {(row["algorithm"], row["machine"], row["value"]) for row in rows}
    failures += [f"{', '.join(key[:5])}, {key[5]}: is equal or gone; expected: {more} more"
                 for key, (_, more) in unseen.items() if key[:3] in present]
    return failures


def main():
    options = parser.parse_args()
    options.few = options.quick and not options.write
    if not shutil.which(options.nvcc) or not shutil.which(options.cxx):
        print("nvcc or its host compiler not found: skipped")
        return 77
    names = options.list or sorted(f.stem for f in (here / "lists").glob("*.hpp"))
    rows = launches(options, names)
    known = json.loads((here / "differences.json").read_text(encoding="utf-8"))
    failures = compare(rows, known["differences"])
    equal = sum(not differences(row) for row in rows)
    print(f"{len(rows)} launches, {equal} as predicted, {sum(bool(row['causes']) for row in rows)} with a known difference, "
          f"{len(failures)} failures")
    for failure in failures:
        print("  " + failure)
    if failures:
        return 1
    if options.list:
        return 0
    old = DOCS.read_text(encoding="utf-8")
    if options.few:
        missing = [line for line in programs(rows, known["causes"]).splitlines() if line not in set(old.splitlines())]
        print("".join(f"{os.path.relpath(DOCS, root)} lacks the line {line}\n" for line in missing), end="")
        return 1 if missing else 0
    new = with_tables(old, tables(rows, known["causes"]))
    if options.write:
        DOCS.write_text(new, encoding="utf-8")
    elif new != old:
        print(f"{os.path.relpath(DOCS, root)} does not say what was counted (prediction_test.py --write):")
        diff = [f"{sign} {line}" for sign, a, b in (("-", old, new), ("+", new, old))
                for line in a.splitlines() if line not in set(b.splitlines())]
        print("\n".join(diff))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
