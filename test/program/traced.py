#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the trace of CUDA kernels on the host with the compiled kernels on the device in software:
example/traced/main.cu, compiled by a C++ compiler and by nvcc, has to give the same figures, source
line by source line.

  traced.py --mmm-run PATH --nvcc PATH --host PROGRAM --root FOLDER --build FOLDER [--host-compiler g++-12]

PROGRAM is the C++ compiler's. Exit status 77 (skipped) without nvcc.
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("--mmm-run", "--mmm-replay", "--nvcc", "--host", "--root", "--build"):
    parser.add_argument(name, required=True)
options = parser.parse_args()
if not shutil.which(options.nvcc):
    print("nvcc was not found: skipped")
    sys.exit(77)

os.makedirs(options.build, exist_ok=True)
folder = os.path.join(options.root, "example", "traced")
program, recorded = (os.path.join(options.build, name) for name in ("own_kernels", "own_kernels_recorded"))
for target, flags in ((program, []), (recorded, ["-DMMM_RECORD"])):
    subprocess.run([options.nvcc, "-std=c++20", "-Werror", "all-warnings", "-O0", "-cudart", "shared", "-gencode",
                    "arch=compute_90,code=compute_90", "-lineinfo", *flags, "-I", os.path.join(options.root, "include"),
                    os.path.join(folder, "main.cu"), "-o", target], check=True)
counts, requests = program + ".json", recorded + ".csv"
subprocess.run([options.mmm_run, "--check", "all", "--json", counts, program], check=True, stderr=subprocess.DEVNULL)
subprocess.run([options.mmm_run, recorded, requests], check=True, stderr=subprocess.DEVNULL)
replayed = subprocess.run([options.mmm_replay, "--json", requests], check=True, capture_output=True, text=True).stdout

SPACES, USES = ("shared", "global"), ("load", "store", "atomic")
NOTHING = (0, 0, 0)
device, host = collections.defaultdict(lambda: NOTHING), collections.defaultdict(lambda: NOTHING)


def own_line(line):
    """The line of the kernels' source: an atomic's own is in a header of CUDA's."""
    return (line if line["file"].endswith("kernels.cuh") else line.get("called_at", line))["line"]


def add(to, kernel, line, space, use, figures):
    key = (kernel, line, space, use)
    if any(figures):
        to[key] = tuple(a + b for a, b in zip(to[key], figures))


for launch in map(json.loads, open(counts)):
    kernel = launch["kernel"].removeprefix("void ").removeprefix("kernels::").split("(")[0].split("<")[0]
    for line in launch["lines"]:
        for space in SPACES:
            for use in USES:
                f = line[space][use]
                add(device, kernel, own_line(line), space, use,
                    (f["requests"], f["wavefronts" if space == "shared" else "sectors"], f["ideal"]))
found = subprocess.run([options.host, "--lines"], check=True, capture_output=True, text=True).stdout
failures = []
for line in found.splitlines():
    kernel, *numbers = line.split()
    if numbers[0] == "finding":
        failures.append("the trace on the host found: " + line)
        continue
    place, space, use, requests, _, transfers, ideal = map(int, numbers)
    add(host, kernel, place, SPACES[space], USES[use], (requests, transfers, ideal))
for key in sorted(set(host) | set(device)):
    if host[key] != device[key]:
        failures.append(f"{key}: requests, transfers, ideal are {host[key]} on the host, {device[key]} of the compiled kernel")
totals = json.loads(replayed.splitlines()[-1])["totals"]
for space, figures in (("shared", ("requests", "wavefronts", "ideal")), ("global", ("requests", "sectors"))):
    sums = tuple(sum(f[k] for key, f in host.items() if key[2] == space) for k in range(len(figures)))
    if sums != tuple(totals[space][f] for f in figures):
        failures.append(f"{space}: {figures} are {sums} on the host, {totals[space]} as the kernels recorded them")
print(f"{len(host)} figures, {len(failures)} differ")
for failure in failures[:20]:
    print("  " + failure)
sys.exit(1 if failures or len(host) < 50 else 0)
