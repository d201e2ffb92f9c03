#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the software device from outside: compiled CUDA programs that check their results, programs
with one error each and their corrected twins, kernels whose counts are worked out by hand, and the
contract of mmm-run.

  device_test.py --mmm-run PATH --nvcc PATH --build FOLDER [--quick] [--arch 90] [--only WORD]
              [--compile-only] [--group programs|checks|order|driver|counts|contract|messages|guard|tutorials|cutlass ...]
              [--cutlass FOLDER] [--cudart shared|static]

--quick: small sizes, one seed, CUB's algorithms without Thrust's, which call them, with fewer
optimizations (-Ofc mid), and several programs compiled as one, with clang 19 for the host. Exit status 77 (skipped) without nvcc.
--cudart: the CUDA runtime of all programs; without it, the groups of STATIC have it linked into them, the others share it.
The groups tutorials and cutlass need CUTLASS's sources: FOLDER has include/, tools/ and examples/.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import regressions
from expected_counts import EXPECTED
from together import fewer_optimizations, write_together

here = os.path.dirname(os.path.abspath(__file__))
failures = []
checks = 0

parser = argparse.ArgumentParser()
parser.add_argument("--mmm-run", required=True)
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--build", required=True)
parser.add_argument("--quick", action="store_true")
parser.add_argument("--arch", default="90")
parser.add_argument("--only", default="", help="programs whose path contains this word")
parser.add_argument("--group", nargs="*", default=["programs", "checks", "order", "driver", "counts", "contract", "messages", "guard"])
parser.add_argument("--cutlass", default="")
parser.add_argument("--cudart", choices=["shared", "static"])
parser.add_argument("--compile-only", action="store_true")
options = parser.parse_args()


def check(condition, *what):
    """Counts a check; `what` describes it if it fails."""
    global checks
    checks += 1
    if not condition:
        failures.append(" ".join(str(w) for w in what))
    return condition


def finish():
    print(f"{checks} checks, {len(failures)} failures")
    for failure in failures[:int(os.environ.get("MAX_FAILURES", 40))]:
        print("  " + failure.replace("\n", "\n    "))
    sys.exit(1 if failures or checks == 0 else 0)


# --- programs ---------------------------------------------------------------------------------------------------------

FLAGS = ["-std=c++20", "-O0", "-lineinfo"]  # of host code; device code is optimized in any case
#: Groups whose programs have the CUDA runtime linked into them, as nvcc does by default.
STATIC = {"order", "counts"}
FOR_THE_DEVICE = ["-cudart", "shared", "-gencode", f"arch=compute_{options.arch},code=compute_{options.arch}"]
RELOCATABLE = [*FOR_THE_DEVICE, "-rdc=true", "-lcudadevrt"]
QUICK_HOST = ["-ccbin", "clang++-19"] if shutil.which("clang++-19") else []
headers = [os.path.join(folder, f) for part in (".", "programs", "checks", "order", "driver", "counts", "status")
           for folder in [os.path.join(here, part)] for f in os.listdir(folder) if f.endswith((".cuh", ".hpp"))]


def sources(folder):
    found = sorted(f[:-3] for f in os.listdir(os.path.join(here, folder)) if f.endswith(".cu"))
    return [f for f in found if options.only in f"{folder}/{f}"]


def made(source, included, name, flags, ending=""):
    """The program of a source, compiled if it, what it includes or a header has changed; if that
    fails, counts a failure and returns None."""
    # The name contains the architecture, so that programs for several architectures can coexist.
    runtime = "_static" if "static" in flags else ""
    program = os.path.join(options.build, f"{name}{runtime}_{options.arch}{ending}")
    newest = max(os.path.getmtime(f) for f in [source, *included, *headers])
    if os.path.exists(program) and os.path.getmtime(program) >= newest:
        return program
    result = subprocess.run([options.nvcc, *FLAGS, *flags, source, "-o", program], capture_output=True, text=True,
                            stdin=subprocess.DEVNULL)
    return program if check(result.returncode == 0, name, "does not compile:", result.stderr[-2000:]) else None


def own_flags(folder, name):
    """The flags of a program that says it needs some, in its first comment: for sm_90a, whose PTX no
    later architecture reads, or relocatable device code (-rdc=true). None of others."""
    head = open(os.path.join(here, folder, name + ".cu")).read(2000)
    if "sm_90a" in head:
        return [*FOR_THE_DEVICE[:2], "-gencode", "arch=compute_90a,code=compute_90a"]
    return RELOCATABLE if "(-rdc=true" in head else None


def compiled(folder, name, flags=None, suffix=""):
    """The command that starts the program of a source, or None."""
    source = os.path.join(here, folder, name + ".cu")
    flags = flags or own_flags(folder, name) or FOR_THE_DEVICE
    program = made(source, [], f"{folder}_{name}{suffix}", flags)
    return program and [program]


def compiled_all(folder, names):
    """The commands of the programs, by name. With --quick, those that use CUB are one program, those of
    relocatable code another, and the others a third; but not the one that runs on several devices, where
    there are no managed words, nor those for sm_90a."""
    if not options.quick or options.only:
        return {name: compiled(folder, name) for name in names}
    flags = {name: own_flags(folder, name) for name in names}
    kinds = {name: "alone" if name == "devices" or flags[name] not in (None, RELOCATABLE) else
             "relocatable" if flags[name] else "cub" if name.startswith("cub_") else "others" for name in names}
    commands = {name: compiled(folder, name) for name in names if kinds[name] == "alone"}
    for kind in ("cub", "relocatable", "others"):
        of_kind = [pathlib.Path(here, folder, name + ".cu") for name in names if kinds[name] == kind]
        if of_kind:
            source = pathlib.Path(options.build, f"{folder}_{kind}.cu")
            write_together(of_kind, source)
            fewer = fewer_optimizations(options.nvcc, "mid") if kind == "cub" else []
            flags_of_kind = RELOCATABLE if kind == "relocatable" else FOR_THE_DEVICE
            program = made(source, of_kind, f"{folder}_{kind}", [*flags_of_kind, *QUICK_HOST, *fewer])
            commands |= {file.stem: program and [program, file.stem] for file in of_kind}
    return commands


class run:
    """One run of a program on the software device."""

    def __init__(self, program, *arguments, flags=(), json_lines=False, limit=None):
        self.what = " ".join(["mmm-run", *flags, os.path.basename(program[0]), *program[1:], *map(str, arguments)])
        self.objects = []
        file = os.path.join(options.build, f"counts.{os.getpid()}.json")
        if os.path.exists(file):
            os.remove(file)
        command = [options.mmm_run, *flags, *(["--json", file] if json_lines else []), *program, *map(str, arguments)]
        limit = limit or (120 if options.quick else 900)
        begin = time.monotonic()
        try:
            result = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                    timeout=limit)
            self.status, self.out, self.err = result.returncode, result.stdout, result.stderr
        except subprocess.TimeoutExpired:
            self.status, self.out, self.err = f"none after {limit} s", "", ""
        self.seconds = time.monotonic() - begin
        if json_lines:
            self.read(file)

    def read(self, file):
        if not check(os.path.exists(file), self.what, "writes no JSON; status", self.status, self.err[-500:]):
            return
        self.text = open(file).read()
        for number, line in enumerate(self.text.splitlines()):
            try:
                self.objects.append(json.loads(line))
            except ValueError as error:
                check(False, self.what, f"line {number + 1} is no JSON:", error)
        os.remove(file)

    def ends(self, status):
        return check(self.status == status, self.what, "ends with", self.status, "instead of", status, "\n" + self.out[-800:],
                     "\n" + self.err[-1200:])

    @property
    def launches(self):
        return [o for o in self.objects if "launch" in o]

    @property
    def findings(self):
        return [f for o in self.objects for f in o.get("findings", [])]


# --- the form of the JSON ---------------------------------------------------------------------------------------------

SHARED = {"requests", "wavefronts", "ideal", "excessive"}
GLOBAL = {"requests", "sectors", "ideal"}
KINDS = {"shared": ("load", "store", "atomic"), "global": ("load", "store", "atomic"), "local": ("load", "store")}
CHECKS = {"bounds", "misaligned", "free", "uninitialized", "race", "barrier", "deadlock", "leak", "shuffle",
          "descriptor", "api"}


def natural(x):
    return isinstance(x, int) and not isinstance(x, bool) and x >= 0


def check_figures(space, figures, what):
    members = SHARED if space == "shared" else GLOBAL
    if not check(isinstance(figures, dict) and members <= set(figures), what, space, "lacks members:", figures):
        return
    check(all(natural(figures[m]) for m in members), what, space, "has figures that are no natural numbers:", figures)
    if space == "shared":
        check(figures["wavefronts"] == figures["ideal"] + figures["excessive"], what, "wavefronts:", figures)
        check(figures["requests"] <= figures["ideal"] <= 4 * figures["requests"], what, "ideal:", figures)
    elif space == "global":
        check(figures["requests"] <= figures["sectors"] <= 32 * figures["requests"], what, "sectors:", figures)


def check_spaces(o, spaces, what):
    for space in spaces:
        if not check(isinstance(o.get(space), dict), what, "has no", space):
            continue
        for kind in KINDS[space]:
            if check(kind in o[space], what, "has no", space, kind):
                check_figures(space, o[space][kind], f"{what} {kind}")


def check_form(r):
    """Checks that the JSON has every member of the contract, with possible values."""
    # Numbered as they begin, listed as they end.
    numbers = [o["launch"] for o in r.launches]
    check(sorted(numbers) == list(range(len(numbers))), r.what, "has launches with the numbers", numbers)
    for o in r.launches:
        what = f"{r.what}: launch {o['launch']}"
        check(isinstance(o.get("kernel"), str) and o["kernel"] != "" and not o["kernel"].startswith("_Z"), what, "kernel:",
              o.get("kernel"))
        for shape in ("grid", "block"):
            check(isinstance(o.get(shape), list) and len(o[shape]) == 3 and all(natural(x) and x > 0 for x in o[shape]), what,
                  shape, o.get(shape))
        check_spaces(o, KINDS, what)
        instructions = o.get("instructions", {})
        check(natural(instructions.get("all")) and natural(instructions.get("fma")), what, "instructions:", instructions)
        check(0 <= instructions.get("fma", 0) <= instructions.get("all", -1), what, "instructions:", instructions)
        check(isinstance(o.get("average_lanes"), (int, float)) and 0 <= o["average_lanes"] <= 32, what, "average_lanes:",
              o.get("average_lanes"))
        check(natural(o.get("barriers")), what, "barriers:", o.get("barriers"))
        if not check(isinstance(o.get("lines"), list) and isinstance(o.get("findings"), list), what, "lines, findings"):
            continue
        for line in o["lines"]:
            check(isinstance(line.get("file"), str) and natural(line.get("line")), what, "line:", line)
            check_spaces(line, [s for s in ("shared", "global") if s in line], f"{what} line {line.get('line')}")
        check_sums(o, what)
    for o in r.objects:
        for f in o.get("findings", []):
            check(f.get("check") in CHECKS, r.what, "check:", f)
            check(isinstance(f.get("file"), str) and natural(f.get("line")), r.what, "place:", f)
            check(natural(f.get("count")) and f["count"] > 0, r.what, "count:", f)
            check(isinstance(f.get("message"), str) and f["message"] != "" and f["message"].count("\n") <= 1, r.what,
                  "message:", f)


def check_sums(o, what):
    """Checks that the counts of the lines add up to the counts of the kernel."""
    for space in ("shared", "global"):
        for kind in KINDS[space]:
            total = o.get(space, {}).get(kind, {})
            for member in SHARED if space == "shared" else GLOBAL:
                lines = sum(line.get(space, {}).get(kind, {}).get(member, 0) for line in o["lines"])
                check(lines == total.get(member), what, space, kind, member, "is", total.get(member), "and over lines", lines)


# --- groups -----------------------------------------------------------------------------------------------------------

#: Names of the programs whose arguments are sizes.
SIZED = re.compile("^(cub|thrust)_")
#: Findings after which a program cannot use the device, not even to free its memory.
FATAL = {"bounds", "misaligned", "free", "barrier", "deadlock"}
#: Programs whose last launch fails an assertion on purpose.
ENDS_THE_DEVICE = {"print_assert"}
#: The expected findings of programs that make errors on purpose.
ON_PURPOSE = {"errors": "free"}
#: Programs whose error is a call of the host: its finding names no line and no thread.
OF_HOST = {"uninitialized_host", "api_launch", "api_call"}
#: What the finding's message must say.
SAYS = {"uninitialized_host": "copied to the host of which none was written", "deadlock_host": "that nobody changes",
        "deadlock_bulk": "1 of 1 arrivals have come, and 16 bytes that are expected are missing", "misaligned_bulk": "200 bytes",
        "api_launch": "cudaErrorInvalidConfiguration", "api_call": "cudaMemcpy returned cudaErrorInvalidValue", "bounds_recursion": "recursion", "barrier_count": "96"}


def right(r):
    if r.ends(0):
        check(r.out == "", r.what, "prints:", r.out[:1000])


def programs():
    seeds = [1] if options.quick else range(1, 11)
    names = [name for name in sources("programs") if not options.quick or not name.startswith("thrust_")]
    for name, program in compiled_all("programs", names).items():
        if program is None or options.compile_only:
            continue
        sized = SIZED.match(name) is not None
        small = [0, 1, 1000] if sized else []
        for seed in seeds:
            # Without checks a kernel's fault would have a status of its own.
            unchecked = ["--check", "none"] if name in ENDS_THE_DEVICE or name in ON_PURPOSE else []
            right(run(program, *small, flags=["--seed", str(seed), *unchecked]))
            right(run(program, *small, flags=["--seed", str(seed), "--memory", "weak", *unchecked]))
        checked = run(program, *([0, 1, 500] if sized and options.quick else small), flags=["--check", "all"], json_lines=True)
        if name in ON_PURPOSE:
            checked.ends(3)
        elif name not in ENDS_THE_DEVICE:
            right(checked)
        for f in checked.findings:
            check(name in ENDS_THE_DEVICE or f.get("check") == ON_PURPOSE.get(name), checked.what, "finds:", f)
        check(len(checked.launches) > 0, checked.what, "reports no launch")
        check_form(checked)
        if name == "devices":
            for count in (2, 3):
                right(run(program, flags=["--devices", str(count)]))
        if sized and not options.quick:
            right(run(program, 1000000, limit=1800))


#: Programs of test/driver that free on purpose what is no memory.
WRONG_FREES = {"errors", "both"}


def driver_programs():
    """Programs of the driver's API, each alone: all that it prints is a failure."""
    home = pathlib.Path(shutil.which(options.nvcc)).resolve().parent.parent
    libraries = ["-lcuda", "-lnvrtc", *(f"-Xlinker=-rpath,{folder}" for folder in (home / "lib64", home / "lib"))]
    folder = pathlib.Path(here, "driver")
    commands = {}
    for file in sorted(folder.glob("*.c[pu]*")):
        if options.only in f"driver/{file.name}":
            program = made(str(file), [], f"driver_{file.stem}", [*FOR_THE_DEVICE, *libraries])
            commands[file.stem] = program and [program]
    for name, program in commands.items():
        if program is None or options.compile_only:
            continue
        right(run(program))
        checked = run(program, flags=["--check", "all"], json_lines=True)
        if name in WRONG_FREES:
            checked.ends(3)
        else:
            right(checked)
        for f in checked.findings:
            check(name in WRONG_FREES and f.get("check") == "free" and f["message"].startswith("cuMemFree_v2 of"),
                  checked.what, "finds:", f)
        check_form(checked)
    if options.compile_only or None in commands.values():
        return
    if "mapped" in commands:
        run(commands["mapped"], "unmapped").ends(5)  # an access to addresses where nothing is mapped
    if "errors" in commands:
        leak = run(commands["errors"], "leak", flags=["--check", "leak"])
        leak.ends(3)
        check("100 bytes of cuMemAlloc were never freed" in leak.err, leak.what, "says", leak.err)
        for what, word in (("function", "cuDestroyExternalMemory"), ("machine_code", "machine code")):
            r = run(commands["errors"], what)
            r.ends(2)
            check(word in r.err, r.what, "does not name", word, ":", r.err)
        r = run(commands["errors"], flags=["--check", "api"], json_lines=True)
        check(any("cuModuleUnload returned CUDA_ERROR_INVALID_HANDLE" in f["message"] for f in r.findings), r.what,
              "does not name the driver's error:", [f["message"] for f in r.findings][:5])


def marked_lines(source, mark=r"// finding: (\w+)"):
    marks = {}
    for number, line in enumerate(open(source), 1):
        found = re.search(mark, line)
        if found:
            marks.setdefault(found.group(1), []).append(number)
    return marks


def programs_with_errors():
    commands = compiled_all("checks", sources("checks"))
    for name, program in commands.items():
        marks = marked_lines(os.path.join(here, "checks", name + ".cu"))
        if not check(len(marks) == 1, name, "must mark lines of one check, not", marks):
            continue
        (kind, lines), = marks.items()
        if program is None or options.compile_only:
            continue
        for seed in [1] if options.quick else [1, 2, 3]:
            # Named, api finds calls that fail, too.
            flags = ["--seed", str(seed), "--check", "all,shuffle,leak" + (",api" if name == "api_call" else "")]
            bad = run(program, "bad", flags=flags, json_lines=True)
            bad.ends(3)
            check_form(bad)
            wanted = [f for f in bad.findings if f.get("check") == kind]
            check(wanted, bad.what, "does not find", kind, "but", bad.findings)
            for f in bad.findings:
                if kind in FATAL and f.get("check") == "leak" or kind == "barrier" and f.get("check") == "deadlock":
                    continue  # a consequence of the error
                if not check(f.get("check") == kind, bad.what, "finds:", f) or kind == "leak":
                    continue
                check(SAYS.get(name, "") in f.get("message", ""), bad.what, "does not say", SAYS.get(name), "but:", f)
                if name in OF_HOST:
                    continue
                check(os.path.basename(f.get("file", "")) == name + ".cu" and f.get("line") in lines, bad.what, "finds", kind,
                      "not at lines", lines, "but:", f)
                check("thread" in f.get("message", "") and "block" in f.get("message", ""), bad.what, "names no thread:", f)
            if wanted and kind != "leak" and name not in OF_HOST:
                check(any(f"{name}.cu:{line}" in bad.err for line in lines), bad.what, "does not name the line on stderr:",
                      bad.err[-800:])
            for memory in ("strong", "weak"):
                good = run(program, "good", flags=[*flags, "--memory", memory], json_lines=True)
                right(good)
                check(good.findings == [], good.what, "finds:", good.findings)
        alone = run(program, "bad", flags=["--check", kind])
        alone.ends(3)
        right(run(program, "good", flags=["--check", kind]))
        if kind not in FATAL:
            unseen = run(program, "bad", flags=["--check", "bounds,misaligned"])
            check(unseen.status in (0, 1), unseen.what, "ends with", unseen.status, unseen.err[-500:])
    if commands.get("fence") and not options.compile_only:
        weak_memory(commands["fence"])


def order():
    """Programs in which operations of streams or the host lack an order, and their corrected twins."""
    for name, program in compiled_all("order", sources("order")).items():
        source = os.path.join(here, "order", name + ".cu")
        text = open(source).read()
        says = re.findall(r"// says: (.*)", text)
        lines = marked_lines(source).get("race", [])
        for kernel in re.findall(r"// finds: (\w+)", text):
            lines += marked_lines(os.path.join(here, "order", "ordered.hpp"), rf"// race in ({kernel})\b")[kernel]
        if program is None or options.compile_only:
            continue
        for seed in [None, 1] if options.quick else [None, *range(1, 21)]:
            flags = [*([] if seed is None else ["--seed", str(seed)]), "--check", "all"]
            bad = run(program, "bad", flags=flags, json_lines=True)
            bad.ends(3)
            check(bad.findings, bad.what, "finds nothing")
            check("mmm-run: race" in bad.err, bad.what, "prints no race:", bad.err[-800:])
            for f in bad.findings:
                check(f.get("check") == "race", bad.what, "finds:", f)
                check(f.get("line") in (lines or [0]), bad.what, "finds a race not at", lines, "but:", f)
                for text in ["called at", "nothing orders them", *says]:
                    check(text in f.get("message", ""), bad.what, "does not say", text, "but:", f)
                check("unknown place" not in f.get("message", ""), bad.what, "does not know the caller:", f)
            good = run(program, "good", flags=flags, json_lines=True)
            right(good)
            check(good.findings == [], good.what, "finds:", good.findings)
            if seed is not None:
                right(run(program, "good", flags=flags[:2]))


def weak_memory(program):
    """Without the fence some seeds give wrong results; with the fence none does."""
    wrong = 0
    for seed in range(1, 11):
        flags = ["--memory", "weak", "--seed", str(seed)]
        bad = run(program, "bad", flags=flags)
        check(bad.status in (0, 1), bad.what, "ends with", bad.status, bad.err[-500:])
        wrong += bad.status == 1
        right(run(program, "good", flags=flags))
        right(run(program, "good", flags=["--seed", str(seed)]))
    check(wrong > 0, "fence bad: right under ten seeds of weak memory")


def figures_of(o):
    return {f"{space}.{kind}": o.get(space, {}).get(kind, {}) for space in KINDS for kind in KINDS[space]}


def counts():
    for name, program in compiled_all("counts", sources("counts")).items():
        if program is None or options.compile_only:
            continue
        expected = EXPECTED[name]
        first = None
        for seed in range(1, 4 if options.quick else 11):
            r = run(program, flags=["--gpu", "h200", "--seed", str(seed)], json_lines=True)
            right(r)
            if first is None:
                first = r
                check_form(r)
                check_counts(r, expected)
            else:
                check(r.objects == first.objects, r.what, "counts otherwise than with seed 1")


def check_counts(r, expected):
    if not check(len(r.launches) == len(expected), r.what, "has", len(r.launches), "launches instead of", len(expected)):
        return
    for position, (o, (kernel, spaces, others)) in enumerate(zip(r.launches, expected)):
        what = f"{r.what}: launch {position}, {kernel}"
        check(re.search(r"(^|[\s:])" + re.escape(kernel) + r"\(", o["kernel"]), what, "is", o["kernel"])
        for key, found in figures_of(o).items():
            if key not in spaces:
                check(all(v == 0 for v in found.values()), what, key, "is not zero:", found)
                continue
            for member, figure in spaces[key].items():
                check(found.get(member) == figure, what, key, member, "is", found.get(member), "instead of", figure)
        for member, figure in others.items():
            if member == "average_lanes":
                low, high = figure
                check(low - 1e-6 <= o["average_lanes"] <= high + 1e-6, what, "average_lanes is", o["average_lanes"],
                      "instead of", figure)
            elif member == "fma":
                check(o["instructions"].get("fma") == figure, what, "fma is", o["instructions"].get("fma"), "instead of", figure)
            else:
                check(o.get(member) == figure, what, member, "is", o.get(member), "instead of", figure)
        if "barriers" not in others:
            check(o.get("barriers") == 0, what, "barriers is", o.get("barriers"))


def contract():
    program = compiled("status", "exits")
    matrices = compiled("status", "matrices")
    # A program with the CUDA runtime linked into it whose symbols are stripped.
    stripped = compiled("status", "exits", flags=["-cudart", "static", *FOR_THE_DEVICE[2:], "-Xlinker", "--strip-all"], suffix="_stripped")
    # A binary with machine code only, without PTX.
    binary = compiled("status", "exits", flags=[*FOR_THE_DEVICE[:2], "-gencode",
                                                f"arch=compute_{options.arch},code=sm_{options.arch}"], suffix="_binary")
    if options.compile_only or None in (program, matrices, stripped, binary):
        return
    for status in (0, 1, 7, 42):
        run(program, status).ends(status)
        run(program, status, flags=["--check", "all"]).ends(status)
    outputs = {run(program, flags=["--seed", str(seed), "--memory", memory]).out
               for seed in range(1, 11) for memory in ("strong", "weak")}
    check(len(outputs) == 1, "exits prints differently under ten seeds:", outputs)
    check(all(o.count("\n") == 17 and "block 0\n" in o for o in outputs), "exits prints:", outputs)

    for bad, words in ((stripped, "has no symbols"), (binary, "PTX"), ([os.path.join(options.build, "no_such_program")], "no_such_program")):
        r = run(bad)
        r.ends(2)
        check(words.lower() in r.err.lower(), r.what, "does not say why:", r.err)
    folders = os.environ["PATH"]
    os.environ["PATH"] = os.path.abspath(options.build) + ":" + folders
    r = run([os.path.basename(stripped[0])])  # is found, and named, by PATH
    os.environ["PATH"] = folders
    r.ends(2)
    check(os.path.abspath(stripped[0]) + " cannot be replaced" in r.err, r.what, "does not name the file:", r.err)
    for flags in (["--memory", "strange"], ["--check", "nonsense"], ["--devices", "0"], ["--gpu", "abacus"], ["--seed"],
                  ["--no-such-option"]):
        r = run(program, flags=flags)
        r.ends(2)
        check(r.err.strip() != "" and r.out == "", r.what, "says:", r.out, r.err)
    needs()
    sampled()
    libraries()
    r = run(matrices)
    if r.status == 2:
        check(re.search(r"mma.*\.(cu|hpp):\d+", r.err), r.what, "does not name the instruction and its line:", r.err)
    else:
        right(r)
    descriptors()
    limits(program)
    files(program)


def needs():
    """What a kernel needs is known although it cannot be launched; only a launch ends the program."""
    program = compiled("status", "needs")
    if program is None:
        return
    told = "cudaSuccess: 256 bytes, 256 threads, 16 blocks\n"
    asked = run(program)
    check(asked.ends(0) and asked.out == told + "cudaSuccess\n", asked.what, "prints", asked.out)
    for how in ("launch", "later"):
        launched = run(program, how)
        launched.ends(2)
        check(launched.out == told and re.search(r"mmm-run: multimem\S* \(\S*needs\.cu:\d+, ", launched.err), launched.what, "says",
              launched.out, launched.err)
    listed()


def listed():
    """--list-unsupported reads both sections of a program that has object files with -rdc=true and without. The
    device linker's machine code is no third one."""
    relocatable = made(os.path.join(here, "status", "needs_relocatable.cu"), [], "status_needs_relocatable",
                       [*FOR_THE_DEVICE[2:], "-rdc=true", "-c"], ".o")
    program = relocatable and compiled("status", "needs", [*FOR_THE_DEVICE, relocatable], "_mixed")
    if program is None:
        return
    r = run(program, flags=["--list-unsupported"])
    lines = sorted(r.out.splitlines())
    check(r.ends(1) and len(lines) == 2, r.what, "lists", r.out)
    for line, name, place in zip(lines, ("multimem.ld_reduce.", "multimem.st."), (r"needs\.cu:\d+.*(reduce|sum_of_all)\(",
                                                                                r"needs_relocatable\.cu:\d+.*store\(")):
        check(line.startswith("instruction " + name) and re.search(place, line), r.what, "lists", line)


def sampled():
    """--blocks executes some blocks of a launch, and says so; a barrier of the grid has all."""
    program = compiled("status", "sampled")
    if program is None:
        return
    for flags, arguments, out, *words in (
            ([], [], "0 333 666 999", "--blocks 4: 4 of 1000 blocks were executed", "results are not valid"),
            (["--check", "all"], [], "0 333 666 999", "uninitialized memory is off"),
            ([], ["grid"], " ".join(map(str, range(40))), "40 of 40", "executed whole: (anonymous namespace)::mark_together(int*)")):
        r = run(program, *arguments, flags=["--blocks", "4", *flags], json_lines=True)
        check(r.ends(0) and r.out.strip() == out, r.what, "executes", r.out)
        for word in words:
            check(word in r.err, r.what, "does not say", word, ":", r.err)
        (launch,) = r.launches
        check(launch.get("executed_blocks") == (None if arguments else 4), r.what, "counts", launch.get("executed_blocks"))
    r = run(program, "wait", flags=["--blocks", "3", "--check", "deadlock"])
    r.ends(3)
    check("only 3 of 1000 blocks are executed (--blocks)" in r.err, r.what, "says", r.err)


def libraries():
    """A call of a library without PTX ends the program with the library's name and the way out."""
    folder = pathlib.Path(shutil.which(options.nvcc)).resolve().parent.parent / "lib64"
    if not all((folder / f"lib{name}.so").exists() for name in ("cublas", "cufft")):
        print(f"cuBLAS and cuFFT are not in {folder}: calls of them are not tested")
        return
    program = compiled("status", "libraries", flags=["-lcublas", "-lcufft", "-Xlinker", f"-rpath={folder}", *FOR_THE_DEVICE])
    if program is None:
        return
    run(program, "none").ends(0)
    for name, way_out in (("cublas", "CUTLASS"), ("cufft", "on the host")):
        r = run(program, name)
        r.ends(2)
        lines = [line for line in r.err.splitlines() if line.startswith("mmm-run: ")]
        check(len(lines) == 1 and f"lib{name}.so." in lines[0] and "has no PTX" in lines[0] and way_out in lines[0], r.what, "says",
              r.err)


#: The fields that programs of test/status break, one for each argument.
BROKEN_DESCRIPTORS = ["start_address", "start_address", "leading_byte_offset", "leading_byte_offset", "stride_byte_offset",
                      "stride_byte_offset", "swizzle", "base_offset"]
BROKEN_MAPS = ["rank", "address", "sizes[1]", "strides[0]", "box[1]", "box[0]", "element_strides[0]", "box[0]", "fill_with_nan"]


def descriptors():
    """A descriptor or tensor map that breaks a rule is refused, or found, with the name of its field."""
    program = compiled("status", "descriptors")
    maps = compiled("programs", "tensor_maps")
    if None in (program, maps):
        return
    right(run(program, 0, flags=["--check", "all"]))
    for number, field in enumerate(BROKEN_DESCRIPTORS, 1):
        r = run(program, number, flags=["--check", "descriptor"], json_lines=True)
        r.ends(3)
        check(any(f.get("check") == "descriptor" and f"wgmma: {field} of the descriptor of A is" in f.get("message", "")
                  for f in r.findings), r.what, "does not name", field, r.findings)
    r = run(maps)
    found = re.findall(r"cuTensorMapEncodeTiled: (\S+) is \d+; accepted: \S", r.err)
    check(found == BROKEN_MAPS, r.what, "names", found)


#: What mmm-run --check all says of each error of status/messages.cu, in this order, and its exit status. `{word}` is the
#: place of the line marked so.
MESSAGES = [
    ("null", 3, ["address 0x0: a null pointer", "store", "32.0         1"]),
    ("offset", 3, ["address 0x100: a null pointer and an offset of 256 bytes"]),
    ("host", 3, ["memory of the host that is not mapped for kernels"]),
    ("freed", 3, ["which was freed; allocated at main, {in}", ", freed at main, {free}"]),
    ("after", 3, ["0 bytes after the end of the allocation of 65536 bytes", "; allocated at main, {out}"]),
    ("unwritten", 3, ["since the memory was allocated; allocated at main, {fresh}"]),
    ("trap", 5, ["trap()"]),
    ("grid", 3, ["deadlock: {grid}", "at grid.sync() for threads of the grid that do not come to it", "at cooperative_groups",
                 ", called at {grid}"]),
    ("blocks", 3, ["deadlock: {blocks}", "; 132 of 140 blocks are resident, and 8 begin when others end"]),
    ("mbarrier", 3, ["deadlock: {mbarrier}", "wait for the mbarrier at offset 0x0 of shared memory: 40 of 64 arrivals have come",
                     "called at {mbarrier}"]),
    ("toolkit", 3, ["race in the toolkit's headers: {toolkit}", "called at {toolkit}", "0" + 25 * " " + "1"]),
    ("pipeline", 0, ["suppressed 2 times by race:cuda::*pipeline<*>::quit() (built in, line 3)"]),
    ("tile", 0, ["suppressed ", " times by race:cooperative_groups::*multi_warp_tile_base<*>::collectives_scheme (built in, line 7)"]),
    ("cause", 3, ["race: {write}", "read at ", "{read} by thread", "uninitialized: {read}", "; the race at ", "{write} may be the cause"]),
    ("arguments", 0, ["{add}", "global load of argument 1", "32      4   32.0", "{add}", "global load of argument 2", "16      4   32.0"]),
    ("leak", 0, ["mmm-run: leak", "65536 bytes of cudaMalloc were never freed", "; allocated at main, {out}"])]


def messages():
    """Messages say what is known, at the author's line; suppressions hide what they name, and nothing else."""
    program = compiled("status", "messages", [*FOR_THE_DEVICE, "-Xcompiler", "-g"])  # with lines of the host's code
    if program is None or options.compile_only:
        return
    lines = marked_lines(os.path.join(here, "status", "messages.cu"), r"// line: (\w+)")
    for error, status, words in MESSAGES:
        r = run(program, error, flags=["--check", "all"])
        r.ends(status)
        rest = r.err
        for word in words:
            pattern = re.sub(r"\\\{(\w+)\\\}", lambda m: rf"\S*messages\.cu:{lines[m[1]][0]}\b", re.escape(word))
            found = re.search(pattern, rest)
            check(found, r.what, "does not say, after what is before it:", word, "\n" + r.err)
            rest = rest[found.end() if found else 0:]
    # Without checks a fault has a status of its own; a leak fails if it is asked for.
    for error, flags, status in (("null", [], 5), ("trap", [], 5), ("null", ["--check", "none"], 0), ("leak", [], 0),
                                 ("leak", ["--check", "leak"], 3), ("leak", ["--check", "all,leak"], 3)):
        run(program, error, flags=flags).ends(status)
    for error, status in (("peer", 3), ("peer_enabled", 0), ("peer_disabled", 3), ("pool", 3), ("pool_access", 0)):
        r = run(program, error, flags=["--devices", "2", "--check", "all"])
        r.ends(status)
        says = "no right of access: global load of 4 bytes" in r.err and "of device 1, which kernels of device 0" in r.err
        check(says == (status != 0), r.what, "says", r.err)
    deferred = run(program, "deferred", flags=["--seed", "3"])
    deferred.ends(5)
    check(re.search(r"allocated at .*store_after_free\(\), \S*messages\.cu:\d+, freed at .*give_back\(.*messages\.cu:\d+", deferred.err), deferred.what, "says", deferred.err)
    file = os.path.join(options.build, "suppressions.txt")
    for text, status, shown in (("# the barrier\nrace:not_initialized_for_all\n", 0, False),
                                ("race:cuda::*barrier*arrive", 0, False), ("all:messages.cu", 0, False),
                                ("race:another_kernel", 3, True), ("bounds:not_initialized_for_all", 3, True)):
        pathlib.Path(file).write_text(text)
        r = run(program, "toolkit", flags=["--check", "race", "--suppressions", file])
        r.ends(status)
        check(("mmm-run: race in the" in r.err) == shown, r.what, "with", text, "says", r.err)
        check((f"({file}, line " in r.err) != shown, r.what, "with", text, "does not say what it left out:", r.err)
    for text, word in (("race:f\nrace\n", "line 2"), ("racy:f", "line 1"), ("race:", "line 1")):
        pathlib.Path(file).write_text(text)
        r = run(program, flags=["--check", "race", "--suppressions", file])
        r.ends(2)
        check(word in r.err and r.out == "", r.what, "says", r.err)
    run(program, flags=["--check", "race", "--suppressions", file + ".none"]).ends(2)


def guard():
    """Regressions are found against a baseline, each in its kernel; refactorings are not."""
    text = open(os.path.join(here, "status", "guard.cu")).read()
    header = os.path.join(options.build, "guard_kernels.cuh")
    refactored, kernels = regressions.refactored(text, os.path.basename(header))
    sources_of = {"original": text, "regressed": regressions.regressed(text), "refactored": refactored}
    paths = {name: os.path.join(options.build, f"guard_{name}.cu") for name in sources_of}
    for path, source in ((header, kernels), *((paths[name], source) for name, source in sources_of.items())):
        if not os.path.exists(path) or open(path).read() != source:
            pathlib.Path(path).write_text(source)
    with_machine_code = [*FOR_THE_DEVICE[:2], "-gencode", f"arch=compute_{options.arch},code=[sm_{options.arch},compute_{options.arch}]"]
    programs_of = {name: made(path, [header], f"guard_{name}", with_machine_code) for name, path in paths.items()}
    programs_of = {name: program and [program] for name, program in programs_of.items()}
    without = made(paths["original"], [], "guard_without", FOR_THE_DEVICE)
    if None in (*programs_of.values(), without) or options.compile_only:
        return
    counts, log = os.path.join(options.build, "guard.json"), os.path.join(options.build, "guard.sarif")
    run(programs_of["original"], flags=["--write-baseline", counts]).ends(0)
    resources(paths["original"], counts)
    for name in ("original", "refactored"):
        r = run(programs_of[name], flags=["--baseline", counts, "--sarif", log])
        r.ends(0)
        check("baseline" not in r.err, r.what, "says", r.err)
        check(json.load(open(log))["runs"][0]["results"] == [], r.what, "has results")
    r = run(programs_of["regressed"], flags=["--baseline", counts, "--sarif", log])
    r.ends(4)
    table = re.findall(r"^(\w+) +(\d+) +(\d+)  (\w+)\(", r.err, re.M)
    for regression in regressions.REGRESSIONS:
        found = {figure for figure, _, _, name in table if name == regression.kernel}
        check(regression.figures <= found, r.what, regression.name, ":", regression.kernel, "has grown in", found, "instead of",
              regression.figures)
    results = json.load(open(log))["runs"][0]["results"]
    check(len(results) >= len(table) > 0 and {x["ruleId"] for x in results} == {"baseline"}, r.what, "has results", results)
    r = run([without], flags=["--baseline", counts])
    r.ends(0)
    check(r.err.count("registers and stack are not compared") == len(regressions.REGRESSIONS), r.what, "says", r.err[:1000])
    page = open(os.path.join(here, "..", "..", "docs", "guard-your-kernels.md")).read()
    for kind, rows in (("Regressions", regressions.REGRESSIONS), ("Refactorings", regressions.REFACTORINGS)):
        check(len({row.name for row in rows}) == len({row.kernel for row in rows}) == 20, kind, "are not 20 of 20 kernels")
        for row in rows:
            check(f"| {row.name} |" in page, "the page lacks", row.name)


def resources(source, counts):
    """Registers and stack in a baseline are those that the assembler says."""
    text = subprocess.run([options.nvcc, *FLAGS, "-cubin", f"-arch=sm_{options.arch}", "-Xptxas", "-v", source, "-o", os.devnull],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL).stderr
    said = {name: (int(registers), int(stack)) for name, stack, registers in re.findall(
        r"Function properties for _Z\d+(\w+)PKfPf\n +(\d+) bytes stack frame.*\n.*Used (\d+) registers", text)}
    found = {k["name"].split("(")[0]: (k["figures"].get("registers", 0), k["figures"].get("stack_bytes", 0))
             for k in json.load(open(counts))["kernels"]}
    check(len(found) == 20 and found == said, "registers and stack are", found, "instead of", said)


#: CuTe's tutorials: architecture, type of the numbers, orders of A and B, whether --check race finds something.
TUTORIALS = [("sgemm_1", "80", "float", "NT TN", False), ("sgemm_2", "80", "float", "NT TN", False),
             ("sgemm_sm70", "80", "float", "NT TN", False), ("sgemm_sm80", "80", "float", "NT TN", False),
             ("sgemm_sm80", "80", "cute::half_t", "TN", False),
             # no barrier after cp.async: its warps only stay in step
             ("hopper/wgmma_sm90", "90a", "cute::half_t", "NT TN", True),
             ("hopper/wgmma_tma_sm90", "90a", "cute::half_t", "NT TN", False)]


def cutlass_flags(arch):
    """The options for a program that includes CUTLASS. Without CUTLASS, the test is skipped."""
    folders = [os.path.join(options.cutlass, f) for f in ("include", "tools/util/include")]
    if not all(os.path.isdir(f) for f in folders):
        print("CUTLASS not found: skipped")
        sys.exit(77)
    return ["-std=c++17", "--expt-relaxed-constexpr", "-lineinfo", *FOR_THE_DEVICE[:2], "-gencode",
            f"arch=compute_{arch},code=compute_{arch}", *(f"-I{f}" for f in folders)]


#: CUTLASS's kernels in outside/cutlass_gemm.cu: architecture, and sizes m, n, k. Copies of 4 and 8 elements at a
#: time take rows of so many; SIMT takes any. Of the tiles of the second sizes, TENSOR_OP does not write the rows beyond
#: the matrices, and multiplies them; the results that depend on them are dropped.
LIBRARY_KERNELS = {"SIMT": ("80", [(256, 128, 192), (100, 60, 37)]), "TENSOR_OP": ("80", [(256, 128, 192), (136, 72, 104)]),
                   "WARP_SPECIALIZED": ("90a", [(256, 128, 192), (200, 72, 104)])}


def library_kernels():
    """CUTLASS's own kernels give right results, and the checks find nothing."""
    for name, (arch, sizes) in LIBRARY_KERNELS.items():
        program = compiled("outside", "cutlass_gemm", [*cutlass_flags(arch), f"-D{name}"], f"_{name.lower()}")
        if program is None or options.compile_only:
            continue
        for size in sizes:
            for seed in (1, 2, 3):
                right(run(program, *size, flags=["--seed", str(seed)]))
            checked = run(program, *size, flags=["--check", "all"], json_lines=True)
            right(checked)
            check(checked.findings == [], checked.what, "finds:", checked.findings)


def tutorials():
    """CuTe's tutorials give right results, and the checks find what is wrong in them, and nothing else."""
    folder = os.path.join(options.cutlass, "examples", "cute", "tutorial")
    for name, arch, number, orders, races in TUTORIALS:
        source = os.path.join(folder, name + ".cu")
        flags = [*cutlass_flags(arch), f'-DTUTORIAL="{source}"', f"-DNUMBER={number}", f"-I{os.path.dirname(source)}"]
        program = compiled("outside", "cute_tutorial", flags, f"_{os.path.basename(name)}_{number.split(':')[-1]}")
        if program is None or options.compile_only:
            continue
        for order in orders.split():
            right(run(program, *order, 256, 128, 256))
            checked = run(program, *order, 256, 128, 256, flags=["--check", "race,descriptor"], json_lines=True)
            check(bool(checked.findings) == races, checked.what, "finds:", checked.findings)


def limits(program):
    """Exit status 4 if a limit of a kernel, of a line or of all else is exceeded; 2 for a file that
    cannot be read."""
    file = os.path.join(options.build, "limits.json")
    atomic_line = 1 + next(i for i, line in enumerate(open(os.path.join(here, "status", "exits.cu"))) if "own + (i *" in line)
    for allowed, status in (({"kernels": {"histogram*": {"shared_requests": 10**9}}}, 0),
                            ({"kernels": {"histogram*": {"shared_requests": 0}}}, 4),
                            ({"kernels": {"other*": {"shared_requests": 0}}}, 0),
                            ({"kernels": {"other*": {}}, "default": {"global_sectors": 0}}, 4),
                            ({"lines": {f"exits.cu:{atomic_line}": {"shared_requests": 0}}}, 4),
                            ({"lines": {f"exits.cu:{atomic_line}": {"global_sectors": 0}}}, 0)):
        with open(file, "w") as f:
            json.dump(allowed, f)
        r = run(program, flags=["--limits", file])
        r.ends(status)
        if status == 4:
            check("histogram" in r.err or "exits.cu" in r.err, r.what, "does not name the kernel:", r.err[-500:])
    for text in ("no limits", '{"kernels": {"*": {"no_such_figure": 1}}}'):
        with open(file, "w") as f:
            f.write(text)
        run(program, flags=["--limits", file]).ends(2)
    run(program, flags=["--limits", file + ".none"]).ends(2)


def files(program):
    """The report is a page that names the source, and mmm-replay can read the trace."""
    page, trace = (os.path.join(options.build, f"report.{kind}") for kind in ("html", "csv"))
    for file in (page, trace):
        if os.path.exists(file):
            os.remove(file)
    r = run(program, flags=["--html", page, "--trace", trace])
    r.ends(0)
    if check(os.path.exists(page), r.what, "writes no page"):
        text = open(page).read()
        check("exits.cu" in text and "histogram" in text and "atomicAdd" in text, r.what, "the page lacks the source")
        check(text.rstrip().endswith("</html>"), r.what, "the page does not end")
    if check(os.path.exists(trace), r.what, "writes no trace"):
        lines = open(trace).read().splitlines()
        example = open(os.path.join(here, "..", "..", "test", "program", "replay", "requests.csv")).readline().strip()
        check(lines[:1] == [example], r.what, "the trace begins with", lines[:1])
        check(len(lines) > 100, r.what, "the trace has", len(lines), "lines")
        twice = ["/bin/sh", "-c", f"'{program[0]}' && '{program[0]}'"]  # two processes
        r = run(twice, flags=["--trace", trace])
        both = open(trace).read().splitlines() if r.ends(0) else []
        check(both[:1] == [example] and both.count(example) == 1 and len(both) == 2 * len(lines) - 1, r.what,
              "two processes write", len(both), "lines, one", len(lines))
        for flag in ("--html", "--sarif", "--write-baseline"):
            r = run(twice, flags=[flag, page])
            r.ends(2)
            check(f"{flag}: {page} is a report on one process" in r.err, r.what, "says", r.err)


if shutil.which(options.nvcc) is None:
    print("nvcc not found: skipped")
    sys.exit(77)
os.makedirs(options.build, exist_ok=True)
groups = {"programs": programs, "checks": programs_with_errors, "order": order, "driver": driver_programs, "counts": counts, "contract": contract, "messages": messages, "guard": guard,
          "tutorials": tutorials, "cutlass": library_kernels}
for group in options.group:
    FOR_THE_DEVICE[1] = options.cudart or ("static" if group in STATIC else "shared")
    groups[group]()
if options.compile_only:
    check(True)
finish()
