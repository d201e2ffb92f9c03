#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/prediction.md, measured against predicted, and of docs/choices.md, what
is chosen.

    page.py ROWS CHOICES            writes the tables between the pages' marks
    page.py ROWS CHOICES --check    fails if they are not what the programs say

ROWS is the program of rows.cpp, CHOICES that of choices.cpp. published.json holds measurements by
others: problem, GPU and size; the bytes of a value, 4 if it does not say; written_cache if the
level-2 cache is overwritten before; the figure, its unit, and where it was read.
"""
import collections
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "prediction.md"
CHOSEN = ROOT / "docs" / "choices.md"
PUBLISHED = ROOT / "benchmark/prediction/published.json"
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


def work(row):
    """Bytes that are moved, or operations."""
    size = [int(n) for n in str(row["size"]).split("x")]
    if row["problem"] == "products":
        return 2 * (math.prod(size) if len(size) > 1 else size[0] ** 3)
    words = size[0] ** 2 if row["problem"] == "transposes" else size[0]
    return words * row.get("value_bytes", 4) * (1 if row["problem"] in ("sums", "reads") else 2)


def published(program):
    rows = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    asked = [f"{r['problem']} {r['gpu']} {r['size']} {r.get('value_bytes', 4)} {r.get('written_cache', 0)}\n" for r in rows]
    answers = [line.split("\t") for line in run(program, "published", given="".join(asked)).splitlines()]
    rate = {"GB/s": 1e3, "TFLOP/s": 1e6}  # of work in a microsecond
    groups, lines = collections.defaultdict(list), []
    for row, (us, candidate, limit) in zip(rows, answers, strict=True):
        theirs = work(row) / rate[row["unit"]] / row["figure"] if row["unit"] in rate else row["figure"]
        ours = float(us)
        shown = f"{work(row) / rate[row['unit']] / ours:.4g} {row['unit']}" if row["unit"] in rate else time(ours)
        given = f"{row['figure']:,.4g} {row['unit']}" if row["unit"] in rate else time(row["figure"])
        groups[row["problem"]].append((row, ours, theirs))
        note = f", {row['note']}" if "note" in row else ""
        place = row["source"].split("//")[-1].removeprefix("github.com/").split("/blob/")[0].split("/posts/")[0]
        lines.append(f"| {row['what']}{note} ([{place}]({row['source']})) | {row['gpu']} | {given} | {shown} | "
                     f"{100 * (ours / theirs - 1):+.0f} % | {candidate}; {limit} |")
    yield "| problem | mean error | mean factor | within 15 % |"
    yield "|---|--:|--:|--:|"
    for name, some in groups.items():
        yield f"| {name} | {' | '.join(figures(some))} |"
    yield f"| **all** | {' | '.join(figures([r for some in groups.values() for r in some]))} |"
    yield "\n| measurement | GPU | theirs | predicted, ours | time | ours, limited by |"
    yield "|---|---|--:|--:|--:|---|"
    yield from lines


def run(*command, given=None):
    return subprocess.run(command, capture_output=True, text=True, check=True, input=given).stdout


def between(text, mark, made):
    begin, end = f"<!-- {mark}: written by benchmark/prediction/page.py -->", f"<!-- end of {mark} -->"
    before, rest = text.split(begin)
    return before + begin + "\n\n" + made + "\n\n" + end + rest.split(end)[1]


def main():
    old = {page: page.read_text(encoding="utf-8") for page in (PAGE, CHOSEN)}
    rows = [json.loads(line) for line in run(sys.argv[1]).splitlines()]
    measured_here = between(old[PAGE], "comparison", "\n".join(comparison(rows)))
    new = {PAGE: between(measured_here, "published", "\n".join(published(sys.argv[2]))),
           CHOSEN: between(old[CHOSEN], "choices", run(sys.argv[2]).strip())}
    if "--check" in sys.argv:
        wrong = [page for page in new if new[page] != old[page]]
        for page in wrong:
            print(f"{page.relative_to(ROOT)} is not what the programs say: run benchmark/prediction/page.py")
        return 1 if wrong else 0
    for page, text in new.items():
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
