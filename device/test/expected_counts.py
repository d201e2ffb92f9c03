# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The expected counts of the programs in counts/, launch by launch, worked out by hand from the
hardware's rules.

Shared memory has 32 banks of 4 bytes. A request is served in one phase of all lanes for up to 4
bytes per lane, in two phases of 16 lanes for 8 bytes, and in four phases of 8 lanes for 16 bytes.
The wavefronts of a phase are the largest number of distinct words in one bank; one for each phase
with an active lane is ideal. Global memory: a request counts the aligned blocks of 32 bytes
(sectors) that its lanes access; if every lane has bytes of its own, their number / 32, rounded up,
is ideal. Local memory: word w of lane t is at (32 w + t) * 4. Atomic operations on shared memory:
lanes that access one word are served one after the other.

A launch is (kernel, {"space.kind": {member: figure}}, other members); members without a figure must
be 0.
"""
from math import gcd


def shared(wavefronts, ideal, requests=1):
    return {"requests": requests, "wavefronts": wavefronts, "ideal": ideal, "excessive": wavefronts - ideal}


def sectors(count, ideal=None, requests=1):
    """Figures without an ideal: lanes share bytes, and no document defines the ideal for that case.
    """
    figures = {"requests": requests, "sectors": count}
    return figures if ideal is None else {**figures, "ideal": ideal}


# Rows: the patterns of widths.cu in order. Figures: (wavefronts, ideal) of shared memory, (sectors, ideal) of global memory.
WIDTHS = {
    "unsigned char": [
        ((1, 1), (1, 1)),     # a row: 32 bytes, 8 words
        ((1, 1), (1, 1)),     # 20 lanes: 20 bytes
        ((1, 1), (1, 1)),     # lanes 15 and 16: bytes 15 and 16
        ((1, 1), (2, 1)),     # from byte 16: bytes 16 to 47
        ((1, 1), (2, 1)),     # every second: 64 bytes, 16 words
        ((32, 1), (32, 1)),   # a column, 128 bytes apart: 32 words of bank 0
        ((1, 1), (32, 1)),    # 132 bytes apart: bank t; a sector each
        ((1, 1), (1, None)),  # one place
        ((1, 1), (1, None)),  # two lanes to a place: 16 bytes
    ],
    "unsigned short": [
        ((1, 1), (2, 2)),     # 64 bytes
        ((1, 1), (2, 2)),     # 40 bytes
        ((1, 1), (2, 1)),     # bytes 30 to 33: sectors 0 and 1
        ((1, 1), (3, 2)),     # bytes 16 to 79: sectors 0, 1, 2
        ((1, 1), (4, 2)),     # 128 bytes, a word each
        ((32, 1), (32, 2)),
        ((1, 1), (32, 2)),
        ((1, 1), (1, None)),
        ((1, 1), (1, None)),  # 32 bytes
    ],
    "unsigned int": [
        ((1, 1), (4, 4)),     # 128 bytes
        ((1, 1), (3, 3)),     # 80 bytes
        ((1, 1), (2, 1)),     # bytes 60 to 67: sectors 1 and 2
        ((1, 1), (5, 4)),     # bytes 16 to 143: sectors 0 to 4
        ((2, 1), (8, 4)),     # every second word: lanes t and t + 16 in one bank
        ((32, 1), (32, 4)),
        ((1, 1), (32, 4)),    # 33 words apart: bank t
        ((1, 1), (1, None)),
        ((1, 1), (2, None)),  # 64 bytes
    ],
    "unsigned long": [
        ((2, 2), (8, 8)),     # 256 bytes; 16 lanes fill the 32 banks
        ((2, 2), (5, 5)),     # 160 bytes; lanes 16 to 19 are a phase
        ((2, 2), (2, 1)),     # a lane in each phase; bytes 120 to 135: sectors 3 and 4
        ((2, 2), (9, 8)),     # bytes 16 to 271: sectors 0 to 8
        ((4, 2), (16, 8)),    # 16 bytes apart: lanes t and t + 8 of a phase in one bank
        ((32, 2), (32, 8)),   # 16 lanes of a phase in banks 0 and 1
        ((2, 2), (32, 8)),    # 34 words apart: banks 2 t and 2 t + 1
        ((2, 2), (1, None)),  # one place, in two phases
        ((2, 2), (4, None)),  # 128 bytes
    ],
    "uint4": [
        ((4, 4), (16, 16)),   # 512 bytes; 8 lanes fill the 32 banks
        ((3, 3), (10, 10)),   # 320 bytes; lanes 0-7, 8-15, 16-19
        ((2, 2), (2, 1)),     # lane 15 in the second phase, lane 16 in the third; bytes 240 to 271: sectors 7 and 8
        ((4, 4), (17, 16)),   # bytes 16 to 527: sectors 0 to 16
        ((8, 4), (32, 16)),   # 32 bytes apart: lanes t and t + 4 of a phase in one bank
        ((32, 4), (32, 16)),  # 8 lanes of a phase in banks 0 to 3
        ((4, 4), (32, 16)),   # 36 words apart: banks 4 t to 4 t + 3
        ((4, 4), (1, None)),
        ((4, 4), (8, None)),  # 256 bytes
    ],
}


def widths():
    launches = []
    for word, rows in WIDTHS.items():
        for of_shared, of_global in rows:
            for kind in ("load", "store"):
                launches.append((f"shared_{kind}<{word}>", {f"shared.{kind}": shared(*of_shared)}, {}))
            for kind in ("load", "store"):
                launches.append((f"global_{kind}<{word}>", {f"global.{kind}": sectors(*of_global)}, {}))
    return launches


def local():
    def both(word, count):
        return (f"local_access<{word}>", {"local.store": sectors(count), "local.load": sectors(count)}, {})

    return [
        both("unsigned int", 4),     # 128 bytes that follow each other
        both("unsigned int", 3),     # 20 lanes: 80 bytes
        both("unsigned int", 8),     # even lanes at word 0, odd ones at word 1: 4 sectors of each row of 128 bytes
        both("unsigned int", 32),    # a row for each lane
        both("unsigned long", 8),    # words 0 and 1
        both("unsigned short", 2),   # lanes 8 to 23, each in a word of its own: 64 bytes
    ]


def atomics():
    figures = [
        ((1, 1), (4, 4)),       # a row of words
        ((32, 1), (1, None)),   # one word, 32 lanes
        ((32, 1), (32, 4)),     # 32 words of one bank
        ((4, 1), (1, None)),    # 8 words, four lanes to each
        ((10, 1), (1, None)),   # one word, ten lanes
    ]
    launches = []
    for of_shared, of_global in figures:
        launches.append(("shared_atomic", {"shared.atomic": shared(*of_shared)}, {}))
        launches.append(("global_atomic", {"global.atomic": sectors(*of_global)}, {}))
    return launches


def conflicts():
    # A stride of s words puts gcd(s, 32) lanes into each bank; with s = 0 all lanes access one
    # word.
    launches = [("strided", {"shared.load": shared(1 if s == 0 else gcd(s, 32), 1)}, {}) for s in range(34)]
    # 6 blocks of 32 warps: each warp loads and stores a row of 128 bytes, writes a row of the tile and reads a column.
    for pitch, ways in ((32, 32), (33, 1)):
        launches.append((f"transpose<{pitch}>", {
            "global.load": sectors(192 * 4, 192 * 4, 192),
            "global.store": sectors(192 * 4, 192 * 4, 192),
            "shared.store": shared(192, 192, 192),
            "shared.load": shared(192 * ways, 192, 192),
        }, {"barriers": 192, "average_lanes": (32, 32)}))
    return launches


def divergence():
    """Barriers count one per arriving warp, as a profiler counts the instruction. Average lanes are
    bounds, because all lanes execute the code around the branch (at most 40 instructions)."""
    def average(*parts):  # of (instructions, lanes)
        return sum(n * lanes for n, lanes in parts) / sum(n for n, _ in parts)

    return [
        ("straight", {}, {"fma": 400, "average_lanes": (32, 32)}),        # two warps of 200
        ("straight", {}, {"fma": 1200, "average_lanes": (24, 24)}),       # three blocks of a warp of 32 and one of 16
        ("straight", {}, {"fma": 200, "average_lanes": (16, 16)}),
        ("one_branch", {}, {"fma": 1000, "average_lanes": (8, average((1000, 8), (40, 32)))}),
        ("one_branch", {}, {"fma": 4000, "average_lanes": (1, average((1000, 1), (40, 32)))}),
        ("two_branches", {}, {"fma": 1001, "average_lanes": (
            average((500, 8), (501, 24)), average((500, 8), (501, 24), (40, 32)))}),
        ("barriers", {}, {"barriers": 3 * 4 * 5, "average_lanes": (32, 32)}),
        ("barriers", {}, {"barriers": 2 * 5, "average_lanes": (16.5, 16.5)}),  # a warp of 32 and one of 1
    ]


EXPECTED = {"widths": widths(), "local": local(), "atomics": atomics(), "conflicts": conflicts(), "divergence": divergence()}
