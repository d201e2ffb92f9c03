# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of docs/gpu.md: predictions and counts for kernels, and for the accesses beside their
programs."""
import re
import sys

from parts import KINDS, none

BEGIN, END = "<!-- predictions: written by test/prediction -->\n", "<!-- predictions: end -->\n"

# For each part: its description, and the functions that contain it.
PARTS = {
    "copies": ("the copy of arguments: a DMM's words to its shared memory and back; `sum` on one memory and `prefix_sums` that "
               "are not in place first copy their `n` words", "`copy_in`, `copy_out` in `execution/kernel/memory.hpp`"),
    "kept": ("what a program keeps for its caller: its result, a load and a store; the threads' sums of `contiguous`, `stride` and "
             "`sequential_read`, a store each", "`run_keep` in `execution/kernel/kernel.hpp`"),
    "addresses": ("the addresses of `sequential_read`, which the model's threads know: a load each",
                  "`address_sequence` in `algorithm/access/sequential_read.hpp`"),
    "cleared states": ("the states of tiles before a look-back: a store each", "`clear` in `execution/kernel/look_back.hpp`"),
    "look-back": ("a look-back: stores of what a tile knows, its own total first and then that of all up to itself; loads of the "
                  "states of up to 32 tiles, again until they are published, one for each tile at least",
                  "`publish`, `inspect` in `execution/kernel/device_team.cuh`, `execution/kernel/look_back.hpp`"),
    "last block": ("the blocks of a sum, counted to find the last one: an atomic addition each, and a store of zero by the last one",
                   "`first_alone` in `execution/kernel/device_team.cuh`"),
    "grid barrier": ("a barrier of the whole grid: atomic additions and reads of a word of CUDA's own, until all are there",
                     "`cooperative_groups`"),
}


def grouped(value):
    return f"{value:,}".replace(",", " ")


def summed(rows, side, part, kinds, which):
    return sum(row[side].get(part, none())[kind][which] for row in rows for kind in kinds)


def why(rows, causes):
    """Each cause of a difference in the rows, with its effect."""
    found = {}
    for row in rows:
        for cause, kind, more in row["causes"]:
            total = found.setdefault((cause, kind), [0, 0, 0])
            for k, value in enumerate([*more, 1]):
                total[k] += value
    texts = []
    for (cause, kind), (requests, transfers, cases) in sorted(found.items()):
        what = "wavefronts" if kind.startswith("shared") else "sectors"
        texts.append(f"{causes[cause]}: {kind}s {requests:+} requests, {transfers:+} {what}, in {cases} of them".replace("-", "−"))
    return "; ".join(texts)


def programs(rows, causes):
    text = ("| kernel | machine | launches | requests: predicted | counted | shared wavefronts: predicted | counted | "
            "global sectors: predicted | counted | why they differ |\n|---|---|--:|--:|--:|--:|--:|--:|--:|---|\n")
    kernels = {}
    for row in rows:
        checks_weights = "find_not_finite" in row["program"]
        name = "find_not_finite" if checks_weights else row["algorithm"]
        value = "" if row["value"] == "float" else f", {row['value']}"
        kernels.setdefault((f"`{name}`{value}", row["machine"]), []).append(row)
    for (name, machine), some in kernels.items():
        figures = [grouped(summed(some, side, "program", kinds, which)) for kinds, which in
                   ((KINDS, 0), (KINDS[:2], 1), (KINDS[2:], 1)) for side in ("parts", "counted")]
        text += f"| {name} | {machine} | {len(some)} | {' | '.join(figures)} | {why(some, causes)} |\n"
    return text


def beside(rows):
    text = ("| accesses | where | launches | requests: predicted | counted | wavefronts and sectors: predicted | counted |\n"
            "|---|---|--:|--:|--:|--:|--:|\n")
    for part, (what, where) in PARTS.items():
        some = [row for row in rows if part in row["counted"]]
        if not some:
            sys.exit(f"no launch has {part}")
        if part == "grid barrier":
            figures = ["–", "not said", "–", "not said"]  # the number depends on the schedule
        else:
            kinds = ["global store"] if part == "look-back" else KINDS
            figures = [grouped(summed(some, side, part, kinds, which)) for which in (0, 1) for side in ("parts", "counted")]
            if part == "look-back":
                figures = [f"{figure} stores" for figure in figures]
        text += f"| {what} | {where} | {len(some)} | {' | '.join(figures)} |\n"
    return text


def tables(rows, causes):
    return f"{beside(rows)}\nThe programs themselves:\n\n{programs(rows, causes)}"


def with_tables(document, text):
    """The document with new tables."""
    if document.count(BEGIN) != 1 or document.count(END) != 1:
        sys.exit(f"docs/gpu.md needs {BEGIN.strip()} and {END.strip()}, once each")
    return re.sub(re.escape(BEGIN) + ".*" + re.escape(END), lambda _: f"{BEGIN}\n{text}\n{END}", document, flags=re.DOTALL)
