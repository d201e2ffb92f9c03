#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the tests of kernels on MPI's processes (test/cuda/mpi), and runs them on the device in
software, each process under mmm-run.

  mpi_test.py --mmm-run PATH --nvcc PATH --mpirun PATH --root FOLDER --build FOLDER [--quick] [--cxx NAME]
              [--include FOLDER]... [--link FILE]... [--nccl FILE]

--quick: on 1 and 3 processes with all checks, all files compiled as one for sm_90a with fewer optimizations;
otherwise on 1 to 4 processes, also with weak memory, and with messages from and to device memory.
--nccl, with the library of NCCL: the programs' messages are NCCL's, which a stand-in carries, on 1, 3
and 4 processes; with --quick those of nccl.cu alone on 3. NCCL itself is compiled and linked against, and makes a
communicator of one process, or without a GPU gives its error.
Exit status 77 (skipped) without nvcc or mpirun.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "device" / "test"))
from together import fewer_optimizations

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--mpirun", default="mpirun")
parser.add_argument("--root", required=True, type=pathlib.Path, help="the repository's root")
parser.add_argument("--build", required=True, type=pathlib.Path, help="where objects and the program go")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--cxx", help="compiles what is for the host; g++-12, but clang++-19, which is quicker, for --quick")
parser.add_argument("--include", action="append", default=[], help="a folder with mpi.h")
parser.add_argument("--link", action="append", default=[], help="a library of MPI")
parser.add_argument("--nccl", help="the library of NCCL")
options = parser.parse_args()

for program in options.nvcc, options.mpirun:
    if not shutil.which(program):
        print(f"{program} not found: skipped")
        sys.exit(77)

root, build = options.root, options.build
if not options.cxx:
    options.cxx = "clang++-19" if options.quick and shutil.which("clang++-19") else "g++-12"
build.mkdir(parents=True, exist_ok=True)
flags = ["-x", "cu", "-std=c++20", "-O0", "-cudart", "shared", "-ccbin", options.cxx, "-Werror", "all-warnings", "-DOMPI_SKIP_MPICXX",
         *(f"-I{root}/{folder}" for folder in ("include", "test/cuda/mpi", "test/cuda", "test")),
         *(part for folder in options.include for part in ("-isystem", folder))]
if options.quick:
    flags += ["-gencode", "arch=compute_90a,code=compute_90a", "-DMMM_HOST_DEVICE=__host__ __device__", "-DMMM_INLINED=",
              r"-DMMM_ITEMS_PER_THREAD=4\,16", *fewer_optimizations(options.nvcc, "mid")]
else:
    flags += ["-gencode", "arch=compute_90,code=compute_90", "-lineinfo"]
newest_header = max(f.stat().st_mtime for folder in ("include", "test/cuda") for f in (root / folder).rglob("*.[hc]*")
                    if f.suffix in (".hpp", ".cuh", ".cu"))
failures = []
environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}


def ran(command, text, seconds=900, **settings):
    """True if a command ends with status 0; otherwise its output is printed."""
    begin = time.monotonic()
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            timeout=seconds, env={**environment, **settings}, check=False)
    print(f"{'ok    ' if result.returncode == 0 else 'FAILED'} {time.monotonic() - begin:6.1f} s  {text}", flush=True)
    if result.returncode != 0:
        failures.append(text)
        print(f"status {result.returncode}\n" + "\n".join((result.stdout + result.stderr).splitlines()[-60:]), flush=True)
    return result.returncode == 0


def compiled(source):
    made = build / (source.stem + ".o")
    if made.exists() and made.stat().st_mtime > max(newest_header, source.stat().st_mtime):
        return made
    return made if ran([options.nvcc, *flags, "-c", source, "-o", made], f"compile {source.name}") else None


def linked(name, objects, *libraries):
    program = build / name
    return program if all(objects) and ran([options.nvcc, "-cudart", "shared", "-ccbin", options.cxx, *objects, *options.link, *libraries,
                                            "-o", program], f"link {name}") else None


runs = 0


def started(k, program, *mode, parts=(), **settings):
    """Runs a program's tests on k processes of the device in software."""
    global runs
    runs += 1
    ran([options.mpirun, "-n", k, options.mmm_run, *mode, program, *parts],
        " ".join([f"{k} processes", *mode, *(f"{name}={x}" for name, x in settings.items())]), **settings)


folder = root / "test/cuda/mpi"
if options.nccl:
    flags.append("-DMMM_CHECKS_WITH_NCCL=1")
sources = sorted(folder.glob("*.cu"))
if options.nccl and options.quick:
    sources = [folder / "main.cu", folder / "nccl.cu"]
elif not options.nccl:
    sources.remove(folder / "nccl.cu")
if options.quick:  # one file, whose headers are parsed once
    together = build / "together.cu"
    together.write_text("".join(f'#include "{source.resolve()}"\n' for source in sources), encoding="utf-8")
    sources = [together]
objects = [compiled(source) for source in sources]
checks = ["--check", "all"]
if options.nccl:
    if program := linked("mmm_nccl_tests", [*objects, compiled(folder / "nccl_stand_in.cpp")]):
        for k in (3,) if options.quick else (1, 3, 4):
            started(k, program, *checks)
        started(3, program, parts=["abort"], MMM_CHECKS_ABORT="1")
    linked("mmm_nccl_tests_by_nccl", objects, options.nccl)
    if program := linked("mmm_nccl_alone", [compiled(folder / "nccl_alone.cpp")], options.nccl):
        runs += 1
        ran([options.mpirun, "-n", 1, program], "1 process, NCCL itself")
elif program := linked("mmm_mpi_cuda_tests", objects):
    cases = [(checks, "0")] if options.quick else [(checks, "0"), (["--memory", "weak", "--seed", "1"], "0"), ([], "1")]
    for mode, aware in cases:
        for k in (1, 3) if options.quick else (1, 2, 3, 4):
            started(k, program, *mode, MMM_CUDA_AWARE_MPI=aware)

print(f"{len(objects)} files, {runs} runs, {len(failures)} failures")
sys.exit(1 if failures or runs == 0 else 0)
