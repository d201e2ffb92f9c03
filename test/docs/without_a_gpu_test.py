#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the output of mmm-run in docs/without-a-gpu.md: mmm-run must print every line of a block
after `<!-- output: COMMAND -->`.

  without_a_gpu_test.py --mmm-run PATH --nvcc PATH --root FOLDER

Exit status 77 (skipped) without nvcc.
"""
import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--root", required=True, type=pathlib.Path)
options = parser.parse_args()
if not shutil.which(options.nvcc):
    print("nvcc not found: skipped")
    sys.exit(77)

page = (options.root / "docs/without-a-gpu.md").read_text(encoding="utf-8")
blocks = re.findall(r"<!-- output: (mmm-run [^\n]*) -->\n```\n(.*?)```", page, re.DOTALL)
source = (options.root / "example/device/transpose.cu").read_text(encoding="utf-8")
without_barrier = source.replace("  __syncthreads();\n", "")
mended = source.replace("tile[side][side];", "tile[side][side + 1];")
failures = []
compared = 0

with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    shutil.copy(options.root / "example/device/limits.json", work)
    for name, text in (("transpose", source), ("without_barrier", without_barrier), ("mended", mended)):
        if name != "transpose" and text == source:
            failures.append(f"{name} is the same program")
        # Each program is compiled in a folder of its own, so that messages name transpose.cu; line
        # numbers stay as they are.
        (work / name).mkdir()
        blank = "\n" if name == "without_barrier" else ""
        (work / name / "transpose.cu").write_text(text.replace("  int const out_column", blank + "  int const out_column"))
        subprocess.run([options.nvcc, "-std=c++20", "-cudart", "shared", "-gencode", "arch=compute_90,code=compute_90",
                        "-lineinfo", "transpose.cu", "-o", f"../{name}.program"], cwd=work / name, check=True)
        shutil.move(work / f"{name}.program", work / name / name)
    shutil.copy(options.root / "example/device/limits.json", work / "transpose")

    for command, block in blocks:
        words = shlex.split(command)
        name = pathlib.Path(words[-1]).name
        ran = subprocess.run([options.mmm_run, *words[1:]], cwd=work / name, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        printed = [line.rstrip() for line in ran.stderr.splitlines()]
        for line in block.splitlines():
            compared += 1
            if line.rstrip() not in printed:
                failures.append(f"`{command}` does not print: {line}\nbut:\n{ran.stderr}")
    limits = subprocess.run([options.mmm_run, "--limits", "../transpose/limits.json", "./mended"], cwd=work / "mended",
                            capture_output=True, text=True, stdin=subprocess.DEVNULL)
    compared += 1
    if limits.returncode != 0 or " 4096   4096 " not in limits.stderr:
        failures.append(f"the mended program: status {limits.returncode}\n{limits.stderr}")

print(f"{len(blocks)} blocks, {compared} lines, {len(failures)} failures")
for failure in failures:
    print(failure)
sys.exit(1 if failures or len(blocks) < 3 or compared < 8 else 0)
