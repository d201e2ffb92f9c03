#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the pages that a reader types along, literally, in empty folders with an installed library.

    tutorial_test.py WORK [MMM_RUN]

A block of C++ goes to the end of the file that is named above it, an indented command is run, and a
block of output must be what the commands before it printed; " …" stands for the rest of a line.
Without nvcc the last step is left out.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = {"tutorial-bitonic-sort": ["bitonic_sort.svg"], "data-dependent-accesses": []}  # and the pictures that each draws
work = pathlib.Path(sys.argv[1]).resolve()
mmm_run = sys.argv[2] if len(sys.argv) > 2 else shutil.which("mmm-run")
nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
failures = []


def install():
    for command in (["cmake", "--preset", "library", "-B", work / "build"],
                    ["cmake", "--install", work / "build", "--prefix", work / "prefix"]):
        subprocess.run(command, cwd=root, check=True, capture_output=True)


def parts(text):
    """("file", name, block), ("command", line) or ("output", block), in their order."""
    lines, at, name = text.split("\n"), 0, None
    while at < len(lines):
        line = lines[at]
        named = re.fullmatch(r"`([\w.]+)`:", line)
        if named:
            name = named.group(1)
        elif line.startswith("```"):
            end = lines.index("```", at + 1)
            block = "\n".join(lines[at + 1:end]) + "\n"
            yield ("file", name, block) if line == "```cpp" else ("output", block)
            at = end
        elif line.startswith("    "):
            yield "command", line.strip()
        at += 1


def programs():
    """The commands that the pages use, in a folder; without nvcc or mmm-run both are left out."""
    folder = work / "bin"
    folder.mkdir()
    (folder / "g++").symlink_to(shutil.which("g++-12"))
    if os.path.exists(nvcc) and mmm_run:
        (folder / "nvcc").write_text(f'#!/bin/sh\nexec {nvcc} -ccbin g++-12 "$@"\n')
        (folder / "nvcc").chmod(0o755)
        (folder / "mmm-run").symlink_to(pathlib.Path(mmm_run).resolve())
    return folder


def follow(page, pictures, commands):
    folder = work / page
    folder.mkdir()
    env = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "PKG_CONFIG_PATH": str(work / "prefix/share/pkgconfig")}
    lines, asked, run, left_out = [], [], 0, 0
    for kind, *what in parts((root / f"docs/{page}.md").read_text()):
        if kind == "file":
            with open(folder / what[0], "a") as file:
                file.write(what[1] + "\n")
        elif kind == "output":
            asked.append(what[0].splitlines())
        elif not what[0].startswith("export"):
            if what[0].split()[0] in ("nvcc", "mmm-run") and not (commands / "nvcc").exists():
                left_out += 1
                continue
            done = subprocess.run(["bash", "-c", what[0]], cwd=folder, env=env, capture_output=True, text=True)
            run += 1
            lines += (done.stdout + done.stderr).splitlines()
            if done.returncode != 0:
                failures.append(f"{page}: {what[0]}\n{done.stdout[-1000:]}{done.stderr[-3000:]}")
    for block in asked[:-1] if left_out else asked:  # the last one is the kernel's
        for line in block:
            begins = line.removesuffix(" …")
            if not any(p.startswith(begins) if begins != line else p.rstrip() == line.rstrip() for p in lines):
                failures.append(f"{page}: not printed: {line}\n" + "\n".join(lines[-40:]))
    for picture in pictures:
        if (folder / picture).read_text() != (root / "docs" / picture).read_text():
            failures.append(f"docs/{picture} is not the picture that is drawn: {folder / picture}")
    print(f"{page}: {run} commands" + (f"; {left_out} left out, without nvcc or mmm-run" if left_out else ""))


def main():
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    install()
    commands = programs()
    for page, pictures in PAGES.items():
        follow(page, pictures, commands)
    for failure in failures:
        print("FAILED:", failure)
    print("the pages do what they say" if not failures else f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
