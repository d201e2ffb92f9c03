#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels of Python's front ends on the device in software, with all checks.

  front_ends.py --mmm-run PATH --build FOLDER [--quick] [NAME ...]

NAME: cuda_python, numba, triton (all). Each has a virtual environment under FOLDER, which this program makes from the
packages below. --quick: the first kernel of each. Exit status 77 (skipped) if the packages cannot be had.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

from environments import environment

NUMPY = "numpy==2.4.6"


def toolkit(*packages):
    """Packages with parts of the CUDA toolkit, where it is not installed."""
    return [] if os.environ.get("CUDA_HOME") or os.path.isdir("/usr/local/cuda") else packages


#: The packages of each front end; the kernel that --quick runs; a kernel, and the file whose lines its figures have.
FRONT_ENDS = {
    "cuda_python": (["cuda-bindings==13.4.4", *toolkit("nvidia-cuda-nvrtc==13.0.88"), NUMPY], [], ("scale", "scale.cu")),
    "numba": (["numba-cuda==0.30.4", "numba==0.68.1", "cuda-bindings==13.4.4",
               *toolkit("nvidia-cuda-nvrtc==13.0.88", "nvidia-cuda-nvcc==13.0.88"), NUMPY], ["add"], ("add_kernel", "numba_test.py")),
    "triton": (["triton==3.9.0", "cuda-bindings==13.4.4", NUMPY], ["add"], ("add_kernel", "triton_test.py")),
}

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--build", required=True, type=pathlib.Path)
parser.add_argument("--quick", action="store_true")
parser.add_argument("names", nargs="*", choices=[*FRONT_ENDS, []])
options = parser.parse_args()
here = pathlib.Path(__file__).resolve().parent
failures = []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(str(w) for w in what))
        print("FAILED", failures[-1], flush=True)


skipped = []
for name in options.names or FRONT_ENDS:
    packages, first, (kernel, source) = FRONT_ENDS[name]
    python = environment(options.build / name, packages)
    if python is None:
        skipped.append(name)
        continue
    figures = options.build / f"{name}.json"
    script = f"{name}_test.py"
    given = {**os.environ, "TRITON_CACHE_DIR": str(options.build / "triton_cache"), "TRITON_DEFAULT_FP_FUSION": "1"}
    r = subprocess.run([options.mmm_run, "--check", "all", "--json", figures, python, here / script, *(first if options.quick else [])],
                       capture_output=True, text=True, timeout=600, env=given)
    check(r.returncode == 0, name, "ends with", r.returncode, "\n", r.stdout[-2000:], r.stderr[-4000:])
    check("is right" in r.stdout, name, "prints", r.stdout)
    records = [json.loads(line) for line in figures.read_text().splitlines()] if figures.exists() else []
    check(records != [], name, "counts nothing")
    found = [f for f in records if f.get("check", "leak") != "leak"]
    check(found == [], name, "finds", found[:3])
    of_kernel = [record for record in records if kernel in str(record.get("kernel"))]
    lines = {line.get("file", "") for record in of_kernel for line in record.get("lines", [])}
    check(any(file.endswith(source) for file in lines), name, "has no lines of", source, "in", kernel, ":", lines, records[:1])
    if name == "triton":
        example = subprocess.run([options.mmm_run, "--check", "all", python, here.parents[2] / "example/python/triton_rows.py"],
                                 capture_output=True, text=True, timeout=600, env=given)
        check(example.returncode == 0 and example.stdout.count("[1000. 1000. 1000. 1000.]") == 2, "the example prints", example.stdout)
        check(re.search(r"triton_rows\.py:19 +4096 +global load +40000 +16192", example.stderr), "the example's table is", example.stderr)
    print(f"{name}: {r.stdout.count('is right')} kernels", flush=True)
print(f"{len(failures)} failures; skipped: {', '.join(skipped) or 'none'}")
sys.exit(1 if failures else 77 if skipped else 0)
