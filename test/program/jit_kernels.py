#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles jit_kernels.cpp without nvcc and runs it on the device in software: the results of kernels that NVRTC compiles
are those of plain loops; a second run takes all kernels from the cache; damaged entries are replaced.

  jit_kernels.py --mmm-run PATH --cuda FOLDER --build FOLDER [--quick] [--cxx NAME]

--cuda: the folder of cuda.h. --quick: kernels of two problems. Exit status 77 (skipped) without NVRTC or its header.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--cuda", required=True, type=pathlib.Path)
parser.add_argument("--build", required=True, type=pathlib.Path)
parser.add_argument("--cxx", default="g++-12")
parser.add_argument("--quick", action="store_true")
options = parser.parse_args()
for header in ("cuda.h", "nvrtc.h"):
    if not (options.cuda / header).exists():
        print(f"{options.cuda / header} is not there")
        sys.exit(77)
stubs = [folder for folder in (options.cuda.parent / "lib64/stubs", options.cuda.parent / "lib/stubs") if folder.exists()]


def demand(holds, *what):
    if not holds:
        print("FAILED", *what)
        sys.exit(1)


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900,
                          stdin=subprocess.DEVNULL, **more)


options.build.mkdir(parents=True, exist_ok=True)
program, cache = options.build / "jit_kernels", options.build / "cache"
made = run(options.cxx, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror",
           *(["-DQUICK"] if options.quick else []), f"-I{root}/include", "-isystem", options.cuda,
           root / "test/program/jit_kernels.cpp", "-o", program, *[f"-L{folder}" for folder in stubs], "-lcuda", "-ldl")
demand(made.returncode == 0, "the program compiles:", made.stderr[-3000:])
shutil.rmtree(cache, ignore_errors=True)


def run_program():
    """Runs the program; returns its processor time, and the cache's entries, each with its inode, a new one if written."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(options.mmm_run, "--check", "all,leak", program, env={**os.environ, "MMM_CACHE_DIR": str(cache)})
    if "NVRTC is not there" in done.stderr:
        print("NVRTC is not there")
        sys.exit(77)
    demand(done.returncode == 0, "the program's run:", done.returncode, done.stdout[-2000:], done.stderr[-3000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, {file: (file.stat().st_ino, file.stat().st_mtime_ns) for file in cache.iterdir()}


first_seconds, first = run_program()
demand(len(first) >= 3, "kernels in the cache:", sorted(first))
demand(all(file.suffix == ".kernel" for file in first), "nothing but entries:", sorted(first))
second_seconds, second = run_program()
demand(second == first, "the second run writes nothing")
damaged = sorted(first)[0]
whole = damaged.read_bytes()
damaged.write_bytes(whole[:len(whole) // 2])
_, third = run_program()
demand(damaged.read_bytes() == whole, "the damaged entry is replaced")
demand({file for file in third if third[file] != first[file]} == {damaged}, "only the damaged entry is written")
print(f"{len(first)} kernels, as plain loops and from the cache; processor time of the runs: "
      f"{first_seconds:.2f} s, {second_seconds:.2f} s from the cache")
