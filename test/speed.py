#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a statement on speed beside another library names the GPU and the day.

    speed.py [ROOT]       checks README.md, CHANGELOG.md and the pages of docs that are written by hand
    speed.py --self-test  plants each kind of mistake and demands that it is found

A paragraph or an item of a list that names a contender and compares times or rates must name a GPU and
a date, as 2026-11-23. Tables, code, and what is said to be predicted or compiled are left out.
"""
import pathlib
import re
import sys
import tempfile

CONTENDER = re.compile(r"\b(?:CUB|Thrust|cuBLAS(?:Lt)?|cuDNN|cuFFT|NPP|CUTLASS|Onesweep|cudaMemcpy)\b")
SPEED = re.compile(r"\b(?:quicker|faster|slower|times as (?:fast|quick|long)|x quick)\b|% (?:longer|more time|less time)"
                   r"|\b(?:took|reached|takes) [\d.,]+(?: to [\d.,]+)? ?(?:µs|us|ms|s|TFLOP/s|GB/s)(?!\w)|\breached [\d.,]+")
NO_MEASUREMENT = re.compile(r"\bpredicted to\b|\bcompiles?\b|\bcompiled\b")
GPU = re.compile(r"\b(?:H100|H200|A100|V100|B200|RTX 4090)\b")
DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
GENERATED = {"gpu-results.md", "predicted-rows.md", "choices.md", "machine-code.md"}


def paragraphs(text):
    """(line, text) of each paragraph or item of a list, without code and tables."""
    start, lines, code = 0, [], False
    for number, line in enumerate([*text.split("\n"), ""], 1):
        fence = line.lstrip().startswith("```")
        code ^= fence
        new = not line.strip() or fence or code or line.startswith(("|", "#", "    ", "<!--")) or re.match(r"\s*(?:[-*]|\d+\.) ", line)
        if new and lines:
            yield start, " ".join(lines)
            lines = []
        if code or fence or not line.strip() or line.startswith(("|", "#", "<!--")) or (line.startswith("    ") and not lines):
            continue
        if not lines:
            start = number
        lines.append(line.strip())


def check(root):
    pages = [root / "README.md", root / "CHANGELOG.md", *sorted((root / "docs").glob("*.md"))]
    for page in pages:
        if page.name in GENERATED or not page.is_file():
            continue
        for line, text in paragraphs(page.read_text()):
            if not CONTENDER.search(text) or not SPEED.search(text) or NO_MEASUREMENT.search(text):
                continue
            for demanded, what in ((GPU, "GPU"), (DAY, "day")):
                if not demanded.search(text):
                    yield f"{page.relative_to(root)}:{line}: no {what}: {text[:100]}"


def self_test():
    good = "On an H100 on 2026-11-23 a sum took 36 µs, CUB's 35 µs.\n"
    cases = [(good, None), (good.replace(" on 2026-11-23", ""), "no day"), (good.replace("On an H100 on", "On"), "no GPU"),
             ("Sums are 2 times as fast as CUB's.\n", "no GPU"), ("- It is 43x quicker than cuDNN.\n- H100, 2026-11-23\n", "no day"),
             ("CUB has sums.\n", None), ("| CUB | faster |\n", None), ("```\nfaster than CUB\n```\n", None),
             ("It is predicted to be quicker than CUB.\n", None)]
    wrong = []
    for text, demanded in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "README.md").write_text(text)
            found = list(check(root))
        if (demanded is None) != (not found) or demanded and not any(demanded in complaint for complaint in found):
            wrong.append(f"{text!r}: {found}, demanded: {demanded}")
    print("\n".join(wrong) or f"{len(cases)} cases as demanded")
    return 1 if wrong else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    complaints = list(check(pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join([*complaints, f"{len(complaints)} complaints"]))
    return 1 if complaints else 0


sys.exit(main())
