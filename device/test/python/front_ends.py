#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels of Python's front ends on the device in software, with all checks.

  front_ends.py --mmm-run PATH --build FOLDER [--quick] [--tutorials FOLDER] [--jobs N] [NAME ...]

NAME: cuda_python, cupy, numba, numba_suite, tinygrad, triton (all). Each has a virtual environment under FOLDER, which this
program makes from the packages below. Of each front end it runs NAME_test.py, whose kernels compare their results with
NumPy; the mistake in that file, which must be found at the lines that it marks; and the example, whose table must have a
line with exact counts. numba_suite: numba-cuda's own tests, N files at once (numba_suite.py).
--tutorials: python/tutorials of Triton's repository, whose kernels run unchanged (triton_tutorials_test.py). --quick: a
few kernels of each, and a few files of numba-cuda's tests. Exit status 77 (skipped) if packages cannot be had.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from environments import environment

NUMPY = "numpy==2.4.6"
BINDINGS = "cuda-bindings==13.4.4"
HAS_TOOLKIT = bool(os.environ.get("CUDA_HOME")) or os.path.isdir("/usr/local/cuda")
#: Packages with parts of the CUDA toolkit, where it is not installed.
NVRTC, NVCC = ([], []) if HAS_TOOLKIT else (["nvidia-cuda-nvrtc==13.0.88"], ["nvidia-cuda-nvcc==13.0.88"])
CUPY_HEADERS = [] if HAS_TOOLKIT else ["nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85"]
#: Triton compiles its launcher as C, with Python.h.
C_COMPILER = os.environ.get("CC") or next(filter(None, map(shutil.which, ("gcc", "clang", "gcc-12", "clang-19", "clang-14"))), None)
HAS_PYTHON_H = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
#: What numba-cuda's tests need besides.
FOR_THE_SUITE = ["pytest==9.2.0", "cffi==2.1.1", "filecheck==1.0.6", "psutil==7.2.2", "ml_dtypes==0.6.0"]


@dataclasses.dataclass
class FrontEnd:
    packages: list
    few: list  #: the functions of NAME_test.py that --quick runs; all, if none are named
    kernel: str  #: one that both run, whose figures have lines of NAME_test.py
    mistake: str  #: the kernel of the function mistake
    examples: dict  #: programs of example/python: what each prints, and a line of its table
    has_lines: bool = True
    #: Functions that ask for machine code, and the library that the message has to name.
    refused: dict = dataclasses.field(default_factory=dict)


FRONT_ENDS = {
    # A warp loads a word of each of 32 structures of 16 bytes: 512 bytes, 16 sectors, where 4 would do.
    "cuda_python": FrontEnd([BINDINGS, *NVRTC, NUMPY], [], "scale", "pairs", {
        "cuda_python_mass.py": (r"of_structures True\s+of_array True",
                                r"cuda_python_mass\.py:19 +128 +global load +2048 +512 +32\.0 +of_structures"),
        **({"jit_sum.py": (r"499500 by NumPy\n.* 45 by NumPy\nwithout memory: .*10 words, is null", r"program_kernel\S+ +2 ")}
           if HAS_TOOLKIT else {})}),  # CUDA's headers
    # A warp stores to 32 rows: a sector for each lane.
    "cupy": FrontEnd(["cupy-cuda13x==14.2.0", *NVRTC, *CUPY_HEADERS, NUMPY], ["raw", "elementwise", "reduction"], "add_kernel", "above",
                     {"cupy_transpose.py": (r"(True[^T]*){2}", r"cupy_transpose\.py:16 +2048 +global store +65536 +8192 +32\.0 +plain")},
                     refused={"sort": "thrust.", **({"random": "libcurand.so.", "product": "libcublas.so."} if HAS_TOOLKIT else {})}),
    # A warp loads a column of 32 words, all in one bank.
    "numba": FrontEnd(["numba-cuda==0.30.4", "numba==0.68.1", BINDINGS, *NVRTC, *NVCC, NUMPY, *FOR_THE_SUITE], ["add", "total", "product"],
                      "add_kernel", "sum_without_barrier", {"numba_tile.py": (
                          r"plain True\s+padded True", r"numba_tile\.py:19 +2048 +shared load +65536 +2048 +32\.0 +\S*plain")}),
    # Of 300 launches, each has 64 loads of 16 lanes in 16 sectors; 360 loads of a word are of other launches.
    "tinygrad": FrontEnd(["tinygrad==0.14.0", NUMPY], ["product", "half_product", "graph"], "r_37_7_3_50", "r_1001",
                         {"tinygrad_fit.py": (r"y = 2\.95 x \+ -0\.97", r"no line +19560 +global load +307560 +38760 +16\.0 +r_16_64")},
                         has_lines=False),
    # Each of 64 rows is 125 sectors. In the second launch a thread has 4 words in a row and loads them one by one, so that
    # each sector is in 4 requests.
    "triton": FrontEnd(["triton==3.9.0", BINDINGS, NUMPY], ["add", "product"], "add_kernel", "double_without_mask",
                       {"triton_rows.py": (r"(\[1000\. 1000\. 1000\. 1000\.\][^[]*){2}",
                                           r"triton_rows\.py:19 +4096 +global load +40000 +16192 +31\.8 +row_sums")}),
}

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--build", required=True, type=pathlib.Path)
parser.add_argument("--quick", action="store_true")
parser.add_argument("--tutorials", type=pathlib.Path)
parser.add_argument("--jobs", default="1")
parser.add_argument("names", nargs="*", choices=[*FRONT_ENDS, "numba_suite", []])
options = parser.parse_args()
options.build = options.build.absolute()
here = pathlib.Path(__file__).resolve().parent
failures, skipped = [], []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(str(w) for w in what))
        print("FAILED", failures[-1], flush=True)


def run(command, figures, settings):
    """A program's outcome under mmm-run with all checks, its objects of JSON, and the findings in them but for leaks."""
    figures.unlink(missing_ok=True)
    r = subprocess.run([options.mmm_run, "--check", "all", "--json", figures, *command], capture_output=True, text=True, timeout=900,
                       env=settings)
    objects = [json.loads(line) for line in figures.read_text().splitlines()] if figures.exists() else []
    return r, objects, [f for o in objects for f in o.get("findings", []) if f["check"] != "leak"]


def without_a_finding(command, figures, settings):
    r, objects, findings = run(command, figures, settings)
    what = pathlib.Path(command[1]).name
    check(r.returncode == 0, what, "ends with", r.returncode, "\n", r.stdout[-2000:], r.stderr[-4000:])
    check(objects != [], what, "counts nothing")
    check(findings == [], what, "finds", findings[:3])
    return r, objects


def kernels(name, python, figures, settings):
    """The functions of a front end's test, whose figures have its lines."""
    front_end, script = FRONT_ENDS[name], here / f"{name}_test.py"
    r, objects = without_a_finding([python, script, *(front_end.few if options.quick else [])], figures, settings)
    right = r.stdout.count("is right")
    check(right >= max(1, len(front_end.few)), name, "prints", r.stdout[-2000:])
    launches = [o for o in objects if front_end.kernel in o.get("kernel", "")]
    check(launches != [], name, "counts no", front_end.kernel)
    files = {pathlib.Path(line["file"]).name for o in launches for line in o["lines"]}
    check((script.name in files) == front_end.has_lines, name, "has lines of", files, "in", front_end.kernel)
    print(f"{name}: {right} functions", flush=True)


def mistake(name, python, figures, settings):
    """The one in a front end's test is found, at the lines that are marked."""
    front_end, script = FRONT_ENDS[name], here / f"{name}_test.py"
    marks = [(number, kind) for number, line in enumerate(script.read_text().splitlines(), 1)
             for kind in re.findall(r"(?:#|//) finding: (\w+)", line)]
    r, objects, findings = run([python, script, "mistake"], figures, settings)
    check(r.returncode == 3, name, "ends with", r.returncode, "at a mistake:", r.stdout[-2000:], r.stderr[-4000:])
    check(findings != [], name, "finds no mistake")
    of_kernel = [f for o in objects if front_end.mistake in o.get("kernel", "") for f in o.get("findings", [])]
    check([f for f in of_kernel if f["check"] != "leak"] == findings, name, "has findings elsewhere than in", front_end.mistake, ":",
          findings)
    for f in findings:
        found = pathlib.Path(f["file"]).name, f["line"], f["check"]
        expected = [(script.name, *mark) for mark in marks] if front_end.has_lines else [("", 0, kind) for _, kind in marks]
        check(found in expected, name, "finds", found, "instead of", expected)
        place = f"{script.name}:{f['line']}" if front_end.has_lines else front_end.mistake
        check(re.search(rf"^mmm-run: {f['check']}: \S*{place}\b", r.stderr, re.M), name, "does not say", place, ":", r.stderr[-4000:])
    if not front_end.has_lines:  # tinygrad prints the line that schedules kernels
        for number, _ in marks:
            check(re.search(rf"^scheduled .*{script.name}:{number}$", r.stdout, re.M), name, "schedules nothing at line", number, ":",
                  r.stdout[-4000:])


def examples(name, python, figures, settings):
    """Each prints what it should, and its table has the line with the exact counts."""
    for program, (prints, counts) in FRONT_ENDS[name].examples.items():
        r, _ = without_a_finding([python, here.parents[2] / "example/python" / program], figures, settings)
        check(re.search(prints, r.stdout), program, "prints", r.stdout[-2000:])
        check(re.search(counts, r.stderr), program, "has no line", counts, "in", r.stderr[-4000:])


def suite(python):
    quick = ["--quick"] if options.quick else []
    r = subprocess.run([sys.executable, here / "numba_suite.py", "--mmm-run", options.mmm_run, "--python", python, "--build",
                        options.build / "numba_suite_logs", "--jobs", options.jobs, *quick])
    check(r.returncode == 0, "numba-cuda's tests have other outcomes than numba_suite.txt says")


for name in options.names or [*FRONT_ENDS, "numba_suite"]:
    if name == "triton" and not (C_COMPILER and HAS_PYTHON_H):
        print("triton: a C compiler or Python.h (python3-dev) is not found")
        skipped.append(name)
        continue
    of = name.removesuffix("_suite")
    front_end = FRONT_ENDS[of]
    python = environment(options.build / of, front_end.packages)
    if python is None:
        skipped.append(name)
        continue
    if name == "numba_suite":
        suite(python)
        continue
    figures = options.build / f"{name}.json"
    settings = {**os.environ, "TRITON_CACHE_DIR": str(options.build / "triton_cache"), "TRITON_DEFAULT_FP_FUSION": "1",
                "CACHEDB": str(options.build / "tinygrad.db"), "CUPY_CACHE_DIR": str(options.build / "cupy_cache"),
                "MMM_CACHE_DIR": str(options.build / "jit_cache"), "CC": str(C_COMPILER)}
    if name == "tinygrad":  # its own PTX, which needs no toolkit, and that of NVRTC
        if HAS_TOOLKIT:
            kernels(name, python, figures, settings | {"DEV": "CUDA"})
        settings["DEV"] = "CUDA:PTX"
    kernels(name, python, figures, settings)
    mistake(name, python, figures, settings | ({} if front_end.has_lines else {"DEBUG": "3"}))
    examples(name, python, figures, settings)
    for refused, library in front_end.refused.items():
        r = subprocess.run([options.mmm_run, python, here / f"{name}_test.py", refused], capture_output=True, text=True, timeout=900,
                           env=settings)
        check(r.returncode == 2 and re.search(rf"^mmm-run: {re.escape(library)}", r.stderr, re.M), refused, "ends with", r.returncode,
              r.stderr[-4000:])
    if name == "triton" and options.tutorials is not None:
        quick = ["--quick"] if options.quick else []
        r, _ = without_a_finding([python, here / "triton_tutorials_test.py", options.tutorials, *quick], figures, settings)
        check(r.stdout.count("is right") == 5, "the tutorials print", r.stdout[-2000:])
        print("triton: 5 tutorials", flush=True)
print(f"{len(failures)} failures; skipped: {', '.join(skipped) or 'none'}")
sys.exit(1 if failures else 77 if skipped else 0)
