#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how long kernels take that are compiled at run time, from a kernel's name to its machine code: compiled by
NVRTC into an empty cache, and read from the cache by a new process. No GPU is needed.

  jit_times.py --cuda FOLDER [--runs N] [--cxx NAME] [--quick]

--cuda: the folder of cuda.h and nvrtc.h. Prints microseconds: of compilations those of the processor, of the cache the
least of N processes, as the clock has them. The first kernel of a process pays for the list of headers and NVRTC's version.
--quick: one kernel and one run. Exit status 1 if the second process compiles or loads NVRTC, 77 (skipped) without NVRTC
or its headers.
"""
import argparse
import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[1]
parser = argparse.ArgumentParser()
parser.add_argument("--cuda", required=True, type=pathlib.Path)
parser.add_argument("--cxx", default="g++-12")
parser.add_argument("--runs", default=9, type=int)
parser.add_argument("--quick", action="store_true")
options = parser.parse_args()
for header in ("cuda.h", "nvrtc.h"):
    if not (options.cuda / header).exists():
        print(f"{options.cuda / header} is not there")
        sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    program = f"{folder}/first_calls"
    subprocess.run([options.cxx, "-std=c++20", *(["-O0", "-DQUICK"] if options.quick else ["-O2"]), f"-I{root}/include", "-isystem",
                    options.cuda, root / "benchmark/jit/first_calls.cpp", "-o", program, "-ldl"], check=True)

    def times():
        done = subprocess.run([program], capture_output=True, text=True, env={**os.environ, "MMM_CACHE_DIR": f"{folder}/cache"})
        if "NVRTC is not there" in done.stderr:
            print("NVRTC is not there")
            sys.exit(77)
        if done.returncode != 0:
            sys.exit(done.stderr)
        *kernels, (_, loaded) = csv.reader(io.StringIO(done.stdout))
        return kernels, loaded == "1"

    compiled, loaded = times()
    if not loaded or any(origin != "compiled" for *_, origin in compiled):
        sys.exit(f"an empty cache has kernels: {compiled}")
    runs = []
    for _ in range(1 if options.quick else options.runs):
        cached, loaded = times()
        if any(origin != "cache" for *_, origin in cached):
            sys.exit(f"a second process compiles again: {cached}")
        if loaded:
            sys.exit("a second process loads NVRTC")
        runs.append([int(clock) for _, clock, *_ in cached])
    print(f"{'kernel':20}{'compiled, µs':>14}{'from the cache, µs':>20}")
    for (name, _, processor, _), *clocks in zip(compiled, *runs):
        print(f"{name:20}{processor:>14}{min(clocks):>20}")
