#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/prediction.md and docs/predicted-rows.md, measured against predicted,
and of docs/choices.md, what is chosen.

    page.py ROWS CHOICES            predicts what was measured, and writes the tables between the pages' marks
    page.py ROWS                    the same, but for others' measurements and for what is chosen: after a new file of results
    page.py ROWS CHOICES --check    fails if the predictions or the tables are not what the programs say
    page.py --check                 fails if the tables of what was measured here do not follow from the files

ROWS is the program of rows.cpp, CHOICES that of choices.cpp. What was measured here are the files
of benchmark/results; predicted.json keeps what was predicted for them. published.json holds
measurements by others: problem, GPU and size; the bytes of a value, 4 if it does not say;
written_cache if the level-2 cache is overwritten before; the figure, its unit, and where it was read.
"""
import collections
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "prediction.md"
ROWS = ROOT / "docs" / "predicted-rows.md"
CHOSEN = ROOT / "docs" / "choices.md"
PUBLISHED = ROOT / "benchmark/prediction/published.json"
PREDICTED = ROOT / "benchmark/prediction/predicted.json"
RESULTS = ROOT / "benchmark/results"
PRESETS = {"H100": "h100", "H200": "h200", "B200": "b200", "A100": "a100", "V100": "v100", "4090": "rtx4090"}
WORST = 12  # rows of a GPU


class measurement:
    """A time that was measured: of a row of a group, or of a point of a figure."""

    def __init__(self, row):
        self.us = row["median_us"]
        self.units_us = row.get("modelled_us")  # by time units
        self.figure = row.get("figure")
        names = ("figure", "curve", "x") if self.figure else ("group", "parameters", "contender", "machine")
        self.key = [str(row[name]) for name in names]
        self.asked = ("point" if self.figure else "row", *(self.key if self.figure else self.key[1:]))

    @property
    def group(self):
        return f"figure {self.figure}" if self.figure else self.key[0]


def is_predicted(row):
    """The library's own kernels. What ends on the host has a copy that no prediction knows: of these only those of the papers'
    triangulations, which take far longer than it."""
    if "median_us" not in row or "figure" in row:
        return "median_us" in row
    to_the_host = row["group"].endswith("to the host")
    return row["contender"].startswith("mmm::") and (not to_the_host or row["group"].startswith("triangulation") and row["kind"] == "literal")


def runs():
    """(file, device, its preset, measurements) of each run on a GPU."""
    for path in sorted(RESULTS.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        if "results" not in data:
            continue
        device = data["device"]["name"]
        preset = next((name for part, name in PRESETS.items() if part in device), None)
        if preset:
            yield path, data, preset, [measurement(row) for row in [*data["results"], *data.get("sweeps", [])] if is_predicted(row)]


def run(*command, given=None):
    return subprocess.run(command, capture_output=True, text=True, check=True, input=given).stdout


def predict(program):
    """{file: {"timing": what is assumed of the GPU, "rows": [[asked …, µs, limit]]}} of all that the program can predict."""
    found = {}
    for path, _, preset, rows in runs():
        asked = sorted({row.asked for row in rows})
        lines = [(preset, "timing"), *((preset, *names) for names in asked)]
        timing, *answers = map(json.loads, run(program, given="".join("\t".join(names) + "\n" for names in lines)).splitlines())
        told = zip(asked, answers, strict=True)
        found[path.name] = {"timing": timing,
                            "rows": [[*names, float(f"{answer['us']:.4g}"), answer["limit"]] for names, answer in told if answer]}
    return found


def as_text(predicted):
    files = (f'  "{name}": {{\n    "timing": {json.dumps(of["timing"])},\n    "rows": [\n      ' +
             ",\n      ".join(json.dumps(row, ensure_ascii=False) for row in of["rows"]) + "\n    ]\n  }" for name, of in predicted.items())
    return "{\n" + ",\n".join(files) + "\n}\n"


def time(us):
    return f"{us:,.1f} µs" if us < 1000 else f"{us / 1000:,.2f} ms"


def percent(x):
    return f"{100 * x:+.0f} %"


def figures(pairs):
    """Mean error, mean factor, and how many are within 15 %, of (predicted, measured)."""
    errors = [abs(p - m) / m for p, m in pairs]
    factors = [abs(math.log2(p / m)) for p, m in pairs]
    within = sum(e <= 0.15 for e in errors)
    return (f"{100 * sum(errors) / len(pairs):.1f} % | {2 ** (sum(factors) / len(pairs)):.2f} | "
            f"{within} of {len(pairs)}, {100 * within / len(pairs):.0f} %")


def table(head, lines):
    """`head` begins with - where a column is of numbers."""
    yield "| " + " | ".join(name.lstrip("-") for name in head) + " |"
    yield "|" + "|".join("--:" if name.startswith("-") else "---" for name in head) + "|"
    yield from (f"| {line} |" for line in lines)


ASSUMED = [("clock", "clock_hz", lambda x: f"{x / 1e6:,.0f} MHz"),
           ("latency of shared memory", "shared_latency_clocks", lambda x: f"{x:.0f} clocks"),
           ("latency of the level-2 cache", "l2_latency_clocks", lambda x: f"{x:.0f} clocks"),
           ("latency of global memory", "global_latency_clocks", lambda x: f"{x:.0f} clocks"),
           ("copy", "copy_bytes_per_s", lambda x: f"{x / 1e9:,.0f} GB/s"),
           ("launch", "launch_us", lambda x: f"{x:.2f} µs"),
           ("barrier of a grid with a block of 1024 threads on each multiprocessor", "grid_barrier_us", lambda x: f"{x:.2f} µs"),
           ("barrier of 1024 threads", "block_barrier_clocks", lambda x: f"{x:.0f} clocks")]


def title(data):
    return f"{data['device']['name']}, {data['about']['date']}"


def all_pairs(predicted):
    """(path, data, [(measurement, predicted µs, limit)]) of each run."""
    for path, data, _, rows in runs():
        known = {tuple(row[:-2]): row[-2:] for row in predicted.get(path.name, {}).get("rows", [])}
        yield path, data, [(row, *known[row.asked]) for row in rows if row.asked in known]


def row_of(one):
    row, us, limit = one
    group = row.key[0].removeprefix("candidates: ")
    return (f"{group} | `{row.key[2]}` | {row.key[1]} | {row.key[3]} | {time(row.us)} | {time(us)} | "
            f"{percent(us / row.us - 1)} | {limit}")


ROW_HEAD = ["problem", "kernel", "size", "machine", "-measured", "-predicted", "-", "limited by"]


def winners(pairs):
    """Of each problem with two kernels or more: the one predicted to be fastest, and the fastest."""
    problems = collections.defaultdict(list)
    for row, us, _ in pairs:
        if not row.figure:
            problems[row.key[0], row.key[1]].append((row, us))
    for (group, parameters), some in problems.items():
        if len(some) > 1:
            yield group, parameters, min(some, key=lambda one: one[1])[0], min(some, key=lambda one: one[0].us)[0]


def loss_table(pairs):
    """The choice's loss, time of the chosen / least time - 1, over problems with so many candidates or more."""
    candidates = collections.Counter((row.key[0], row.key[1]) for row, _, _ in pairs if not row.figure)
    losses = [(candidates[group, parameters], p.us / m.us - 1) for group, parameters, p, m in winners(pairs)]
    for least in (2, 4, 6, 8, 20):
        some = [loss for number, loss in losses if number >= least]
        yield (f"{least} | {len(some)} | {100 * sum(some) / len(some):.1f} % | {100 * max(some):.0f} %" if some else f"{least} | 0 | - | -")


def called(data):
    """(group, parameters, µs of mmm::fastest, µs of the fastest candidate) where both were measured."""
    times = collections.defaultdict(dict)
    for row in data["results"]:
        kind, _, problem = row["group"].partition(": ")
        if "median_us" in row and kind in ("fastest", "candidates") and row["contender"].startswith("mmm::"):
            of = times[problem, row["parameters"]]
            of[kind] = min(of.get(kind, math.inf), row["median_us"])
    return [(*problem, of["fastest"], of["candidates"]) for problem, of in times.items() if len(of) == 2]


def left_out(pairs):
    """The figures without the rows of one problem, for each problem: none should carry the mean."""
    rows = [(row.group.removeprefix("candidates: "), us, row.us) for row, us, _ in pairs if not row.figure]
    for problem in dict.fromkeys(name for name, *_ in rows):
        yield f"{problem} | {figures([(us, measured) for name, us, measured in rows if name != problem])}"


def comparison(predicted):
    for path, data, pairs in all_pairs(predicted):
        yield f"\n#### {title(data)}\n"
        frozen = data["about"].get("predictions")
        when = f"predictions committed before it as {frozen}" if frozen else "its predictions were made after it"
        yield f"Commit {data['about']['commit']}, {when}; all rows are in [predicted-rows.md](predicted-rows.md).\n"
        timing = predicted.get(path.name, {}).get("timing", {})
        yield from table(["", "-predictions assume", "-measured by the benchmark"],
                         [f"{name} | {shown(timing[key])} | {shown(data['calibration'][key])}" for name, key, shown in ASSUMED if key in timing])
        yield ""
        groups = collections.defaultdict(list)
        for one in pairs:
            groups[one[0].group].append(one)
        lines = []
        for name, some in groups.items():
            units = [abs(r.units_us / r.us - 1) for r, _, _ in some if r.figure and r.units_us]
            lines.append(f"{name} | {figures([(us, r.us) for r, us, _ in some])} | " + (f"{100 * sum(units) / len(units):.0f} %" if units else "-"))
        for name, some in (("all", pairs), ("without the figures' sweeps", [one for one in pairs if not one[0].figure])):
            lines.append(f"**{name}** | {figures([(us, r.us) for r, us, _ in some])} | ")
        yield from table(["what", "-mean error", "-mean factor", "-within 15 %", "-mean error of time units x clock"], lines)
        yield "\nWithout the sweeps, and without one problem:\n"
        yield from table(["left out", "-mean error", "-mean factor", "-within 15 %"], left_out(pairs))
        chosen = list(winners(pairs))
        wrong = [(group, parameters, p, m, p.us / m.us - 1) for group, parameters, p, m in chosen if p is not m]
        losses = [one[4] for one in wrong]
        if chosen:
            yield (f"\n**The choice:** of {len(chosen)} problems with two kernels or more, the one predicted to be fastest was so in "
                   f"{len(chosen) - len(wrong)}. " + (f"In the others it took {100 * sum(losses) / len(losses):.1f} % longer than the fastest "
                                                      f"on average, {100 * max(losses):.0f} % at most; over all problems that is "
                                                      f"{100 * sum(losses) / len(chosen):.1f} %." if wrong else ""))
        if chosen:
            yield "\nBy the number of candidates that were measured and predicted:\n"
            yield from table(["-candidates, at least", "-problems", "-mean loss", "-largest"], loss_table(pairs))
        far = [one for one in sorted(wrong, key=lambda one: -one[4]) if one[4] >= 0.05]
        if far:
            yield "\nChoices that cost 5 % or more:\n"
            name = lambda row: f"`{row.key[2]}`, {row.key[3]}, {time(row.us)}"
            yield from table(["problem", "size", "predicted to be fastest", "fastest", "-loss"],
                             [f"{group.removeprefix('candidates: ')} | {parameters} | {name(p)} | {name(m)} | {100 * loss:.0f} %"
                              for group, parameters, p, m, loss in far])
        calls = called(data)
        if calls:
            longer = [taken / least - 1 for _, _, taken, least in calls]
            worst = max(range(len(calls)), key=longer.__getitem__)
            yield (f"\n`mmm::fastest`, as it is called, took {100 * sum(longer) / len(longer):.1f} % longer on average than the fastest "
                   f"candidate of the same size, over {len(calls)} sizes; at most {100 * longer[worst]:.0f} % ({calls[worst][0]}, "
                   f"{calls[worst][1]}).")
        yield f"\nThe {WORST} rows with the largest factors:\n"
        rows = [one for one in pairs if not one[0].figure]
        yield from table(ROW_HEAD, map(row_of, sorted(rows, key=lambda one: -abs(math.log2(one[1] / one[0].us)))[:WORST]))


def rows_page(predicted):
    yield "# Measured and predicted, row by row\n"
    yield ("This page is written by `benchmark/prediction/page.py`: every kernel of the library that was measured\n"
           "on a GPU ([gpu-results.md](gpu-results.md)) and whose time `mmm::predict` knows. What the predictions\n"
           "assume, and what is wrong with the worst, is in [prediction.md](prediction.md). The level-2 cache was\n"
           "overwritten before each run, which the predictions assume, too; those of [choices.md](choices.md)\n"
           "assume a clean one.")
    for path, data, pairs in all_pairs(predicted):
        yield f"\n## {title(data)}\n"
        yield from table(ROW_HEAD, [row_of(one) for one in pairs if not one[0].figure])


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
        groups[row["problem"]].append((ours, theirs))
        note = f", {row['note']}" if "note" in row else ""
        place = row["source"].split("//")[-1].removeprefix("github.com/").split("/blob/")[0].split("/posts/")[0]
        lines.append(f"| {row['what']}{note} ([{place}]({row['source']})) | {row['gpu']} | {given} | {shown} | "
                     f"{100 * (ours / theirs - 1):+.0f} % | {candidate}; {limit} |")
    yield "| problem | mean error | mean factor | within 15 % |"
    yield "|---|--:|--:|--:|"
    for name, some in groups.items():
        yield f"| {name} | {figures(some)} |"
    yield f"| **all** | {figures([pair for some in groups.values() for pair in some])} |"
    yield "\n| measurement | GPU | theirs | predicted, ours | time | ours, limited by |"
    yield "|---|---|--:|--:|--:|---|"
    yield from lines


def between(text, mark, made):
    begin, end = f"<!-- {mark}: written by benchmark/prediction/page.py -->", f"<!-- end of {mark} -->"
    before, rest = text.split(begin)
    return before + begin + "\n\n" + made + "\n\n" + end + rest.split(end)[1]


def main():
    check = "--check" in sys.argv
    programs = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(programs) > 2 or not (check or programs):
        sys.exit(__doc__)
    old = {page: page.read_text(encoding="utf-8") if page.exists() else "" for page in (PAGE, ROWS, CHOSEN, PREDICTED)}
    predicted = predict(programs[0]) if programs else json.loads(old[PREDICTED])
    if missing := [path.name for path, *_ in runs() if path.name not in predicted]:
        sys.exit(f"{', '.join(missing)}: nothing is predicted for it: run benchmark/prediction/page.py ROWS")
    new = {PAGE: between(old[PAGE], "comparison", "\n".join(comparison(predicted)).strip()), ROWS: "\n".join(rows_page(predicted)) + "\n"}
    if programs:
        new[PREDICTED] = as_text(predicted)
    if len(programs) == 2:
        new[PAGE] = between(new[PAGE], "published", "\n".join(published(programs[1])))
        new[CHOSEN] = between(old[CHOSEN], "choices", run(programs[1]).strip())
    if check:
        wrong = [page for page in new if new[page] != old[page]]
        for page in wrong:
            print(f"{page.relative_to(ROOT)} is not what was measured and predicted: run benchmark/prediction/page.py")
        return 1 if wrong else 0
    for page, text in new.items():
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
