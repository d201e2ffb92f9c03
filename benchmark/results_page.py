#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/gpu-results.md from the measurements in benchmark/results.

    results_page.py            writes the page
    results_page.py --check    fails if the page is not what the measurements say
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmark" / "results"
PAGE = ROOT / "docs" / "gpu-results.md"

HEAD = """# Measured on GPUs

This page is written by `benchmark/results_page.py` from the files in `benchmark/results`, which
`scripts/gpu` wrote on machines with a GPU. All contenders of a table took turns in one run, with
the level-2 cache overwritten before every launch; times are medians. Every result was checked
before its time counted.

The **limit** of a problem is the larger of two times: its bytes, each read or written once, at the
memory's published rate, and its operations at the highest clock, at the rate of the units that do
them. For each clock and multiprocessor these are 128 multiply-adds of floats; on GPUs of compute
capability 9.0, 2048 multiply-adds of halves by the tensor cores, and 64 additions with a minimum by
DPX, for triangulations. A sort counts the bytes of four passes over 8 bits: keys of 4 bytes are read
once, to count digits, and in each pass keys and values are read and written, (1 + 2 x 4) x 4 bytes
for a key and 68 for a pair.
"""

# Operations for each clock and multiprocessor, by compute capability: a multiply-add, or an addition
# with a minimum, is two.
FLOATS = 2 * 128
TENSOR_HALVES = {"7.0": 1024, "8.0": 2048, "8.9": 512, "9.0": 4096, "10.0": 8192}  # added up in floats
ADDITIONS_WITH_MINIMUM = {"9.0": 2 * 64}
# Published rates, in bytes a second, of memories for which the benchmark wrote another one.
MEMORY = {"NVIDIA H200": 4.8e12}
# Bytes of four passes over those of the problem, which are read once and written once.
PASSES = {"sort": 36 / 8, "sort of pairs": 68 / 16}


def percent_of_limit(row, device):
    """None where the rate of the units is not known."""
    group, capability = row["group"], device["compute_capability"]
    operations = FLOATS
    if row["parameters"].endswith("halves"):
        operations = TENSOR_HALVES.get(capability)
    elif group.startswith("triangulation"):
        operations = ADDITIONS_WITH_MINIMUM.get(capability)
    if operations is None:
        return None
    of_memory = row["bytes_per_s"] * PASSES.get(group, 1) / MEMORY.get(device["name"], device["limit_copy_bytes_per_s"])
    return 100 * max(of_memory, row["flop_per_s"] / (device["limit_flop_per_s"] * operations / FLOATS))

COUNTERS = """
### Counters of the hardware beside the model's stages

The profiler's wavefronts of shared memory and sectors of global memory for ten kernels, and what
the model says without running anything. Shared stages include the copies that bring a DMM's words
from the global memory, which has no place in the model of a single DMM; its sectors are theirs.
In prefix-sums the compiler joins two loads of neighbouring words into one of eight bytes.
"""


PATTERNS = """
### Wide accesses to shared memory

Wavefronts of one warp's access, of 64 alike: those of `mmm::gpu::nvidia_merging`; those that the
hardware counts (`l1tex__data_pipe_lsu_wavefronts_mem_shared`); and those that the profiler derives
from the addresses (`memory_l1_wavefronts_shared`), which differ from the hardware's where both
halves of a warp share addresses in different ways, or pairs of lanes collide. Loads of 8 and 16
bytes take half of the wavefronts where every lane has the address of its neighbour `lane ^ 1`, or
every one that of `lane ^ 2`; stores never do. Lane `item` accesses the 8 or 16 bytes whose number
is given.
"""


def time(us):
    return f"{us:,.1f} µs" if us < 1000 else f"{us / 1000:,.2f} ms"


def rate(row):
    if row["flop_per_s"] > row["bytes_per_s"] * 4:
        return f"{row['flop_per_s'] / 1e12:.2f} TFLOP/s"
    return f"{row['bytes_per_s'] / 1e9:,.0f} GB/s"


def share(percent):
    return "-" if percent is None else f"{percent:.1f} %"


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


SUMMARY = """
### The library's entries beside others

`mmm::fastest` as a program calls it, sorts, transposes and convolutions, beside the quickest contender
of another library that does the same, with or without tensor cores; a ratio below 1 says that this
library is quicker on this GPU, on this day. cuDNN is left out, which is made for images of many
channels: its times for one channel, with `CUDNN_FMA_MATH` and the algorithm that it names first, stand
below. Image convolutions have a row where NPP was measured. cuFFT transforms the whole sequence at
once, which for many taps takes longer than transforms of blocks.
"""

def summary(results):
    groups = {}
    for row in results:
        if not row["group"].startswith("candidates: ") and "median_us" in row:
            groups.setdefault((row["group"], row["parameters"]), []).append(row)
    lines = []
    for (group, parameters), rows in groups.items():
        ours = [row for row in rows if row["kind"] == "fast"]
        others = [row for row in rows if row["kind"] == "other" and row["contender"] != "cuDNN" and "no transpose" not in row["contender"]]
        if not ours or not others or (f"fastest: {group}", parameters) in groups:
            continue
        least = lambda some: min(some, key=lambda row: row["median_us"])
        mine, other = least(ours), least(others)
        lines.append((f"{group.removeprefix('fastest: ')}, {parameters}", f"`{mine['contender']}`", time(mine["median_us"]),
                      f"`{other['contender']}`", time(other["median_us"]),
                      f"{mine['median_us'] / other['median_us']:.2f}"))
    if lines:
        yield SUMMARY
        yield from table(("problem", "library", "time", "other", "time", "ratio"), lines)


RACES = """
### Candidates on many sizes

The candidates of `mmm::known`, each with its launch; the quickest is bold. Which of them the model
chooses is in [choices.md](choices.md), how far its times are from these in
[prediction.md](prediction.md).
"""


def races(results):
    """A table for each group of candidates, with a row for each size."""
    groups = {}
    for row in results:
        if row["group"].startswith("candidates: "):
            groups.setdefault(row["group"], {}).setdefault(row["parameters"], []).append(row)
    if groups:
        yield RACES
    for group, sizes in groups.items():
        names = []
        for rows in sizes.values():
            names += [name for name in map(candidate, rows) if name not in names]
        yield f"\n#### {group.removeprefix('candidates: ')}\n"
        lines = []
        for parameters, rows in sizes.items():
            times = {candidate(row): row["median_us"] for row in rows if "median_us" in row}
            least = min(times.values(), default=None)
            shown = lambda us: "-" if us is None else f"**{time(us)}**" if us == least else time(us)
            lines.append([parameters] + [shown(times.get(name)) for name in names])
        yield from table(["size"] + names, lines)


def candidate(row):
    return f"`{row['contender'].removeprefix('mmm::')}`, {row['machine'].removeprefix('hmm, ')}"


def kernels(results, device):
    groups = {}
    for row in results:
        if not row["group"].startswith("candidates: "):
            groups.setdefault((row["group"], row["parameters"]), []).append(row)
    for (group, parameters), rows in groups.items():
        measured = sorted((row for row in rows if "median_us" in row), key=lambda row: row["median_us"])
        yield f"\n#### {group}, {parameters}\n"
        yield from table(("contender", "machine", "time", "rate", "of the limit"),
                         [(row["contender"], row["machine"], time(row["median_us"]), rate(row), share(percent_of_limit(row, device)))
                          for row in measured])
        for row in rows:
            if "median_us" not in row:
                yield f"\n`{row['contender']}`: {row.get('left_out', 'left out')}."


def counter(row, *names):
    return next((row["counters"][name] for name in names if name in row["counters"]), None)


def counters(rows):
    sector = "l1tex__t_sectors_pipe_lsu_mem_global_op_"
    lines = []
    for row in rows:
        wavefronts = counter(row, "memory_l1_wavefronts_shared", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum")
        sectors = [counter(row, sector + op + ".sum") for op in ("ld", "st")]
        lines.append((row["name"], f"{row['shared_stages'] + row['shared_stages_of_copies']:,}",
                      "-" if wavefronts is None else f"{wavefronts:,.0f}", f"{row['global_sectors']:,}",
                      "-" if None in sectors else f"{sum(sectors):,.0f}"))
    yield from table(("kernel", "model: shared stages", "counted wavefronts", "model: sectors", "counted sectors"), lines)


def patterns(rows, repetitions=64):
    names, kinds, figures = [], [], {}
    for row in rows:
        kind, name = row["name"].split(", ", 1)
        names += [] if name in names else [name]
        kinds += [] if kind in kinds else [kind]
        counted = [counter(row, metric) for metric in ("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "memory_l1_wavefronts_shared")]
        figures[name, kind] = [row["shared_stages"] / repetitions] + [None if c is None else c / repetitions for c in counted]
    shown = lambda values: ", ".join("-" if v is None else f"{v:.0f}" for v in values)
    yield from table(["number"] + [f"`{kind}`" for kind in kinds],
                     [[f"`{name}`"] + [shown(figures[name, kind]) for kind in kinds] for name in names])


def page():
    yield HEAD
    for file in sorted(RESULTS.glob("*.json")):
        if file.name.endswith("-counters.json") or file.name == "compile-time.json":
            continue
        data = json.loads(file.read_text(encoding="utf-8"))
        device, measured, about = data["device"], data["calibration"], data.get("about", {})
        yield f"## {device['name']}, {about.get('date', file.stem[-10:])}\n"
        yield f"Driver {about.get('driver', '-')}, CUDA {device['cuda_runtime'] // 1000}.{device['cuda_runtime'] % 1000 // 10}, " \
              f"commit {about.get('commit', '-')}; {device['multiprocessors']} multiprocessors at " \
              f"{measured['clock_hz'] / 1e6:,.0f} MHz."
        yield f"Data: [{file.name}](../benchmark/results/{file.name}).\n"
        yield from table(("measured", "value"), [
            ("latency of shared memory", f"{measured['shared_latency_clocks']:.0f} clocks"),
            ("latency of the level-2 cache", f"{measured['l2_latency_clocks']:.0f} clocks"),
            ("latency of global memory", f"{measured['global_latency_clocks']:.0f} clocks"),
            ("copy", f"{measured['copy_bytes_per_s'] / 1e9:,.0f} GB/s"),
            ("launch, launch with barriers of the grid", f"{measured['launch_us']:.1f} µs, {measured['cooperative_launch_us']:.1f} µs"),
            ("barrier of the grid, of a block", f"{measured['grid_barrier_us']:.2f} µs, {measured['block_barrier_clocks']:.0f} clocks"),
        ])
        counted = file.with_name(file.stem + "-counters.json")
        if counted.exists():
            rows = json.loads(counted.read_text(encoding="utf-8"))
            yield COUNTERS
            yield from counters([row for row in rows if not row.get("pattern")])
            if any(row.get("pattern") for row in rows):
                yield PATTERNS
                yield from patterns([row for row in rows if row.get("pattern")])
        yield "\n### The papers' figures, measured and modelled\n"
        yield "The model's time units at the clock above, plus a launch, against the measured times.\n"
        yield from table(("figure", "points", "mean error of the model", "mean factor"),
                         [(f"[{e['figure']}](../benchmark/results/{file.stem}-{e['figure']}.svg)", str(e["points"]),
                           f"{100 * e['mean_model_error']:.0f} %", f"{e['mean_factor']:.2f}") for e in data["model_errors"]])
        yield from summary(data["results"])
        yield "\n### Kernels"
        yield from kernels(data["results"], device)
        yield from races(data["results"])


def main():
    text = "\n".join(page()) + "\n"
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            print("docs/gpu-results.md is not what benchmark/results says: run benchmark/results_page.py")
            return 1
        return 0
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
