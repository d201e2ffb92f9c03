#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the closed forms that take mmm-explore over a second of processor time, and those that it refuses as too long to
enumerate: every algorithm on every machine it runs on, with sizes and threads that divide each other and such that do not.

  benchmark/closed_forms.py PROGRAM [--algorithm REGEX] [--machine REGEX] [--limit SECONDS] [--sample N] [--seed S]

PROGRAM is mmm-explore; compiled with -DMMM_BUILD_TESTS=OFF, and so optimized, it is about four times as fast. A run is ended after the
limit. With the default limit of 5 s the whole table takes over an hour; --sample takes as many entries of each algorithm
and machine, at random. Exit status 1 if one is over a second or refused for its length.
"""
import argparse
import random
import re
import resource
import subprocess
import sys

SIZES = {
    "transpose|image|matrix": [1000, 4096, 4095, 9999, 65536, 99991, 1000003, 30000001],
    "triangulation": [500, 1000, 2048, 4099, 20000, 65536, 99991],
    "": [2**20, 1000003, 2**30, 10**9 + 7, 2**40 - 1, 3**25],
}
# Options of each machine, and the number of its DMMs.
MACHINES = {
    "pram": [([], 1)],
    "bpram": [([], 1), (["--width", "24"], 1), (["--width", "1"], 1)],
    "dmm": [([], 1)] + [(["--width", w, "--latency", "7"], 1) for w in ("1", "3", "24", "48", "64")],
    "umm": [([], 1), (["--ports", "4"], 1), (["--ports", "19"], 1)]
    + [(["--width", w, "--ports", g], 1) for w, g in (("1", "1"), ("3", "4"), ("24", "1"), ("24", "19"), ("64", "1"), ("64", "3"))],
    "hmm": [([], 16), (["--ports", "4"], 16), (["--ports", "19"], 16), (["--dmms", "13"], 13), (["--dmms", "13", "--width", "64"], 13),
            (["--dmms", "132", "--width", "24"], 132), (["--dmms", "7", "--width", "24", "--ports", "19"], 7),
            (["--dmms", "3", "--width", "1"], 3), (["--dmms", "5", "--width", "3", "--ports", "4"], 5)],
}
THREADS = [1024, 1000, 37, 100000, 7, 1, 10007]  # of all, or
THREADS_PER_DMM = [128, 100, 37, 1000, 7, 1]
TOO_LONG = "warps to look at"


def algorithms(program):
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^([a-z][a-z0-9-]*)\s", listed, re.M)


def runs_on(program, algorithm, machine):
    command = [program, algorithm, "--machine", machine, "--size", "4", "--no-simulate"]
    return subprocess.run(command, capture_output=True).returncode == 0


def end_after(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--algorithm", default="", help="only those that match")
    parser.add_argument("--machine", default="", help="only those that match")
    parser.add_argument("--limit", type=int, default=5, help="seconds of processor time after which a run is ended")
    parser.add_argument("--sample", type=int, help="entries of each algorithm and machine")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    runs = over = 0
    for algorithm in algorithms(options.program):
        if not re.search(options.algorithm, algorithm):
            continue
        sizes = next(sizes for names, sizes in SIZES.items() if re.search(names, algorithm))
        for machine in MACHINES:
            if not re.search(options.machine, machine) or not runs_on(options.program, algorithm, machine):
                continue
            entries = [(extra, size, p * dmms) for extra, dmms in MACHINES[machine] for size in sizes
                       for p in (THREADS_PER_DMM if machine == "hmm" else THREADS)]
            if options.sample is not None:
                chance = random.Random(f"{options.seed} {algorithm} {machine}")
                entries = chance.sample(entries, min(options.sample, len(entries)))
            for extra, size, p in entries:
                command = [options.program, algorithm, "--machine", machine, "--size", str(size), "--threads", str(p),
                           "--no-simulate", "--json", *extra]
                begin = resource.getrusage(resource.RUSAGE_CHILDREN)
                done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: end_after(options.limit))
                status = "ended" if done.returncode < 0 else "too long to enumerate" if TOO_LONG in done.stderr else ""
                end = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
                runs += 1
                if seconds > 1 or status:
                    over += 1
                    print(f"{seconds:6.2f} s  {' '.join(command[1:-1 - len(extra)] + extra)}  {status}", flush=True)
    print(f"{over} of {runs} runs take longer than a second or are refused for their length")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
