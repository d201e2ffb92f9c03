#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests mmm-explore --nodes, --grid and --scaling: the figures of sums are recomputed from those of one node and from
the text of the machine; those of all programs keep the laws of costs and bounds, and simulations agree with them, with
right results; what is rejected.

    explore_nodes.py PATH_OF_MMM_EXPLORE
"""
import itertools
import json
import math
import pathlib
import re
import tempfile
import xml.etree.ElementTree

from checks import check, finish, run

PROGRAMS = re.search("accepted: (.*)", run("contiguous", "--nodes", 2).stderr).group(1).split(", ")
MACHINES = {"pram": [], "dmm": ["--width", 4, "--latency", 5], "umm": ["--width", 4, "--latency", 5],
            "hmm": ["--dmms", 2, "--width", 4, "--latency", 20, "--shared-latency", 2]}


def figures(*arguments):
    done = run(*arguments, "--json")
    check(done.returncode == 0 and not done.stderr, *arguments, "status", done.returncode, done.stderr)
    return json.loads(done.stdout) if done.returncode == 0 else None


def fold_time(nodes, gap, latency, overhead):
    """The time of a fold of a word of each node: in each of s rounds a node sends to f - 1 others, for f^s >= nodes."""
    def exchange(words):
        return -(-words * gap[0] // gap[1]) + overhead * words + latency
    times = [0] if nodes == 1 else []
    for rounds in range(1, (nodes - 1).bit_length() + 1):
        fan = next(f for f in itertools.count(2) if f ** rounds >= nodes)
        times.append(rounds * exchange(fan - 1))
    return min(times)


def check_sums():
    for (kind, options), nodes, size in itertools.product(MACHINES.items(), (1, 2, 3, 7, 64), (1, 5, 64, 1000)):
        gap, latency, overhead = ((1, 1), (3, 1), (1, 64))[nodes % 3], (1, 100)[size % 2], (0, 5)[nodes % 2]
        network = ["--nodes", nodes, "--gap", gap[0] if gap[1] == 1 else f"{gap[0]}/{gap[1]}",
                   "--network-latency", latency, "--message-overhead", overhead]
        found = figures("sum", "--machine", kind, *options, *network, "--size", size, "--threads", 8 * nodes)
        # The larger part need not be the slower one.
        parts = [figures("sum", "--machine", kind, *options, "--size", part, "--threads", 8, "--no-simulate")
                 for part in {size // nodes, -(-size // nodes)} if part > 0]
        if not found or not all(parts):
            continue
        slowest = max(parts, key=lambda f: (f["time"], f["rounds"], f["stages"]))
        name = f"sum on {nodes} nodes of {kind}, size {size}:"
        time = fold_time(nodes, gap, latency, overhead)
        check(found["work"] == {k: slowest[k] for k in ("rounds", "stages", "time")}, name, found["work"], "not", slowest)
        check(found["network"]["time"] == time and found["time"] == time + slowest["time"], name, found["network"], "not", time)
        check((found["nodes"], found["threads"], found["size"], found["gap"], found["network_latency"], found["message_overhead"])
              == (nodes, 8 * nodes, size, {"time": gap[0], "words": gap[1]}, latency, overhead), name, found)
        check(found["machine"] == slowest["machine"], name, found["machine"])
        check_simulated(name, found)


def check_laws(name, found):
    work, network, bound = found["work"], found["network"], found["bound"]
    estimate = found["closed_form"]["estimate"]
    least, most = (estimate["least"], estimate["most"]) if isinstance(estimate, dict) else (estimate, estimate)
    if estimate is None:
        check("radix-sort" in name and "hmm" in name, name, "no estimate")
    else:
        check(least <= found["time"] <= most and (least == most or "sort" in name), name, "estimate", estimate)
        check(found["closed_form"]["simulated"] is not None or found["time"] == most, name, "not the most", found)
    check(max(work["time"], network["time"]) <= found["time"] <= work["time"] + network["time"], name, "time", found)
    check((network["words"] > 0) == (network["supersteps"] > 0) == (network["time"] > 0), name, "network", network)
    check(bound["time"] > 0, name, "no bound:", bound)
    check(bound["time"] == max([v for k, v in bound.items() if k != "time"], default=0), name, "bound", found)
    # The bounds are those for the most expensive data.
    check(bound["time"] <= (found["time"] if estimate is None else most), name, "bound", found)
    check(found["time"] <= found["upper_bound"]["constant"] * found["upper_bound"]["time"], name, "upper bound", found)
    ratio = found["time"] / bound["time"] if bound["time"] else None
    check(ratio is None and found["ratio"] is None or abs(ratio - found["ratio"]) < 1e-3, name, "ratio", found)


def check_simulated(name, found):
    check(found["correct"] is True and found["races"] == 0 == found["races_between_nodes"], name, "result", found)
    form = found["closed_form"]
    check(form["agrees"] is (None if form["estimate"] is None else True) and form["simulated"] == found["time"], name, form)
    check(0 <= found["pipelined_time"] <= found["time"] and (found["time"] == 0) == (found["pipelined_time"] == 0), name, "pipelined", found["pipelined_time"])
    steps = found["supersteps"]
    for part, keys in (("work", ("rounds", "stages", "time")), ("network", ("supersteps", "words", "messages", "time"))):
        sums = {k: sum(s[part][k] for s in steps) for k in keys}
        check(sums == found[part], name, "the supersteps add up to", sums, "not", found[part])
    check(sum(s["time"] for s in steps) == found["time"], name, "supersteps", steps)


def check_data(folder):
    """Data of a file and of a seed, as on one machine."""
    path = folder / "numbers.txt"
    path.write_text(" ".join(str((i * 37 + 11) % 101) for i in range(60)) + " 500 -7 3")
    network = ["--nodes", 3, "--threads", 24]
    for name, place in (("argmax", 60), ("argmin", 61)):
        found = figures(name, *network, "--input", path)
        check(found and found["place"] == place and found["size"] == 63, name, found)
    text = run("sum", *network, "--input", path).stdout
    check(f"\n  input           {path}: " in text and "the sum 3521 equals" in text, text)
    drawn = [figures("argmin", *network, "--size", 999, "--seed", seed) for seed in (1, 1, 2)]
    one = figures("argmin", "--size", 999, "--seed", 1)
    check(drawn[0] == drawn[1] and drawn[0]["place"] == one["place"] != drawn[2]["place"], "seeds", drawn)
    text = run("prefix-sums", *network, "--size", 60).stdout
    check("agrees with the simulation" in text and "\nsuperstep " in text and "\n  races           none" in text, text)
    refused = run("sum", "--nodes", 2, "--size", 2**50)
    check(refused.returncode == 2 and "and --nodes 2 needs more memory" in refused.stderr, refused.stderr)
    large = figures("sum", "--nodes", 2, "--size", 2**50, "--no-simulate")
    check(large and large["correct"] is None is large["closed_form"]["simulated"], "2^50 words", large)


def check_grids():
    product = ["matrix-multiply", "--machine", "dmm", "--width", 4, "--latency", 5, "--nodes", 12, "--threads", 96, "--size", 20]
    best = figures(*product, "--grid", "auto")
    check(len(best["grids"]) == 18, "grids of 12 nodes", best["grids"])  # 12 = r c l in 18 ways
    for candidate in best["grids"]:
        sides = [int(side) for side in candidate["grid"].split("x")]
        check(len(sides) in (2, 3) and math.prod(sides) == 12, candidate)
        found = figures(*product, "--grid", candidate["grid"])
        check_simulated(f"grid {candidate['grid']}:", found)
        check(all(found[k] == candidate[k] for k in ("grid", "time", "work", "network")), candidate, found)
    check(best["time"] == min(c["time"] for c in best["grids"]), "the best grid", best)
    check(next(c for c in best["grids"] if c["time"] == best["time"])["grid"] == best["grid"], "the chosen grid", best)
    text = run(*product, "--grid", "auto").stdout
    check(len(re.findall(r"\n *\d+x\d+(?:x\d+)?  ", text)) == 18 and text.count("  chosen") == 1, text)
    default = figures(*product)
    check("grids" not in default and default["panels"] == 1 and default["grid"] in [c["grid"] for c in best["grids"]], default)
    panels = figures(*product, "--grid", "3x4", "--panels", 5)
    check_simulated("5 panels:", panels)
    check(panels["panels"] == 5 and panels["network"]["supersteps"] == 5, "5 panels", panels)
    scaled = figures(*product, "--grid", "auto", "--scaling", "strong")
    check(scaled["points"][-1]["time"] == best["time"], "the scaling on the best grids", scaled["points"][-1])


def check_programs():
    listed = {a["algorithm"]: a["machines"] for a in json.loads(run("--list", "--json").stdout)}
    check({"sum", "argmin", "argmax", "prefix-sums", "exclusive-prefix-sums", "segmented-prefix-sums",
           "exclusive-segmented-prefix-sums", "summed-area", "sort", "radix-sort", "merge-sort", "matrix-multiply",
           "convolution", "image-convolution", "transpose-straightforward", "transpose-diagonal", "transpose-rotating"}
          <= set(PROGRAMS) <= set(listed), "programs", PROGRAMS)
    for algorithm, (kind, options) in itertools.product(PROGRAMS, MACHINES.items()):
        if kind not in listed[algorithm]:
            continue
        arguments = [algorithm, "--machine", kind, *options, "--threads", 64, "--size", 64, "--gap", 2, "--network-latency", 10]
        if algorithm == "radix-sort" and kind == "hmm":
            done = run(*arguments, "--nodes", 4, "--no-simulate")
            check(done.returncode == 2 and "depends on its input" in done.stderr, algorithm, kind, done.stderr)
        for nodes in (1, 4, 16):
            found = figures(*arguments, "--nodes", nodes)
            if not found:
                continue
            check_laws(f"{algorithm} on {nodes} nodes of {kind}:", found)
            check_simulated(f"{algorithm} on {nodes} nodes of {kind}:", found)
            if nodes == 1:
                check(found["network"] == {"supersteps": 0, "words": 0, "messages": 0, "time": 0}, algorithm, kind, found)
        text = run(*arguments, "--nodes", 4).stdout
        shown = f"{figures(*arguments, '--nodes', 4)['time']:,}".replace(",", " ")
        check(f"\n  time            {shown}" in text and "4 nodes; 64 threads over all nodes" in text, algorithm, kind, text)


def check_scaling(folder):
    for algorithm, kind in itertools.product(PROGRAMS, ("strong", "weak")):
        picture = folder / f"{algorithm}-{kind}.svg"
        arguments = [algorithm, "--nodes", 100, "--scaling", kind, "--size", 64, "--threads", 6400]
        found = figures(*arguments, "-o", picture)
        if not found:
            continue
        points = found["points"]
        name = f"{algorithm}, {kind} scaling:"
        check([p["nodes"] for p in points] == [1, 2, 4, 8, 16, 32, 64, 100], name, points)
        check(all(p["threads"] == 64 * p["nodes"] for p in points), name, "threads", points)
        good = [p for p in points if "refused" not in p]
        for p in good:
            check_laws(f"{name} {p['nodes']} nodes:", p)
            square = algorithm.startswith(("transpose", "matrix", "image", "summed"))
            part = p["size"] ** 2 if square else p["size"]
            whole = (64 ** 2 if square else 64) * (p["nodes"] if kind == "weak" else 1)
            check(part <= whole < (p["size"] + 1) ** 2 if square else part == whole, name, "size", p)
            alone = figures(algorithm, "--nodes", p["nodes"], "--size", p["size"], "--threads", p["threads"],
                            "--no-simulate", *(["--tile", found["tile"]] if "tile" in found else []))
            one = figures(algorithm, "--nodes", 1, "--size", p["size"], "--threads", 64, "--no-simulate",
                          *(["--tile", found["tile"]] if "tile" in found else []))
            check(one["time"] == p["one_node_time"], name, p, "one node:", one["time"])
            check(all(alone[k] == p[k] for k in ("time", "work", "network", "bound")), name, p, "alone:", alone)
        first = next((p["nodes"] for p in good if p["network"]["time"] > p["work"]["time"]), None)
        check(found["network_takes_over"] == first, name, "takes over", found["network_takes_over"], "not", first)
        check(found["quickest"] == min(good, key=lambda p: p["time"])["nodes"], name, "quickest", found["quickest"])
        text = run(*arguments).stdout
        rows = [line for line in text.splitlines() if re.match(r" *\d+  ", line)]
        check(len(rows) == len(good), name, text)
        check((f"from {first} node" in text) == (first is not None), name, text)
        drawn = xml.etree.ElementTree.fromstring(picture.read_text())
        texts = "".join(drawn.itertext())
        check(all(word in texts for word in ("time", "work", "ideal", algorithm)), name, texts)
    large = figures("sum", "--machine", "hmm", "--nodes", 10000, "--scaling", "strong", "--size", 10**9)
    check(large and [p["nodes"] for p in large["points"]] == [2**k for k in range(14)] + [10000], "10,000 nodes", large)


def check_rejected(folder):
    network = ["--nodes", 4]
    cases = [
        (["sum", "--nodes", 0], "--nodes is 0; accepted: a whole number from 1"), (["sum", "--nodes", "x"], "--nodes is x"),
        (["sum", "--nodes", ""], "--nodes is empty"),
        (["sum", *network, "--gap", 0], "--gap is 0; accepted: whole numbers from 1 on"),
        (["sum", *network, "--gap", "1/0"], "--gap is 1/0"), (["sum", *network, "--gap", "1/"], "--gap is 1/"),
        (["sum", *network, "--gap", "/4"], "--gap is /4"), (["sum", *network, "--gap", "0.5"], "--gap is 0.5"),
        (["sum", *network, "--network-latency", 0], "--network-latency is 0; accepted: a whole number from 1"),
        (["sum", *network, "--message-overhead", -1], "--message-overhead is -1; accepted: a whole number from 0"),
        (["sum", "--gap", 2], "--gap is given without --nodes; accepted: with --nodes K"),
        (["sum", "--network-latency", 2], "--network-latency is given without --nodes"),
        (["sum", "--message-overhead", 2], "--message-overhead is given without --nodes"),
        (["sum", "--scaling", "weak"], "--scaling is given without --nodes"),
        (["sum", "-o", folder / "a.svg"], "--output is given without --scaling"),
        (["sum", *network, "-o", folder / "a.svg"], "--output is given without --scaling"),
        (["sum", *network, "--scaling", "stron"], "did you mean strong?"),
        (["sum", *network, "--scaling", "weak", "-o", folder / "missing" / "a.svg"], "cannot be written"),
        (["sum", *network, "--threads", 6], "--threads is 6; accepted: multiples of the number of nodes, 4"),
        (["sum", *network, "--machine", "hmm", "--dmms", 4, "--threads", 8], "accepted: multiples of 4 nodes times 4 DMMs"),
        (["contiguous", *network], "contiguous has no program for clusters; accepted: transpose-straightforward"),
        (["sum", *network, "--svg", folder / "a.svg"], "--svg and --nodes exclude each other"),
        (["sum", *network, "--trace", folder / "a.csv"], "--trace and --nodes exclude each other"),
        (["sum", *network, "--html", folder / "a.html"], "--html and --nodes exclude each other"),
        (["sum", *network, "--input", folder / "a.txt", "--scaling", "weak"], "--input and --scaling exclude each other"),
        (["sum", *network, "--input", folder / "missing.txt"], "missing.txt"),
        (["sum", "--grid", "2x2"], "--grid is given without --nodes"), (["sum", "--panels", 2], "--panels is given without --nodes"),
        (["sum", *network, "--grid", "2x2"], "--grid is given, but sum does not use it; accepted: with matrix-multiply"),
        (["sum", *network, "--panels", 2], "--panels is given, but sum does not use it; accepted: with matrix-multiply"),
        *((["matrix-multiply", *network, "--grid", grid], f"--grid is {grid}; accepted: ROWSxCOLUMNS or ROWSxCOLUMNSxLAYERS with 4")
          for grid in ("2x3", "4", "2x", "x2", "2x2x2", "2x2x1x1", "0x4", "-2x-2", "2X2", "4294967296x4294967296x4", "best", "2x2 ")),
        (["matrix-multiply", *network, "--grid", "2x2", "--scaling", "strong"], "--grid 2x2 and --scaling exclude each other"),
        (["matrix-multiply", *network, "--panels", 0], "--panels is 0; accepted: a whole number from 1"),
        (["matrix-multiply", *network, "--panels", "x"], "--panels is x"),
        (["matrix-multiply", *network, "--machine", "hmm", "--capacity", 10, "--size", 32], "--capacity 10 is too small"),
        (["sum", "--nodes", 2**62], "--nodes is 4611686018427387904; accepted: a whole number from 1 to"),
        (["sum", *network, "--network-latency", 2**63 - 1], "too large together: --size 65536, --nodes 4"),
        (["sum", *network, "--scaling", "weak", "--size", 2**62], "too large together: --size 4611686018427387904, --nodes"),
        (["sum", "--nodse", 4], "did you mean --nodes?")]
    for arguments, message in cases:
        for json_too in ([], ["--json"]):
            done = run(*arguments, *json_too)
            check(done.returncode == 2 and not done.stdout and message in done.stderr and done.stderr.count("\n") == 1,
                  *arguments, *json_too, "status", done.returncode, done.stdout, done.stderr)
    check(not list(folder.glob("a.*")), "a rejected command wrote", list(folder.glob("a.*")))


def main():
    check_sums()
    check_programs()
    check_grids()
    with tempfile.TemporaryDirectory() as name:
        check_data(pathlib.Path(name))
        check_scaling(pathlib.Path(name))
        check_rejected(pathlib.Path(name))
    finish()


main()
