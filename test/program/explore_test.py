#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests mmm-explore: a grid of algorithms, machines and sizes, whose figures are recomputed from
the traces by the machines below; the inputs that it reads; the arguments that it rejects. The
machines are written from the text of the model, without the library.

    explore_test.py [--quick] PATH_OF_MMM_EXPLORE

--quick: each size, number of threads and other parameter with one of the four widths, and no 301 words
by one thread, whose traces are the longest; files of numbers cut off at fewer places;
what is rejected, with --json or without it by turns.
"""
import array
import collections
import concurrent.futures
import csv
import itertools
import json
import os
import pathlib
import re
import resource
import struct
import subprocess
import tempfile
import xml.etree.ElementTree
import zlib

from checks import check, finish, program, quick, run


# --- the machines, from the text of the model -----------------------------------------------------------------------------

def words_of_threads(accesses):
    """The accesses of each (DMM, thread), one of them for each word of a wide access."""
    threads = {}
    for a in accesses:
        threads.setdefault((a["dmm"], a["thread"]), []).append(a)
    return threads


def warps(accesses, width):
    """The addresses of each request, w at most: one per (DMM, warp), and of wide accesses as many as
    the warp's words need. Updates of one word take turns."""
    requests = {}
    threads = words_of_threads(accesses)
    words = {}
    for (dmm, _), own in threads.items():
        words[dmm] = max(words.get(dmm, 0), len(own))
    for (dmm, thread), own in threads.items():
        for nth, a in enumerate(own):
            request = requests.setdefault((dmm, (thread * words[dmm] + nth) // width), [])
            if a["op"] == "u" or a["address"] not in request:
                request.append(a["address"])
    return requests


def bank_stages(addresses, width):
    return max(collections.Counter(a % width for a in addresses).values())


def group_stages(addresses, width):
    return len({a // width for a in addresses})


def ceil_divide(a, b):
    return -(-a // b)


def round_figures(machine, accesses):
    """(stages, time) of the accesses of one round."""
    kind, width = machine["kind"], machine.get("width")
    if kind == "pram":
        return 1, 1
    if kind == "bpram":
        return (ceil_divide(len(accesses), width),) * 2
    if kind == "dmm":
        stages = sum(bank_stages(r, width) for r in warps(accesses, width).values())
        return stages, stages + machine["latency"] - 1
    in_global = [a for a in accesses if a["space"] == "global"]
    stages = sum(group_stages(r, width) for r in warps(in_global, width).values())
    time = ceil_divide(stages, machine.get("ports", 1)) + machine["latency"] - 1 if in_global else 0
    for space, latency in (("shared", "shared_latency"), ("peer", "peer_latency")):
        by_dmm = {}  # in "peer", the DMM that has the words
        for (dmm, _), request in warps([a for a in accesses if a["space"] == space], width or 1).items():
            by_dmm[dmm] = by_dmm.get(dmm, 0) + bank_stages(request, width)
        for own in by_dmm.values():
            stages += own
            time = max(time, own + machine[latency] - 1)
    return stages, time


def figures_of_trace(machine, threads, file, wide=False):
    """Rounds, stages and time from the trace and the machine alone, and the errors of the trace
    itself."""
    with open(file, newline="") as lines:
        reader = csv.reader(lines)
        header = next(reader, [])
        if header != ["round", "space", "dmm", "thread", "address", "op"]:
            return None, f"header {header}"
        entries = [{"round": int(nth), "space": space, "dmm": int(dmm), "thread": int(thread), "address": int(address), "op": op}
                   for nth, space, dmm, thread, address, op in reader]
    wrong = None
    if [e["round"] for e in entries] != sorted(e["round"] for e in entries):
        wrong = "rounds do not increase"
    dmms = machine.get("dmms", 1)
    rounds = stages = time = 0
    for _, at_once in itertools.groupby(entries, key=lambda e: e["round"]):
        at_once = list(at_once)
        who = [(e["dmm"], e["thread"]) for e in at_once if e["space"] != "peer"]
        for own in words_of_threads(at_once).values():
            first = own[0]["address"]
            if len(own) > 1 and not (wide and [e["address"] for e in own] == list(range(first, first + len(own)))):
                wrong = "a thread accesses twice in one round"
        if any(not (0 <= d < dmms and 0 <= t < threads // dmms) for d, t in who):
            wrong = "a thread that does not exist"
        spaces = {e["space"] for e in at_once}
        allowed = {"dmm": {"shared"}, "hmm": {"shared", "global"} | ({"peer"} if "cluster" in machine else set())}.get(machine["kind"], {"global"})
        if not spaces <= allowed or not {e["op"] for e in at_once} <= {"r", "w", "u"} or min(e["address"] for e in at_once) < 0:
            wrong = f"a row that a {machine['kind']} cannot have"
        round_stages, round_time = round_figures(machine, at_once)
        rounds, stages, time = rounds + 1, stages + round_stages, time + round_time
    return (rounds, stages, time), wrong


# --- the grid -------------------------------------------------------------------------------------------------------------

MACHINES = {  # algorithm: the machines that the catalogue lists for it
    "contiguous": "pram bpram dmm umm hmm", "stride": "pram bpram dmm umm hmm",
    "transpose-straightforward": "pram bpram dmm umm hmm", "transpose-diagonal": "dmm", "transpose-rotating": "umm",
    "sum": "pram bpram dmm umm hmm", "sum-on-one-dmm": "hmm", "copy": "hmm",
    "prefix-sums-simple": "pram bpram dmm umm", "prefix-sums": "pram bpram dmm umm hmm",
    "argmin": "pram bpram dmm umm hmm", "argmax": "pram bpram dmm umm hmm", "exclusive-prefix-sums": "pram bpram dmm umm hmm",
    "segmented-prefix-sums": "pram bpram dmm umm hmm",
    "exclusive-segmented-prefix-sums": "pram bpram dmm umm hmm", "summed-area": "dmm umm hmm",
    "summed-area-1r1w": "hmm",
    "permutation": "dmm hmm", "permutation-direct": "pram bpram dmm umm hmm",
    "sort": "pram bpram dmm umm hmm", "radix-sort": "pram bpram dmm umm hmm", "merge-sort": "pram bpram dmm umm hmm",
    "histogram": "pram bpram dmm umm hmm",
    "convolution": "pram bpram dmm umm hmm", "convolution-in-clusters": "hmm", "matrix-multiply": "dmm hmm", "image-convolution": "dmm hmm",
    "triangulation-dp": "pram umm", "triangulation": "umm", "triangulation-blocked": "hmm",
    "string-matching": "dmm umm hmm", "lcs": "dmm umm hmm", "matrix-chain": "pram dmm umm hmm",
    "bulk-prefix-sums": "umm", "bulk-sort": "umm", "bulk-triangulation": "umm"}
OF_DATA = {"radix-sort", "merge-sort", "permutation-direct"}  # the cost depends on the data
PERMUTATIONS = ("random", "identity", "reverse", "transpose", "shuffle", "bit-reversal")
LIMITATIONS = {"bandwidth", "latency", "reduction", "speed_up", "dependency", "shared_bandwidth", "shared_latency"}


def grid():
    for algorithm, machines in MACHINES.items():
        square = algorithm.startswith("transpose") or algorithm.startswith("summed-area")
        polygon = "triangulation" in algorithm
        bulk = algorithm.startswith("bulk")
        small = algorithm in ("matrix-multiply", "image-convolution")
        passes = algorithm == "radix-sort"  # 16 of them, over all words
        sizes = ((1, 4, 7, 32) if square else (5, 301) if algorithm == "histogram" else (1, 5, 17) if small else (1, 33) if passes else
                 (3, 8) if bulk and polygon else (3, 8, 21) if polygon else (1, 2, 8, 21) if algorithm == "matrix-chain" else (1, 5, 32) if bulk else (1, 5, 64, 301))
        for kind in machines.split():
            for nth, width in enumerate((None,) if kind == "pram" else (3, 32) if passes else (1, 3, 24, 32)):
                for which, (size, threads) in enumerate(itertools.product(sizes, (1, 6, 64))):
                    if quick and width and (nth + which // 3 + which) % 4 != 0 or quick and (size, threads) == (301, 1):
                        continue
                    arguments = ["--machine", kind, "--size", size]
                    if algorithm in ("convolution", "convolution-in-clusters", "string-matching", "lcs"):
                        arguments += ["--taps", (1, 2, 7, 16)[which % 4]]
                    if algorithm == "matrix-multiply" and which % 3:
                        arguments += ["--tile", min(size, (1, 3, 4)[which % 3])]
                    if algorithm == "histogram":
                        arguments += ["--bins", (1, 8, 50)[which % 3]]
                    if algorithm.startswith("permutation"):
                        arguments += ["--permutation", PERMUTATIONS[which % 5] if size != 64 else "bit-reversal"]
                    if bulk:
                        arguments += ["--inputs", (1, 64, 33)[which % 3], "--arrangement", ("columns", "rows")[which // 3 % 2]]
                    if algorithm == "image-convolution":
                        arguments += ["--radius", which % 4]
                    parameters = {"kind": kind}
                    if width:
                        arguments += ["--width", width]
                        parameters["width"] = width
                    latency = (1, 5)[(which + which // 3) % 2]
                    ports = 1 + 2 * (which % 4 == 1)
                    if kind in ("dmm", "umm", "hmm"):
                        arguments += ["--latency", latency]
                        parameters["latency"] = latency
                    if kind == "umm" and ports != 1:
                        arguments += ["--ports", ports]
                        parameters["ports"] = ports
                    if kind == "hmm":
                        dmms = (1, 3, 4)[(which // 2) % 3]
                        threads *= dmms
                        shared = (5, 1, 2)[which % 3]
                        arguments += ["--dmms", dmms, "--shared-latency", shared, "--ports", ports]
                        parameters.update(dmms=dmms, shared_latency=shared, ports=ports)
                    if algorithm == "convolution-in-clusters":
                        cluster = {1: 1, 3: 3, 4: (2, 4)[which % 2]}[dmms]
                        arguments += ["--cluster", cluster, "--peer-latency", shared + 2]
                        parameters.update(cluster=cluster, peer_latency=shared + 2)
                    yield algorithm, parameters, size, threads, arguments + ["--threads", threads]


def check_run(folder, number, algorithm, machine, size, threads, arguments):
    file = folder / f"{number}.csv"
    done = run(algorithm, *arguments, "--seed", number, "--trace", file, "--json")
    name = f"{algorithm} {' '.join(map(str, arguments))}:"
    check(done.returncode == 0 and not done.stderr, name, "status", done.returncode, done.stderr, done.stdout)
    try:
        found = json.loads(done.stdout)
        trace, wrong = figures_of_trace(machine, threads, file, algorithm == "radix-sort" and machine["kind"] == "hmm")
        file.unlink()
    except (ValueError, OSError) as e:
        check(False, name, e, done.stdout)
        return
    check(done.stdout.count("\n") == 1 and done.stdout.endswith("}\n"), name, "more than one object")
    check(wrong is None, name, "trace:", wrong)
    check((found["algorithm"], found["machine"], found["threads"], found["size"]) == (algorithm, machine, threads, size),
          name, "something else was run:", done.stdout)
    check((found["rounds"], found["stages"], found["time"]) == trace, name, "trace says", trace, "not", done.stdout)
    closed = found["closed_form"]
    if algorithm == "histogram":
        check(closed["agrees"] is None and closed["of"] == "evenly spread values" and closed["simulated"] == found["time"], name, closed)
    elif algorithm == "radix-sort" and machine["kind"] == "hmm":
        check(closed == {"agrees": None, "estimate": None, "simulated": found["time"]}, name, closed)
    elif algorithm in OF_DATA and isinstance(closed["estimate"], dict):
        least, most = closed["estimate"]["least"], closed["estimate"]["most"]
        check(closed["agrees"] is True and least <= closed["simulated"] == found["time"] <= most and least < most, name, closed)
    else:
        check(closed["agrees"] is True and closed["estimate"] == closed["simulated"] == found["time"], name, closed)
    check(found["correct"] is True and found["races"] == 0, name, done.stdout)
    check(0 <= found["pipelined_time"] <= found["time"], name, "pipelined", found["pipelined_time"], found["time"])
    bound, upper = found["bound"], found["upper_bound"]
    limitations = [v for k, v in bound.items() if k != "time"]
    formulas = found["bound_formula"]
    check(set(formulas) == set(bound) - {"time"} and all(formulas.values()), name, formulas, bound)
    check(set(bound) - {"time"} <= LIMITATIONS and bound["time"] == max(limitations, default=0), name, bound)
    if size > 1:
        check(0 < bound["time"] <= found["time"], name, "below the lower bound:", bound, found["time"])
    if bound["time"]:
        check(abs(found["ratio"] - found["time"] / bound["time"]) < 1e-3, name, "ratio", found["ratio"])
    else:
        check(found["ratio"] is None, name, "ratio", found["ratio"])
    check(found["time"] <= upper["constant"] * upper["time"], name, "above", upper, found["time"])


# --- inputs ---------------------------------------------------------------------------------------------------------------

def npy(values, shape, code="<f8", fortran=False):
    text = f"{{'descr': '{code}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header = text.ljust((len(text) + 10) // 64 * 64 + 64 - 11) + "\n"
    form = {"f8": "d", "f4": "f", "i4": "i", "u1": "B", "i2": "h", "c8": "x"}[code[1:]]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"{'>' if code[0] == '>' else '<'}{len(values)}{form}", *values)


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes((7 * r + c) % 256 for c in range(width)) for r in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def bmp(width, height):
    """8 bits a pixel, whose rows need no padding."""
    palette = b"".join(bytes((k, k, k, 0)) for k in range(256))
    pixels = bytes((7 * k) % 256 for k in range(width * height))
    return (b"BM" + struct.pack("<IHHI", 54 + 1024 + len(pixels), 0, 0, 54 + 1024) +
            struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, len(pixels), 0, 0, 256, 0) + palette + pixels)


def jpeg(width, height):
    """A grey picture whose compressed bytes are zeros, as a decoder takes them for those after the end of a file, too."""
    def segment(marker, data):
        return bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data
    one_code = bytes([1] + [0] * 15 + [0])  # one Huffman code of one bit, for 0
    blocks = width // 8 * (height // 8)
    return (b"\xFF\xD8" + segment(0xDB, b"\0" + b"\1" * 64) +
            segment(0xC0, struct.pack(">BHHBBBB", 8, height, width, 1, 1, 0x11, 0)) +
            segment(0xC4, b"\x00" + one_code) + segment(0xC4, b"\x10" + one_code) +
            segment(0xDA, bytes((1, 1, 0, 0, 63, 0))) + bytes(blocks * 2 // 8) + b"\xFF\xD9")


def check_cut_off(folder):
    """Each of these files is read as it is, and refused without its last byte and at every other place."""
    pixels = bytes(range(12))
    files = {"a.pgm": b"P5 4 3 255\n" + pixels, "a.ppm": b"P6 2 2 255\n" + pixels, "a.png": png(5, 4), "a.jpg": jpeg(32, 32),
             "a.bmp": bmp(8, 3), "a.npy": npy(range(9), "(9,)", "<i4"), "b.npy": npy(range(12), "(3, 4)"),
             "a.f32": struct.pack("<f", 1.5), "a.f64": struct.pack("<d", 1.5), "a.dat": struct.pack("<d", 1.5)}
    whole, cut = (folder / "whole", folder / "cut")
    whole.mkdir()
    cut.mkdir()
    places = []
    for name, contents in files.items():
        (whole / name).write_bytes(contents)
        done = run("sum", "--input", whole / name)
        check(done.returncode == 0, name, "is not read:", done.stderr)
        step = 1 + len(contents) // (50 if quick else 150)
        places += [(name, size) for size in {*range(1, len(contents), step), len(contents) - 1}]

    def refused(name, size):
        file = cut / f"{size}-{name}"
        file.write_bytes(files[name][:size])
        done = run("sum", "--input", file)
        check(done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1 and str(file) in done.stderr,
              name, "cut off after", size, "bytes:", done.returncode, done.stdout, done.stderr)
        return done.stderr
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(refused, *zip(*places)))
    for name, size, words in (("a.pgm", 13, "it has 2 of the 12 bytes of its pixels"), ("a.pgm", 22, "11 of the 12"),
                              ("a.pgm", 9, "within its header, at the largest sample"), ("a.ppm", 22, "11 of the 12"), ("a.jpg", 120, "ends after 120 bytes"),
                              ("a.npy", 140, "12 bytes of data, 3 elements of i4, fewer than its shape (9) needs"),
                              ("b.npy", 20, "10 of the 118 bytes of its header"), ("b.npy", 9, "within the 10 bytes"),
                              ("a.f32", 3, "1 are missing"), ("a.f64", 3, "5 are missing")):
        told = refused(name, size)
        check(words in told, name, "cut off after", size, "bytes:", told)
    for name, contents, words in (("plain.pgm", b"P2 2 2 255\n1 2 3", "P5 and P6"), ("flat.pgm", b"P5 4 0 255\n", 'the height "0"'),
                                  ("none.ppm", b"P6 4 4 2555555555 ", "accepted: 1 to 65535"), ("word.pgm", b"P5 4 x 255 ", 'height "x"'),
                                  ("flat.bmp", bmp(0, 3), "0 x 3 pixels"), ("odd.png", png(2, 2).replace(b"IDAT", b"\x01DAT"), "?DAT"),
                                  ("large.pgm", b"P5 60000 30000 255\n", "60000 x 30000 pixels; accepted: 1 to 134217728"),
                                  ("minus.npy", npy(range(3), "(-3,)"), '"(-3'), ("much.npy", npy([], "(99999999999999999999,)"), '"(9999'),
                                  ("open.npy", npy(range(3), "3"), "accepted: extents as in (4, 3)"),
                                  ("long.npy", npy(range(4), "(3,)"), "32 bytes of data; its shape (3) needs 24")):
        (folder / name).write_bytes(contents)
        done = run("sum", "--input", folder / name)
        check(done.returncode == 2 and words in done.stderr, name, done.returncode, done.stdout, done.stderr)


def check_endless(folder):
    """What never ends is refused after a while, and what is long is not echoed."""
    def measured(*arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, preexec_fn=limit, timeout=120)
    for device in ("/dev/zero", "/dev/urandom"):
        if os.path.exists(device):
            done = measured("sum", "--input", device)
            check(done.returncode == 2 and "too large; accepted: up to 256 MiB" in done.stderr, device, done)
    pipe = folder / "pipe.f32"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", f"while printf %08192d 0; do :; done > '{pipe}' 2> /dev/null"]) as writer:
        done = measured("sum", "--input", pipe)
        writer.terminate()
    check(done.returncode == 2 and "too large" in done.stderr, "a pipe that never ends:", done)
    with subprocess.Popen(["sh", "-c", f"printf aaaabbbb > '{pipe}'"]):
        done = measured("sum", "--input", pipe)
        check(done.returncode == 0 and "2 numbers" in done.stdout, "a pipe that ends:", done)
    large = folder / "large.f64"
    with large.open("wb") as file:
        file.truncate(2**40)
    done = measured("sum", "--input", large)
    check(done.returncode == 2 and "too large" in done.stderr, "a file of 1 TiB:", done)
    check("256 MiB" in run("--help").stdout, "the limit is not documented")
    long = folder / "token.txt"
    long.write_text("1 2\n3 " + "x" * 5000000)
    for arguments in (["sum", "--input", long], ["sum", "--size", "7" * 100000], ["s" * 100000], ["sum", "--" + "o" * 100000],
                      ["sum", "--json=" + "v" * 100000], ["sum", "--input", "p" * 100000], ["sum", "--svg", "p" * 100000],
                      ["sum", "--machine", "m" * 100000], ["sum", "--width", "9" * 100000]):
        done = run(*arguments)
        check(done.returncode == 2 and "…" in done.stderr and len(done.stderr) < 900, [a[:30] for a in map(str, arguments)],
              done.returncode, done.stderr[:1000])


def check_inputs(folder):
    halves = [x / 2 for x in range(-50, 90)]
    files = {
        "a.txt": "1 2 3,4;5\n# a comment\n 6\t+7.5e0 -8", "a.csv": "1,2,3\n4,5,6\n7,8,9\n", "square.npy": npy(range(12), "(3, 4)", ">i4"),
        "long.npy": npy(halves, "(140,)"), "columns.npy": npy(range(12), "(3, 4)", "<f4", True), "bytes.npy": npy(range(9), "(9,)", "|u1"),
        "a.bin": array.array("f", halves).tobytes(), "a.f64": array.array("d", halves).tobytes(),
        "a.dat": array.array("d", halves).tobytes(), "text.dat": "1 2 3 4", "wide.png": png(20, 9), "a.jpg": jpeg(16, 8), "mark.txt": b"\xEF\xBB\xBF1 2 3 4", "mark.csv": b"\xEF\xBB\xBF1,2\r\n3,4\r\n",
        "mark.dat": b"\xEF\xBB\xBF1 2 3", "a.pgm": b"P5\n# 9 9\n2 2\n255\n" + bytes((1, 2, 3, 255)), "a.ppm": b"P6 2 1 1000\n" + bytes(12)}
    expected = {"a.txt": (8, 2), "a.csv": (9, 3), "square.npy": (12, 3), "long.npy": (140, 11), "columns.npy": (12, 3),
                "bytes.npy": (9, 3), "a.bin": (140, 11), "a.f64": (140, 11), "a.dat": (140, 11), "text.dat": (4, 2),
                "wide.png": (180, 9), "a.jpg": (128, 8), "mark.txt": (4, 2), "mark.csv": (4, 2), "mark.dat": (3, 1), "a.pgm": (4, 2), "a.ppm": (2, 1)}
    for name, contents in files.items():
        (folder / name).write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        for algorithm, size in zip(("sum", "transpose-straightforward"), expected[name]):
            done = run(algorithm, "--input", folder / name, "--machine", "umm", "--width", 4, "--json")
            found = json.loads(done.stdout or "{}")
            check(done.returncode == 0 and found.get("size") == size and found.get("correct"), name, algorithm, done.stdout,
                  done.stderr)
    (folder / "even.txt").write_text(" ".join(map(str, range(320))))
    for machine in ("pram", "bpram", "dmm", "umm", "hmm"):
        done = run("histogram", "--input", folder / "even.txt", "--machine", machine, "--bins", 64, "--dmms", 2, "--threads", 64, "--json")
        closed = json.loads(done.stdout or "{}").get("closed_form", {})
        check(closed.get("estimate") == closed.get("simulated", -1), "evenly spread values on", machine, done.stdout, done.stderr)
    done = run("sum", "--input", folder / "a.txt")
    check("the sum 20.5 " in done.stdout, "sum of a.txt:", done.stdout)
    (folder / "half.pgm").write_bytes(b"P5 2 1 1000\n" + struct.pack(">HH", 500, 1000))
    done = run("sum", "--input", folder / "half.pgm")
    check("the sum 382 " in done.stdout, "samples of 16 bits, 127 and 255:", done.stdout, done.stderr)
    (folder / "red.ppm").write_bytes(b"P6 1 1 255 " + bytes((200, 100, 10)))
    done = run("sum", "--input", folder / "red.ppm")
    check("the sum 119 " in done.stdout, "grey of a colour:", done.stdout, done.stderr)
    done = run("sum", "--input", folder / "a.txt", "--size", 3)
    check("the sum 6 " in done.stdout and "the first 3 are used" in done.stderr, "sum of the first of a.txt:", done.stdout)
    for name, text, words in (("gene.fa", ">a gene\nACGTACGT\r\nTAGC\n;a comment\nA C\n", "FASTA, 14 symbols"), ("letters.txt", "ab c\nd\n", "text, 5 symbols"), ("quote.txt", "ab\n> c\n", "text, 5 symbols"),
                              ("numbers.txt", "1 2 3\n", "text, 3 symbols"), ("a.csv", None, "text, 3 rows of 3 symbols")):
        if text is not None:
            (folder / name).write_text(text, newline="")
        for algorithm in ("string-matching", "lcs"):
            done = run(algorithm, "--input", folder / name, "--taps", 20, "--machine", "hmm")
            check(done.returncode == 0 and words in done.stdout and "correct: " in done.stdout, algorithm, name, done.stdout, done.stderr)
    check_patterns(folder)
    (folder / "sides.txt").write_text("30 35 15 5 10 20 25")
    done = run("matrix-chain", "--input", folder / "sides.txt")
    check("6 matrices" in done.stdout and "correct: 15125 multiplications" in done.stdout, "sides.txt:", done.stdout, done.stderr)
    done = run("matrix-chain", "--input", folder / "sides.txt", "--json")
    check(json.loads(done.stdout or "{}").get("multiplications") == 15125, "sides.txt:", done.stdout, done.stderr)
    for algorithm, inputs, size in (("bulk-sort", 2, 4), ("bulk-sort", 3, 2), ("bulk-triangulation", 15, 3)):
        for arrangement in ("columns", "rows"):
            file = folder / ("long.npy" if inputs == 15 else "a.txt")
            done = run(algorithm, "--input", file, "--inputs", inputs, "--arrangement", arrangement, "--json")
            found = json.loads(done.stdout or "{}")
            check(found.get("size") == size and found.get("inputs") == inputs and found.get("arrangement") == arrangement and
                  found.get("correct"), algorithm, inputs, "inputs of a file:", done.stdout, done.stderr)
    done = run("transpose-straightforward", "--input", folder / "wide.png")
    check("cropped to the 9 x 9 in the middle" in done.stderr, "cropping is not announced:", done.stderr)


def least_distances(pattern, text):
    """D[m][j] for each place j of the text, and the least."""
    column = list(range(len(pattern) + 1))
    distances = []
    for symbol in text:
        diagonal, column[0] = column[0], 0
        for i, own in enumerate(pattern, 1):
            diagonal, column[i] = column[i], min(diagonal + (own != symbol), column[i] + 1, column[i - 1] + 1)
        distances.append(column[-1])
    return distances, min(distances)


def common_length(x, y):
    row = [0] * (len(y) + 1)
    for a in x:
        diagonal = 0
        for j, b in enumerate(y, 1):
            diagonal, row[j] = row[j], diagonal + 1 if a == b else max(row[j], row[j - 1])
    return row[-1]


def check_patterns(folder):
    """Patterns of the user's in a gene, with the distances and a common subsequence computed here."""
    file = pathlib.Path(__file__).resolve().parent.parent.parent / "example/insulin.fa"
    gene = "".join(line for line in file.read_text().split("\n") if not line.startswith(">"))
    check(len(gene) == 333 and set(gene) == set("ACGT"), "the gene", len(gene))
    for machine, pattern in itertools.product(("dmm", "umm", "hmm"), ("CTGCAG", "GATTACA", "T", "nothing", gene[40:60], gene + "A" * 20)):
        given = ["--input", file, "--pattern", pattern, "--machine", machine, "--width", 4, "--dmms", 2, "--threads", 32]
        distances, least = least_distances(pattern, gene)
        told = run("string-matching", *given).stdout
        figures = json.loads(run("string-matching", *given, "--json").stdout)
        check((figures["distance"], figures["end"]) == (least, distances.index(least) + 1), machine, pattern, figures)
        check(f"{least} the least, first of a substring that ends at symbol {distances.index(least) + 1}\n" in told, machine, pattern, told)
        check("correct: " in told, machine, pattern, told)
        found = json.loads(run("lcs", *given, "--json").stdout)
        common, length = found.get("subsequence", ""), common_length(pattern, gene)
        check(found["pattern"] == pattern and found["taps"] == len(pattern) and found["correct"], machine, pattern, found)
        check(found["length"] == len(common) == length and all(common_length(common, whole) == length for whole in (pattern, gene)), machine, pattern, found)
    check("pattern" not in json.loads(run("lcs", "--size", 9, "--json").stdout), "a pattern that was not given")
    (folder / "digits.txt").write_text("1 2 3")
    for arguments, words in ((["lcs", "--pattern", ""], "--pattern is empty"), (["lcs", "--pattern", "AC"], "without --input"),
                             (["sum", "--pattern", "AC"], "sum does not use it"), (["lcs", "--input", file, "--pattern", "A", "--taps", 1], "exclude each other"),
                             (["lcs", "--input", folder / "digits.txt", "--pattern", "12"], "digits.txt are numbers; accepted: a file with letters")):
        done = run(*arguments)
        check(done.returncode == 2 and words in done.stderr and done.stdout == "", arguments, done)


# --- what is not accepted ----------------------------------------------------------------------------------------------------

def check_permutations(folder):
    """Permutations by name and from a file, whose writes the trace of a scatter shows."""
    places = {"identity": range(6), "reverse": range(5, -1, -1), "transpose": (0, 2, 4, 1, 3, 5), "shuffle": (0, 2, 4, 1, 3, 5)}
    places = {name: (["--permutation", name], 6, list(s)) for name, s in places.items()}
    places["bit-reversal"] = (["--permutation", "bit-reversal"], 8, [0, 4, 2, 6, 1, 5, 3, 7])
    (folder / "places.txt").write_text("2, 0, 1, 4, 3\n")
    places["a file"] = (["--input", folder / "places.txt"], 5, [2, 0, 1, 4, 3])
    for name, (options, size, expected) in places.items():
        more = [] if name == "a file" else ["--size", size]
        done = run("permutation-direct", "--machine", "pram", "--threads", 1, *options, *more, "--trace", folder / "p.csv", "--json")
        with open(folder / "p.csv", newline="") as lines:
            written = [int(e["address"]) for e in csv.DictReader(lines) if e["op"] == "w"]
        found = json.loads(done.stdout)
        check(done.returncode == 0 and [a - min(written) for a in written] == expected, name, written, done.stderr)
        check(found.get("permutation") == (None if name == "a file" else name), name, found)
    times = {run("permutation", "--width", 4, "--size", 99, "--seed", s, "--permutation", p, "--json").stdout.split('"time":')[1].split(",")[0]
             for s in (1, 2) for p in PERMUTATIONS[:5]}
    check(len(times) == 1, "a schedule's time depends on the permutation:", times)
    for numbers, words in (("0 2 1 2", "places 1 and 3 both go to 2; accepted: each of 0 to 3 once"), ("0 4 1", "place 1 goes to 4"),
                           ("0 -1 1", "place 1 goes to -1"), ("0 0.5", "place 1 goes to 0.5"), ("0 nan", "")):
        (folder / "none.txt").write_text(numbers)
        for algorithm in ("permutation", "permutation-direct"):
            done = run(algorithm, "--input", folder / "none.txt")
            check(done.returncode == 2 and words in done.stderr and done.stdout == "", numbers, done)
    drawn = run("permutation", "--width", 4, "--size", 16, "--permutation", "bit-reversal", "--schedule", folder / "schedule.svg")
    picture = (folder / "schedule.svg").read_text()
    check(drawn.returncode == 0 and picture.count("<line") == 2 * 16 and "round 3" in picture and "round 4" not in picture, "--schedule", drawn)
    for options, words in ((["permutation", "--size", 257, "--schedule", folder / "p.svg"], "accepted: 1 to 256"),
                           (["copy", "--schedule", folder / "p.svg"], "--schedule is given, but copy does not use it"),
                           (["permutation", "--permutation", "reversed"], "did you mean reverse"),
                           (["permutation", "--permutation", "bit-reversal", "--size", 6], "--size is 6; accepted: powers of two"),
                           (["permutation", "--permutation", "reverse", "--input", folder / "places.txt"], "exclude each other"),
                           (["sum", "--permutation", "reverse"], "--permutation is given, but sum does not use it"),
                           (["permutation", "--machine", "umm"], "dmm, hmm for permutation")):
        done = run(*options)
        check(done.returncode == 2 and words in done.stderr, options, done)


def check_rejections(folder):
    for algorithm, name, contents, words in (("lcs", "heading.fa", ">a gene\n", "has no symbol after its heading"),
                                             ("lcs", "two.fa", ">a gene\nAC\n>another\nGT\n", "two.fa has several records; accepted: FASTA with one heading"),
                                             ("lcs", "digit.txt", "1 abc", "; or a text that begins with a letter or >"),
                                             ("lcs", "words.dat", "a text", "accepted: finite numbers"),
                                             ("lcs", "binary.fa", ">a gene\nAC\0GT\n", "binary.fa has control characters; accepted: a text"),
                                             ("bulk-triangulation", "four.txt", "1 2 3 4", "four.txt has 4 numbers; accepted: 9 or more, the table of 3 x 3"),
                                             ("bulk-triangulation", "many.txt", "1 " * 100, "accepted: --inputs of 1 to 11, not 1024, of 3 x 3 weights each"),
                                             ("bulk-sort", "four.txt", "1 2 3 4", "four.txt has 4 numbers; accepted: --inputs of 1 to 4, not 1024"),
                                             ("matrix-chain", "one.txt", "7", "has 1 number; accepted: 2 or more"),
                                             *(("matrix-chain", "sides.txt", f"3 {side} 5", f"sides.txt has a matrix with a side of {side}; accepted: whole numbers from 1 to 2^31")
                                               for side in ("0", "-4", "2.5", "2147483649"))):
        (folder / name).write_text(contents)
        done = run(algorithm, "--input", folder / name)
        check(done.returncode == 2 and done.stdout == "" and words in done.stderr, algorithm, name, done.returncode, done.stdout, done.stderr)
    bad = {"empty.txt": b"", "word.txt": b"1 2 x", "nan.txt": b"1 nan", "none.txt": b"# nothing\n", "odd.bin": b"abc",
           "no.npy": b"1 2 3", "complex.npy": npy([], "(1,)", "<c8"), "header.npy": b"\x93NUMPY\x01\x00\x05\x00{'a'}",
           "cut.npy": npy(range(9), "(9,)", "<i4")[:-1], "huge.npy": npy([], "(4000000000, 4000000000)", "<i4"),
           "no.png": b"not a picture", "signs.txt": b"1 +-2", "plus.txt": b"1 + 2", "late.txt": b"1 \xEF\xBB\xBF2",
           "mark.txt": b"\xEF\xBB\xBF", "inf.f64": struct.pack("<d", float("inf")), "binary.txt": bytes(range(256))}
    for name, contents in bad.items():
        (folder / name).write_bytes(contents)
    for name, text in (("utf16.txt", "1 2 3".encode("utf-16")), ("utf16le.csv", "1,2".encode("utf-16-le")),
                       ("utf16be.csv", "1,2".encode("utf-16-be")), ("utf32.txt", "1 2".encode("utf-32"))):
        (folder / name).write_bytes(text)
        done = run("sum", "--input", folder / name)
        check(done.returncode == 2 and "UTF-16" in done.stderr and "accepted: UTF-8" in done.stderr, name, done)
    done = run("sum", "--input", "a\nb")
    check(done.returncode == 2 and "a?b" in done.stderr and done.stderr.count("\n") == 1, "a line end in a path", done.stderr)
    good = folder / "good.txt"
    good.write_text("1 2 3 4")
    cases = [  # arguments, and words that the message must contain
        ([], "accepted: contiguous, stride"), (["shuffle"], '"shuffle"'), (["shuffle"], "transpose-rotating"),
        (["sum", "--machine", "gpu"], "pram, bpram, dmm, umm, hmm"), (["copy", "--machine", "dmm"], "accepted: hmm for copy"),
        (["transpose-diagonal", "--machine", "umm"], "accepted: dmm"), (["transpose-rotating", "--machine", "dmm"], "umm"),
        (["sum", "--width", 0], "--width is 0; accepted: 1 to 64"), (["sum", "--width", 65], "--width is 65; accepted: 1 to 64"), (["sum", "--width", 128], "--width is 128"),
        (["sum", "--machine", "hmm", "--dmms", 4, "--threads", 6], "multiples of the number of DMMs, 4"),
        (["sum", "--size", "9223372036854775808"], "--size is 9223372036854775808"), (["sum", "--size", "1e3"], "--size is 1e3"),
        (["sum", "--size", ""], "--size"), (["sum", "--size", "4 "], "--size"), (["sum", "--size", "0x10"], "--size"),
        (["sum", "--seed", -1], "--seed is -1"), (["sum", "--frobnicate"], "frobnicate"), (["sum", "copy"], "copy"),
        (["sum", "--size"], "--size"), (["sum", "--size", 1, "--size", 2], "--size"),
        (["bulk-sort", "--arrangement", "diagonals"], '--arrangement is "diagonals"; accepted: columns, rows'),
        (["bulk-sort", "--inputs", 0], "--inputs is 0; accepted: a whole number from 1"), (["bulk-sort", "--machine", "dmm"], "accepted: umm"),
        (["bulk-sort", "--inputs", 2**62, "--size", 2], "--inputs"), (["bulk-sort", "--input", good, "--inputs", 5], "accepted: --inputs of 1 to 4, not 5"),
        (["bulk-triangulation", "--size", 2], "vertices"), (["sort", "--inputs", 2], "sort does not use it"), (["sort", "--arrangement", "rows"], "sort does not use it"),
        (["sum", "--taps", 3], "sum does not use it"), (["sum", "--radius", 3], "--radius"), (["sum", "--tile", 0], "--tile is 0"),
        (["sum", "--input", folder / "missing"], "missing"), (["sum", "--input", folder], "folder"),
        (["sum", "--input", good, "--size", 5], "accepted: 1 to 4"),
        (["transpose-straightforward", "--input", good, "--size", 3], "accepted: 1 to 2"),
        (["copy", "--machine", "hmm", "--capacity", 8], "--capacity 8 is too small: words of shared memory: 4096 needed, 8 available; accepted: a larger one"),
        (["matrix-multiply", "--machine", "gtx580", "--tile", 2000, "--size", 2000, "--no-simulate"], "--machine gtx580 is too small: "),
        (["summed-area", "--size", -1], "--size is -1; accepted: a whole number from 1 to 3000000000"),
        (["matrix-chain", "--size", 2**63 - 1], f"accepted: a whole number from 1 to {2**63 - 2}"),
        (["bulk-prefix-sums", "--size", 2**63 - 1], "are too large together; accepted: at most 2^63 - 1 words in all"),
        (["sum", "--size", 10**15], "--no-simulate"), (["sum", "--threads", 2**63 - 1], "--no-simulate"),
        (["sum", "--machine", "hmm", "--dmms", 10**8], "--no-simulate"), (["transpose-diagonal", "--size", 10**12], "--size is 1000000000000"),
        (["sum", "--latency", 2**62, "--size", 100], "64 bits"),
        (["bulk-triangulation", "--size", 10**6, "--inputs", 64, "--no-simulate"],
         "too large together: --size 1000000, --inputs 64, --threads 1024, --latency 400"),
        (["sum", "--trace", folder / "missing" / "t.csv"], "cannot be written"), (["sum", "--trace", folder], "cannot be written"),
        (["sum", "--svg", folder / "missing" / "t.svg"], "cannot be written"),
        (["sum", "--trace", folder / "same", "--svg", folder / "same"], "same file"),
        (["sum", "--html", folder / "same", "--svg", folder / "same"], "same file"),
        (["sum", "--html", folder / "missing" / "t.html"], "cannot be written"),
        (["prefix-sum"], "did you mean prefix-sums?"), (["convoluton"], "did you mean convolution?"), (["patern"], "did you mean pattern?"),
        (["suk"], "did you mean sum?"), (["usm"], "did you mean sum?"), (["sum", "--machine", "dm"], "did you mean dmm?"),
        (["sum", "--machine", "h20"], "did you mean h200?"), (["sum", "--widht", 4], "did you mean --width?"),
        (["sum", "--treads=4"], "did you mean --threads?"), (["layout", "rotatd"], "did you mean rotated?"),
        (["layout", "rotated", "--row", 4], "did you mean --rows?"), (["layout"], "LAYOUT"), (["layout", "rotated", "--rows", 0], "--rows is 0; accepted: 1 to 256"),
        (["layout", "swizzled", "--columns", 3], "mmm-explore: --columns is 3; accepted: a power of two"),
        (["layout", "swizzled", "--width", 5], "mmm-explore: --columns is 5, the width; accepted: a power of two for swizzled"), (["layout", "rotated", "--padding", 1], "it is for padded"),
        (["figure"], "FIGURE"), (["figure", "umm-opt-case"], "did you mean umm-opt-case-1?"), (["figure", "sum", "--list"], "--list is given with a figure"),
        (["figure", "sum", "--svg", folder / "missing" / "f.svg"], "cannot be written"),
        (["layout", "rotated", "--width", 65], "--width is 65; accepted: 1 to 64"),
        (["random-shfit"], "did you mean random-shift?"), (["random-shift", "--access", "strid"], "did you mean stride?"),
        (["random-shift", "--scheme", "raw"], "accepted: none, ras, rap"), (["random-shift", "--width", 65], "--width is 65; accepted: 1 to 64"),
        (["random-shift", "--machine", "umm"], "accepted: dmm, since"), (["random-shift", "--latency=5"], "--latency is given, but the stages"),
        (["random-shift", "--threads", 5], "--threads is given, but the stages"), (["random-shift", "--width", ""], "--width is empty"),
        (["layout", "rotated", "--svg", ""], "--svg is empty"), (["figure", "sum", "--svg", ""], "--svg is empty"),
        (["lcs", "--taps", 10**12, "--size", 9], "--taps 1000000000000"), (["random-shift", "--seed", -1], "--seed is -1"),
        (["random-shift", "--size", 4], "random-shift --help"),
        (["layout", "rotated", "--svg", folder / "missing" / "t.svg"], "cannot be written"),
        (["sum", "--input", good, "--trace", good], "same file"), (["sum", "--no-simulate", "--trace", "x"], "--no-simulate")]
    # A word of a sum needs less memory than one of a sort. With 1 GiB of address space the former ends before it works.
    words = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") // 100
    if words > 2**27:
        limited = lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
        for algorithm, message in (("sum", "there is not enough memory"), ("sort", "--no-simulate")):
            done = subprocess.run([program, algorithm, "--size", str(words)], capture_output=True, text=True, preexec_fn=limited, timeout=60)
            check(done.returncode == 2 and message in done.stderr, algorithm, words, done.stderr)
    if os.path.exists("/dev/full"):
        cases.append((["sum", "--size", 9, "--trace", "/dev/full"], "cannot be written"))
    cases += [(["sum", "--machine", "hmm", option, value], f"{option} is {value}")
              for option in ("--size", "--threads", "--latency", "--shared-latency", "--dmms", "--capacity", "--ports")
              for value in ("0", "-5", "-0", "+5", " 5", "5 ", "1e3", "0x5", "5.0", "99999999999999999999", "x")]
    cases += [(["sum", "--seed", value], f"--seed is {value}; accepted: a whole number from 0") for value in ("-0", "+5", " 5", "1e3")]
    cases += [(["image-convolution", "--radius", "-0"], "--radius is -0")]
    cases += [(["sum", "--input", folder / name], name) for name in bad]
    forms = [], ["--json"]
    for nth, (arguments, words) in enumerate(cases):
        for extra in [forms[nth % 2]] if quick else forms:
            done = run(*arguments, *extra)
            check(done.returncode == 2 and done.stdout == "" and words in done.stderr and done.stderr.count("\n") == 1,
                  arguments, "status", done.returncode, "stdout", done.stdout, "stderr", done.stderr)
    check(good.read_text() == "1 2 3 4", "an input file was overwritten")
    for arguments in (["shuffle"], ["?"], ["sum", "--frobnicate"], ["sum", "--machine", "gpu"]):
        check("did you mean" not in run(*arguments).stderr, arguments, "is near to a name")


#: Where the element at (row, column) of an array of the given columns lies.
LAYOUTS = {"row-major": lambda r, c, rows, columns: r * columns + c, "column-major": lambda r, c, rows, columns: c * rows + r,
           "padded": lambda r, c, rows, columns: r * (columns + 3) + c,
           "rotated": lambda r, c, rows, columns: r * columns + (r + c) % columns,
           "swizzled": lambda r, c, rows, columns: r * columns + (c ^ r % columns)}


def check_layouts(folder):
    def stages(words, width):
        groups = [words[k:k + width] for k in range(0, len(words), width)]
        return max(max(collections.Counter(w % width for w in group).values()) for group in groups)

    for name, word in LAYOUTS.items():
        for rows, columns, width in ((4, 4, 4), (3, 8, 4), (33, 32, 32), (1, 1, 1), (256, 2, 64)):
            arguments = ["layout", name, "--rows", rows, "--columns", columns, "--width", width, *(["--padding", 3] if name == "padded" else [])]
            done, picture = run(*arguments, "--json"), folder / "layout.svg"
            found = json.loads(done.stdout) if done.returncode == 0 else {}
            expected = [[word(r, c, rows, columns) for c in range(columns)] for r in range(rows)]
            check(found.get("word") == expected and found["words"] == max(map(max, expected)) + 1, arguments, done)
            check(found["row_stages"] == max(stages(line, width) for line in expected), arguments, "row", found)
            check(found["column_stages"] == max(stages(list(line), width) for line in zip(*expected)), arguments, "column", found)
            shown = run(*arguments, "--svg", picture)
            check(shown.returncode == 0 and f"{rows} x {columns} in {width} bank" in shown.stdout, arguments, shown)
            # the element in each word, by line and bank, in the text and in the picture
            lines = [line.split() for line in shown.stdout.splitlines() if line.split()[:1] == ["word"]]
            elements = {int(line[1]) + k: e for line in lines for k, e in enumerate(line[2:])}
            drawn = re.findall(r">(\d+,\d+)</text>", picture.read_text())
            check(all(elements[expected[r][c]] == f"{r},{c}" for r in range(rows) for c in range(columns)), arguments, shown.stdout)
            check(drawn == [e for _, e in sorted(elements.items()) if e != "."] and len(drawn) == rows * columns, arguments, "picture", drawn)
    check(run("layout", "rotated", "--width", 8).stdout.count("word") == 8, "a square of the width's side is the default")


def check_random_shifts(folder):
    """Expectations from all shifts of small matrices."""
    def congestion(words, width):
        return max(collections.Counter(word % width for word in set(words)).values())

    def shifts(width, scheme):
        return {"none": [(0,) * width], "ras": itertools.product(range(width), repeat=width), "rap": itertools.permutations(range(width))}[scheme]

    def elements(width, access):
        rows = range(width)
        return {"contiguous": [[(1 % width, i) for i in rows]], "stride": [[(i, 1 % width) for i in rows]],
                "diagonal": [[(i, (i + 1) % width) for i in rows]],
                "random": itertools.product(itertools.product(rows, rows), repeat=width)}[access]

    for width, access, scheme in itertools.product((1, 2, 3, 4), ("contiguous", "stride", "diagonal", "random"), ("none", "ras", "rap")):
        if access == "random" and width == 4 or access == "random" and width == 3 and scheme == "ras":
            continue
        found = [congestion([r * width + (c + shift[r]) % width for r, c in warp], width)
                 for shift in shifts(width, scheme) for warp in elements(width, access)]
        arguments = ["random-shift", "--machine", "dmm", "--width", width, "--access", access, "--scheme", scheme]
        told = json.loads(run(*arguments, "--json").stdout)
        mean = sum(found) / len(found)
        check(told["machine"] == {"kind": "dmm", "width": width} and told["algorithm"] == "random-shift" and told["exact"], told)
        check(abs(told["expected_congestion"] - mean) < 1e-9 and told["interval"] == [told["expected_congestion"]] * 2, arguments, mean, told)
        check(all(abs(p - found.count(k) / len(found)) < 1e-9 for k, p in enumerate(told["probability"], 1)), arguments, told)
        check(told["expected_congestion"] <= told["upper_bound"] + 1e-9, arguments, told)
        check(min(found) < max(found) or told["upper_bound"] == mean, arguments, "one congestion for all shifts", told)
        check(f"{mean:.6f}" in run(*arguments).stdout and "exact" in run(*arguments).stdout, arguments, "text")
    wide = ["random-shift", "--width", 32, "--access", "diagonal", "--scheme", "rap"]
    told, other = (json.loads(run(*wide, "--json", "--seed", seed).stdout) for seed in (1, 2))
    low, high = told["interval"]
    check(not told["exact"] and low < told["expected_congestion"] < high < low + 0.01 and told["confidence"] == 0.999, told)
    check(low < other["expected_congestion"] < high and other["expected_congestion"] != told["expected_congestion"], told, other)
    picture = folder / "random_shift.svg"
    run(*wide, "--svg", picture)
    check(f"{told['expected_congestion']:.6f}" in picture.read_text() and "99.9 %" in picture.read_text(), "the picture")
    check(any(line.split()[:2] == ["random-shift", "dmm"] and "Matsumae" in line for line in run("--list").stdout.splitlines()), "--list")
def check_figures(folder):
    listed = re.findall(r"^(\S+) +.* \((.*)\)$", run("figure", "--list").stdout, re.MULTILINE)
    check(len(listed) == 18, "figures", listed)
    check([f["figure"] for f in json.loads(run("figure", "--list", "--json").stdout)] == [name for name, _ in listed], "figures as JSON")
    for name, source in listed:
        picture = folder / "figure.svg"
        done = run("figure", name, "--svg", picture)
        title = done.stdout.split("\n")[0]
        check(done.returncode == 0 and done.stdout.endswith(f"\n{source}\n"), "figure", name, done)
        found = json.loads(run("figure", name, "--json").stdout)
        check(found["figure"] == name and found["source"] == source and done.stdout.startswith(found["text"]), "figure", name, found)
        check(xml.etree.ElementTree.parse(picture).find("{http://www.w3.org/2000/svg}title").text == title, "figure", name, "picture")


def sources(text):
    """The papers that a text names, each with its theorems."""
    papers = list(re.finditer(r"(?:[A-Z]\w+(?:, (?=[A-Z])| and )?)+ \d{4}[abc]?", text))
    found = set()
    for at, paper in enumerate(papers):
        rest = text[paper.end():papers[at + 1].start() if at + 1 < len(papers) else None]
        items = re.findall(r"(lemma|theorem|corollary|section)s? ([\dIVX]+(?:(?:, | and )[\dIVX]+)*)", rest)
        found |= {(paper.group(), kind, number) for kind, numbers in items for number in re.split(", | and ", numbers)} or {(paper.group(),)}
    return found or {("this library",)}


def check_sources(listed):
    """--list and the table of docs/algorithms.md name the same sources of an algorithm, its sections no others."""
    page = (pathlib.Path(__file__).resolve().parent.parent.parent / "docs/algorithms.md").read_text()
    table = re.findall(r"^\| (`[^|]*) \| [^|]* \| ([^|]*) \| [^|]* \|$", page[:page.index("\n## ")], re.MULTILINE)
    titles = re.findall(r"^### (`[^—]*) — ([^(\n]*)", page, re.MULTILINE)
    of_machines = [(name.replace("_", "-"), machines, source) for name, machines, source in
                   re.findall(r"^\| `([\w-]+)`[^|]* \| ([^|]*) \| ([^|]*) \| [^|]* \|$", page[:page.index("\n## ")], re.MULTILINE)]
    papers = set(re.findall(r"^\| (.* \d{4}[abc]?) \| [A-Z]", page, re.MULTILINE))
    for algorithm in MACHINES:
        words = [re.split("  +", line)[2] for line in listed.splitlines() if line.startswith(algorithm + " ")]
        check(len(words) == 1, "--list:", algorithm, words)
        for kind in MACHINES[algorithm].split():
            rows = [source for name, machines, source in of_machines if name == algorithm and (kind.upper() in machines or machines == "all")]
            own = any("this library" in source or "Nakano" not in source for source in rows)
            told = run(algorithm, "--machine", kind, "--size", 8, "--no-simulate").stdout
            if "upper bound" in told and len(set(rows)) == 1:
                check((" by this library\n" if own else " by the paper\n") in told, algorithm, kind, rows, told)
        for place, rows in (("table", table), ("titles", titles)):
            named = [sources(source) for name, source in rows if name.split("`")[1].replace("_", "-") == algorithm]
            together = set().union(*named) - {("this library",)} or {("this library",)}
            right = together == sources(words[0]) or place == "titles" and together < sources(words[0])
            check({key[0] for key in together} <= papers | {"this library"}, "docs/algorithms.md does not list", sorted(together))
            check(named and right, algorithm, "is in docs/algorithms.md,", place, "by", sorted(together), "and in --list by", words)


def check_the_rest(folder):
    listed = run("--list")
    check(listed.returncode == 0, "--list")
    for algorithm, machines in MACHINES.items():
        lines = [line for line in listed.stdout.splitlines() if line.split() and line.split()[0] == algorithm]
        check(len(lines) == 1 and ", ".join(machines.split()) in lines[0], "--list:", algorithm, lines)
    check_sources(listed.stdout)
    as_json = json.loads(run("--list", "--json").stdout)
    check({a["algorithm"]: " ".join(a["machines"]) for a in as_json} == MACHINES, "--list --json", as_json)
    check(all(f'  {a["source"]}  ' in listed.stdout and f'  {a["summary"]}\n' in listed.stdout for a in as_json), "--list --json", as_json)
    for word in ("pattern", "layout", "choose-layout", "emit", "random-shift", "figure", "fragment", "tensor-map", "wgmma"):
        check(re.search(rf"^{word} ", listed.stdout, re.MULTILINE), "--list lacks", word)
    told = run("--help")
    check(told.returncode == 0 and "--shared-latency" in told.stdout and "default" in told.stdout, "--help")
    table = run("sum", "--machine", "umm", "--width", 4, "--latency", 5, "--size", 1000, "--threads", 8)
    for words in ("time", "pipelined time", "rounds", "stages", "bandwidth", "latency", "reduction", "agrees", "correct", "races"):
        check(words in table.stdout, "the table lacks", words)
    for algorithm, kind, parameters in (
            ("sum", "hmm", ["--dmms", 132, "--shared-latency", 29, "--latency", 479, "--ports", 19, "--capacity", 58112]),
            ("transpose-diagonal", "dmm", ["--latency", 29]), ("transpose-rotating", "umm", ["--latency", 479, "--ports", 19])):
        of_gpu, same = (json.loads(run(algorithm, "--machine", *machine, "--size", 64, "--json").stdout)
                        for machine in (["h200"], [kind, *parameters]))
        check(of_gpu["machine"].pop("gpu") == "h200" and of_gpu == same, "the machine of a GPU:", algorithm, of_gpu, same)
    ignored = run("sum", "--machine", "pram", "--latency", 7, "--json")
    check(ignored.returncode == 0 and "--latency does not matter" in ignored.stderr, "no note:", ignored.stderr)
    first, again, other = (run("sum", "--size", 99, *seed).stdout for seed in ([], [], ["--seed", 2]))
    check(first == again and first != other, "seeds")
    large = json.loads(run("sum", "--machine", "umm", "--size", 2**40, "--threads", 2**16, "--no-simulate", "--json").stdout)
    check(large["time"] > large["bound"]["time"] > 2**34 and large["pipelined_time"] is None, "--no-simulate:", large)
    (folder / "old.svg").write_text("x" * 10000000)
    for kind in ("pram", "bpram", "dmm", "umm", "hmm"):
        drawn = run("sum", "--machine", kind, "--width", 4, "--size", 40, "--threads", 16, "--svg", folder / "old.svg")
        picture = (folder / "old.svg").read_text()
        check(drawn.returncode == 0 and picture.startswith("<") and picture.rstrip().endswith("</svg>"), "--svg:", kind,
              drawn.stderr)
    for more, pictures in (([], 1), (["--no-simulate"], 0)):
        paged = run("sum", "--size", 40, "--threads", 16, "--html", folder / "sum.html", *more)
        page = (folder / "sum.html").read_text(encoding="utf-8")
        check(paged.returncode == 0 and page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>") and
              page.count("<svg") == pictures and "<td>lower bound</td>" in page, "--html:", more, paged.stderr)


def check_constants():
    """The constant of an upper bound is twice as large where the sizes do not divide, and must be."""
    for algorithm, machine, divides, remains in (
            ("contiguous", ("umm", 2, 5), (256, 4), (277, 5)), ("permutation", ("dmm", 2, 40), (256, 4), (247, 3))):
        kind, width, latency = machine
        constants = []
        for size, threads in (divides, remains):
            done = run(algorithm, "--machine", kind, "--width", width, "--latency", latency, "--size", size, "--threads", threads, "--json")
            found = json.loads(done.stdout)
            constants.append(found["upper_bound"]["constant"])
        check(constants[1] == 2 * constants[0], algorithm, "constants", constants)
        check(found["time"] > constants[0] * found["upper_bound"]["time"], algorithm, "the smaller constant holds, too:", found)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = [pool.submit(check_run, folder, number, *one) for number, one in enumerate(grid())]
            for done in runs:
                done.result()
        check_inputs(folder)
        check_cut_off(folder)
        check_endless(folder)
        check_permutations(folder)
        check_rejections(folder)
        check_layouts(folder)
        check_random_shifts(folder)
        check_figures(folder)
        check_constants()
        check_the_rest(folder)
    finish()


main()
