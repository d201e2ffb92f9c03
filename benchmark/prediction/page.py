#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/prediction.md: measured against predicted, and what is chosen.

    page.py ROWS CHOICES            writes the tables between the page's marks
    page.py ROWS CHOICES --check    fails if they are not what the programs say

ROWS is the program of rows.cpp, CHOICES that of choices.cpp.
"""
import collections
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "prediction.md"
MEASURED = ROOT / "benchmark/results/NVIDIA-H100-80GB-HBM3-2026-11-22.json"


def measured():
    data = json.loads(MEASURED.read_text(encoding="utf-8"))
    found = {(r["group"], r["parameters"], r["contender"], r["machine"]): r["median_us"] for r in data["results"] if "median_us" in r}
    found |= {(r["figure"], r["curve"], r["x"]): r["median_us"] for r in data["sweeps"] if "median_us" in r}
    old = collections.defaultdict(list)
    for r in data["sweeps"]:
        if "median_us" in r:
            old[r["figure"]].append(abs(r["modelled_us"] - r["median_us"]) / r["median_us"])
    return found, old


def time(us):
    return f"{us:,.1f} µs" if us < 1000 else f"{us / 1000:,.2f} ms"


def key(row):
    names = ("figure", "curve", "x") if "figure" in row else ("group", "parameters", "contender", "machine")
    return tuple(row[name] for name in names)


def figures(rows):
    errors = [abs(p - m) / m for _, p, m in rows]
    factors = [abs(math.log2(p / m)) for _, p, m in rows]
    within = sum(e <= 0.15 for e in errors)
    return f"{100 * sum(errors) / len(rows):.1f} %", f"{2 ** (sum(factors) / len(rows)):.2f}", f"{within} of {len(rows)}"


def comparison(rows):
    known, old = measured()
    pairs = [(row, row["us"], known[key(row)]) for row in rows if key(row) in known]
    groups = collections.defaultdict(list)
    for pair in pairs:
        groups[key(pair[0])[0]].append(pair)
    yield "| what | mean error | mean factor | within 15 % | mean error of time units x clock |"
    yield "|---|--:|--:|--:|--:|"
    for name, some in groups.items():
        before = f"{100 * sum(old[name]) / len(old[name]):.0f} %" if name in old else "-"
        yield f"| {'figure ' if name in old else ''}{name} | {' | '.join(figures(some))} | {before} |"
    yield f"| **all** | {' | '.join(figures(pairs))} | |"
    yield "\n| kernel | | machine | measured | predicted | | limited by |"
    yield "|---|---|---|--:|--:|--:|---|"
    for row, predicted, found in pairs:
        if "group" in row:
            yield (f"| `{row['contender']}` | {row['parameters']} | {row['machine']} | {time(found)} | {time(predicted)} | "
                   f"{100 * (predicted / found - 1):+.0f} % | {row['limit']} |")


def run(program):
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def between(text, mark, made):
    begin, end = f"<!-- {mark}: written by benchmark/prediction/page.py -->", f"<!-- end of {mark} -->"
    before, rest = text.split(begin)
    return before + begin + "\n\n" + made + "\n\n" + end + rest.split(end)[1]


def main():
    old = PAGE.read_text(encoding="utf-8")
    rows = [json.loads(line) for line in run(sys.argv[1]).splitlines()]
    new = between(old, "comparison", "\n".join(comparison(rows)))
    new = between(new, "choices", run(sys.argv[2]).strip())
    if "--check" in sys.argv:
        if new != old:
            print("docs/prediction.md is not what the programs say: run benchmark/prediction/page.py")
            return 1
        return 0
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
