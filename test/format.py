#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Demands that every source file is formatted as by clang-format 19, and that no line, comments
included, has more than 100 columns. `--fix` formats the files and lists the long lines.

Other major versions format some lines differently: without version 19 the check is skipped (exit
status 77).
"""
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
wanted = "19"

tool, seen = None, []
for name in (f"clang-format-{wanted}", "clang-format"):
    if shutil.which(name):
        version = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
        major = re.search(r"version (\d+)", version)
        seen.append(f"{name} is version {major.group(1) if major else '?'}")
        if major and major.group(1) == wanted:
            tool = name
            break
if tool is None:
    print(f"clang-format {wanted} not found ({'; '.join(seen) or 'none installed'}): skipped")
    sys.exit(77)

files = sorted(str(file) for folder in ("include", "test", "tool", "device", "example", "benchmark", "python") for file in (root / folder).rglob("*")
               if file.suffix in (".hpp", ".cpp", ".cuh", ".cu"))
if not files:
    print("no source files")
    sys.exit(1)
mode = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "-Werror"]
done = subprocess.run([tool, "--style=file", *mode, *files], cwd=root, stdin=subprocess.DEVNULL)
print(f"{len(files)} files, " + ("as demanded" if done.returncode == 0 else "not all as demanded: scripts/format mends them"))

# What cannot be broken: an expected message, and a line of a style sheet.
long = [f"{pathlib.Path(file).relative_to(root)}:{number}: {len(line)} columns"
        for file in files if not file.endswith("html_style.cpp")
        for number, line in enumerate(pathlib.Path(file).read_text().splitlines(), 1)
        if len(line) > 100 and not line.startswith("// expect")]
print("\n".join(long + [f"{len(long)} lines of more than 100 columns"]))
sys.exit(1 if done.returncode or long else 0)
