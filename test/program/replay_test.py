#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests mmm-replay: recorded requests of every width, space and shape, whose costs are recomputed
here byte by byte; the formats that it reads; the files that it rejects. The recomputation is
written from the hardware's rules, without the library.

    replay_test.py [--quick] PATH_OF_MMM_REPLAY
"""
import json
import os
import pathlib
import random
import subprocess
import tempfile

from checks import check, finish, program, quick, run

here = pathlib.Path(__file__).resolve().parent / "replay"


# --- the hardware's rules, byte by byte -------------------------------------------------------------------------------------

def conflict(addresses, width):
    """The largest number of distinct words in one bank."""
    banks = {}
    for first in addresses:
        for byte in range(first, first + width):
            banks.setdefault(byte // 4 % 32, set()).add(byte // 4)
    return max(map(len, banks.values()))


def shared(lanes, width, groups):
    """(wavefronts, ideal, excessive) of a request: `lanes` maps active lanes to addresses, and each
    group of lanes is a phase."""
    asked = [[lanes[t] for t in group if t in lanes] for group in groups]
    costs = [conflict(group, width) for group in asked if group]
    return sum(costs), len(costs), sum(costs) - len(costs)


def lane_groups(size):
    return [range(first, first + size) for first in range(0, 32, size)]


def expected(space, op, width, lanes, merge=False):
    if space == "global":
        touched = [byte for first in lanes.values() for byte in range(first, first + width)]
        return {"sectors": len({b // 32 for b in touched}), "lines": len({b // 128 for b in touched})}
    if space == "ldmatrix":
        figures = shared(lanes, 16, lane_groups(8)[:width // 4])
    else:
        size = {8: 16, 16: 8}.get(width, 32)
        for distance in (1, 2):
            if merge and op == "load" and width > 4 and all(lanes.get(t ^ distance, a) == a for t, a in lanes.items()):
                size = {8: 32, 16: 16}[width]
        figures = shared(lanes, width, lane_groups(size))
    return dict(zip(("wavefronts", "ideal", "excessive"), figures))


def requests_of(csv):
    for line in csv.splitlines()[1:]:
        space, op, width, addresses = line.split(",")
        lanes = {t: int(a, 0) for t, a in enumerate(addresses.split(";")) if a}
        yield space, op, int(width), lanes


def json_lines(found, name):
    check(found.returncode == 0, name, "exit", found.returncode, found.stderr)
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    return lines[:-1], lines[-1]


def same(got, wanted, *name):
    check({k: got.get(k) for k in wanted} == wanted, *name, "got", got, "expected", wanted)


def sums(wanted):
    """The totals of a list of (figures, has active lanes)."""
    of = {"shared": {"requests": 0, "wavefronts": 0, "ideal": 0, "excessive": 0},
          "global": {"requests": 0, "sectors": 0, "lines": 0}}
    for figures, present in wanted:
        to = of["shared" if "ideal" in figures else "global"]
        to["requests"] += present
        for key, value in figures.items():
            to[key] += value
    return of


def compare(csv, *options, name, path="-"):
    merge = "--pair-merge" in options
    objects, last = json_lines(run(path, "--json", *options, text=csv if path == "-" else None), name)
    wanted = [(expected(*r, merge=merge), bool(r[3])) for r in requests_of(csv)]
    check(len(objects) == len(wanted), name, len(objects), "objects for", len(wanted), "requests")
    for k, (got, (figures, _)) in enumerate(zip(objects, wanted)):
        same(got, figures, name, "request", k + 1)
        check(got["line"] == k + 2, name, "line", got["line"])
    same(last["totals"], sums(wanted), name, "totals")


# --- the file written by hand -------------------------------------------------------------------------------------------------

text = (here / "requests.csv").read_text()
count = len(list(requests_of(text)))
check(count >= 40, "the file has", count, "requests")
check({(r[0], r[2]) for r in requests_of(text)}
      >= {(s, w) for s in ("shared", "global") for w in (1, 2, 4, 8, 16)} | {("ldmatrix", w) for w in (4, 8, 16)},
      "not every width and space")
compare(text, name="by hand", path=here / "requests.csv")
compare(text, "--pair-merge", name="by hand, merged", path=here / "requests.csv")
compare(text.replace("\n", "\r\n"), name="CR LF")
compare(text.rstrip("\n"), name="no end of the last line")
short, long = (run("-", "--json", "--pair-merge", text=t).stdout
               for t in (text.replace(",load,", ",r,").replace(",store,", ",w,"), text))
check(short == long, "r and w are load and store")

# Figures from published documents, in case both enumerations have the same error.
for line, merge, figures in (("shared,load,16," + ";".join(str(16 * t) for t in range(32)), False, (4, 4, 0)),
                             ("shared,load,16," + ";".join(str(128 * t) for t in range(32)), False, (32, 4, 28)),
                             ("shared,load,16," + ";".join(["64"] * 32), True, (2, 2, 0)),
                             ("shared,load,16," + ";".join(str(t // 2 * 32) for t in range(32)), True, (4, 2, 2)),
                             ("ldmatrix,load,8," + ";".join(str(t * 256) for t in range(16)), False, (16, 2, 14))):
    options = ["--pair-merge"] if merge else []
    objects, _ = json_lines(run("-", "--json", *options, text="space,op,bytes,addresses\n" + line), line)
    same(objects[0], dict(zip(("wavefronts", "ideal", "excessive"), figures)), line)

# --- random requests, in more than one buffer of the reader's -------------------------------------------------------------

random.seed(3)
lines = ["space,op,bytes,addresses"]
for _ in range(9000):
    space = random.choice(("shared", "global", "ldmatrix"))
    width = random.choice((4, 8, 16) if space == "ldmatrix" else (1, 2, 4, 8, 16, 32)[:6 if space == "global" else 5])
    unit = 16 if space == "ldmatrix" else width
    reach = 10 ** random.randint(0, 12 if space == "global" else 4)
    stride, offset = random.randint(0, 40), random.randint(0, reach)
    spread = random.random() < 0.5
    addresses = []
    for t in range(random.choice((32, 32, 32, random.randint(0, 32)))):
        a = unit * (random.randint(0, reach) if spread else offset + stride * t)
        addresses.append("" if random.random() < 0.05 else hex(a) if random.random() < 0.02 else str(a))
    lines.append(f"{space},{random.choice(('load', 'store'))},{width}," + ";".join(addresses))
compare("\n".join(lines), name="random")
compare("\n".join(lines), "--pair-merge", name="random, merged")

# --- Accel-Sim's traces ------------------------------------------------------------------------------------------------------

trace = """-kernel name = _Z6kernelPf
-kernel id = 1
-grid dim = (1,1,1)
-shmem base_addr = 0x00007f0000000000
-accelsim tracer version = 4

#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 12
0000 ffffffff 1 R1 MOV 1 R2 0
0010 ffffffff 1 R4 LDG.E.SYS 1 R4 4 1 0x7f2b5ae00000 4
0020 0000ffff 1 R4 LDG.E.64.SYS 1 R4 4 1 0x7f2b5ae00040 16
0030 ffffffff 1 R4 LDG.E.U8 1 R4 1 1 0x7f2b5ae00000 33
0040 ffffffff 0 STS.128 2 R4 R8 4 1 0x7f0000000000 32
0040 ffffffff 0 STS.128 2 R4 R8 4 1 0x7f0000000000 16
0050 0000000f 1 R4 LDS 1 R4 4 0 0x80 0x100 0x180 0x84
0060 f0000001 1 R4 LDS.U.64 1 R4 8 2 0x100 64 -64 256 -128
0070 ffffffff 4 R4 R5 R6 R7 LDSM.16.M88.4 1 R9 4 1 0x0 32
0080 ffffffff 1 R4 LDSM.16.MT88 1 R9 4 1 0x0 128
0090 ffffffff 1 R4 LDL 1 R9 4 1 0x0 4
00a0 00000000 1 R4 LDS 1 R9 4 1 0x0 4
#END_TB
"""
every = range(32)
wanted = [
    (0x10, ("global", "load", 4, {t: 0x7f2b5ae00000 + 4 * t for t in every})),
    (0x20, ("global", "load", 8, {t: 0x7f2b5ae00040 + 16 * t for t in range(16)})),
    (0x30, ("global", "load", 1, {t: 0x7f2b5ae00000 + 33 * t for t in every})),
    (0x40, ("shared", "store", 16, {t: 32 * t for t in every})),
    (0x40, ("shared", "store", 16, {t: 16 * t for t in every})),
    (0x50, ("shared", "load", 4, {0: 0x80, 1: 0x100, 2: 0x180, 3: 0x84})),
    (0x60, ("shared", "load", 8, {0: 256, 28: 320, 29: 256, 30: 512, 31: 384})),
    (0x70, ("ldmatrix", "load", 16, {t: 32 * t for t in every})),
    (0x80, ("ldmatrix", "load", 4, {t: 128 * t for t in every})),
    (0xA0, None),
]


def accel_sim(text, name):
    objects, last = json_lines(run("-", "--json", text=text), name)
    check([o["pc"] for o in objects] == [pc for pc, _ in wanted], name, "counters", objects)
    by_counter = {}
    for got, (pc, r) in zip(objects, wanted):
        figures = expected(*r) if r else {"wavefronts": 0, "ideal": 0, "excessive": 0}
        same(got, figures, name, hex(pc))
        by_counter.setdefault(pc, []).append((figures, r is not None))
    same(last["totals"], sums([f for own in by_counter.values() for f in own]), name, "totals")
    check(last["totals"]["passed_over"] == 1, name, "passed over", last["totals"])
    check([e["pc"] for e in last["by_pc"]] == sorted(by_counter), name, "by_pc", last)
    for entry in last["by_pc"]:
        same(entry, sums(by_counter[entry["pc"]]), name, entry["pc"])


def before_instructions(prefix):
    return "\n".join(prefix + line if line[:1] in "0" and " R" in line else line for line in trace.splitlines())


accel_sim(trace, "Accel-Sim")
accel_sim(before_instructions("12 "), "Accel-Sim with lines of source")
accel_sim(before_instructions("0 0 0 3 "), "Accel-Sim with blocks and warps")
table = run("-", "--gpu", "h200", text=trace)
check(table.returncode == 0 and "PC 0x0040" in table.stdout and "H200" in table.stdout, "table", table)
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "sums.html")
    paged = run("-", "--gpu", "h200", "--html", file, text=trace)
    page = file.read_text(encoding="utf-8")
    check(paged.stdout == table.stdout and "<td>PC 0x0040</td>" in page and "H200" in page and page.startswith("<!DOCTYPE html>"), "page", page)
    refused = run("-", "--html", pathlib.Path(folder, "no", "file"), text=trace)
    check(refused.returncode == 2 and "--html" in refused.stderr, "page", refused)

# --- the library's own traces: words of 4 bytes ------------------------------------------------------------------------------

updates = "round,space,dmm,thread,address,op\n" + "".join(f"{r},{space},0,{t},{5 + 32 * (t % 2) * r},u\n"
                                                          for r, space in ((0, "shared"), (1, "global")) for t in range(32))
counted = json.loads(run("-", "--json", text=updates).stdout.splitlines()[-1])["totals"]
check(counted["shared"]["wavefronts"] == 32 and counted["global"]["sectors"] == 2, "atomic updates", counted)

own = """round,space,dmm,thread,address,op
0,global,0,0,100,r
0,global,0,1,101,r
0,global,0,33,7,r
1,shared,0,0,0,r
1,shared,0,0,5,w
1,shared,0,1,32,r
1,shared,0,1,5,w
1,shared,1,1,32,r
"""
objects, last = json_lines(run("-", "--json", text=own), "words")
wanted_words = [("global", "load", 4, {0: 400, 1: 404}), ("global", "load", 4, {1: 28}),
                ("shared", "load", 4, {0: 0, 1: 128}), ("shared", "store", 4, {0: 20, 1: 20}),
                ("shared", "load", 4, {1: 128})]
check(len(objects) == len(wanted_words), "words:", objects)
for got, r in zip(objects, wanted_words):
    same(got, expected(*r), "words", r)
check([o["line"] for o in objects] == [2, 4, 5, 6, 9], "words: lines", objects)

# The lines of one round, in any order: the same requests, as many, at the same cost.
many = [f"{round_},{space},{dmm},{thread},{(thread * 7 + dmm) % 97 * (1 + round_)},{'rw'[(thread // 32 + round_) % 2]}"
        for round_ in range(4) for space, dmms in (("global", (0, 2)), ("shared", (0, 1))) for dmm in dmms for thread in range(0, 128, 3)]
rounds = [[line for line in many if line.startswith(f"{k},")] for k in range(4)]
in_order, in_order_last = json_lines(run("-", "--json", text="\n".join([own.splitlines()[0], *many])), "rounds in order")
check(len(in_order) == 4 * 4 * 4, "rounds in order:", len(in_order), "requests")


def costs_of(objects):
    return sorted(json.dumps({k: v for k, v in o.items() if k != "line"}, sort_keys=True) for o in objects)


for seed in range(5):
    shuffled = [line for lines_of_round in rounds for line in random.Random(seed).sample(lines_of_round, len(lines_of_round))]
    objects, last = json_lines(run("-", "--json", text="\n".join([own.splitlines()[0], *shuffled])), "a shuffled round")
    check(last == in_order_last and costs_of(objects) == costs_of(in_order), "shuffled rounds:", last, "in order:", in_order_last)

# A byte order mark of UTF-8 is skipped.
for name, text_, options in (("requests", text, []), ("words", own, []), ("Accel-Sim", trace, [])):
    plain, marked = (run("-", "--json", text=mark + text_) for mark in ("", "\ufeff"))
    check(plain.returncode == 0 and plain.stdout == marked.stdout, "a byte order mark:", name, marked.stderr)

def instruction(pc, mask, opcode, mode, addresses, space=" "):
    """A line of an Accel-Sim trace with `space` between its words."""
    if mode == 0:
        listed = [hex(a) for a in addresses]
    elif mode == 1:
        listed = [hex(addresses[0]), str(addresses[1] - addresses[0] if len(addresses) > 1 else 4)]
    else:
        listed = [hex(addresses[0])] + [str(b - a) for a, b in zip(addresses, addresses[1:])]
    return space.join([f"{pc:04x}", f"{mask:08x}", "1", "R4", opcode, "2", "R6", "R7", "4", str(mode), *listed])


# --- caches: every access looked up in a list of lines ------------------------------------------------------------------------

def cached(accesses, lines, sectors_of_a_line):
    """(traffic, misses by PC) of a fully associative cache of so many lines, of (PC, sector, writes)."""
    held, misses = {}, {}  # the line used last is the last; a line has its valid sectors, True if written
    found = dict.fromkeys(("sectors_read", "sectors_written", "read_misses", "write_misses", "write_backs"), 0)
    for pc, sector, writes in accesses:
        number = sector // sectors_of_a_line
        line = held[number] = held.pop(number, {})
        found["sectors_written" if writes else "sectors_read"] += 1
        if sector not in line:
            found["write_misses" if writes else "read_misses"] += 1
            misses[pc] = misses.get(pc, 0) + 1
        line[sector] = line.get(sector, False) or writes
        while len(held) > lines:
            found["write_backs"] += sum(held.pop(next(iter(held))).values())
    found["left"] = sum(sum(line.values()) for line in held.values())
    return found, misses


random.seed(38)
blocks = []  # of each, requests: (PC, writes, byte addresses)
for b in range(6):
    near = 4 * random.randrange(3000)
    blocks.append([(16 * k, k % 3 == 2, [4 * random.randrange(4000) if k % 4 == 0 else near + 4 * t * (1 + k % 5) for t in range(32)])
                   for k in range(20)])
names = {b: f"{b % 3},{b // 3},0" for b in range(6)}
by_header = "-kernel name = k\n" + "".join(
    f"thread block = {names[b]}\nwarp = 0\ninsts = 20\n"
    + "".join(instruction(pc, 0xFFFFFFFF, "STG.E" if w else "LDG.E", 0, a) + "\n" for pc, w, a in block) for b, block in enumerate(blocks))
by_line = "-kernel name = k\n" + "".join(
    f"{names[b].replace(',', ' ')} 0 " + instruction(pc, 0xFFFFFFFF, "STG.E" if w else "LDG.E", 0, a) + "\n"
    for b, block in enumerate(blocks) for pc, w, a in block)
by_dmm = "round,space,dmm,thread,address,op\n" + "".join(
    f"{20 * b + k},global,{b},{t},{a // 4},{'w' if w else 'r'}\n"
    for b, block in enumerate(blocks) for k, (_, w, addresses) in enumerate(block) for t, a in enumerate(addresses))
# No processor has a cache's code of its own: the short run has two sizes on a second one.
cache_sizes = (0, 128, 32), (4096, 128, 32), (1, 1, 1), (4000, 64, 64), (1 << 20, 128, 32), (2048, 2048, 32)
for size, line, sector in cache_sizes[:2 if quick and "MMM_PROCESSOR" in os.environ else None]:
    def accesses_of(order, resident):
        running, waiting = [], [iter(blocks[b]) for b in order]
        while running or waiting:
            while waiting and len(running) < resident:
                running.append(waiting.pop(0))
            for place, block in enumerate(list(running)):
                requests = next(block, None)
                while requests is None and waiting:
                    running[place] = block = waiting.pop(0)
                    requests = next(block, None)
                if requests:
                    pc, writes, addresses = requests
                    yield from ((pc, s, writes) for s in sorted({(a + k) // sector for a in addresses for k in range(4)}))
                else:
                    running[place] = None
            running = [block for block in running if block]

    wanted = {"as recorded": cached(accesses_of(range(6), 1), size // line, line // sector)}
    wanted["launch order, one by one"] = wanted["as recorded"]
    wanted["reverse order, one by one"] = cached(accesses_of(range(5, -1, -1), 1), size // line, line // sector)
    wanted["launch order, 4 side by side"] = cached(accesses_of(range(6), 4), size // line, line // sector)
    wanted["reverse order, 4 side by side"] = cached(accesses_of(range(5, -1, -1), 4), size // line, line // sector)
    for name, text_ in (("headers", by_header), ("lines", by_line), ("DMMs", by_dmm)):
        _, last = json_lines(run("-", "--json", "--cache", f"{size},{line},{sector}", "--resident", 4, text=text_), name)
        got = last["totals"]["cache"]
        orders = {one["order"]: one for one in got["orders"]}
        check(got["blocks"] == 6 and len(orders) == 8, "cache", name, got)
        for order, (traffic, misses) in wanted.items():
            same(orders[order], traffic, "cache", name, size, line, sector, order)
        moved = [(one["read_misses"] + one["write_backs"] + one["left"]) * sector for one in orders.values()]
        check([one["bytes_moved"] for one in orders.values()] == moved, "bytes moved", got)
        check((got["lowest_bytes_moved"], got["highest_bytes_moved"]) == (min(moved), max(moved)), "extremes", got)
        touched = {w: {s for pc, s, writes in accesses_of(range(6), 1) if writes == w} for w in (False, True)}
        check(got["bytes_written_by_every_order"] == len(touched[True]) * sector and
              got["bytes_read_by_every_order"] == len(touched[False] - touched[True]) * sector, "bounds", got)
        if name != "DMMs":
            by_pc = {e["pc"]: e["cache"]["misses"] for e in last["by_pc"]}
            check(by_pc == {pc: wanted["as recorded"][1].get(pc, 0) for pc in by_pc}, "misses by PC", by_pc)
told = run("-", "--cache", "4K", text=by_header)
check(told.returncode == 0 and "random order, seed 3, 6 side by side" in told.stdout and "a cache of 4096 bytes, lines of 128" in told.stdout,
      "cache", told)
one_block = run("-", "--json", "--cache", "4K", text=(here / "requests.csv").read_text())
check([o["order"] for o in json.loads(one_block.stdout.splitlines()[-1])["totals"]["cache"]["orders"]] == ["as recorded"], "one block")
for options, said in ((["--cache", "x"], 'is "x"; accepted: SIZE'), (["--cache", ""], "accepted: SIZE"), (["--cache", "1M,128"], "accepted"),
                      (["--cache", "1M,100,32"], "1 to 64 sectors"), (["--cache", "1M,4096,32"], "accepted"), (["--cache", "-1"], "accepted"),
                      (["--cache", "1M,128,0"], "accepted"), (["--cache", "1,2,3,4"], "accepted"), (["--cache", "9999999999999G"], "accepted"),
                      (["--resident", "3"], "--cache"), (["--cache", "1M", "--resident", "0"], "--resident is 0")):
    found = run("-", *options, text=by_header)
    check(found.returncode == 2 and said in found.stderr and not found.stdout, "cache refuses", options, found.returncode, found.stderr)

# --- one request in many spellings: those that are read many bytes at a time, and others ---------------------------------

random.seed(2026)
for _ in range(60):
    lane_set = random.choice([0xFFFFFFFF, 0x1, 0x80000000, random.getrandbits(32) | 1])
    active = [t for t in range(32) if lane_set >> t & 1]
    base = 4 * random.randrange(1 << random.choice([8, 24, 40]))
    stride = 4 * random.choice([0, 1, 2, 8, 31, 32, 33, 1000, -1, -8, -33])
    base += 32 * 4000 if stride < 0 else 0
    affine = [base + stride * k for k in range(len(active))]
    scattered = [4 * random.randrange(1 << 24) for _ in active]
    opcode = random.choice(["LDG.E", "STS", "LDS"])
    for mode, addresses in ((0, affine), (1, affine), (2, affine), (0, scattered), (2, scattered)):
        figures = expected("global" if opcode == "LDG.E" else "shared", "load", 4, dict(zip(active, addresses)))
        for space, end in ((" ", ""), (" ", " "), ("  ", ""), ("\t", "")):
            # The quick reading begins after the first line of a file.
            first = instruction(0, 1, "LDS", 1, [0]) + "\n"
            text = first + instruction(16, lane_set, opcode, mode, addresses, space) + end + "\n"
            objects, _ = json_lines(run("-", "--json", text=text), text)
            same(objects[1], figures, "Accel-Sim", text)
    by_lane = [str(dict(zip(active, affine)).get(t, "")) for t in range(32)]
    figures = expected("global", "load", 4, dict(zip(active, affine)))
    for spell in (str, lambda a: hex(int(a)), lambda a: "0X" + f"{int(a):x}".upper(), lambda a: a.zfill(16), lambda a: a.zfill(30)):
        text = "space,op,bytes,addresses\nglobal,load,4," + ";".join(a and spell(a) for a in by_lane) + "\n"
        objects, _ = json_lines(run("-", "--json", text=text), text)
        same(objects[0], figures, "CSV", text)

written = [(r, d, t, 7 * t + r) for r in (3, 5, 12345678) for d in (0, 1) for t in range(70)]
lines = [f"{r},global,{d},{t},{a},r" for r, d, t, a in written]
usual = run("-", "--json", text="round,space,dmm,thread,address,op\n" + "\n".join(lines) + "\n")
check(usual.returncode == 0 and usual.stdout.count("\n") == 19, "a trace of words", usual)
for name, others in (("CR LF", [line + "\r" for line in lines]),
                     ("leading zeros", [f"{r},global,{d},{t:012},{a:09},r" for r, d, t, a in written])):
    found = run("-", "--json", text="round,space,dmm,thread,address,op\n" + "\n".join(others) + "\n")
    check(found.stdout == usual.stdout, "a trace of words with", name, found)

# Long traces: lines of consecutive threads are read side by side, those with CR LF are not.
long = ["round,space,dmm,thread,address,op"]
for r in range(40):
    threads = [*range(r, 300), *range(999968, 1000040)]
    if r % 4 == 1:
        del threads[random.randrange(len(threads))]
    if r % 4 == 2:
        first = random.randrange(len(threads) - 40)
        threads[first:first + 40] = reversed(threads[first:first + 40])
    if r % 4 == 3:
        threads = [*threads[40:], *threads[:40]]
    for space, op in random.sample([("global", "r"), ("global", "w"), ("shared", "r"), ("shared", "u")], 3):
        long += [f"{r},{space},{r % 3},{t},{random.randrange(10 ** random.randrange(1, 9))},{op}" for t in threads]
side_by_side = run("-", "--json", text="\n".join(long) + "\n")
one_by_one = run("-", "--json", text="\r\n".join(long) + "\r\n")
check(side_by_side.returncode == 0 and side_by_side.stdout == one_by_one.stdout, "a long trace", side_by_side)
for again, said in ((long[20000], "does the same twice"), (long[20000].replace(",", ";", 1), "there are not six fields"),
                    ("0" + long[100], "rounds that increase")):
    at = next(k for k in range(20010, len(long)) if long[k].split(",")[0] == long[20000].split(",")[0]) + 5
    for mark in ("\n", "\r\n"):
        found = run("-", text=mark.join([*long[:at], again, *long[at:]]) + mark)
        check(found.returncode == 2 and f"line {at + 1}: " in found.stderr and said in found.stderr, "a long trace with",
              again, found)

# Files are mapped, the standard input is not.
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "trace")
    whole = "\n".join(long) + "\n"
    for size in (len(whole), len(whole) - 1, len(whole) // 4096 * 4096, 4096, 4097, 34, 33, 1):
        file.write_text(whole[:size])
        of_file, of_input = run(file), run("-", text=whole[:size])
        check(of_file.returncode == of_input.returncode
              and (of_file.stdout + of_file.stderr).replace(str(file), "-") == of_input.stdout + of_input.stderr,
              "a file of", size, "bytes", of_file, of_input)
    file.write_text("")
    check("the file is empty" in run(file).stderr, "an empty file")
    for size, accepted in ((2**20 - 1, True), (2**20, False)):
        for end in ("", "\n", "\nshared,load,4,0\n"):
            file.write_text("#" * size + end)
            found = run(file)
            check(("line 1 is too long" in found.stderr) == (not accepted), "a line of", size, found.stderr[-200:])
    file.write_text("space,op,bytes,addresses\n" + "global,load,4,0;4\n" * 2000000)
    process = subprocess.Popen([program, "--json", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()  # it waits for the rest to be read
    file.write_text("")
    said = process.communicate()[1]
    check(process.returncode == 2 and str(file) in said and "cannot be read" in said, "a file that becomes shorter", said)

# --- what is refused, and by which line ---------------------------------------------------------------------------------------

head = "space,op,bytes,addresses\nshared,load,4,0;4\n"
for text, line, said in (
        (head + "shared,load,4", 3, "missing"),
        (head + "shared,load,4,0;x", 3, '"x"'),
        (head + "shared,load,4,0;4;-4", 3, '"-4"'),
        (head + "shared,load,4,0;0x;4", 3, '"0x"'),
        (head + "shared,load,4,0;99999999999999999999", 3, "lane 1"),
        (head + "shared,load,4,2", 3, "multiple of 4"),
        (head + "shared,load,16,0;8", 3, "multiple of 16"),
        (head + "ldmatrix,load,16,0;8", 3, "multiple of 16"),
        (head + "shared,load,3,0", 3, "accesses 3 bytes"),
        (head + "shared,load,32,0", 3, "1, 2, 4, 8 or 16, and 32 of the global memory"), (head + "global,load,64,0", 3, "1, 2, 4, 8 or 16, and 32"),
        (head + "global,load,32,0;16", 3, "multiple of 32"),
        (head + "shared,load,four,0", 3, '"four"'),
        (head + "ldmatrix,load,2,0", 3, "ldmatrix"),
        (head + "texture,load,4,0", 3, '"texture"'),
        (head + "shared,add,4,0", 3, '"add"'),
        (head + "\n" + head, 3, "missing"),
        (head + "shared,load,4," + ";".join(["0"] * 33), 3, "32"),
        (head + "shared,load,4," + ";".join(["0"] * 500), 3, "32"),
        (head + "shared,load,4,0,4", 3, '"0,4"'),
        ("", 0, "empty"),
        ("space,op,addresses\n", 1, "header"),
        (own + "1,shared,1,1,40,r\n", 10, "twice"),
        (own + "2,shared,0,1,-1,r\n", 10, '"-1"'),
        (own + "2,shared,0,1,1\n", 10, "six"),
        (own + "2,shared,0,1,1,r,r\n", 10, "six"),
        (own + "2,local,0,1,1,r\n", 10, '"local"'),
        (own + "2,shared,0,1,1,x\n", 10, '"x"'),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 3 0x0 4\n", 28, "form of the addresses"),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 0 0x0 0x4\n", 28, "an address"),
        (trace + "0090 ffffffff 1 R4 LDS.64 1 R9 4 1 0x4 8\n", 28, "multiple of 8"),
        (trace + "0090 ffffffff 1 R4 LDS.256 1 R9 32 1 0x0 32\n", 28, "32 bytes"),
        (trace + "something else\n", 28, "no instruction"),
        (own + "0,global,0,2,1,r\n", 10, "round is 0 after 1; accepted: rounds that increase"),
        (own + "2,global,0,2,1,r\n1,global,1,9,1,r\n", 11, "round is 1 after 2"),
        (own + f"2,global,0,2,{2**61},r\n", 10, f"accepted: a whole number from 0 to {2**61 - 1}"),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 1 -0x4 4\n", 28, '"-0x4"'),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 1 0x-4 4\n", 28, '"0x-4"'),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 1 0x0 -4\n", 28, "accepted: bytes from 0"),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 2 0x0 -4" + " 4" * 30 + "\n", 28, "accepted: bytes from 0"),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 2 0x40" + " 0" * 30 + " -68\n", 28, "accepted: bytes from 0"),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 0" + " 0x0" * 31 + " 0y0\n", 28, '"0y0"'),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 1 0x0 -0\n", 28, '"-0"'),
        (trace + "0090 ffffffff 1 R4 LDS 1 R9 4 1 0x7ffffffffffffff0 4\n", 28, "accepted: bytes from 0"),
        (head + "shared,load,4," + "0;1;" + "x" * 900000, 3, "…"),
        (head + "shared,load," + "4" * 900000 + ",0", 3, "…"),
        ("x" * 900000 + ",", 1, "…"), ("x" * 900000, 1, "…")):
    found = run("-", "--json", text=text)
    check(found.returncode == 2, "exit", found.returncode, "for", repr(text[-60:]))
    check(f"line {line}:" in found.stderr and said in found.stderr and len(found.stderr) < 600, "message", found.stderr[:600], "for",
          repr(text[-60:]))

# Numbers are digits, alone; addresses, and nothing else, may be hexadecimal. Blanks are not numbers.
for number in ("-0", "-00000000000", "+5", "+00000000005", " 4", "4 ", "0x", "0X", "0x-4", "0x+4", "1e3", "4.0", "4e0", "4h", "４",
               "99999999999999999999", "0xFFFFFFFFFFFFFFFFF", "4\x00", "\x00", "\x004"):
    cases = [head + f"shared,load,4,{addresses}" for addresses in (number, f"0;{number}", f"{number};0", f"123456789;{number}")]
    cases += [own + line for line in (f"{number},shared,0,1,1,r", f"2,shared,{number},1,1,r", f"2,shared,0,{number},1,r",
                                      f"2,shared,0,1,{number},r")]
    cases += [head + f"shared,load,{number},0"]
    for text in cases:
        found = run("-", text=text)
        check(found.returncode == 2 and "accepted: " in found.stderr and found.stdout == "", repr(text[-40:]), "exit",
              found.returncode, found.stderr)
for number in ("0", "00", "4", "0000000000000004", "0x4", "0X0000000000004", "0xC", "0xc"):
    check(run("-", text=head + f"shared,load,4,{number};0").returncode == 0, number, "is refused")
for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        file.write(head.encode(encoding))
        file.flush()
        found = run(file.name)
        check(found.returncode == 2 and "UTF-16" in found.stderr and "accepted: UTF-8" in found.stderr, encoding, found.stderr)
for device in ("/dev/zero", "/dev/urandom"):
    if pathlib.Path(device).exists():
        found = run(device)
        check(found.returncode == 2 and "line 1" in found.stderr and len(found.stderr) < 600, device, found)

with tempfile.TemporaryDirectory() as folder:
    missing = pathlib.Path(folder, "missing.csv")
    for arguments, said in (([missing], "missing.csv"), ([folder], "cannot be read"), ([], "FILE"),
                            ([here / "requests.csv", "--gpu", "h201"], "did you mean h200?"), ([here / "requests.csv", "--jso"], "did you mean --json?"),
                            ([here / "requests.csv", "--gpu", ""], 'is ""; accepted: '), ([""], "FILE is empty"),
                            ([here / "requests.csv", "--gpu", "g" * 100000], "…"), (["f" * 100000], "…"),
                            ([here / "requests.csv", "--json=" + "g" * 100000], "…"),
                            ([here / "requests.csv", "--" + "g" * 100000], "…"),
                            ([here / "requests.csv", "--gup", "h200"], "--help")):
        found = run(*arguments)
        check(found.returncode == 2 and said in found.stderr and len(found.stderr) < 600, "refuses", arguments, found.returncode, found.stderr)
    long = pathlib.Path(folder, "long.csv")
    long.write_text(head + "shared,load,4," + "0" * 1100000)
    found = run(long)
    check(found.returncode == 2 and "line 3" in found.stderr, "a long line", found.stderr[:200])
helped = run("--help")
check(helped.returncode == 0 and "--pair-merge" in helped.stdout and "MMM_PROCESSOR" in helped.stdout, "help")
for name in ("sse", "AVX2", "g" * 100000):
    found = run(here / "requests.csv", MMM_PROCESSOR=name)
    check(found.returncode == 2 and "accepted on this processor: baseline" in found.stderr and len(found.stderr) < 600 and not found.stdout,
          "refuses", name, found.returncode, found.stderr[:1000])
check(run(here / "requests.csv", MMM_PROCESSOR="").stdout == run(here / "requests.csv", MMM_PROCESSOR="baseline").stdout != "",
      "baseline counts as this processor")
only_header = run("-", "--json", text="space,op,bytes,addresses\n")
check(only_header.returncode == 0 and json.loads(only_header.stdout)["totals"]["shared"]["requests"] == 0, "header only")

finish()
