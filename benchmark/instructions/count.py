#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of the library's kernels and writes them as data of the library.

    count.py --mmm-run PROGRAM [--nvcc NVCC] [--nvdisasm NVDISASM] [--cuobjdump CUOBJDUMP] [--build FOLDER] [--check]
             [--only PATTERN]

Each case of cases.hpp runs on the device in software, which counts the instructions of PTX that
warps execute, source line by source line. The machine code of the same program (sm_90a) says how
many instructions, of which kinds and with which stalls, the assembler made of each line's PTX:
their ratio turns what was executed into machine code. parts.cpp says, from the program, how often
the parts of a kernel are executed in each case: for each warp, for each warp and parallel-for, for
each warp's items, requests, and their words. The least non-negative combination of these that fits
the counts of all cases of a kernel is its line in kernel_table.hpp. No measured time is used.
The instructions that are executed at least once are those of the lines that some warp executes. Of
what a kernel has twice, for tiles with all their words and for others, the larger copy counts: the
tile of a block is of one of these kinds.

--check: compares the file with what is counted, instead of writing it.
--only: counts the kernels that match the pattern, and leaves the lines of the others as they are.
"""
import argparse
import collections
import concurrent.futures
import json
import linecache
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
sys.path.insert(0, str(root / "test" / "kernel"))
from machine_code import three_reads  # noqa: E402

DATA = root / "include/mmm/timing/data/kernel_table.hpp"
HEAD = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/timing/kernel_code.hpp>

//! The counted kernels: written by benchmark/instructions/count.py from the machine code for
//! compute capability 9.0.
namespace mmm::detail {

// clang-format off
inline constexpr kernel_code kernel_table[] = {
"""
TAIL = """};
// clang-format on

}  // namespace mmm::detail
"""
PARTS = ["warps", "steps", "items", "global", "shared", "words"]
ALU = re.compile(r"(IADD3|LOP3|ISETP|SHF|SEL|IMNMX|VIMNMX|LEA|PRMT|FMNMX|FSETP|FSEL|PLOP3|MOV|IABS|POPC|FLO|R2P|P2R|VOTE|CS2R|IADD|LOP)\b")
MULTIPLY = re.compile(r"(IMAD|FFMA|FADD|FMUL)\b")
FLOAT = re.compile(r"(FFMA|FADD|FMUL)\b")
# calls of what a kernel has twice: for whole tiles, and for others
COPIES = re.compile(r"\b(tiles|tiles_of|one_tile|add_up_tiles|to_target_tiles|to_places)<(true|false)>\(")
SPECIAL = re.compile(r"(MUFU|I2F|F2I|F2F|I2I)\b")


def run(command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(c) for c in command)}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


def ptx_by_line(text):
    """{function: {(file, line): number of instructions}} of PTX."""
    files, found, now, place, depth = {}, {}, None, ("", 0), 0
    for line in text.splitlines():
        words = line.strip()
        depth += words.count("{") - words.count("}")  # a body has blocks of its own, and need not be indented
        if match := re.match(r'\.file\s+(\d+)\s+"([^"]+)"', words):
            files[int(match[1])] = match[2]
        elif match := re.match(r"(?:\.visible |\.weak )*\.(?:entry|func)\s.*?(\w+)\(", words):
            now, place = found.setdefault(match[1], collections.Counter()), ("", 0)
        elif now is None:
            continue
        elif match := re.match(r"\.loc\s+(\d+)\s+(\d+)", words):
            place = int(match[1]), int(match[2])
        elif depth == 0 and words.startswith("}"):
            now = None
        elif words.endswith(";") and words[0] not in "./$}{":
            now[place] += 1
    name = lambda place: (files[place[0]], place[1]) if place[0] else place
    return {f: {name(place): n for place, n in lines.items()} for f, lines in found.items()}


def sass_by_line(text):
    """{function: {(file, line): [[operation, stall clocks, true if an FFMA reads three registers, copy]]}} of machine code.
    The copy is a match of COPIES in a line that the instruction is inlined at, or None."""
    found, now, place, copy, last, ended = {}, None, ("", 0), None, None, True
    code, made = [], []
    for line in text.splitlines():
        if match := re.match(r"\s*\.section\s+\.text\.(\w+)", line):
            now, place, copy = found.setdefault(match[1], collections.defaultdict(list)), ("", 0), None
        elif match := re.search(r'//## File "([^"]+)", line (\d+)( inlined at)?', line):
            if ended:
                place, copy = (match[1], int(match[2])), None
            copy, ended = copy or COPIES.search(linecache.getline(match[1], int(match[2]))), not match[3]
        elif now is None:
            continue
        elif re.match(r"\$.*__internal_\S*:", line):
            now = None  # divisions of numbers over 32 bits, at the function's end: not executed
        elif match := re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?\w+\s+)?(\S+?)[ ;]", line):
            last = [match[1], 0, False, copy] if match[1] != "NOP" else None
            if last:
                now[place].append(last)
                code.append(line)
                made.append(last)
        elif (match := re.match(r"\s*/\* (0x[0-9a-f]+) \*/", line)) and last:
            last[1] = int(match[1], 16) >> 41 & 15  # bits 105 to 108 of 128
    for operation, three in zip(made, three_reads(code)):
        operation[2] = three
    return found


def registers_of(log):
    names = re.findall(r"Compiling entry function '(\S+)'", log)
    return dict(zip(names, (int(n) for n in re.findall(r"Used (\d+) registers", log))))


def built(options):
    """The programs and what the compiler made: PTX, machine code, registers, parts."""
    folder = options.build
    folder.mkdir(parents=True, exist_ok=True)
    program, parts, log = folder / "kernels", folder / "parts", folder / "registers.log"
    newest = max(f.stat().st_mtime for f in [*(root / "include").rglob("*.*p*"), here / "cases.hpp", here / "kernels.cu"]
                 if "timing" not in f.parts)
    if not log.exists() or log.stat().st_mtime < newest:
        done = subprocess.run([options.nvcc, "-Xptxas", "-v", "-I", root / "include", "-std=c++20", "-O1", "-lineinfo", "-cudart", "shared",
                               "-ccbin", options.cxx, "-gencode", "arch=compute_90a,code=compute_90a", "-gencode", "arch=compute_90a,code=sm_90a",
                               here / "kernels.cu", "-o", program], capture_output=True, text=True, check=True)
        log.write_text(done.stderr + done.stdout, encoding="utf-8")
    if not parts.exists() or parts.stat().st_mtime < newest:
        run([options.cxx, "-I", root / "include", "-std=c++20", "-O1", here / "parts.cpp", "-o", parts])
    for kind in "elf", "ptx":
        run([options.cuobjdump, f"-x{kind}", "all", program.resolve()], cwd=folder)
    ptx = next(folder.glob("*.ptx")).read_text(encoding="utf-8")
    sass = run([options.nvdisasm, "-gi", "-c", "-hex", next(folder.glob("*.cubin"))])
    return program, [json.loads(line) for line in run([parts]).splitlines()], ptx_by_line(ptx), sass_by_line(sass), registers_of(
        log.read_text(encoding="utf-8"))


def kinds_of(operations):
    """Machine instructions of a line: all, ALU, multiplications, of floats, special ones, stalls, FFMA that read three registers."""
    of = lambda pattern: sum(1 for op, *_ in operations if pattern.match(op))
    return [len(operations), of(ALU), of(MULTIPLY), of(FLOAT), of(SPECIAL), sum(max(1, s) for _, s, *_ in operations),
            sum(three for _, _, three, _ in operations)]


def path_of(operations):
    """The number of instructions that a block executes: of two copies the larger one."""
    copies = collections.Counter((copy[1], copy[2]) if copy else None for *_, copy in operations)
    common = copies.pop(None, 0)
    return common + sum(max(copies[name, "true"], copies[name, "false"]) for name in {name for name, _ in copies})


def executed(options, case, program, ptx, sass, kernel_names):
    """Machine instructions of a case, by kind, then those of the largest launch's lines, once each; and the kernel's mangled name."""
    counts = options.build / f"case{case}.json"
    counts.unlink(missing_ok=True)
    # in its folder, so that sources have their whole names
    subprocess.run([options.mmm_run, "--seed", "1", "--json", counts.resolve(), program.resolve(), str(case)], capture_output=True, text=True,
                   check=False, cwd=options.build)
    if not counts.exists() or not counts.stat().st_size:
        return None, None  # more words than the shared memories have
    total, largest, name, path = [0.0] * 7, 0, None, 0
    for line in counts.read_text(encoding="utf-8").splitlines():
        launch = json.loads(line)
        if "find_parts" in launch["kernel"]:
            continue  # beside the model: it finds the chords
        mangled = kernel_names[plain(launch["kernel"])]
        places = {(at["file"], at["line"]) for at in launch["lines"] if at["instructions"]["all"]}
        for at in launch["lines"]:
            place, times = (at["file"], at["line"]), at["instructions"]["all"]
            # How often a thread looks at a barrier of the grid, or of a stage, is a matter of the schedule, and of its time.
            if place in ptx[mangled] and not re.search("cooperative_groups|transaction_barrier", at["file"]):
                made = kinds_of(sass[mangled].get(place, []))
                total = [t + n * times / ptx[mangled][place] for t, n in zip(total, made)]
        if launch["instructions"]["all"] > largest:
            largest, name = launch["instructions"]["all"], mangled
            path = path_of([operation for place in places for operation in sass[mangled].get(place, [])])
    return [*total, path], name


def plain(name):
    return re.sub(r"(?<=\d)l(?=[,>])", "", name)


def solved(a, b):
    """The solution of a system of linear equations, by elimination; of a singular one, with zeros."""
    n = len(b)
    rows = [[*row, right] for row, right in zip(a, b)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda r: abs(rows[r][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        if abs(rows[k][k]) < 1e-12:
            rows[k][k] = 1e30
        for r in range(n):
            if r != k:
                by = rows[r][k] / rows[k][k]
                rows[r] = [x - by * y for x, y in zip(rows[r], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def fitted(rows, counts):
    """The non-negative combination of the parts with the least squares of relative errors, and
    their mean. A little weight keeps what the cases do not tell apart small."""
    a = [[x / max(count, 1) for x in row] for row, count in zip(rows, counts)]
    active = [k for k in range(len(PARTS)) if any(row[k] for row in a)]
    while True:  # without those that would be negative, one by one
        sums = [[sum(row[i] * row[j] for row in a) for j in active] for i in active]
        for k in range(len(active)):
            sums[k][k] *= 1 + 1e-4
        found = solved(sums, [sum(row[i] for row in a) for i in active])
        if active[0] == 0 and found[0] > 5000:  # no kernel begins with so many: the cases do not tell
            del active[0]
            continue
        if min(found) >= 0:
            break
        shares = [x * sum(row[i] for row in a) for x, i in zip(found, active)]
        del active[shares.index(min(shares))]
    x = [0.0] * len(PARTS)
    for k, value in zip(active, found):
        x[k] = value
    errors = [abs(sum(v * y for v, y in zip(row, x)) - 1) for row in a]
    return x, sum(errors) / len(errors)


def kept_lines(only):
    """{(kernel, variant): lines} of the kernels that are not counted now."""
    text = DATA.read_text(encoding="utf-8")
    found = re.findall(r'^    \{"([^"]+)", (\d+), .*\n.*\n', text, re.MULTILINE)
    whole = [m[0] for m in re.finditer(r'^    \{"[^"]+", \d+, .*\n.*\n', text, re.MULTILINE)]
    return {(kernel, int(variant)): line for (kernel, variant), line in zip(found, whole) if not only.search(kernel)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mmm-run", required=True)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cxx", default="g++-12")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--cuobjdump", default="cuobjdump")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/instructions")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    options = parser.parse_args()
    program, cases, ptx, sass, registers = built(options)
    mangled = list(sass)
    kernel_names = dict(zip((plain(n) for n in run(["c++filt", *mangled]).splitlines()), mangled))
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        wanted = [k for k, case in enumerate(cases) if options.only.search(case["kernel"])]
        found = list(workers.map(lambda k: executed(options, k, program, ptx, sass, kernel_names), wanted))
    groups = collections.defaultdict(list)
    for case, (count, name) in zip((cases[k] for k in wanted), found):
        if name:
            groups[case["kernel"], case["variant"]].append((case, count, name))
    lines = kept_lines(options.only)
    worst = []
    for (kernel, variant), members in sorted(groups.items()):
        x, error = fitted([[case[part] for part in PARTS] for case, _, _ in members], [count[0] for _, count, _ in members])
        worst.append((error, kernel, variant))
        if not sum(count[0] for _, count, _ in members):
            sys.exit(f"{kernel} {variant}: nothing was counted")
        kinds = [sum(of_case) for of_case in zip(*(count for _, count, _ in members))]
        # Copies to the shared memory are requests without FFMA: the case with most FFMA for each request counts.
        ports = max(count[6] / case["shared"] if case["shared"] else 0 for case, count, _ in members)
        used = max(registers[name] for _, _, name in members)
        numbers = lambda values: ", ".join(f"{v:.4g}" for v in values)
        path = max(count[7] for _, count, _ in members)
        shares = [*(kind / kinds[0] for kind in kinds[1:6]), ports, path]
        lines[kernel, variant] = (f'    {{"{kernel}", {variant}, {used}, {numbers(x)},\n'
                                  f"     {numbers(shares)}}},\n")
    text = "".join([HEAD, *(lines[key] for key in sorted(lines)), TAIL])
    print(f"{len(worst)} kernels, mean error of their instructions {100 * sum(w[0] for w in worst) / len(worst):.1f} %; worst:")
    for error, kernel, variant in sorted(worst)[-6:]:
        print(f"  {100 * error:5.1f} % {kernel} {variant}")
    if options.check:
        return 0 if DATA.read_text(encoding="utf-8") == text else 1
    DATA.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
