#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `mmm-explore fragment`, `tensor-map` and `wgmma` against the manuals' formulas, written here a
second time: PTX's for fragments and descriptors, the driver's for tensor maps; and what is refused.

  explore_tensor.py PATH_OF_MMM_EXPLORE [SEED]
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

from checks import check, finish, program

rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)


def run(*arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)


def answer(*arguments):
    """The object that is printed; the exit status is 1 if it says that a rule is broken."""
    done = run(*arguments, "--json")
    found = json.loads(done.stdout or "{}")
    check(done.returncode == (0 if found.get("valid", True) else 1) and not done.stderr, arguments, done)
    return found


# --- fragments: PTX ISA, "Matrix Fragments for mma.m16n8k16" and its neighbours -------------------------------------------

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "b1": 1, "e4m3": 8, "e2m3": 8}
for shape, types in {"m16n8k8": ("f16", "bf16", "tf32", "f64"), "m16n8k16": ("f16", "s8", "f64"), "m16n8k32": ("u8", "e4m3", "e2m3", "s4"),
                     "m8n8k16": ("s8",), "m8n8k4": ("f64",), "m16n8k256": ("b1",), "m16n8k4": ("tf32",)}.items():
    m, k = int(shape[1:].split("n")[0]), int(shape.split("k")[1])
    for kind in types:
        side = max(1, 32 // BITS[kind])  # neighbours that a lane holds
        for operand, rows, columns, packed in (("a", m, k, side), ("b", 8, k, side), ("c", m, 8, 2)):
            found = answer("fragment", shape, "--type", kind, "--operand", operand)
            held = {tuple(h): (n // columns, n % columns) for n, h in enumerate(found["held"])}
            check(len(held) == rows * columns == found["rows"] * found["columns"], shape, kind, operand)
            for (lane, element), place in held.items():
                group, thread = lane >> 2, lane % 4
                number, j = divmod(element, packed)
                upper = number % 2 if rows == 16 else 0
                right = number // 2 if rows == 16 else number
                check(place == (group + 8 * upper, thread * packed + j + right * 4 * packed), shape, kind, operand, lane, element)

found = answer("fragment", "m16n8k16", "--type", "f16")
check(found["wavefronts"] == {"none": 32, "32": 16, "64": 8, "128": 4} and found["registers"] == 4, found)

# --- tensor maps: the rules of cuTensorMapEncodeTiled -----------------------------------------------------------------------

BYTES = {"u8": 1, "f16": 2, "f32": 4, "f64": 8}
SPANS = {"none": None, "32": 32, "64": 64, "128": 128, "128-atom-32": 128, "128-atom-64": 128}
verdicts = set()
for _ in range(300):
    kind, swizzle, rank = rng.choice(list(BYTES)), rng.choice(list(SPANS)), rng.randint(1, 6)
    sizes = [rng.choice([0, 1, 7, 64, 4096] + [64] * 20) for _ in range(rank)]
    box = [rng.choice([0, 257, 256, 64, 32, 16, 8, 8, 8]) for _ in range(rank)]
    strides = [rng.choice([16, 4096, 8192, 24] + [4096] * 8) for _ in range(rank - 1)]
    arguments = ["tensor-map", "--type", kind, "--swizzle", swizzle, "--sizes", "x".join(map(str, sizes)), "--box", "x".join(map(str, box))]
    arguments += ["--strides", "x".join(map(str, strides))] if strides else []
    if rank == 6:
        check(run(*arguments).returncode == 2, arguments)
        continue
    inner = box[0] * BYTES[kind]
    bytes_of_box = (SPANS[swizzle] or inner) * math.prod(box[1:])
    wrong = (any(s < 1 for s in sizes) or any(s % 16 for s in strides) or any(not 1 <= b <= 256 for b in box) or inner % 16
             or (SPANS[swizzle] and inner > SPANS[swizzle]))
    verdicts.add(bool(wrong))
    if not wrong and bytes_of_box > 227 * 1024:
        check(run(*arguments).returncode == 2 and f"{bytes_of_box} bytes" in run(*arguments).stderr, arguments)
        continue
    found = answer(*arguments)
    check(found["valid"] == (not wrong), arguments, found)
    if not wrong:
        check(found["bytes"] == bytes_of_box and found["transaction_bytes"] == inner * math.prod(box[1:]), arguments, found)
check(verdicts == {False, True}, verdicts)

# --- wgmma: a tile of rows of the swizzle's span is read, another is not ------------------------------------------------------

for swizzle, span in (("32", 32), ("64", 64), ("128", 128)):
    for kind, size in (("f16", 2), ("s8", 1), ("tf32", 4)):
        tile = f"{span // size}x128"
        for step in range(span // 32):
            found = answer("wgmma", "--type", kind, "--swizzle", swizzle, "--tile", tile, "--row", 64, "--column", step * 32 // size)
            start = 64 * span + 32 * step
            mode = {"32": 3, "64": 2, "128": 1}[swizzle]
            bits = start >> 4 | 1 << 16 | (8 * span >> 4) << 32 | mode << 62
            check(found["valid"] and found["bits"] == f"0x{bits:016x}", kind, swizzle, step, found)
        for other in {"none", "32", "64", "128"} - {swizzle}:
            found = answer("wgmma", "--type", kind, "--swizzle", swizzle, "--written", other, "--tile", tile)
            check(not found["valid"] and found["broken"]["field"] == "place_of_element", kind, swizzle, other, found)

for command, arguments in (("tensor-map", ["--sizes", "64x64", "--box", "7x8"]), ("wgmma", ["--row", "3"])):
    done = run(command, *arguments)
    check(done.returncode == 1 and done.stdout.startswith("no: ") and "; accepted: " in done.stdout and not done.stderr, command, done)
    check("1 if a rule is broken; 2 if" in run(command, "--help").stdout, command)

# --- what is refused ----------------------------------------------------------------------------------------------------------

for arguments, expected in [
        (["fragment", "m16n8k17"], "m16n8k16"),
        (["fragment"], "SHAPE"),
        (["fragment", "m16n8k16", "--type", "f32"], "accepted: f16, bf16, tf32, f64, s8, u8, s4, u4, b1, e4m3, e5m2, e3m2, e2m3, e2m1"),
        (["fragment", "m16n8k16", "--type", "half"], "accepted: f16, bf16, tf32"),
        (["tensor-map", "--sizes", "64x64", "--box", "64x8", "--type", "half"], "accepted: b1"),
        (["fragment", "m16n8k16", "--operand", "d"], "accepted: a, b, c"),
        (["tensor-map"], "--sizes and --box are needed"),
        (["tensor-map", "--sizes", "64x", "--box", "64x8"], "with an x between them"),
        (["tensor-map", "--sizes", "64x64", "--box", "64"], "accepted: 2"),
        (["tensor-map", "--sizes", "64x64", "--box", "64x8", "--swizzle", "256"], "accepted: none, 32, 64, 128"),
        (["wgmma", "--tile", "64"], "two numbers"),
        (["wgmma", "--rows", "65"], "accepted: 8, 64, 128 or 256"),
        (["wgmma", "--type", "f64"], "accepted: f16, bf16"),
        (["wgmma", "--type", "s8", "--major", "mn"], "accepted: k"),
        (["wgmma", "--colum", "3"], "--column")]:
    done = run(*arguments)
    check(done.returncode == 2 and expected in done.stderr and not done.stdout, arguments, done.returncode, done.stdout, done.stderr)

with tempfile.TemporaryDirectory() as folder:
    for name, arguments in {"fragment": ["m16n8k16"], "tensor-map": ["--sizes", "64x64", "--box", "64x8", "--swizzle", "128"], "wgmma": ["--swizzle", "128"]}.items():
        picture = pathlib.Path(folder) / f"{name}.svg"
        check(run(name, *arguments, "--svg", picture).returncode == 0 and "<svg" in picture.read_text(), name)

finish()
