#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/machine-code.md: the machine code of the fast kernels beside that of CUB's, CUTLASS's
and kernels written by hand, all compiled in one run.

  machine_code.py [--nvcc NVCC] [--nvdisasm NVDISASM] [--cutlass FOLDER] [--arch N ...]

Every file of benchmark/machine_code is compiled for every architecture; its lines
`// row NAME: PATTERN` name kernels by regular expressions for their demangled names. Of the kernels
that match, the one with most instructions counts. --cutlass is a folder with CUTLASS's headers
(scripts/test unpacks the Python package nvidia-cutlass below build/cutlass).
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "kernel"))
from machine_code import demangled, innermost_loops, kernels_of, phases, reports  # noqa: E402

PAGE = ROOT / "docs" / "machine-code.md"
COUNTED = ["FFMA", "LDG.128", "LDG", "LDGSTS", "STG.128", "STG", "LDS", "STS", "BAR", "LDL", "STL"]
INTRODUCTION = """# Machine code of the fast kernels

This page is written by `benchmark/machine_code.py`, which compiles kernels of this library, of CUB,
of CUTLASS without tensor cores, and two kernels written by hand, all in one run, and reads their
machine code. {compiler}.

The **loop** is the innermost one that does most of the work: the one with most FFMA, or what lies
between two barriers of a loop if that has most, as in image convolutions, whose threads add up a
tile's pixels in straight code where the radius is small; in kernels without FFMA, the one with most
words to and from the global memory for an instruction, in accesses of 16 bytes if the kernel has
some. Where no loop does it, as in this library's prefix-sums, whose loop over tiles has the loop of
the look-back in it, the whole code stands in its place. LDG.128 are loads of 16 bytes from the
global memory, LDGSTS asynchronous copies from there to the shared memory, LDL and STL accesses to
local memory, which is where spilled registers go.
"""

parser = argparse.ArgumentParser()
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--nvdisasm", default=str(ROOT / "build/nvdisasm/nvidia/cu13/bin/nvdisasm"))
parser.add_argument("--cutlass", default=str(ROOT / "build/cutlass/cutlass_library/source/include"))
parser.add_argument("--arch", nargs="*", type=int, default=[80, 90, 100, 120])
options = parser.parse_args()


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout + done.stderr


def count(lines):
    code = [line for line in lines if "/*" in line and ";" in line]
    found = {"instructions": len(code)}
    for name in COUNTED:
        pattern = re.compile(r"\b" + name.replace(".128", r"(?:\.\w+)*\.128") + r"\b")
        found[name] = sum(bool(pattern.search(line)) for line in code)
    return found


def wide(figures):
    return figures["LDG.128"] + figures["STG.128"]


def work(figures):
    """More of it is more work: FFMA; words to and from the global memory for an instruction."""
    words = figures["LDGSTS"] + sum(figures[kind] + 3 * figures[f"{kind}.128"] for kind in ("LDG", "STG"))
    return figures["FFMA"], words / figures["instructions"]


def main_loop(loops, whole):
    """The loop of the work, or the whole code where it is in none."""
    if whole["FFMA"] == 0 and wide(whole) > 0:
        loops = [loop for loop in loops if wide(loop) > 0]
    best = max(loops, key=work, default=whole)
    return whole if work(best) == (0, 0) else best


def kernels(source, architecture, folder):
    """{demangled name: figures} of a file's kernels on one architecture."""
    cubin = folder / f"{source.stem}_{architecture}.cubin"
    log = run(options.nvcc, "-std=c++20", "--expt-relaxed-constexpr", f"-I{ROOT}/include", f"-I{options.cutlass}", "-w", "-cubin",
              f"-arch=sm_{architecture}", "-Xptxas", "-v", "-o", cubin, source)
    found = {}
    of_assembler = reports(log)
    listing = dict(kernels_of(run(options.nvdisasm, "-c", cubin)))
    for mangled, name in zip(listing, demangled(list(listing))):
        whole = count(listing[mangled].splitlines())
        loops = (phases if whole["FFMA"] > 0 else innermost_loops)(listing[mangled])
        loop = main_loop([count(lines) for lines in loops], whole)
        found[name] = of_assembler[mangled] | {"whole": whole, "loop": loop}
    return found


def rows(architecture, folder):
    for source in sorted((ROOT / "benchmark" / "machine_code").glob("*.cu")):
        found = kernels(source, architecture, folder)
        for title, pattern in re.findall(r"^// row (.+?): (.+)$", source.read_text(encoding="utf-8"), re.M):
            matching = [figures for name, figures in found.items() if re.search(pattern, name)]
            if not matching:
                sys.exit(f"{source.name}: no kernel matches {pattern}; there are:\n" + "\n".join(n[:200] for n in found))
            yield title, source.stem, max(matching, key=lambda figures: figures["whole"]["instructions"])


def table(architecture, folder):
    text = [f"\n## sm_{architecture}\n", "| kernel | of | registers | stack, spilled bytes | instructions | in the loop | FFMA there "
            "| LDG.128 of LDG | LDGSTS | STG.128 of STG | LDS, STS | LDL, STL | barriers |", "|---|---|" + "---:|" * 11]
    for title, of, k in sorted(rows(architecture, folder), key=lambda row: row[0].split(",")[0]):
        loop, whole = k["loop"], k["whole"]
        share = f"{100 * loop['FFMA'] / loop['instructions']:.1f} %" if loop["FFMA"] else "-"
        text.append(f"| {title} | {of} | {k['registers']} | {k['stack']}, {k['spills']} | {whole['instructions']} "
                    f"| {loop['instructions']} | {share} | {loop['LDG.128']} of {loop['LDG']} | {loop['LDGSTS']} "
                    f"| {loop['STG.128']} of {loop['STG']} | {loop['LDS']}, {loop['STS']} | {whole['LDL']}, {whole['STL']} "
                    f"| {whole['BAR']} |")
    return text


release = re.search(r"release ([0-9.]+)", run(options.nvcc, "--version"))[1]
with tempfile.TemporaryDirectory() as folder:
    lines = [line for a in options.arch for line in table(a, pathlib.Path(folder))]
PAGE.write_text(INTRODUCTION.format(compiler=f"Compiler: nvcc {release}, default optimization") + "\n".join(lines) + "\n",
                encoding="utf-8")
print("\n".join(lines))
