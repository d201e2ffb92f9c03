#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions and memory accesses of sorts per key, the library's and CUB's, on the
device in software, and writes the table of docs/gpu.md, "Sorting".

  sort_counts.py --mmm-run PATH --nvcc PATH --root FOLDER --build FOLDER [--write]

The figures are those of PTX, whose instructions are not yet the machine's, for both sides alike, and
those of one interleaving: how often a thread looks whether others have arrived depends on it.
With --write the table in docs/gpu.md is replaced; otherwise it is printed, and status 1 says that
the one in docs/gpu.md is another one. Exit status 77 (skipped) without nvcc.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--cxx", default="g++-12")
parser.add_argument("--root", required=True, type=pathlib.Path, help="the repository's root")
parser.add_argument("--build", required=True, type=pathlib.Path, help="where the program goes")
parser.add_argument("--write", action="store_true")
options = parser.parse_args()

if not shutil.which(options.nvcc):
    print("nvcc not found: skipped")
    sys.exit(77)

CONTENDERS = {
    "radix_sort": "`mmm::radix_sort`", "cub_radix_sort": "CUB `DeviceRadixSort::SortKeys`",
    "sort": "`mmm::sort`",
    "merge_sort": "`mmm::merge_sort`", "cub_merge_sort": "CUB `DeviceMergeSort::SortKeys`",
    "radix_sort_pairs": "`mmm::radix_sort_pairs`", "cub_radix_sort_pairs": "CUB `DeviceRadixSort::SortPairs`",
    "sort_pairs": "`mmm::sort_pairs`",
    "merge_sort_pairs": "`mmm::merge_sort_pairs`", "cub_merge_sort_pairs": "CUB `DeviceMergeSort::SortPairs`"}
SIZES = (10**5, 10**6)
BEGIN, END = "<!-- sort_counts.py begin -->\n", "<!-- sort_counts.py end -->\n"

options.build.mkdir(parents=True, exist_ok=True)
program = options.build / "sort_counts"
subprocess.run([options.nvcc, "-std=c++20", "-O3", f"-I{options.root}/include", "-cudart", "shared", "-ccbin", options.cxx, "-gencode",
                "arch=compute_90,code=compute_90", options.root / "benchmark/sort/sort_counts.cu", "-o", program], check=True)


def figures(contender, n):
    """Launches; instructions, sectors and wavefronts for each key."""
    counts = options.build / "sort_counts.json"
    subprocess.run([options.mmm_run, "--seed", "1", "--json", counts, program, contender, str(n)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    launches = [json.loads(line) for line in counts.read_text(encoding="utf-8").splitlines()]
    total = lambda space, what: sum(kind.get(what, 0) for launch in launches for kind in launch[space].values())
    instructions = sum(launch["instructions"]["all"] for launch in launches)
    return len(launches), instructions / n, total("global", "sectors") / n, total("shared", "wavefronts") / n


table = ("| 4-byte keys, 4-byte values | n | launches | instructions of warps per key | sectors per key | wavefronts of shared memory per key |\n"
         "|---|---|---|---|---|---|\n")
for name, text in CONTENDERS.items():
    for n in SIZES:
        launches, instructions, sectors, wavefronts = figures(name, n)
        table += f"| {text} | 10^{len(str(n)) - 1} | {launches} | {instructions:.1f} | {sectors:.1f} | {wavefronts:.1f} |\n"

page = options.root / "docs/gpu.md"
before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
old, _, after = rest.partition(END)
print(table)
if options.write:
    page.write_text(before + BEGIN + table + END + after, encoding="utf-8")
elif old != table:
    print("docs/gpu.md has another table")
    sys.exit(1)
