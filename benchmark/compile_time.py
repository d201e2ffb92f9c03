#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the library's compile time, in seconds of processor time (user + system), as differences
of medians.

    compile_time.py [--runs N] [--compilers g++-12 clang++-19 ...] [--json FILE] [--strict]

  include            #include <mmm/mmm.hpp> over an empty file
  warp assertion     one more static_assert on a warp's stages:
                     (201 of them - 1 of them) / 200, all different
  compile_time/X.cpp its static_asserts on whole algorithms, over the include; per assertion
  include gpu        #include <mmm/gpu.hpp> over an empty file
  gpu assertion      one more static_assert on the wavefronts of 16-byte loads,
                     measured like a warp assertion
  layout choice      one more choose_layout among 68 for a transpose's tile:
                     (9 of them - 1 of them) / 8, all different

All compilers run with their default limits. Within one round the files take turns, so that a change
of the machine's load affects all of them. The targets are the design's. A result over its target is
reported as `over`, and is a failure only with --strict. A file that does not compile is a failure.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFAULT_COMPILERS = ["g++-12", "clang++-14", "clang++-19", "nvcc"]
INCLUDE_TARGET = {"nvcc": 0.8}  # seconds; the others:
INCLUDE_TARGET_HOST = 0.35
ASSERTION_TARGET = 0.005
ALGORITHM_TARGET = 0.2
CHOICE_TARGET = 2


def warp_assertions(count):
    lines = ["#include <mmm/mmm.hpp>", "using shared = mmm::dmm<32, 1>;", "constexpr auto lane = mmm::item;"]
    for k in range(1, count + 1):
        # A stride of k words puts gcd(k, 32) distinct words into each bank that it touches.
        lines.append(f"static_assert(mmm::stages<shared>(lane * {k} + {7 * k}) == {math.gcd(k, 32)});")
    return "\n".join(lines) + "\n"


def gpu_assertions(count):
    lines = ["#include <mmm/gpu.hpp>", "using namespace mmm::gpu;"]
    for k in range(1, count + 1):
        # Vectors of 16 bytes, k vectors apart: the 8 lanes of a phase put gcd(k, 8) vectors into
        # the same four banks.
        lines.append(f"static_assert(wavefronts<load<16>>(mmm::item * {16 * k} + {112 * k}) == {4 * math.gcd(k, 8)});")
    return "\n".join(lines) + "\n"


def layout_choices(count):
    lines = ["#include <mmm/gpu.hpp>", "using namespace mmm::gpu;"]
    for k in range(count):
        lines.append(f"static_assert(choose_layout({{32, 32}}, {{}}, tile_access<store<4>>({k}, mmm::item), "
                     f"tile_access<load<4>>(mmm::item, {k})).optimal());")
    return "\n".join(lines) + "\n"


def command_for(compiler):
    if pathlib.Path(compiler).name.startswith("nvcc"):
        return [compiler, "-x", "cu", "-std=c++20", "-arch=sm_90", "-I", str(ROOT / "include"), "-c", "-o", "out.o"]
    return [compiler, "-std=c++20", "-fsyntax-only", "-I", str(ROOT / "include")]


def processor_seconds(command, folder):
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{output.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime


def measure(compiler, files, runs):
    """Median seconds by file name."""
    command = command_for(compiler)
    seconds = {name: [] for name in files}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, name).write_text(text)
        processor_seconds([*command, next(iter(files))], folder)  # warm-up, not measured
        for turn in range(runs):
            for name in files:
                progress(f"{compiler}: round {turn + 1} of {runs}: {name}")
                seconds[name].append(processor_seconds([*command, name], folder))
    progress("")
    return {name: statistics.median(values) for name, values in seconds.items()}


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="rounds; the medians count (default 7)")
    parser.add_argument("--compilers", nargs="+", default=DEFAULT_COMPILERS)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a figure is over its target")
    options = parser.parse_args()

    files = {
        "empty.cpp": "",
        "include.cpp": "#include <mmm/mmm.hpp>\n",
        "warp_1.cpp": warp_assertions(1),
        "warp_201.cpp": warp_assertions(201),
        "include_gpu.cpp": "#include <mmm/gpu.hpp>\n",
        "gpu_1.cpp": gpu_assertions(1),
        "gpu_201.cpp": gpu_assertions(201),
        "choice_1.cpp": layout_choices(1),
        "choice_9.cpp": layout_choices(9),
    }
    algorithms = {}
    for source in sorted((ROOT / "benchmark" / "compile_time").glob("*.cpp")):
        text = source.read_text()
        # The file's own name as key, which no generated file has, and the number of its assertions,
        # by which the time is divided.
        algorithms[source.stem] = len(re.findall(r"^\s*static_assert\b", text, re.M))
        if algorithms[source.stem] == 0:
            sys.exit(f"{source}: no static_assert at the beginning of a line")
        files[f"algorithm_{source.stem}.cpp"] = text

    rows, missing = [], []

    def row(compiler, what, seconds, target):
        rows.append({"compiler": compiler, "what": what, "seconds": round(seconds, 5), "target": target,
                     "within": seconds <= target})

    for compiler in options.compilers:
        path = shutil.which(compiler) or (compiler == "nvcc" and shutil.which("/usr/local/cuda/bin/nvcc")) or None
        if path is None:
            missing.append(compiler)
            continue
        median = measure(path, files, options.runs)
        name = pathlib.Path(compiler).name
        row(name, "include", median["include.cpp"] - median["empty.cpp"], INCLUDE_TARGET.get(name, INCLUDE_TARGET_HOST))
        row(name, "warp assertion", (median["warp_201.cpp"] - median["warp_1.cpp"]) / 200, ASSERTION_TARGET)
        row(name, "include gpu", median["include_gpu.cpp"] - median["empty.cpp"],
            INCLUDE_TARGET.get(name, INCLUDE_TARGET_HOST))
        row(name, "gpu assertion", (median["gpu_201.cpp"] - median["gpu_1.cpp"]) / 200, ASSERTION_TARGET)
        row(name, "layout choice", (median["choice_9.cpp"] - median["choice_1.cpp"]) / 8, CHOICE_TARGET)
        for stem, count in algorithms.items():
            over_include = median[f"algorithm_{stem}.cpp"] - median["include.cpp"]
            row(name, f"{stem}, each of {count}", over_include / count, ALGORITHM_TARGET)

    if rows:
        widest = max(len(entry["what"]) for entry in rows)
        print(f"{'compiler':12} {'what':{widest}} {'measured':>11} {'target':>9}")
        for entry in rows:
            print(f"{entry['compiler']:12} {entry['what']:{widest}} {entry['seconds'] * 1e3:8.2f} ms "
                  f"{entry['target'] * 1e3:6.0f} ms  {'ok' if entry['within'] else 'over'}")
        print(f"medians of {options.runs}, processor time, default limits")
    for compiler in missing:
        print(f"{compiler}: not found: left out")
    if options.json:
        options.json.write_text(json.dumps({"runs": options.runs, "rows": rows, "missing": missing}, indent=2) + "\n")
    if not rows:
        return 77
    return 1 if options.strict and not all(entry["within"] for entry in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
