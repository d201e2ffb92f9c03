# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of a kernel, identified by the source lines of its accesses. Accesses that do not
belong to the kernel's program are made in functions of their own."""
import functools
import pathlib
import re
import sys

KINDS = ["shared load", "shared store", "global load", "global store", "global atomic"]

# For each part: the functions below include/mmm whose source lines make its accesses.
FUNCTIONS = {
    "copies": [("execution/kernel/memory.hpp", r"void copy_in\("), ("execution/kernel/memory.hpp", r"void copy_out\(")],
    "kept": [("execution/kernel/kernel.hpp", r"void run_keep\(")],
    "addresses": [("algorithm/access/sequential_read.hpp", r"index address_of\(index i\)")],
    "cleared states": [("execution/kernel/look_back.hpp", r"void clear\(")],
    "look-back": [("execution/kernel/look_back.hpp", r"void publish_in_pieces\("),
                  ("execution/kernel/look_back.hpp", r"inspect_in_pieces\("),
                  ("execution/kernel/device_team.cuh", r"static __device__ void publish\("), ("execution/kernel/device_team.cuh", r"tile_status<T> inspect\(")],
    "last block": [("execution/kernel/device_team.cuh", r"void first_alone\(")],
}


def none():
    return {kind: [0, 0] for kind in KINDS}


@functools.lru_cache(maxsize=None)
def function_in(path, pattern):
    """The first and the last line of a function."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    starts = [n for n, line in enumerate(lines) if re.search(pattern, line) and not line.rstrip().endswith(";")]
    if len(starts) != 1:
        sys.exit(f"{path} has {len(starts)} functions {pattern!r}: 1 expected")
    depth = 0
    for number in range(starts[0], len(lines)):
        depth += lines[number].count("{") - lines[number].count("}")
        if depth == 0 and "}" in lines[number]:
            return starts[0] + 1, number + 1
    sys.exit(f"{path}: no end of {pattern!r}")


@functools.lru_cache(maxsize=None)
def part_of(path, line):
    if "/cooperative_groups/" in path:
        return "grid barrier"
    if path.endswith("/transaction_barrier.cuh"):
        return "stage barrier"
    if path.endswith("atomic_functions.hpp"):  # of CUDA, called by first_alone
        return "last block"
    for part, functions in FUNCTIONS.items():
        for name, pattern in functions:
            if path.endswith("/mmm/" + name):
                first, last = function_in(path, pattern)
                if first <= line <= last:
                    return part
    return "program"


def counted_parts(launch):
    """The counts of a launch by part and kind: requests, and wavefronts or sectors. Accesses
    without a line belong to the program."""
    parts = {}
    for line in launch["lines"]:
        part = part_of(line["file"], line["line"]) if line["file"] else "program"
        for space, transfers in (("shared", "wavefronts"), ("global", "sectors"), ("local", "sectors")):
            for kind, figures in line[space].items():
                if figures["requests"] == 0:
                    continue
                sum_so_far = parts.setdefault(part, none()).setdefault(f"{space} {kind}", [0, 0])
                sum_so_far[0] += figures["requests"]
                sum_so_far[1] += figures[transfers]
    return parts
