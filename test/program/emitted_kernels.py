#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles what mmm::emit writes, and runs it on the device in software: the result is that of a plain loop, the costs
are the library's, the launch is the one that the file says, and no check finds anything.

  emitted_kernels.py --mmm-run PATH --nvcc PATH --build FOLDER [--quick] [--cxx NAME] [PROBLEM ...]

--quick: a sample of problems, types and GPUs in one program, against the single file mmm.cuh of scripts/one-file-headers. Exit status
77 (skipped) without nvcc.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
PROBLEMS = ["copy", "sum", "prefix-sums", "sort", "transpose", "matrix-multiply", "convolution", "image-convolution", "summed-area",
            "transpose-wide", "convolution-wide"]
CASES = [("float", 20000, 200), ("double", 32768, 256), ("int", 1000, 96), ("int64", 12345, 123)]  # type, size, side
# The quick run's: problem, type, size, GPU. None of these kernels' blocks wait for each other.
SAMPLE = [("sum", "float", 20000, "h200"), ("transpose", "double", 123, "a100"), ("prefix-sums", "unsigned", 20001, "h100"), ("copy", "int64", 9999, "b200")]
# Where blocks wait for each other: barriers of cooperative_groups and of the library, states and sums of tiles.
WAITING = {"sync.h", "device_atomic_functions.hpp", "grid_barrier.cuh", "arrivals.cuh", "device_team.cuh", "look_back.hpp"}

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--build", required=True, type=pathlib.Path)
parser.add_argument("--cxx", help="compiles what is for the host; g++-12, but clang++-19, which is quicker, for --quick")
parser.add_argument("--quick", action="store_true")
parser.add_argument("problems", nargs="*")
options = parser.parse_args()
if not options.cxx:
    options.cxx = "clang++-19" if options.quick and shutil.which("clang++-19") else "g++-12"
if shutil.which(options.nvcc) is None:
    print("nvcc is not there")
    sys.exit(77)
failures = []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(str(w) for w in what))
        print("FAILED", failures[-1][-3000:], flush=True)
    return holds


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL)


def counted_sectors(launches):
    """Sectors of loads and of stores, but for those by which blocks wait for each other."""
    lines = [line for launch in launches if "kernel" in launch for line in launch["lines"] if pathlib.Path(line["file"]).name not in WAITING]
    return [sum(line["global"][kind]["sectors"] for line in lines) for kind in ("load", "store", "atomic")]


def expected_sectors(text):
    """The ranges of these sectors in the comment of an emitted file."""
    comment = " ".join(line[2:].strip() for line in text.split("\n\n")[0].splitlines())
    found = re.search(r"global memory: (\d+)(?: to (\d+))? loaded, (\d+)(?: to (\d+))? stored(?:, (\d+)(?: to (\d+))? updated)?", comment)
    return [(int(found[k] or 0), int(found[k + 1] or found[k] or 0)) for k in (1, 3, 5)]


options.build.mkdir(parents=True, exist_ok=True)
emitter = options.build / "emitter"
few = ["-DMMM_FEW_PROBLEMS"] if options.quick else []
made = run(options.cxx, "-std=c++20", "-O0", *few, f"-I{root}/include", root / "test/program/emitted_kernels.cpp", "-o", emitter)
if not check(made.returncode == 0, "the program that emits:", made.stderr):
    sys.exit(1)
host = ["-ccbin", "clang++-19"] if options.quick and shutil.which("clang++-19") else []


def compiled(source, program, headers=root / "include"):
    made = run(options.nvcc, "-std=c++20", "-O0", "-lineinfo", "-arch=compute_90", "-cudart", "shared", "-Werror", "all-warnings", *host, "-DTEST",
               f"-I{headers}", source, "-o", program)
    return check(made.returncode == 0, source, "does not compile:", made.stdout, made.stderr)


def check_run(source, problem, program, *arguments):
    """Runs the test of an emitted file: its result, its launches and its sectors."""
    figures, text = source.with_suffix(".json"), source.read_text()
    done = run(options.mmm_run, "--gpu", "h200", "--check", "all", "--json", figures, program, *arguments)
    check(done.returncode == 0 and done.stdout.endswith(": right\n"), source, "ends with", done.returncode, done.stdout, done.stderr)
    launches = [json.loads(line) for line in figures.read_text().splitlines()]
    said = re.search(r"// The launch: (\d+) blocks of (\d+) threads", text)
    blocks = {launch["block"][0] for launch in launches if "kernel" in launch}
    check(blocks == {int(said[2])}, source, "launches blocks of", blocks)
    grids = {launch["grid"][0] for launch in launches if "kernel" in launch}
    check(problem == "copy" or all(grid <= int(said[1]) for grid in grids), source, "launches", grids, "blocks")  # a copy: one a tile
    expected, counted = expected_sectors(text), counted_sectors(launches)
    check(sum(counted) > 0 and all(least <= n <= greatest for n, (least, greatest) in zip(counted, expected)),
          source, "has sectors", counted, "not", expected)
    check(problem == "sort" or all(least == greatest for least, greatest in expected), source, "is not exact:", expected)
    print(f"{source.name}: {len(launches)} launches, sectors {counted}", flush=True)


# A program with several emitted files, which begins with the tensors that a function for strides takes and refuses.
PARTS = """#define main main_{k}
#include "{name}.cu"
#undef main
"""
DRIVER = """
#include <cstring>
int main(int, char** words) {{
  long long const sizes[] = {{123, 123}}, packed[] = {{123, 1}}, padded[] = {{128, 1}}, columns[] = {{1, 123}};
  double x[1];
  auto const refused = [&](long long const* in, long long const* out, char const* reason) {{
    return sample_1_file::sample_1_strided(x, sizes, in, x, sizes, out, nullptr) == 1 && std::strcmp(sample_1_file::sample_1_error(), reason) == 0;
  }};
  if (!refused(padded, packed, "sample_1: stride 0 of input is 128; accepted: 123")) return 3;
  if (!refused(packed, columns, "sample_1: stride 1 of output is 123; accepted: 1")) return 4;
  int (*const tests[])() = {{{tests}}};
  return tests[std::atoi(words[1])]();
}}
"""
if options.quick:
    headers = options.build / "one-file"
    check(run(sys.executable, root / "scripts/one-file-headers", headers).returncode == 0, "the one-file headers are written")
    names = [f"sample_{k}" for k in range(len(SAMPLE))]
    for name, (problem, type_name, size, gpu) in zip(names, SAMPLE):
        check(run(emitter, options.build / f"{name}.cu", name, problem, type_name, size, gpu).returncode == 0, "emits", name)
    driver = options.build / "sample.cu"
    driver.write_text("".join(PARTS.format(k=k, name=name) for k, name in enumerate(names)) +
                      DRIVER.format(tests=", ".join(f"main_{k}" for k in range(len(names)))))
    if compiled(driver, options.build / "sample", headers):
        for k, (name, (problem, *_)) in enumerate(zip(names, SAMPLE)):
            check_run(options.build / f"{name}.cu", problem, options.build / "sample", k)
for type_name, size, side in [] if options.quick else CASES:
    folder = options.build / type_name
    folder.mkdir(exist_ok=True)
    check(run(emitter, folder, type_name, size, side).returncode == 0, "emits", type_name)
    for problem in options.problems or PROBLEMS:
        source, program = folder / f"{problem}.cu", folder / problem
        if not compiled(source, program):
            continue
        check_run(source, problem, program)
        # A kernel that takes a mistaken word is told from a right one.
        if problem == "sum" and type_name == "float":
            wrong = folder / "wrong.cu"
            wrong.write_text(source.read_text().replace("values, values + n, result", "values + 1, values + n, result"))
            if compiled(wrong, folder / "wrong"):
                done = run(options.mmm_run, folder / "wrong")
                check(done.returncode == 1 and "result 0 is" in done.stderr, "a wrong kernel ends with", done.returncode, done.stderr)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
