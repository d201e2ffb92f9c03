#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs with mmm::jit without nvcc and runs them on the device in software: the results of kernels that NVRTC
compiles are those of plain loops; a second run takes all kernels from the cache; damaged entries are replaced. The example
jit_sum.cpp says what is missing, and needs no cache that can be written.

  jit_kernels.py --mmm-run PATH --cuda FOLDER --build FOLDER [--quick] [--cxx NAME]

--cuda: the folder of cuda.h. --quick: without the kernels of all problems (jit_kernels.cpp). Exit status 77 (skipped)
without NVRTC or its header.
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
parser.add_argument("--cxx", help="compiles what is for the host; g++-12, but clang++-19, which is quicker, for --quick")
parser.add_argument("--quick", action="store_true")
options = parser.parse_args()
if not options.cxx:
    options.cxx = "clang++-19" if options.quick and shutil.which("clang++-19") else "g++-12"
for header in ("cuda.h", "nvrtc.h"):
    if not (options.cuda / header).exists():
        print(f"{options.cuda / header} is not there")
        sys.exit(77)


def demand(holds, *what):
    if not holds:
        print("FAILED", *what)
        sys.exit(1)


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900,
                          **{"stdin": subprocess.DEVNULL, **more})


options.build.mkdir(parents=True, exist_ok=True)
cache = options.build / "cache"


def compiled(source):
    program = options.build / source.stem
    made = run(options.cxx, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror",
               *(["-DQUICK"] if options.quick else []), f"-I{root}/include", "-isystem", options.cuda, source, "-o", program, "-ldl",
               "-pthread")
    demand(made.returncode == 0, source, "compiles:", made.stderr[-3000:])
    return program


def on_device(program, *arguments, status=0, says="", **variables):
    """Runs a program under mmm-run, which must end so. An environment variable that is None is not set."""
    given = {name: value for name, value in {**os.environ, "MMM_CACHE_DIR": cache, **variables}.items() if value is not None}
    done = run(options.mmm_run, "--check", "all,leak", program, *arguments, env={name: str(value) for name, value in given.items()})
    if "NVRTC is not there" in done.stderr and "MMM_NVRTC" not in variables:
        print("NVRTC is not there")
        sys.exit(77)
    demand(done.returncode == status, program, arguments, variables, "ends with", done.returncode, done.stdout[-2000:], done.stderr[-3000:])
    demand(says in done.stdout + done.stderr, program, arguments, variables, "does not say:", says, done.stdout, done.stderr)
    return done


def entries():
    """The cache's files, each with its inode, a new one if it is written, and its time."""
    return {file: (file.stat().st_ino, file.stat().st_mtime_ns) for file in cache.iterdir()}


def processor_seconds():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def twice(program):
    """A program's second run takes all from the cache, and replaces what is damaged."""
    shutil.rmtree(cache, ignore_errors=True)
    seconds = [processor_seconds()]
    on_device(program)
    seconds.append(processor_seconds())
    first = entries()
    demand(len(first) >= 3, "entries of the cache:", sorted(first))
    demand(all(file.suffix == ".kernel" for file in first), "nothing but entries:", sorted(first))
    on_device(program)
    seconds.append(processor_seconds())
    demand(entries() == first, "the second run writes nothing")
    whole = {file: file.read_bytes() for file in first}
    for file in first:
        file.write_bytes(whole[file][:len(whole[file]) // 2])
    on_device(program)
    demand({file: file.read_bytes() for file in first} == whole, "damaged entries are replaced")
    print(f"{program.name}: {len(first)} entries; processor time of the runs: {seconds[1] - seconds[0]:.2f} s, "
          f"{seconds[2] - seconds[1]:.2f} s from the cache")


def shared_library(file, name, source):
    """A C source as a shared library of this name, in place of another file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    made = run(options.cxx.replace("clang++", "clang").replace("g++", "gcc"), "-shared", "-fPIC", "-w", f"-Wl,-soname,{name}", "-x", "c", "-",
               "-o", f"{file}.new",
               stdin=None, input=source)
    demand(made.returncode == 0, file, "compiles:", made.stderr)
    pathlib.Path(f"{file}.new").rename(file)


DRIVER = ["CtxGetCurrent", "CtxSetCurrent", "CtxGetDevice", "DeviceGet", "DeviceGetAttribute", "DeviceGetName", "DevicePrimaryCtxRetain",
          "ModuleLoadDataEx", "ModuleGetFunction", "FuncGetAttribute", "FuncSetAttribute", "OccupancyMaxActiveBlocksPerMultiprocessor",
          "LaunchKernelEx", "MemAlloc_v2", "MemFree_v2", "MemcpyHtoD_v2", "MemcpyDtoH_v2", "MemAllocAsync", "MemFreeAsync", "MemsetD8Async",
          "PointerGetAttribute"]
NVRTC = ["GetNumSupportedArchs", "GetSupportedArchs", "GetErrorString", "CreateProgram", "DestroyProgram", "AddNameExpression", "GetLoweredName", "CompileProgram", "GetProgramLogSize",
         "GetProgramLog", "GetPTXSize", "GetPTX", "GetCUBINSize", "GetCUBIN"]


def compiler_of_version(major, minor):
    return (f"int nvrtcVersion(int* major, int* minor) {{ *major = {major}; *minor = {minor}; return 0; }}\n" +
            "".join(f"int nvrtc{name}() {{ return 0; }}\n" for name in NVRTC))


def version_in_key():
    """The key has the version of the NVRTC that would be loaded, which is loaded only if it may be another one."""
    program, folder = compiled(root / "test/program/jit_version.cpp"), options.build / "nvrtc"
    shutil.rmtree(folder, ignore_errors=True)
    first, second, own = folder / "first/libnvrtc.so.13", folder / "second/libnvrtc.so.13", folder / "own.so"
    first.parent.mkdir(parents=True)
    places = {"LD_LIBRARY_PATH": f"{first.parent}:{second.parent}", "CUDA_HOME": "/nowhere", "MMM_CACHE_DIR": str(folder / "cache")}

    def demand_version(expected, *arguments, **variables):
        done = run(program, *arguments, env={**{k: v for k, v in os.environ.items() if k != "MMM_NVRTC"}, **places, **variables})
        demand(done.stdout == expected + "\n", "NVRTC", arguments, variables, "expected:", expected, "is:", done.stdout, done.stderr)

    shared_library(second, "libnvrtc.so.13", compiler_of_version(13, 0))
    demand_version("13.0 loaded")
    demand_version("13.0 from the cache")
    demand_version("13.0 loaded", MMM_CACHE_DIR="")
    shared_library(second, "libnvrtc.so.13", compiler_of_version(13, 1))  # replaced
    demand_version("13.1 loaded")
    demand_version("13.1 from the cache")
    shared_library(first, "libnvrtc.so.13", compiler_of_version(13, 2))  # found before
    demand_version("13.2 loaded")
    demand_version("13.2 from the cache")
    demand_version("13.1 loaded", LD_LIBRARY_PATH=str(second.parent))
    shared_library(own, "libnvrtc.so.13", compiler_of_version(12, 9))
    demand_version("12.9 loaded", MMM_NVRTC=str(own))
    demand_version("12.9 from the cache", MMM_NVRTC=str(own))
    demand_version("13.1 loaded", str(second))  # the process has one already
    first.unlink()
    demand_version("13.1 from the cache")
    print("NVRTC's version is that of the file that would be loaded")


twice(compiled(root / "test/program/jit_launches.cpp"))
version_in_key()
if not options.quick:
    twice(compiled(root / "test/program/jit_kernels.cpp"))

example = compiled(root / "example/jit_sum.cpp")
alone = run(example)
demand(alone.returncode == 0 or (alone.returncode == 2 and alone.stderr.startswith("mmm: the CUDA driver is not there:")),
       "without a GPU the example says so:", alone.returncode, alone.stdout, alone.stderr)
old, without = options.build / "old_driver", options.build / "no_gpu"
shared_library(old / "libcuda.so.1", "libcuda.so.1", "int cuInit() { return 0; }")
shared_library(without / "libcuda.so.1", "libcuda.so.1", "".join(f"int cu{name}() {{ return 0; }}\n" for name in DRIVER) +
               'int cuInit() { return 100; }\n'
               'int cuGetErrorName(int code, char const** text) { *text = "CUDA_ERROR_NO_DEVICE"; return 0; }\n'
               'int cuGetErrorString(int code, char const** text) { *text = "no CUDA-capable device is detected"; return 0; }\n')
for folder, words in ((old, f"mmm: the CUDA driver ({old}/libcuda.so.1) lacks the function cuGetErrorName: it is too old"),
                      (without, "mmm: starting the driver: cuInit failed: no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)")):
    alone = run(example, env={**os.environ, "LD_LIBRARY_PATH": str(folder)})
    demand(alone.returncode == 2 and alone.stderr.startswith(words), "expected:", words, "is:", alone.returncode, alone.stdout, alone.stderr)
shutil.rmtree(cache)
pairs = [subprocess.Popen([options.mmm_run, example], env={**os.environ, "MMM_CACHE_DIR": str(cache)}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(3)]
for process in pairs:
    text, _ = process.communicate()
    demand(process.returncode == 0 and "20000 by " in text, "processes at once:", process.returncode, text)
demand(len(entries()) == 3, "one kernel, its headers and NVRTC's version:", entries())
headers, own = options.build / "headers", {"MMM_INCLUDE_DIR": options.build / "headers", "MMM_CACHE_DIR": options.build / "own_cache"}
for folder in own.values():
    shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(root / "include", headers)
kernels = []
for header in ("jit/launcher.hpp", "jit/launcher.hpp", "algorithm/reduce/sum.hpp"):  # the first one is not the kernel's
    on_device(example, **own)
    kernels.append({file for file in own["MMM_CACHE_DIR"].iterdir()})
    with (headers / "mmm" / header).open("a") as text:
        text.write("\n")
on_device(example, **own)
kernels.append({file for file in own["MMM_CACHE_DIR"].iterdir()})
demand(kernels[0] == kernels[1] == kernels[2], "another header has changed, and the kernel is compiled again:", kernels)
demand(len(kernels[3] - kernels[2]) == 1, "a header of the kernel has changed, and it is not compiled again:", kernels)
for n in ("1", "1000"):
    on_device(example, n, says=f"{n} by ")
for n in ("0", "4294967297", "-1", "a few", "7,5", "99999999999999999999"):
    on_device(example, n, status=2, says=f"jit_sum: N is {n}; accepted: 1 to 16777216")
on_device(example, MMM_INCLUDE_DIR="/nowhere", status=2, says="/nowhere/mmm/jit/programs.hpp is missing; MMM_INCLUDE_DIR names")
on_device(example, MMM_CACHE_DIR="", MMM_NVRTC="/nowhere/libnvrtc.so", status=2, says="mmm: NVRTC is not there (MMM_NVRTC may name it):")
on_device(example, MMM_CACHE_DIR=f"{example}/cache", says="20000 by ")  # a file is no folder
on_device(example, MMM_CACHE_DIR=f"{example}/cache", says="kernels are compiled again by each process")
on_device(example, MMM_CACHE_DIR=None, XDG_CACHE_HOME=None, HOME=None, says="20000 by ")
print("the example runs, and says what is missing")
