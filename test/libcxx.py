#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles consumer/libcxx.cpp with clang and libc++ in C++20, 23 and 26 (with --quick only in 20 and 26), and
runs it; skipped (exit status 77) where clang or libc++ is missing.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
compiler = shutil.which("clang++-19") or shutil.which("clang++")
if compiler is None:
    print("clang++ not found: skipped")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    command = [compiler, "-stdlib=libc++", "-I", str(HERE.parent / "include"), "-o", f"{folder}/program"]
    probe = pathlib.Path(folder, "probe.cpp")
    probe.write_text("#include <vector>\nint main() {}\n")
    if subprocess.run([*command, "-std=c++20", str(probe)], capture_output=True).returncode != 0:
        print("libc++ not found: skipped")
        sys.exit(77)
    for standard in ("c++20", "c++26") if "--quick" in sys.argv[1:] else ("c++20", "c++23", "c++26"):
        print(standard, flush=True)
        subprocess.run([*command, f"-std={standard}", "-Wall", "-Wextra", "-Werror", str(HERE / "consumer/libcxx.cpp")], check=True)
        subprocess.run([f"{folder}/program"], check=True)
