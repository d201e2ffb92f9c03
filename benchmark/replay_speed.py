#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how fast mmm-replay reads and counts recorded requests of 32 lanes, in million a second of
processor time (user + system).

    replay_speed.py PROGRAM [PROGRAM ...] [--requests N] [--runs N] [--only WORD] [--folder FOLDER]

Writes a file of N requests for each kind below, each read once before it is measured, and runs the
programs on it in turns, so that a change of the machine's load affects all of them; the best run
counts. Where a request is 32 lines, lines a second are printed, too. The ratio is the last program's
rate to the first one's. FOLDER keeps the files for the next call. Compile the programs with -O3, as all
presets but `test` do.
"""
import argparse
import os
import pathlib
import random
import subprocess
import tempfile

lanes = range(32)


def csv(requests):
    return "space,op,bytes,addresses\n", (f"{space},load,4," + ";".join(addresses) + "\n" for space, addresses in requests)


def decimal(addresses):
    return map(str, addresses)


def coalesced(number):
    return [4 * (32 * number % (1 << 17)) + 4 * t for t in lanes]


def scattered(bits):
    return [4 * random.getrandbits(bits) for _ in lanes]


def csv_coalesced(count):
    return csv(("global", decimal(coalesced(k))) for k in range(count))


def csv_mixed(count):
    """Half the requests coalesced or diagonal, half random; in both memories, of different lengths."""
    def one(k):
        space = random.choice(("global", "shared"))
        base = 4 * random.getrandbits(random.choice((8, 16, 20)))
        shape = random.choice(("row", "diagonal", "random", "random"))
        if shape == "random":
            return space, decimal(scattered(random.choice((12, 22))))
        return space, decimal(base + (4 if shape == "row" else 132) * t for t in lanes)
    return csv(one(k) for k in range(count))


def csv_shared_random(count):
    return csv(("shared", decimal(scattered(16))) for _ in range(count))


def csv_hexadecimal(count):
    return csv(("global", (f"{0x7F2B5AE00000 + a:#x}" for a in coalesced(k))) for k in range(count))


def accel_sim(addresses_of):
    def lines(count):
        for k in range(count):
            yield f"{16 * (k % 64):04x} ffffffff 1 R4 LDG.E 1 R6 4 {addresses_of(k)}\n"
    return lambda count: ("-kernel name = kernel\n", lines(count))


def all_addresses(k):
    return "0 " + " ".join(f"{0x2B000000 + a:#x}" for a in coalesced(k))


def base_and_stride(k):
    return f"1 {0x7F2B5AE00000 + coalesced(k)[0]:#x} 4"


def base_and_differences(k):
    addresses = [0x7F2B5AE00000 + 4 * random.getrandbits(8) for _ in lanes]
    return f"2 {addresses[0]:#x} " + " ".join(str(b - a) for a, b in zip(addresses, addresses[1:]))


def word_trace(addresses_of):
    """64 warps a round, as mmm-explore writes them."""
    def lines(count):
        for k in range(count):
            first, op = 100032 + 32 * (k % 64), "rw"[k // 64 % 2]
            start = f"{k // 64},global,0,"
            yield "".join(f"{start}{first + t},{a},{op}\n" for t, a in zip(lanes, addresses_of(k)))
    return lambda count: ("round,space,dmm,thread,address,op\n", lines(count))


kinds = {
    "CSV, coalesced": (csv_coalesced, 1),
    "CSV, mixed (half coalesced or diagonal, half random)": (csv_mixed, 1),
    "CSV, random, shared memory": (csv_shared_random, 1),
    "CSV, hexadecimal": (csv_hexadecimal, 1),
    "Accel-Sim, all addresses": (accel_sim(all_addresses), 1),
    "Accel-Sim, base and stride": (accel_sim(base_and_stride), 1),
    "Accel-Sim, base and differences": (accel_sim(base_and_differences), 1),
    "`mmm-explore`'s trace, coalesced": (word_trace(lambda k: (1000000 + 32 * k + t for t in lanes)), 32),
    "`mmm-explore`'s trace, random": (word_trace(lambda k: (random.getrandbits(20) for _ in lanes)), 32),
}


def seconds(program, file):
    """Processor time of one run."""
    process = subprocess.Popen([program, file], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{program} {file}: exit status {process.returncode}")
    return used.ru_utime + used.ru_stime


def measure(arguments, folder):
    print("| kind | bytes a request |", " | ".join(arguments.program), "| ratio |")
    print("|---|---|" + "---|" * (len(arguments.program) + 1))
    for number, (name, (make, lines)) in enumerate(kinds.items()):
        if arguments.only not in name:
            continue
        file = folder / f"{number}-{arguments.requests}.txt"
        if not file.exists():
            random.seed(number)
            head, body = make(arguments.requests)
            file.write_text(head + "".join(body))
        size = len(file.read_bytes()) / arguments.requests
        best = [float("inf")] * len(arguments.program)
        for _ in range(arguments.runs):
            best = [min(b, seconds(p, file)) for b, p in zip(best, arguments.program)]
        rates = [arguments.requests / b / 1e6 for b in best]
        shown = [f"{r:.2f}" + (f" ({lines * r:.0f} M lines)" if lines > 1 else "") for r in rates]
        print(f"| {name} | {size:.0f} |", " | ".join(shown), f"| {rates[-1] / rates[0]:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="+")
    parser.add_argument("--requests", type=int, default=200000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default="", help="the kinds whose names have this word")
    parser.add_argument("--folder", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        measure(arguments, folder)


if __name__ == "__main__":
    main()
