#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests benchmark/device/census.py with a small checkout of scripts in the place of programs, and a
script in the place of mmm-run, so that neither nvcc nor the device is needed.

    census_test.py
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
census = root / "benchmark" / "device" / "census.py"
folder = pathlib.Path(tempfile.mkdtemp(prefix="census-test-"))
failures = 0

MAKEFILE = """LAUNCHER =
program = main
$(program): main.sh
	{build}
	cp main.sh $(program) && chmod +x $(program)
run: $(program)
	$(LAUNCHER) ./$(program) {arguments}
	$(LAUNCHER) ./$(program) second
"""
#: name: what the program does, its arguments, how it ends, a part of the reason, the command that is run
PROGRAMS = {
    "right-cuda": ("echo PASS", "-n 32 100", "right", "", "./main -n 32 1"),
    "ended-cuda": ("echo time $1", "8 0.5 > /dev/null", "ended", "", "./main 1 0.5"),
    "zero-cuda": ("echo 'Number of mismatches: 0'; echo Verified", "", "right", "", "./main"),
    "wrong-cuda": ("echo FAIL", "a 7b", "failed", "its own check: FAIL", "./main a 7b"),
    "status-cuda": ("exit 3", "", "failed", "status 3", "./main"),
    "fault-cuda": ("echo 'mmm-run: kernel k: misaligned' >&2; exit 5", "", "failed", "misaligned", "./main"),
    "refused-cuda": ("echo 'mmm-run: tex.2d.v4 (a.cu:3, PTX line 4, in k): this instruction is not supported' >&2; exit 2", "",
                     "refused", "tex.2d.v4: this instruction is not supported", "./main"),
    "library-cuda": ("echo 'mmm-run: libcublas.so.13 has no PTX, only machine code' >&2; exit 2", "", "library", "libcublas", "./main"),
    "file-cuda": ("echo 'cannot open file x.dat'; exit 1", "x.dat", "data", "cannot open", "./main x.dat"),
    "slow-cuda": ("while :; do :; done", "", "slow", "", "./main"),
    "header-cuda": (None, "", "library", "mpi.h", None),
    "broken-cuda": (None, "", "not built", "error: no", None),
}
BUILDS = {"header-cuda": "echo 'a.cu:1: fatal error: mpi.h: No such file or directory'; false", "broken-cuda": "echo 'a.cu:1: error: no'; false"}


def check(condition, *what):
    global failures
    if not condition:
        failures += 1
        print(*what)


def run(*arguments):
    return subprocess.run([sys.executable, census, *map(str, arguments)], capture_output=True, text=True)


try:
    for name, (script, arguments, *_) in PROGRAMS.items():
        of_program = folder / "checkout" / "src" / name
        of_program.mkdir(parents=True)
        (of_program / "Makefile").write_text(MAKEFILE.format(build=BUILDS.get(name, "true"), arguments=arguments))
        (of_program / "main.sh").write_text(f"#!/bin/sh\n{script}\n")
    start = folder / "mmm-run"
    start.write_text('#!/bin/sh\nexec "$@"\n')
    start.chmod(0o755)
    before = sorted(p.name for p in (folder / "checkout" / "src").rglob("*"))
    options = ("--mmm-run", start, "--build", folder / "build", "--json", folder / "found.json")
    done = run(folder / "checkout", *options, "--seconds", 1, "--jobs", 3)
    check(done.returncode == 0, "the census ends with", done.returncode, done.stderr)
    found = {r["program"]: r for r in json.loads((folder / "found.json").read_text())}
    check(sorted(found) == sorted(PROGRAMS), "it ran", sorted(found))
    for name, (_, _, end, why, command) in PROGRAMS.items():
        r = found[name]
        check(r["end"] == end and why in r["why"] and r.get("command") == command, name, "ended as", r)
    for line in ("right         2", "slow          1", "refused: 1  tex.2d.v4: this instruction is not supported",
                 "3 of 8 that need no library and no file ended by themselves, 2 of them right"):
        check(line in done.stdout, "the report lacks", line, ":\n" + done.stdout)
    check(sorted(p.name for p in (folder / "checkout" / "src").rglob("*")) == before, "the checkout has changed")
    samples = [[r["program"] for r in json.loads((folder / "found.json").read_text())]
               for seed in (1, 1, 2) if run(folder / "checkout", *options, "--sample", 3, "--seed", seed, "--seconds", 1,
                                            "--only", "right-cuda", "ended-cuda", "zero-cuda", "wrong-cuda").returncode == 0]
    check(len(samples) == 3 and samples[0] == samples[1] and len(samples[0]) == 3, "samples", samples)
    for arguments, word in (((folder, *options), "no folder src"), ((folder / "checkout", *options, "--sample", 99), "accepted: 1 to 12"),
                            ((folder / "checkout", *options, "--only", "x"), "no program x"),
                            ((folder / "checkout", *options, "--jobs", 0), "--jobs is 0"),
                            ((folder / "checkout", *options[2:], "--mmm-run", folder / "none"), "cannot be run")):
        refused = run(*arguments)
        check(refused.returncode == 2 and word in refused.stderr, arguments, "gives", refused.returncode, refused.stderr)
finally:
    shutil.rmtree(folder)
sys.exit(1 if failures else 0)
