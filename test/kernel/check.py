#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles files of kernels for every architecture and checks the promises in them.

    check.py [--quick] [--nvdisasm NVDISASM] --nvcc NVCC FILE.cu ... -- FLAGS ...

Several files are compiled as one: their headers are parsed once, and a promise of each is about the
kernels of all.

--quick: one architecture, sm_90, instead of seven, kernels for 4 and 16 items per thread, and no search
for functions that are not for the device. Without a disassembler, what is promised of the machine
code is left out, and a line says so. Exit status 77 (skipped) without nvcc.

A promise is a line of the file about the kernels whose demangled names match a pattern, a regular
expression of Python:
    // promise PATTERN: FACT, FACT ...
`further promise` in place of `promise` is of kernels that are not there with --quick.
A fact is `NAME RELATION NUMBER` with the relation =, <= or >=. NAME is a figure of the assembler's
report, checked on every architecture:
    registers  stack  spills  (bytes)  barriers
or a count in PTX, checked for the first architecture:
    global loads  global stores  wide loads  wide stores  shared wide loads  bar.sync
    bar.warp.sync  local  divisions  (64-bit ones, in innermost loops)
or of the machine code, checked on every architecture:
    LDG.128  STG.128  LDS.128  STS.128  LDL  STL  (instructions)
    instructions  (those in the code, without the padding)
    reciprocals   (MUFU.RCP and the like, which integer divisions begin with)
    FFMA%  (the share of FFMA in the innermost loop that has most of them, or in what lies between two
           barriers of a loop, if it has no loop in it and more of them)
    loop instructions  loop BAR  (of the shortest loop that has all accesses of 16 bytes to the
    global memory, whatever branches leave out)
Every kernel has stack = 0, spills = 0 and local = 0 unless a promise says otherwise, and LDL = 0 and
STL = 0 unless it may spill. A pattern that matches no kernel is a failure.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

from machine_code import demangled, instructions, kernels_of, reports, share_of_ffma, wide_loop

ARCHITECTURES = [75, 80, 86, 89, 90, 100, 120]
RELATIONS = {"=": lambda a, b: a == b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}
MACHINE_CODE = {"LDG.128", "STG.128", "LDS.128", "STS.128", "LDL", "STL", "instructions", "reciprocals", "FFMA%", "loop instructions", "loop BAR"}
DEFAULTS = {"stack": ("=", 0), "spills": ("=", 0), "local": ("=", 0)}

parser = argparse.ArgumentParser()
parser.add_argument("--quick", action="store_true")
parser.add_argument("--nvdisasm", default="nvdisasm")
parser.add_argument("--nvcc", required=True)
parser.add_argument("sources", nargs="+")
before = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
options = parser.parse_args(sys.argv[1:before])
nvcc, sources, flags = options.nvcc, options.sources, sys.argv[before + 1:]
if options.quick:
    ARCHITECTURES = [90]
    flags = [*flags, r"-DMMM_ITEMS_PER_THREAD=4\,16"]
if shutil.which(nvcc) is None:
    print("nvcc not found: skipped")
    sys.exit(77)
failures = []


def read_promises():
    promises = []
    for line in (line for source in sources for line in open(source)):
        if match := re.match(r"// (further )?promise (.+): (.+)", line):
            further, pattern, said = match.groups()
            if options.quick and further:
                continue
            facts = [re.fullmatch(r"\s*(.+?) (=|<=|>=) (\d+)\s*", fact).groups() for fact in said.split(",")]
            promises.append((pattern, {name: (relation, int(number)) for name, relation, number in facts}))
        elif line.startswith("//") and "promise " in line:
            failures.append(f"a promise does not begin its line: {line.strip()}")
    return promises


def inner_loops(body):
    """The lines of a kernel's innermost loops in PTX, each between a label and a branch back to it.
    """
    lines = body.splitlines()
    label = {match[1]: k for k, line in enumerate(lines) if (match := re.match(r"(\$L\S+):", line))}
    ranges = [(label[match[1]], k) for k, line in enumerate(lines)
              if (match := re.search(r"\bbra(?:\.uni)?\s+(\$L\w+)", line)) and label.get(match[1], k) < k]
    inner = [(a, b) for a, b in ranges if not any((c, d) != (a, b) and a <= c and d <= b for c, d in ranges)]
    return [line for a, b in inner for line in lines[a:b]]


def counts(ptx):
    """{kernel: counts of what its PTX contains}."""
    found = {}
    for match in re.finditer(r"\.entry (\w+)\((.*?)^\}", ptx, re.S | re.M):
        body = match[2]
        of = lambda pattern: len(re.findall(pattern, body))
        found[match[1]] = {
            "global loads": of(r"ld\.global"), "global stores": of(r"st\.global"),
            "wide loads": of(r"ld\.global(?:\.nc)?\.v4"), "wide stores": of(r"st\.global\.v4"),
            "shared wide loads": of(r"ld\.shared\.v4"), "bar.sync": of(r"bar\.sync"),
            "bar.warp.sync": of(r"bar\.warp\.sync"), "local": of(r"(?:ld|st)\.local"),
            "lines": body.count("\n"), "divisions": sum(1 for line in inner_loops(body) if re.search(r"\b(?:div|rem)\.[su]64", line))}
    return found


def machine_code(cubin):
    """{kernel: counts of what its machine code contains}; nothing without a disassembler."""
    if shutil.which(options.nvdisasm) is None:
        return {}
    done = subprocess.run([options.nvdisasm, "-c", cubin], capture_output=True, text=True)
    if done.returncode != 0:
        failures.append(f"{os.path.basename(cubin)}: {done.stderr}")
        return {}
    found = {}
    for name, body in kernels_of(done.stdout):
        of = lambda pattern: len(re.findall(pattern, body))
        found[name] = {f"{kind}.128": of(rf"\b{kind}(?:\.\w+)*\.128\b") for kind in ("LDG", "STG", "LDS", "STS")}
        loop = wide_loop(body)
        found[name] |= {"loop instructions": len(loop), "loop BAR": sum(1 for line in loop if re.search(r"\bBAR\b", line))}
        found[name] |= {"instructions": len([line for line in instructions(body.splitlines()) if not re.search(r"\bNOP\b", line)]),
                        "reciprocals": of(r"\bMUFU\.RCP\w*")}
        found[name] |= {"LDL": of(r"\bLDL\b"), "STL": of(r"\bSTL\b"), "FFMA%": share_of_ffma(body)}
    return found


def compiled(folder, arguments, name):
    done = subprocess.run([nvcc, *flags, *arguments, "-o", os.path.join(folder, name), together], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        print(" ".join(arguments), done.stdout + done.stderr)
        sys.exit(1)
    return done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    together = os.path.join(folder, "kernels.cu")
    with open(together, "w") as file:
        file.writelines(f'#include "{os.path.abspath(source)}"\n' for source in sources)
    first = f"compute_{ARCHITECTURES[0]}"
    compiled(folder, ["-ptx", f"-arch={first}"], "kernels.ptx")
    ptx = open(os.path.join(folder, "kernels.ptx")).read()
    # A host-only function that a kernel calls would be dropped with all that follows: with the flag it is not.
    relaxed = counts(ptx)
    if not options.quick:
        compiled(folder, ["-ptx", f"-arch={first}", "--expt-relaxed-constexpr"], "relaxed.ptx")
        relaxed = counts(open(os.path.join(folder, "relaxed.ptx")).read())
    ptxas = os.path.join(os.path.dirname(shutil.which(nvcc)), "ptxas")

    def assembled(architecture):
        """The assembler's report and the counts of one architecture, for which the kernels are compiled anew: the
        compiler takes other decisions for each."""
        cubin = os.path.join(folder, f"{architecture}.cubin")
        if architecture == ARCHITECTURES[0]:
            done = subprocess.run([ptxas, "-v", f"-arch=sm_{architecture}", os.path.join(folder, "kernels.ptx"), "-o", cubin],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                failures.append(f"sm_{architecture}: {done.stderr}")
            log = done.stderr
        else:
            log = compiled(folder, ["-cubin", f"-arch=sm_{architecture}", "-Xptxas", "-v"], f"{architecture}.cubin")
        found = reports(log)
        for name, figures in machine_code(cubin).items():
            found.setdefault(name, {}).update(figures)
        return found

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        of_architecture = dict(zip(ARCHITECTURES, pool.map(assembled, ARCHITECTURES)))

in_ptx = counts(ptx)
kernels = dict(zip(in_ptx, demangled(list(in_ptx))))
promises = read_promises()
for mangled, name in kernels.items():
    if in_ptx[mangled] != relaxed[mangled]:
        failures.append(f"calls what is not for the device: {in_ptx[mangled]}, with it {relaxed[mangled]}: {name[:300]}")
for pattern, _ in promises:
    if not any(re.search(pattern, name) for name in kernels.values()):
        failures.append(f"no kernel matches {pattern}")
if not kernels:
    failures.append("no kernels")

print("registers on sm_" + " ".join(map(str, ARCHITECTURES)) + "; barriers, stack, spills (bytes): kernel")
for mangled, name in kernels.items():
    facts = dict(DEFAULTS)
    for pattern, promised in promises:
        if re.search(pattern, name):
            facts.update(promised)
    if facts["spills"] == DEFAULTS["spills"]:
        facts = {"LDL": ("=", 0), "STL": ("=", 0)} | facts
    figures = [of_architecture[a].get(mangled) for a in ARCHITECTURES]
    if None in figures:
        failures.append(f"{name} is not there on every architecture")
        continue
    print(" ".join(f"{f['registers']:3}" for f in figures) + f"; {figures[0]['barriers']} {figures[0]['stack']} "
          f"{figures[0]['spills']}: {name[:160]}")
    for fact, (relation, number) in facts.items():
        if fact in in_ptx[mangled]:
            values = {"PTX": in_ptx[mangled][fact]}
        else:
            values = {f"sm_{a}": f[fact] for a, f in zip(ARCHITECTURES, figures) if fact in f or fact not in MACHINE_CODE}
        for where, value in values.items():
            if not RELATIONS[relation](value, number):
                failures.append(f"{where}: {fact} is {value}, promised {relation} {number}: {name[:300]}")

if shutil.which(options.nvdisasm) is None:
    print("nvdisasm not found: what is promised of the machine code is left out")
print(f"{len(kernels)} kernels, {len(ARCHITECTURES)} architectures, {len(failures)} failures")
for failure in failures:
    print("  " + failure)
sys.exit(1 if failures else 0)
