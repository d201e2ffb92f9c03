#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests mmm-explore choose-layout: its certificates are checked without the library (layout_certificate.py), and by Z3
as a second opinion, where it is installed (python3-z3, or z3-solver of PyPI).

    explore_layout.py [--quick] PATH_OF_MMM_EXPLORE
"""
import copy
import json
import pathlib
import tempfile

from checks import check, finish, quick, run
from layout_certificate import complaint, through, wavefronts, z3_finds

try:
    import z3
except ImportError:
    z3 = None

SQUARE = ["--rows", 4, "--columns", 4, "--bytes", 16]
# What is reached by capacity, and what needs a search: all lines of a plane, whose words cannot all be apart.
CASES = [
    (["--rows", 64, "--columns", 64], ["store 4: 5; i", "load 4: i; 5"]),
    (["--rows", 64, "--columns", 64], ["store 4: 5; i", "load 4: i; 5", "load 4: i % 8; i / 8", "load 4: i; i"]),
    (["--rows", 64, "--columns", 64, "--bytes", 2], ["store 16: i / 8; i % 8 * 8", "ldmatrix 4: i % 16; i / 16 * 8; 4"]),
    (["--rows", 32, "--columns", 4], ["load 4: i * 3 % 32; i % 4", "load 4: i % 32; 2; 3; 40"]),
    (["--rows", 8, "--columns", 8, "--bytes", 16],
     ["load 16: i % 8; 0", "load 16: 0; i % 8", "load 16: i % 8; i % 8", "load 16: i % 8; i % 4 * 2 + i / 4 % 2",
      "load 16: i % 4 * 2 ^ i % 8; i % 8", "load 16: i % 8; i % 4 * 2 ^ i % 8", "load 16: i / 4 % 2 * 3 ^ i % 4 * 2; i % 8",
      "load 16: i / 2 % 4 ^ i % 2 * 4; i % 8", "load 16: i % 8; i / 2 % 4 ^ i % 2 * 4 ^ i / 4 % 2"]),
    (["--rows", 2, "--columns", 8, "--bytes", 16],
     ["load 16: i % 2; i / 2 % 4 * 2", "load 16: i % 2; i % 8", "load 16: 0; i % 8", "load 16: i / 4 % 2; i % 8",
      "load 16: i / 2 % 2; i % 8", "load 16: i / 2 % 2 ^ i % 2; i % 8", "load 16: i / 4 % 2 ^ i % 2; i % 8",
      "load 16: i % 2; i / 2 % 4", "load 16: i % 2; i / 2 % 4 ^ i / 2 % 2 * 4", "load 16: i % 2; i / 2 % 2 * 5 ^ i / 4 % 2 * 2",
      "load 16: i % 2; i / 2 % 2 * 3 ^ i / 4 % 2 * 4"]),
]


def certificate(folder, tile, accesses):
    file = folder / "certificate.json"
    options = [word for access in accesses for word in ("--access", access)]
    done = run("choose-layout", *tile, *options, "--prove", "--certificate", file, "--json")
    check(done.returncode == 0 and not done.stderr, tile, accesses, done.returncode, done.stderr)
    whole = json.loads(file.read_text())
    if done.returncode:
        finish()
    told = json.loads(done.stdout)
    check(told["checked"] and told.items() <= whole.items(), "the file differs from the answer:", told)
    return whole


def check_mutants(c):
    """A certificate with another map, padding, figure or tree must not pass."""
    mutants = []

    def mutant(change):
        other = copy.deepcopy(c)
        change(other)
        mutants.append(other)
    for key in ("wavefronts", "bound", "plain"):
        mutant(lambda o: o.update({key: o[key] + 1}))
        mutant(lambda o: o.update({key: o[key] - 1}))
    mutant(lambda o: o["map"].__setitem__(-1, o["map"][0]))
    for bit in range(len(c["map"]) - 1, 0, -1):
        flipped = [image ^ (bit == k and 1 << len(c["map"]) - 1 - bit // 2) for k, image in enumerate(c["map"])]
        if wavefronts(c, through(flipped)) not in (None, c["wavefronts"]):
            mutant(lambda o: o.update(map=flipped))
    if c["proof"] == "search":
        mutant(lambda o: o.update(proof="capacity"))
        mutant(lambda o: o["leaves"].pop())
        mutant(lambda o: o["leaves"].pop(len(o["leaves"]) // 2))
        mutant(lambda o: o.update(leaves=[[1]]))
        mutant(lambda o: o["basis"].__setitem__(0, o["basis"][1]))
    for other in mutants:
        check(complaint(other) is not None, "a mutant passes:", {k: other[k] for k in ("wavefronts", "map", "proof")})


def check_refusals():
    for arguments, words in (
            ([], "--access is missing"), (["--access", "load 5: i; 2"], "KIND NUMBER: ROW; COLUMN"),
            (["--access", "load 4: i"], "ROW; COLUMN"), (["--access", "lod 4: i; 2"], "load or store"),
            (["--access", "load 4: i; j"], "column 1"), (["--access", "load 4: i < 3 ? i : none; 0"], "an element for every lane"),
            (["--access", "load 4: i + 1; 0"], "the row of an access to a tile is 32"),
            (["--access", "load 16: i; 1"], "a multiple of 16"), (["--access", "load 4: i; 0; 0"], "TIMES is 0"),
            (["--rows", 48, "--access", "load 4: i; 0"], "--rows is 48; accepted: a power of two"),
            (["--bytes", 3, "--access", "load 4: i; 0"], "--bytes is 3; accepted: a power of two"),
            (["--budget", 4095, "--access", "load 4: i; 0"], "4096 needed, 4095 available"),
            (["--access", "load 4: i; 0", "--certificate", "x.json"], "without --prove"),
            (["--access", "load 4: i; 0", "--steps", 0], "--steps is 0"),
            (["--access", "load 4: i; 0", "--prove", "--certificate", "missing/x.json"], "cannot be written")):
        done = run("choose-layout", *arguments)
        check(done.returncode == 2 and not done.stdout and words in done.stderr, arguments, done.returncode, done.stderr)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    proofs = []
    for tile, accesses in CASES:
        c = certificate(folder, tile, accesses)
        proofs.append(c["proof"])
        check(complaint(c) is None, tile, accesses, complaint(c))
        check_mutants(c)
        if z3 and not (quick and c["rows"] == 64):
            check(z3_finds(z3, c, c["wavefronts"]), "Z3 finds no map of this cost:", tile, accesses)
            check(not z3_finds(z3, c, c["wavefronts"] - 1), "Z3 finds a better map:", tile, accesses)
    check(proofs.count("search") >= 2 and proofs.count("capacity") >= 2, proofs)
    cut = run("choose-layout", *CASES[4][0], *[word for access in CASES[4][1] for word in ("--access", access)], "--steps", 9, "--prove")
    check(cut.returncode == 1 and "open" in cut.stdout and "ended at its limit of 9 steps" in cut.stdout, "a search that ends at its limit:", cut.returncode, cut.stdout)
    check_refusals()
if not z3:
    print("Z3's second opinion is skipped: python3-z3 is not installed")
finish()
