#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/machine-code.md: the machine code of the fast kernels beside that of CUB's, CUTLASS's
and kernels written by hand, all compiled in one run.

  machine_code.py [--nvcc NVCC] [--nvdisasm NVDISASM] [--cutlass FOLDER] [--cccl FOLDER] [--arch N ...] [--jobs N]
  machine_code.py --rows PATTERN [--include FOLDER] [--define NAME=VALUE ...] ...

Every file below benchmark/machine_code is compiled for every architecture; its folder says whose
kernels it has. Its lines `// row NAME: PATTERN` name kernels by regular expressions for their
demangled names; of the kernels that match, the one with most instructions counts. After a pattern,
`; shared=BYTES` is the shared memory that a launch asks for, `; threads=N` the threads of a block,
where the code does not say, and `; whole` takes the whole code in place of a loop. --cutlass and --cccl are folders with
CUTLASS's and the newest CUB's headers (scripts/machine_code unpacks the Python packages
nvidia-cutlass and nvidia-cuda-cccl below build); CUB is compiled with the toolkit's headers, too.

With --rows, the figures of the rows whose names match are printed and the page stays as it is:
variants of a kernel are ranked so, by --define or by another folder of headers.
"""
import argparse
import collections
import concurrent.futures
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "kernel"))
from machine_code import (  # noqa: E402
    basic_blocks, demangled, innermost_loops, instructions, kernels_of, phases, reports, three_reads)

PAGE = ROOT / "docs" / "machine-code.md"
SOURCES = ROOT / "benchmark" / "machine_code"
COUNTED = ["FFMA", "HMMA", "HGMMA", "LDG.128", "LDG", "LDGSTS", "STG.128", "STG", "LDS", "STS", "BAR", "LDL", "STL"]
# threads, blocks and bytes of shared memory of a multiprocessor
LIMITS = {80: (2048, 32, 164 << 10), 90: (2048, 32, 228 << 10), 100: (2048, 32, 228 << 10), 120: (1536, 24, 100 << 10)}
INTRODUCTION = """# Machine code of the fast kernels

This page is written by `scripts/machine_code`, which compiles kernels of this library, of CUB, of
CUTLASS, and two kernels written by hand, all in one run of one compiler, and
reads their machine code. {compiler}.

The **loop** is the innermost one that does most of the work: the one with most FFMA or, in products
of halves by tensor cores, HMMA or, by wgmma, HGMMA; or what lies
between two barriers of a loop if that has most, as in image convolutions, whose threads add up a
tile's pixels in straight code where the radius is small; in kernels without either, the one with most
words to and from the global memory for an instruction, in accesses of 16 bytes if the kernel has
some. Where no loop does it, as in this library's prefix-sums, whose loop over tiles has the loop of
the look-back in it, the whole code stands in its place. LDG.128 are loads of 16 bytes from the
global memory, LDGSTS asynchronous copies from there to the shared memory, LDL and STL accesses to
local memory, which is where spilled registers go.

**Three reads** are the FFMA of the loop that read three registers outside the reuse cache: an
operand is in that cache if the instruction before has the same register in the same place, marked
`.reuse`. A scheduler of an H100 is taken to need two clocks for such an FFMA and one for others
([prediction.md](prediction.md)).

**Per word** are the instructions of the loop, or of the whole code where it stands in its place, for
each word that a thread loads from the global memory at once: in the basic block that loads most. For
radix sorts these are the instructions of a pass for a key, with those of a partial tile.
**Blocks** and **warps** are those that a multiprocessor has room for, by threads and registers, by
the shared memory that the code declares, and by that which products and convolutions ask for.
**In flight** are the bytes that all of these ask the global memory for, if each thread is in that
basic block; *bulk* marks kernels that copy tiles by one instruction of a block (UBLKCP).
"""

parser = argparse.ArgumentParser()
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--nvdisasm", default=str(ROOT / "build/nvdisasm/nvidia/cu13/bin/nvdisasm"))
parser.add_argument("--cutlass", type=pathlib.Path, default=ROOT / "build/cutlass/cutlass_library/source/include")
parser.add_argument("--cccl", type=pathlib.Path, default=ROOT / "build/cccl/nvidia/cu13/include/cccl")
parser.add_argument("--include", type=pathlib.Path, default=ROOT / "include", help="this library's headers")
parser.add_argument("--define", nargs="*", default=[], metavar="NAME=VALUE")
parser.add_argument("--rows", type=re.compile, help="print these rows only, and write no page")
parser.add_argument("--arch", nargs="*", type=int, default=sorted(LIMITS), choices=sorted(LIMITS))
parser.add_argument("--jobs", type=int, default=2)
options = parser.parse_args()


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout + done.stderr


def version(file, pattern, numbers):
    """The version that a header defines, as text."""
    if not file.exists():
        sys.exit(f"{file} is not there")
    return numbers(*map(int, re.findall(pattern, file.read_text(encoding="utf-8"), re.M)))


def cub_version(folder):
    return version(folder / "cub/version.cuh", r"^#define CUB_VERSION (\d+)", lambda n: f"CUB {n // 100000}.{n // 100 % 1000}.{n % 100}")


def contenders():
    """(folder of sources, name on the page, folder of headers) of whose kernels are compiled."""
    toolkit = pathlib.Path(re.search(r'#\$ TOP=(\S+)', run(options.nvcc, "--dryrun", "-c", "x.cu"))[1]) / "include/cccl"
    yield "mmm", "mmm", options.include
    yield "plain", "plain", options.include
    yield "cub", cub_version(toolkit), toolkit
    if cub_version(options.cccl) != cub_version(toolkit):
        yield "cub", cub_version(options.cccl), options.cccl
    yield "cutlass", version(options.cutlass / "cutlass/version.h", r"^#define CUTLASS_(?:MAJOR|MINOR|PATCH) (\d+)",
                             lambda *n: "CUTLASS " + ".".join(map(str, n))), options.cutlass


def count(lines):
    code = [line for line in lines if "/*" in line and ";" in line]
    found = {"instructions": len(code)}
    for name in COUNTED:
        pattern = re.compile(r"\b" + name.replace(".128", r"(?:\.\w+)*\.128") + r"\b")
        found[name] = sum(bool(pattern.search(line)) for line in code)
    return found


def products(figures):
    return figures["FFMA"] + figures["HMMA"] + figures["HGMMA"]


def wide(figures):
    return figures["LDG.128"] + figures["STG.128"]


def work(figures):
    """More of it is more work: HGMMA, each of which does that of many others, FFMA and HMMA; words to and from the global memory for an instruction."""
    words = figures["LDGSTS"] + sum(figures[kind] + 3 * figures[f"{kind}.128"] for kind in ("LDG", "STG"))
    return products(figures) + 1000 * figures["HGMMA"], words / figures["instructions"]


def main_loop(loops, whole):
    """The loop of the work, or the whole code where it is in none."""
    if products(whole) == 0 and wide(whole) > 0:
        loops = [loop for loop in loops if wide(loop) > 0]
    best = max(loops, key=work, default=whole)
    return whole if work(best) == (0, 0) else best


def loaded(block):
    """The words that the loads from the global memory of a basic block ask for."""
    found = 0
    for line in block:
        if match := re.search(r"\b(LDGSTS|LDG)((?:\.\w+)*)", line):
            size = re.search(r"\.(?:(64|128)|[US](8|16))\b", match[2] + ".")
            found += 1 if not size else int(size[1]) / 32 if size[1] else int(size[2]) / 32
    return found


def resident(architecture, registers, threads, shared):
    """The blocks that a multiprocessor has room for. A warp has registers in units of 256, and a block 1024 bytes more."""
    max_threads, blocks, memory = LIMITS[architecture]
    warps = -(-threads // 32)
    return min(max_threads // (32 * warps), blocks, 65536 // (-(-registers * 32 // 256) * 256) // warps, memory // (shared + 1024))


def is_for_90a(source):
    return "// for sm_90a only\n" in source.read_text(encoding="utf-8")


def kernels(source, headers, architecture, folder):
    """{demangled name: figures} of a file's kernels on one architecture."""
    log = run(options.nvcc, "-std=c++20", "--expt-relaxed-constexpr", f"-I{headers}", *(f"-D{d}" for d in options.define), "-w", "-cubin",
              f"-arch=sm_{architecture}{'a' if is_for_90a(source) else ''}", "-Xptxas", "-v", "-keep", "-keep-dir", folder, "-o", folder / "code.cubin", source)
    ptx = (folder / f"{source.stem}.ptx").read_text(encoding="utf-8")
    threads = {name: int(x) for name, x in re.findall(r"\.entry (\w+)\([^)]*\)\s*(?:\.\w+ \d+\s+)*?\.maxntid (\d+)", ptx)}
    found = {}
    of_assembler = reports(log)
    listing = dict(kernels_of(run(options.nvdisasm, "-c", folder / "code.cubin")))
    for mangled, name in zip(listing, demangled(list(listing))):
        body = listing[mangled]
        whole = count(body.splitlines())
        loops = [(count(lines), lines) for lines in (phases if whole["FFMA"] > 0 else innermost_loops)(body)]
        loop = main_loop([figures for figures, _ in loops], whole)
        lines = next((lines for figures, lines in loops if figures is loop), instructions(body.splitlines()))
        found[name] = of_assembler[mangled] | {"whole": whole, "loop": loop, "three": sum(three_reads(lines)), "threads": threads.get(mangled),
                                               "bulk": "UBLKCP" in body,
                                               "words": max(map(loaded, basic_blocks(body)), default=0)}
    return found


def rows_of(task):
    """(title, whose kernel, figures) of a file's rows on one architecture."""
    (source, name, headers), architecture = task
    lines = re.findall(r"^// row (.+?): ([^;\n]+)(.*)$", source.read_text(encoding="utf-8"), re.M)
    lines = [line for line in lines if not options.rows or options.rows.search(line[0])]
    if not lines or (is_for_90a(source) and architecture != 90):
        return []
    with tempfile.TemporaryDirectory() as folder:
        found = kernels(source, headers, architecture, pathlib.Path(folder))
    rows = []
    for title, pattern, given in lines:
        number = {key: int(value) for key, value in re.findall(r"; (\w+)=(\d+)", given)}
        matching = [figures for name_of, figures in found.items() if re.search(pattern, name_of)]
        if not matching:
            sys.exit(f"{source.name}: no kernel matches {pattern}; there are:\n" + "\n".join(n[:200] for n in found))
        k = max(matching, key=lambda figures: figures["whole"]["instructions"])
        if "; whole" in given:
            k["loop"] = k["whole"]
        k["threads"] = k["threads"] or number.get("threads")
        k["blocks"] = resident(architecture, k["registers"], k["threads"], k["shared"] + number.get("shared", 0)) if k["threads"] else None
        rows.append((title, name, k))
    return rows


def table(architecture, rows):
    text = [f"\n## sm_{architecture}\n", "| kernel | of | registers | stack, spilled bytes | blocks, warps | in flight | instructions | in the loop "
            "| per word | FFMA, HMMA, HGMMA there | three reads | LDG.128 of LDG | LDGSTS | STG.128 of STG | LDS, STS | LDL, STL | barriers |",
            "|---|---|" + "---:|" * 15]
    for title, of, k in sorted(rows, key=lambda row: row[0].split(",")[0]):
        loop, whole, words = k["loop"], k["whole"], 0 if k["bulk"] else k["words"]
        ffma, made, blocks = loop["FFMA"], products(loop), k["blocks"]
        warps = blocks * -(-k["threads"] // 32) if blocks else None
        cells = [title, of, k["registers"], f"{k['stack']}, {k['spills']}", f"{blocks}, {warps}" if warps else "-",
                 f"{warps * words / 8:.1f} KiB" if warps and words else "bulk" if k["bulk"] else "-", whole["instructions"], loop["instructions"],
                 f"{loop['instructions'] / words:.1f}" if words and not products(whole) else "-",
                 f"{100 * made / loop['instructions']:.1f} %" if made else "-", f"{k['three']}, {100 * k['three'] / ffma:.1f} %" if ffma else "-",
                 f"{loop['LDG.128']} of {loop['LDG']}", loop["LDGSTS"], f"{loop['STG.128']} of {loop['STG']}", f"{loop['LDS']}, {loop['STS']}",
                 f"{whole['LDL']}, {whole['STL']}", whole["BAR"]]
        text.append(f"| {' | '.join(map(str, cells))} |")
    return text


sources = [(source, name, headers) for owner, name, headers in contenders() for source in sorted((SOURCES / owner).glob("*.cu"))]
with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
    tasks = list(itertools.product(sources, options.arch))
    found = collections.defaultdict(list)
    for (_, architecture), rows in zip(tasks, workers.map(rows_of, tasks)):
        found[architecture] += rows
lines = [line for architecture in options.arch for line in table(architecture, found[architecture])]
if not options.rows:
    release = re.search(r"release ([0-9.]+)", run(options.nvcc, "--version"))[1]
    PAGE.write_text(INTRODUCTION.format(compiler=f"Compiler: nvcc {release}, default optimization") + "\n".join(lines) + "\n", encoding="utf-8")
print("\n".join(lines))
