#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the closed forms that take mmm-explore over a second of processor time: every algorithm on every machine it runs on, with
sizes and threads that divide each other and such that do not.

  benchmark/closed_forms.py PROGRAM [--algorithm REGEX] [--limit SECONDS]

PROGRAM is mmm-explore; compiled with -DMMM_OPTIMIZE_EXPLORE=ON it is about four times as fast. A run is ended after the
limit. With the default limit of 5 s the whole table takes up to an hour. Exit status 1 if one is over a second.
"""
import argparse
import itertools
import re
import resource
import subprocess
import sys

SIZES = {
    "transpose|image|matrix": [1000, 4096, 4095, 9999, 65536, 99991, 1000003],
    "triangulation": [500, 1000, 2048, 4099, 20000, 65536],
    "": [2**20, 1000003, 2**30, 10**9 + 7, 2**40 - 1, 3**25],
}
# Options of each machine, and the number of its DMMs.
MACHINES = {
    "bpram": [([], 1)],
    "dmm": [([], 1), (["--width", "24"], 1), (["--width", "48"], 1)],
    "umm": [([], 1), (["--ports", "4"], 1)],
    "hmm": [([], 16), (["--ports", "4"], 16), (["--dmms", "13"], 13), (["--dmms", "132", "--width", "24"], 132)],
}
THREADS = [1024, 1000, 37, 100000]  # of all, or
THREADS_PER_DMM = [128, 100, 37, 1000]


def algorithms(program):
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^([a-z][a-z0-9-]*)\s", listed, re.M)


def runs_on(program, algorithm, machine):
    command = [program, algorithm, "--machine", machine, "--size", "4", "--no-simulate"]
    return subprocess.run(command, capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--algorithm", default="", help="only those that match")
    parser.add_argument("--limit", type=float, default=5)
    options = parser.parse_args()
    runs = over = 0
    for algorithm in algorithms(options.program):
        if not re.search(options.algorithm, algorithm):
            continue
        sizes = next(sizes for names, sizes in SIZES.items() if re.search(names, algorithm))
        for machine in MACHINES:
            if not runs_on(options.program, algorithm, machine):
                continue
            for extra, dmms in MACHINES[machine]:
                threads = [t * dmms for t in THREADS_PER_DMM] if machine == "hmm" else THREADS
                for size, p in itertools.product(sizes, threads):
                    command = [options.program, algorithm, "--machine", machine, "--size", str(size), "--threads", str(p),
                               "--no-simulate", "--json", *extra]
                    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
                    try:
                        done = subprocess.run(command, capture_output=True, timeout=options.limit)
                        status = "refused" if done.returncode == 2 else ""
                    except subprocess.TimeoutExpired:
                        status = "ended"
                    end = resource.getrusage(resource.RUSAGE_CHILDREN)
                    seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
                    runs += 1
                    if seconds > 1 or status == "ended":
                        over += 1
                        print(f"{seconds:6.2f} s  {' '.join(command[1:-1 - len(extra)] + extra)}  {status}", flush=True)
    print(f"{over} of {runs} runs take longer than a second")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
