#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the tests that need a GPU (test/cuda) and the examples (example/cuda), and runs them on
the device in software, in small sizes, with all checks, three seeds, and weak memory; and a program
that counts which functions of the CUDA runtime the library calls (test/cuda/library).

  cuda_test.py --mmm-run PATH --nvcc PATH --root FOLDER --build FOLDER [--quick] [--jobs N]
               [--cxx NAME] [-- FLAGS OF NVCC]

--quick: without *_long.cu, the same templates with further types; one run with one seed that has all
checks and weak memory, a small picture, all programs compiled as one, for sm_90a, kernels compiled with fewer
optimizations (-Ofc mid, MMM_HOST_DEVICE without always_inline, kernels for 4 and 16 items per thread)
and without lines, and host code by clang 19, which takes a third of the time. Exit status 77 (skipped) without nvcc.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "device" / "test"))
from together import fewer_optimizations, write_together

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--root", required=True, type=pathlib.Path, help="the repository's root")
parser.add_argument("--build", required=True, type=pathlib.Path, help="where objects and programs go")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--cxx", help="compiles what is for the host; g++-12, but clang++-19, which is quicker, for --quick")
parser.add_argument("flags", nargs="*", help="further flags of nvcc")
options = parser.parse_args()

if not shutil.which(options.nvcc):
    print("nvcc not found: skipped")
    sys.exit(77)

root, build = options.root, options.build
if not options.cxx:
    options.cxx = "clang++-19" if options.quick and shutil.which("clang++-19") else "g++-12"
build.mkdir(parents=True, exist_ok=True)
cuda = ["-x", "cu", "-std=c++20", "-O0", f"-I{root}/include", "-cudart", "shared", "-ccbin", options.cxx,
        "-Werror", "all-warnings", *options.flags]
with_features = [*cuda, "-gencode", "arch=compute_90a,code=compute_90a"]  # for files that say they are for sm_90a
cuda += ["-gencode", "arch=compute_90,code=compute_90"]
if options.quick:
    cuda = with_features
    cuda += ["-DMMM_HOST_DEVICE=__host__ __device__", "-DMMM_INLINED=", r"-DMMM_ITEMS_PER_THREAD=4\,16", *fewer_optimizations(options.nvcc, "mid")]
else:
    for flags in cuda, with_features:
        flags.append("-lineinfo")  # findings name lines; four times as much PTX
newest_header = max(f.stat().st_mtime for folder in ("include", "test", "tool/common") for f in (root / folder).rglob("*.[hc]*")
                    if f.suffix in (".hpp", ".cuh"))
failures = []


def ran(command, what, seconds=900):
    """True if a command ends with status 0; otherwise its output is printed."""
    begin = time.monotonic()
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=seconds)
    print(f"{'ok    ' if result.returncode == 0 else 'FAILED'} {time.monotonic() - begin:6.1f} s  {what}", flush=True)
    if result.returncode != 0:
        failures.append(what)
        print(f"status {result.returncode}\n" + "\n".join((result.stdout + result.stderr).splitlines()[-60:]), flush=True)
    return result.returncode == 0


def compiled(source, flags, files=()):
    """The object of a source, which may include others: files."""
    made = build / (source.stem + ".o")
    if made.exists() and made.stat().st_mtime > max(newest_header, *(f.stat().st_mtime for f in (source, *files))):
        return made
    compiler = options.nvcc if source.suffix == ".cu" else options.cxx
    return made if ran([compiler, *flags, "-c", source, "-o", made], f"compile {source.name}") else None


def linked(name, objects):
    program = build / name
    ok = all(objects) and ran([options.nvcc, "-cudart", "shared", "-ccbin", options.cxx, *objects, "-o", program], f"link {name}")
    return program if ok else None


tests = sorted((root / "test/cuda").glob("*.cu"))
examples = sorted((root / "example/cuda").glob("*.cu"))
library = root / "test/cuda/library"
modes = [["--check", "all", "--memory", "weak", "--seed", "1"]]
if options.quick:
    tests = [t for t in tests if not t.stem.endswith("_long")]
else:
    modes = [*((["--check", "all", "--seed", seed] for seed in "123")), ["--memory", "weak", "--seed", "4"]]
included = [f"-I{root}/tool", f"-I{root}/test/cuda", f"-I{root}/test", f"-I{library}"]
host = ["-std=c++20", "-O0", "-w", f"-I{root}/tool", f"-I{root}/include"]
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    common = [pool.submit(compiled, root / f"tool/common/{name}.cpp", host) for name in ("file", "image", "stb", "text")]
    counting = pool.submit(compiled, library / "counted_calls.cpp", host)

    def objects(*sources):
        return [pool.submit(compiled, source, [*cuda, *included]) for source in sources]

    if options.quick:  # one program, whose headers are parsed once
        together = build / "together.cu"
        write_together([*examples, library / "second_call.cu"], together, ("tests", tests))
        programs = {"together": [pool.submit(compiled, together, [*cuda, *included], [*tests, *examples, library / "second_call.cu"]), *common, counting]}
        calls = {name: ("together", name) for name in ("tests", "second_call", *(e.stem for e in examples))}
    else:
        featured = [t for t in tests if "sm_90a" in t.read_text(encoding="utf-8")]
        by_features = [pool.submit(compiled, source, [*with_features, *included]) for source in featured]
        main = objects(root / "test/cuda/main.cu")
        programs = {"mmm_gpu_tests": objects(*(t for t in tests if t not in featured and t.stem != "main")) + main,
                    "warpgroup_tests": by_features + main, "second_call": [*objects(library / "second_call.cu"), counting],
                    **{e.stem: [*objects(e), *common] for e in examples}}
        calls = {name: (name,) for name in ("second_call", *(e.stem for e in examples))} | {
            "tests": ("mmm_gpu_tests",), "warpgroup tests": ("warpgroup_tests",)}
    made = {name: linked(name, [part.result() for part in parts]) for name, parts in programs.items()}
    picture = build / "picture.pgm"
    picture.write_bytes(b"P5 70 50 255\n" + bytes(x * y % 256 for y in range(50) for x in range(70)))
    runs = []
    for name, (program, *arguments) in calls.items():
        if not made[program]:
            continue
        for mode in modes if name.endswith("tests") else [["--check", "all"]]:
            small = {"tests": ["--small"], "warpgroup tests": ["--small"], "blur": [picture] if options.quick else []}.get(name, [])
            runs.append(pool.submit(ran, [options.mmm_run, *mode, made[program], *arguments, *small], f"{name} {' '.join(mode)}"))
    for r in runs:
        r.result()

print(f"{len(tests)} files of tests, {len(runs)} runs, {len(failures)} failures")
sys.exit(1 if failures or not runs else 0)
