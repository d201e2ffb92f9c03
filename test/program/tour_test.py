#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests mmm-tour on pictures and numbers of many kinds: its page, the pictures beside it, and the
arguments that it rejects.

    tour_test.py PATH_OF_MMM_TOUR
"""
import pathlib
import random
import re
import tempfile
import xml.etree.ElementTree

from checks import check, finish, run


def write_picture(file, width, height, grey):
    pixels = bytes(grey(x, y) for y in range(height) for x in range(width))
    file.write_bytes(b"P5 %d %d 255\n" % (width, height) + pixels)


def visit(folder, image, data):
    """The tour succeeds: every result is right, and the page shows pictures that exist and are
    well-formed."""
    name = f"{image.name} {data.name}:"
    found = run("--output", folder, image, data)
    check(found.returncode == 0, name, "exit", found.returncode, found.stderr)
    if found.returncode != 0:
        return
    check(found.stdout.count(" yes\n") == 22 and " NO\n" not in found.stdout, name, "table", found.stdout)
    page = (folder / "index.html").read_text()
    shown = set(re.findall(r'<img src="([^"]+)"', page))
    there = {file.name for file in folder.iterdir()} - {"index.html"}
    check(shown == there and len(shown) == 16, name, "pictures", shown ^ there)
    for file in folder.glob("*.svg"):
        check(xml.etree.ElementTree.parse(file).getroot().tag.endswith("svg"), name, file)
    for file in folder.glob("*.png"):
        check(file.read_bytes().startswith(b"\x89PNG"), name, file)


def reject(folder, status, message, *arguments):
    found = run("--output", folder, *arguments)
    check(found.returncode == status and message in found.stderr, *arguments, "exit", found.returncode, found.stderr)


with tempfile.TemporaryDirectory() as temporary:
    here = pathlib.Path(temporary)
    chance = random.Random(1)
    write_picture(here / "dot.pgm", 90, 400, lambda x, y: 255 if 30 < x < 50 and 90 < y < 120 else 0)
    write_picture(here / "noise.pgm", 200, 150, lambda x, y: chance.randrange(256))
    write_picture(here / "plain.pgm", 50, 40, lambda x, y: 9)
    write_picture(here / "one.pgm", 1, 1, lambda x, y: 200)
    (here / "one.txt").write_text("3.5\n")
    (here / "zeros.txt").write_text("0\n" * 200)
    (here / "table.txt").write_text("".join(f"{k % 7}, {k * k % 11}, {-k}\n" for k in range(300)))
    (here / "sequence.txt").write_text(" ".join(str(chance.gauss(0, 1)) for _ in range(2000)))
    (here / "empty.txt").write_text("")
    (here / "words.txt").write_text("no numbers\n")

    for k, (image, data) in enumerate([("dot.pgm", "table.txt"), ("noise.pgm", "sequence.txt"),
                                       ("plain.pgm", "zeros.txt"), ("one.pgm", "one.txt")]):
        visit(here / f"output {k}", here / image, here / data)

    reject(here / "none", 2, "cannot be read", here / "missing.png", here / "one.txt")
    reject(here / "none", 2, "cannot be read", here / "words.txt", here / "one.txt")
    reject(here / "none", 2, "is empty", here / "one.pgm", here / "empty.txt")
    reject(here / "none", 2, "`no` in line 1", here / "one.pgm", here / "words.txt")
    reject(here / "one.txt", 2, "cannot make the folder", here / "one.pgm", here / "one.txt")
    check(not (here / "none").exists(), "a folder for nothing")
    check(run(here / "one.pgm").returncode == 2, "no --output")

finish()
