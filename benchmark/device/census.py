#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the CUDA programs of a HeCBench checkout with mmm-run and reports how each one ended.

    census.py HeCBench --mmm-run build/test/device/run/mmm-run --build /tmp/census --sample 40 --seed 1

Each program is compiled by its own Makefile for sm_90 and run with the arguments of the first
command of its target `run`. The last number among them, in most programs that of the repetitions,
is replaced by 1. A program ends as

    right       status 0, and its own check says that it passed
    ended       status 0, and it checks nothing, or says nothing of it
    slow        it used more processor time than --seconds, or --patience times as much time
    refused     mmm-run named something that it does not support
    library     it calls a library without PTX (cuBLAS, …), MPI, NCCL or another one that is absent
    data        it lacks a file
    not built   the compiler or its Makefile fails for another reason
    failed      its own check failed, or it ended by a fault, a signal or a status that is not 0:
                either its own error (also those of a repetition count of 1) or one of mmm-run

Exit status: 0, or 2 if an argument is wrong. --json FILE writes the same with the last lines that
each program wrote. The checkout stays as it is: programs are compiled in copies under --build.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ORDER = ["right", "ended", "slow", "refused", "failed", "library", "data", "not built"]
# What programs write where their own check passed, and where it failed.
PASSED = re.compile(r"\b(pass|passed|success|succeeded|successful|successfully|verified|correct"
                    r"|ok)\b", re.I)
FAILED = re.compile(r"\b(fail|fails|failed|failure|mismatch|mismatched|incorrect|wrong|not correct"
                    r"|unsuccessful|nan|-nan)\b", re.I)
NO_FAILURE = re.compile(r"(mismatch\w*|fail\w*|wrong|incorrect)\D{0,20}\b0\b(?![.]\d*[1-9])"
                        r"|\b(no|0|zero) (mismatch\w*|fail\w*|wrong)", re.I)
MISSING_FILE = re.compile(r"no such file|(cannot|can't|could not|couldn't|unable to|failed to|fail to|error)"
                          r"[^\n]{0,20}(open|opening|read|load|find|access)[^\n]{0,60}|file error|ioexception"
                          r"|exists\(\w*\)' failed|not installed|^usage:", re.I | re.M)
MISSING_LIBRARY = re.compile(r"fatal error: \S+: No such file|cannot find -l|\bmpi\w*: (not found|no such)"
                             r"|command not found|: not found", re.I)
VENDOR = re.compile(r"(?<=-l)(cublas\w*|cufft\w*|curand|cusparse\w*|cusolver\w*|cudnn\w*|nccl|nvjpeg|npp\w*)"
                    r"|\b(mpi(?:cxx|cc|run|exec)?)\b")


def arguments():
    parser = argparse.ArgumentParser(
        description="Runs the CUDA programs of a HeCBench checkout with mmm-run.",
        epilog="benchmark/device/census.py has the meaning of each word of the report.")
    parser.add_argument("source", type=Path, help="the checkout's folder, which has src/*-cuda")
    parser.add_argument("--mmm-run", type=Path, required=True, help="the path of mmm-run")
    parser.add_argument("--build", type=Path, required=True, help="a folder for the copies")
    parser.add_argument("--sample", type=int, metavar="N", help="run N programs, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run these: adam-cuda, …")
    parser.add_argument("--seconds", type=int, default=60, help="processor time for each (60)")
    parser.add_argument("--patience", type=int, default=4, metavar="F",
                        help="end a program after F times --seconds, whatever it used (4)")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time (1)")
    parser.add_argument("--options", default="", help="options of mmm-run, as one word")
    parser.add_argument("--keep", action="store_true", help="keep the copies and what was built")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to a file")
    given = parser.parse_args()
    if not (given.source / "src").is_dir():
        parser.error(f"{given.source} is no checkout of HeCBench: it has no folder src")
    if not os.access(given.mmm_run, os.X_OK):
        parser.error(f"--mmm-run is {given.mmm_run}, which cannot be run")
    for name in ("seconds", "patience", "jobs"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} is {getattr(given, name)}; accepted: 1 or more")
    return parser, given


def programs(parser, given):
    """The folders that were asked for, in the order of their names."""
    known = sorted(p.parent.name for p in (given.source / "src").glob("*-cuda/Makefile"))
    if given.only:
        unknown = sorted(set(given.only) - set(known))
        if unknown:
            parser.error(f"--only: there is no program {', '.join(unknown)} in {given.source}/src")
        known = given.only
    if given.sample is not None:
        if not 1 <= given.sample <= len(known):
            parser.error(f"--sample is {given.sample}; accepted: 1 to {len(known)}")
        known = sorted(random.Random(given.seed).sample(known, given.sample))
    return known


copying = threading.Lock()


def copied(given, name):
    """A copy of a program's folder, beside links to all others, which some programs include."""
    with copying:
        return copied_alone(given, name)


def copied_alone(given, name):
    root = given.build / "src"
    root.mkdir(parents=True, exist_ok=True)
    for other in (given.source / "src").iterdir():
        link = root / other.name
        if other.name != name and not link.exists():
            link.symlink_to(other.resolve())
    copy = root / name
    if copy.is_symlink():
        copy.unlink()
    if not copy.exists():
        shutil.copytree(given.source / "src" / name, copy, symlinks=True)
    return copy


def bounded(command, folder, seconds, patience=4):
    """Status, output and whether time ran out. All processes that it started are ended."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True, preexec_fn=limit) as process:
        try:
            output, _ = process.communicate(timeout=patience * seconds)
            late = process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU, -signal.SIGKILL,
                                          128 + signal.SIGKILL)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            late = True
    return process.returncode, output, late


def run_command(listing, launcher):
    """The first command of the target `run`, from what `make -n run` lists, with its last number
    as 1; None if there is none."""
    for line in listing.replace("\\\n", " ").splitlines():
        line = line.strip().lstrip("@")
        if launcher in line:
            line = line[line.index(launcher) + len(launcher):].strip()
        elif not line.startswith("./"):
            continue
        line = re.split(r"\s*(?:[|;>]|&&)", line)[0]
        words = shlex.split(line)
        for k in range(len(words) - 1, 0, -1):
            if re.fullmatch(r"\d+", words[k]):
                words[k] = "1"
                break
        return words
    return None


def feature(output):
    """What mmm-run refused, shortened to what other programs' lines have in common."""
    for line in output.splitlines():
        if line.startswith("mmm-run: "):
            line = line[len("mmm-run: "):]
            if found := re.fullmatch(r"(\S+) \(.*\): (.*)", line):  # an instruction and its place
                return f"{found[1]}: {found[2]}"[:100]
            return line[:100]
    return "?"


def ended_as(status, output, late):
    """The word for a run's end, and the reason."""
    own = [line for line in output.splitlines() if line.startswith("mmm-run: ")]
    if late:
        return "slow", ""
    if any("has no PTX" in line for line in own):
        return "library", next(line for line in own if "has no PTX" in line)[len("mmm-run: "):][:100]
    if status == 2 and own:
        return "refused", feature(output)
    text = "\n".join(line for line in output.splitlines() if not line.startswith("mmm-run: "))
    judged = NO_FAILURE.sub("", text)
    if status != 0:
        if MISSING_FILE.search(text):
            return "data", MISSING_FILE.search(text)[0][:100]
        return "failed", (own or [f"status {status}"])[0][:100]
    if found := FAILED.search(judged):
        line = next(l for l in judged.splitlines() if found[0] in l)
        return "failed", "its own check: " + line.strip()[:80]
    if MISSING_FILE.search(text):
        return "data", MISSING_FILE.search(text)[0][:100]
    return ("right", "") if PASSED.search(judged) else ("ended", "")


def judged(given, name):
    copy = copied(given, name)
    try:
        return judged_copy(given, name, copy)
    finally:
        if not given.keep:
            shutil.rmtree(copy)


def judged_copy(given, name, copy):
    makefile = (copy / "Makefile").read_text(errors="replace")
    vendor = sorted({a or b for a, b in VENDOR.findall(makefile)})
    launcher = "mmm-census-launcher"
    settings = ["ARCH=sm_90", f"LAUNCHER={launcher}", "GPU=yes", "DEVICE=gpu"]
    begin = time.monotonic()
    status, built, late = bounded(["make", "-s", *settings], copy, 400)
    result = {"program": name, "vendor": vendor, "build_seconds": round(time.monotonic() - begin, 1)}
    if status != 0 or late:
        lacks = MISSING_LIBRARY.search(built)
        errors = [l for l in built.splitlines() if re.search(r"\berror\b|not found|can't cd|\*\*\*", l)]
        why = lacks[0] if lacks else (errors or ["late" if late else "?"])[0]
        return result | {"end": "library" if lacks else "not built", "why": why.strip()[:100],
                         "output": built[-3000:]}
    _, listing, _ = bounded(["make", "-n", *settings, "run"], copy, 60)
    words = run_command(listing, launcher)
    if words is None:
        return result | {"end": "not built", "why": "its Makefile has no command to run it"}
    command = [str(given.mmm_run.resolve()), *shlex.split(given.options), *words]
    begin = time.monotonic()
    try:
        status, output, late = bounded(command, copy, given.seconds, given.patience)
    except OSError as failure:
        return result | {"end": "not built", "why": str(failure)}
    result |= {"command": shlex.join(words), "status": status, "output": output[-3000:],
               "seconds": round(time.monotonic() - begin, 1)}
    result["end"], result["why"] = ended_as(status, output, late)
    if vendor and result["end"] in ("refused", "failed"):
        result |= {"end": "library", "why": ", ".join(vendor)}
    return result


def main():
    parser, given = arguments()
    chosen = programs(parser, given)
    results = []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for result in pool.map(lambda name: judged(given, name), chosen):
            results.append(result)
            print(f"{len(results):4}/{len(chosen)}  {result['end']:10} {result.get('seconds', 0):6.1f} s  "
                  f"{result['program']:32} {result['why']}", flush=True)
            if given.json:
                given.json.write_text(json.dumps(results, indent=1, ensure_ascii=False))
    print()
    ends = [r["end"] for r in results]
    needs_nothing = sum(end not in ("library", "data", "not built") for end in ends)
    for end in ORDER:
        print(f"{end:10} {ends.count(end):4}")
    good = ends.count("right") + ends.count("ended")
    print(f"{good} of {needs_nothing} that need no library and no file ended by themselves, "
          f"{ends.count('right')} of them right by their own check")
    for end in ("refused", "failed"):
        reasons = [r["why"] for r in results if r["end"] == end]
        for why in sorted(set(reasons), key=lambda w: (-reasons.count(w), w)):
            print(f"{end}: {reasons.count(why)}  {why}")


if __name__ == "__main__":
    sys.exit(main())
