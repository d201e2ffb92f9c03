#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels of Python's front ends on the device in software, with all checks.

  front_ends.py --mmm-run PATH --build FOLDER [--quick] [--tutorials FOLDER] [--jobs N] [NAME ...]

NAME: cuda_python, cupy, numba, tinygrad, triton (all). Each has a virtual environment under FOLDER, which this
program makes from the packages below. numba_suite: numba-cuda's own tests, N files at once (numba_suite.py).
--tutorials: python/tutorials of Triton's repository, whose kernels run unchanged (triton_tutorials_test.py). --quick: the first kernel of each. Exit status 77 (skipped) if the packages
cannot be had.
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
HAS_TOOLKIT = bool(os.environ.get("CUDA_HOME")) or os.path.isdir("/usr/local/cuda")
#: Packages with parts of the CUDA toolkit, where it is not installed.
NVRTC, NVCC = ([], []) if HAS_TOOLKIT else (["nvidia-cuda-nvrtc==13.0.88"], ["nvidia-cuda-nvcc==13.0.88"])
CUPY_HEADERS = [] if HAS_TOOLKIT else ["nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85"]
NUMBA = ["numba-cuda==0.30.4", "numba==0.68.1", "cuda-bindings==13.4.4", *NVRTC, *NVCC, NUMPY]

#: The packages of each front end; the kernel that --quick runs; a kernel, and the file whose lines its figures have.
FRONT_ENDS = {
    "cuda_python": (["cuda-bindings==13.4.4", *NVRTC, NUMPY], [], ("scale", "scale.cu")),
    "cupy": (["cupy-cuda13x==14.2.0", *NVRTC, *CUPY_HEADERS, NUMPY], ["raw"], ("add_kernel", ".cubin.cu")),
    "numba": (NUMBA, ["add"], ("add_kernel", "numba_test.py")),
    "tinygrad": (["tinygrad==0.14.0", NUMPY], ["product"], ("r_37_7_3_50", "")),
    "triton": (["triton==3.9.0", "cuda-bindings==13.4.4", NUMPY], ["add"], ("add_kernel", "triton_test.py")),
}
#: numba-cuda's tests need these besides.
NUMBA_SUITE = [*NUMBA, "pytest==9.2.0", "cffi==2.1.1", "filecheck==1.0.6", "psutil==7.2.2", "ml_dtypes==0.6.0"]
#: The program of the front end in example/python, what it prints, and a line of its table.
EXAMPLES = {
    **({"cuda_python": ("jit_sum.py", r"499500 by NumPy\n.* 45 by NumPy\nwithout memory: .*10 words, is null", r"program_kernel\S+ +2 ")}
       if HAS_TOOLKIT else {}),  # CUDA's headers
    "cupy": ("cupy_transpose.py", r"(True[^T]*){2}", r"cupy_transpose\.py:16 +2048 +global store +65536 +8192"),
    "tinygrad": ("tinygrad_fit.py", r"y = 2\.95 x \+ -0\.97", r"global load +307560 +38760 +16\.0 +r_16_64"),
    "triton": ("triton_rows.py", r"(\[1000\. 1000\. 1000\. 1000\.\][^[]*){2}",
               r"triton_rows\.py:19 +4096 +global load +40000 +16192"),
}
#: Kernels of a script that are machine code, and the library that the message has to name.
REFUSED = {"cupy": {"sort": "thrust.", **({"random": "libcurand.so.", "product": "libcublas.so."} if HAS_TOOLKIT else {})}}

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--build", required=True, type=pathlib.Path)
parser.add_argument("--quick", action="store_true")
parser.add_argument("--tutorials", type=pathlib.Path)
parser.add_argument("--jobs", default="1")
parser.add_argument("names", nargs="*", choices=[*FRONT_ENDS, "numba_suite", []])
options = parser.parse_args()
here = pathlib.Path(__file__).resolve().parent
failures = []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(str(w) for w in what))
        print("FAILED", failures[-1], flush=True)


def run(name, script, arguments, figures, environment):
    """A program's output under mmm-run with all checks, without a finding."""
    figures.unlink(missing_ok=True)
    r = subprocess.run([options.mmm_run, "--check", "all", "--json", figures, python, script, *arguments],
                       capture_output=True, text=True, timeout=900, env=environment)
    check(r.returncode == 0, name, "ends with", r.returncode, "\n", r.stdout[-2000:], r.stderr[-4000:])
    records = [json.loads(line) for line in figures.read_text().splitlines()] if figures.exists() else []
    check(records != [], name, "counts nothing")
    found = [f for f in records if f.get("check", "leak") != "leak"]
    check(found == [], name, "finds", found[:3])
    return r, records


skipped = []
for name in options.names or FRONT_ENDS:
    if name == "numba_suite":
        python = environment(options.build / name, NUMBA_SUITE)
        if python is None:
            skipped.append(name)
            continue
        suite = subprocess.run([sys.executable, here / "numba_suite.py", "--mmm-run", options.mmm_run, "--python", python, "--build",
                                options.build / "numba_suite_logs", "--jobs", options.jobs])
        check(suite.returncode == 0, "numba-cuda's tests have other outcomes than numba_suite.txt says")
        continue
    packages, first, (kernel, source) = FRONT_ENDS[name]
    python = environment(options.build / name, packages)
    if python is None:
        skipped.append(name)
        continue
    figures = options.build / f"{name}.json"
    given = {**os.environ, "TRITON_CACHE_DIR": str(options.build / "triton_cache"), "TRITON_DEFAULT_FP_FUSION": "1",
             "CACHEDB": str(options.build / "tinygrad.db"), "CUPY_CACHE_DIR": str(options.build / "cupy_cache"), "MMM_CACHE_DIR": str(options.build / "jit_cache")}
    variants = [{}]
    if name == "tinygrad":  # its own PTX, which needs no toolkit, and that of NVRTC
        variants = [{"DEV": "CUDA:PTX"}, *([{"DEV": "CUDA"}] if HAS_TOOLKIT else [])]
    for variant in variants:
        r, records = run(name, here / f"{name}_test.py", first if options.quick else [], figures, given | variant)
        check("is right" in r.stdout, name, "prints", r.stdout)
        of_kernel = [record for record in records if kernel in str(record.get("kernel"))]
        check(of_kernel != [], name, "counts no", kernel)
        lines = {line.get("file", "") for record in of_kernel for line in record.get("lines", [])}
        check(any(file.endswith(source) for file in lines), name, "has no lines of", source, "in", kernel, ":", lines, records[:1])
        print(f"{name}: {r.stdout.count('is right')} kernels", flush=True)
    if name in EXAMPLES:
        script, prints, line = EXAMPLES[name]
        example, _ = run(script, here.parents[2] / "example/python" / script, [], figures, given | variants[0])
        check(re.search(prints, example.stdout), "the example prints", example.stdout)
        check(re.search(line, example.stderr), "the example's table is", example.stderr)
    for refused, library in REFUSED.get(name, {}).items():
        r = subprocess.run([options.mmm_run, python, here / f"{name}_test.py", refused], capture_output=True, text=True, timeout=900,
                           env=given)
        check(r.returncode == 2 and re.search(rf"^mmm-run: {re.escape(library)}", r.stderr, re.M), refused, "ends with", r.returncode,
              r.stderr)
    if name == "triton" and options.tutorials is not None:
        arguments = [options.tutorials, *(["--quick"] if options.quick else [])]
        r, _ = run("the tutorials", here / "triton_tutorials_test.py", arguments, figures, given)
        check(r.stdout.count("is right") == 5, "the tutorials print", r.stdout)
        print("triton: 5 tutorials", flush=True)
print(f"{len(failures)} failures; skipped: {', '.join(skipped) or 'none'}")
sys.exit(1 if failures else 77 if skipped else 0)
