#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `mmm-explore pattern`: random expressions, whose costs are recomputed here from the rules
alone, and what is refused.

  explore_pattern.py PATH_OF_MMM_EXPLORE [SEED]
"""
import collections
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import checks
from checks import finish, program

try:
    import z3
except ImportError:
    z3 = None
    print("Z3's second opinion is skipped: python3-z3 is not installed")

seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1


def check(condition, *what):
    checks.check(condition, *what)
    return condition


def run(*arguments):
    return subprocess.run([program, "pattern", *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)


# --- expressions: text in C syntax, and a function of i; None is `none` -----------------------------------------------------


def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def lifted(f):
    def g(i, *parts):
        values = [p(i) for p in parts]
        return None if None in values else f(*values)
    return g


BINARY = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&": lambda a, b: a & b,
          "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b),
          "<=": lambda a, b: int(a <= b), ">=": lambda a, b: int(a >= b), "==": lambda a, b: int(a == b),
          "!=": lambda a, b: int(a != b), "&&": lambda a, b: int(a != 0 and b != 0), "||": lambda a, b: int(a != 0 or b != 0)}
BINDING = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8, ">>": 8,
           "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}


class Expression:
    def __init__(self, text, value, binding=20):
        self.text, self.value, self.binding = text, value, binding

    def within(self, binding):
        return self.text if self.binding >= binding else f"({self.text})"


def operate(op, x, y, f):
    space = random.choice(["", " "])
    binding = BINDING[op]
    return Expression(f"{x.within(binding)}{space}{op}{space}{y.within(binding + 1)}", lambda i: lifted(f)(i, x.value, y.value), binding)


def number(n):
    return Expression(random.choice([str(n), hex(n)]), lambda i: n)


def expression(depth):
    if depth == 0 or random.random() < 0.15:
        return random.choice([Expression("i", lambda i: i), Expression("i", lambda i: i), number(random.randrange(100)),
                              Expression("pitch", lambda i: 33)])
    x = expression(depth - 1)
    kind = random.randrange(12)
    if kind < 2:
        divisor = random.choice([1, 2, 3, 4, 7, 8, 16, 32, 33])
        if kind == 0:
            return operate("/", x, number(divisor), truncated)
        return operate("%", x, number(divisor), lambda a, b: a - truncated(a, b) * b)
    if kind == 2:
        return operate("<<", x, number(random.randrange(5)), lambda a, b: a << b)
    if kind == 3:
        return operate(">>", x, number(random.randrange(5)), lambda a, b: a >> b)
    if kind == 4:
        p, y = expression(1), expression(depth - 1)

        def chosen(i):
            holds = p.value(i)
            return None if holds is None else x.value(i) if holds else y.value(i)
        return Expression(f"{p.within(1)} ? {x.text} : {y.text}", chosen, 0)
    if kind == 5 and depth > 1:
        return Expression(f"-{x.within(15)}", lambda i: lifted(lambda a: -a)(i, x.value), 15)
    if kind == 6:
        return Expression(f"!{x.within(15)}", lambda i: lifted(lambda a: int(a == 0))(i, x.value), 15)
    if kind == 7:
        y, name = expression(depth - 1), random.choice(["min", "max"])
        return Expression(f"{name}({x.text}, {y.text})", lambda i: lifted(min if name == "min" else max)(i, x.value, y.value))
    op = random.choice(list(BINARY) + ["+", "*", "^", "&"])
    return operate(op, x, expression(depth - 1), BINARY[op])


def pattern():
    x = expression(random.randrange(1, 4))
    if random.random() < 0.3:
        p, plain = expression(1), x
        where = (lambda i: plain.value(i) if p.value(i) else None)
        x = Expression(f"{p.within(1)} ? {plain.text} : none", where, 0)
    return x


# --- costs, from the rules ----------------------------------------------------------------------------------------------------


def bank_stages(words, banks):
    asked = {}
    for word in words:
        asked.setdefault(word % banks, set()).add(word)
    return max(map(len, asked.values()), default=0)


def warps(items, threads, width):
    for chunk in range(0, items, threads):
        for first in range(chunk, min(chunk + threads, items), width):
            yield range(first, min(first + width, chunk + threads, items))


def phases(lanes_of_items, size):
    in_phase = 32 if size <= 4 else 32 * 4 // size
    for first in range(0, 32, in_phase):
        yield [a for lane, a in lanes_of_items if first <= lane < first + in_phase]


def compare_memory():
    x, kind, width = pattern(), random.choice(["dmm", "umm"]), random.choice([1, 2, 3, 4, 8, 24, 32, 64])
    items, threads = random.choice([(width, None), (random.randrange(300), None), (random.randrange(300), random.randrange(1, 100))])
    addresses = [x.value(i) for i in range(items)]
    arguments = [x.text, "--machine", kind, "--width", width, "--size", items, "--let", "pitch=33", "--json"]
    done = run(*arguments, *(["--threads", threads] if threads else []))
    if any(a is not None and a < 0 for a in addresses):
        check(done.returncode == 2 and "the address of item" in done.stderr, "negative", arguments, done)
        return
    if not check(done.returncode == 0, "status", arguments, done):
        return
    found = json.loads(done.stdout)
    stages = least = 0
    longest = (0, [], 0)
    for number_of_warp, warp in enumerate(warps(items, threads or max(1, items), width)):
        asked = [a for a in (addresses[i] for i in warp) if a is not None]
        own = bank_stages(asked, width) if kind == "dmm" else len({a // width for a in asked})
        stages, least = stages + own, least + (1 if asked else 0)
        if own > longest[0]:
            longest = own, [(t, addresses[i]) for t, i in enumerate(warp) if addresses[i] is not None], number_of_warp
    check((found["stages"], found["least_stages"], found["items"]) == (stages, least, items), "stages", arguments, stages, least, found)
    check(found["conflict_free" if kind == "dmm" else "coalesced"] == (stages == least), "free", arguments, found)
    if kind == "dmm" and longest[0] > 1:
        lanes = dict(longest[1])
        check(found["warp"] == longest[2], "the warp that takes longest", arguments, found)
        check(len({lanes[t] for t in found["colliding_lanes"]}) == longest[0] and
              all(lanes[t] % width == found["worst_bank"] for t in found["colliding_lanes"]), "colliding lanes", arguments, found)
    better = found.get("better")
    if better:
        again = json.loads(run(better["pattern"], *arguments[1:], *(["--threads", threads] if threads else [])).stdout)
        check(again["stages"] == better["takes"] < stages == better["instead_of"], "the better layout", arguments, better, again)


def compare_gpu():
    size = random.choice([1, 2, 4, 8, 16, 32])
    x, space, op = pattern(), random.choice(["shared", "global"]) if size < 32 else "global", random.choice(["load", "store"])
    text = f"({x.text}) * {size}"
    items = random.choice([32, 32, random.randrange(200)])
    addresses = [None if x.value(i) is None else x.value(i) * size for i in range(items)]
    arguments = [text, "--gpu", "h200" if size < 32 else "b200", "--space", space, "--op", op, "--bytes", size, "--size", items, "--let", "pitch=33", "--json"]
    done = run(*arguments)
    if any(a is not None and a < 0 for a in addresses):
        check(done.returncode == 2, "negative", arguments, done)
        return
    if not check(done.returncode == 0, "status", arguments, done):
        return
    found = json.loads(done.stdout)
    wavefronts = ideal = sectors = lines = least = 0
    for warp in warps(items, max(1, items), 32):
        asked = [(t, addresses[i]) for t, i in enumerate(warp) if addresses[i] is not None]
        for phase in phases(asked, size):
            words = {(a + b) // 4 for a in phase for b in range(0, size, 4)}
            wavefronts += bank_stages(words, 32)
            ideal += 1 if phase else 0
        sectors += len({a // 32 for _, a in asked})
        lines += len({a // 128 for _, a in asked})
        least += -(-len({a for _, a in asked}) * size // 32)
    if space == "shared":
        check((found["wavefronts"], found["ideal"], found["excessive"]) == (wavefronts, ideal, wavefronts - ideal),
              "wavefronts", arguments, wavefronts, ideal, found)
    else:
        check((found["sectors"], found["lines"], found["ideal_sectors"]) == (sectors, lines, least),
              "sectors", arguments, sectors, lines, least, found)


def examples():
    for arguments, expected in (
            (["i % 32 * 33 + i / 32"], {"machine": {"kind": "dmm", "width": 32}, "items": 32, "stages": 1, "least_stages": 1,
                                       "conflict_free": True, "worst_bank": 0, "colliding_lanes": [], "closed_form": True}),
            (["i * 16", "--gpu", "h200", "--space", "shared", "--bytes", 16],
             {"gpu": "h200", "space": "shared", "bytes": 16, "items": 32, "wavefronts": 4, "ideal": 4, "excessive": 0}),
            (["i * 128", "--gpu", "h200", "--space", "global", "--bytes", 4],
             {"sectors": 32, "lines": 32, "ideal_sectors": 4}),
            (["i * 32", "--gpu", "b200", "--space", "global", "--bytes", 32], {"bytes": 32, "sectors": 32, "lines": 8, "ideal_sectors": 32}),
            (["i < 20 ? i * 8 : none"], {"stages": 5, "colliding_lanes": [0, 4, 8, 12, 16]}),
            (["i * 32", "--machine", "umm"], {"stages": 32, "coalesced": False, "machine": {"kind": "umm", "width": 32}}),
            (["i * 3", "--size", 10**12, "--threads", 960], {"stages": 31250000000, "closed_form": True}),
            (["0", "--machine", "b200"], {"gpu": "b200", "wavefronts": 1}),
            (["i / 2 * 16", "--machine", "a100", "--bytes", 16], {"wavefronts": 2}),  # pairs of lanes are merged
            (["i > 0 ? 24 % i : none"], {"stages": 1}), (["i && 32 % i == 0 ? i * 32 : none"], {"stages": 5, "closed_form": False}),
            (["1 << i"], {"stages": 27, "closed_form": False}), (["1 << i", "--gpu", "h100", "--bytes", 1], {"wavefronts": 26}),
            (["i == 9 ? 4 / (i - 9) : i", "--size", 9], {"stages": 1}),
            (["i > 8 ? 4 * (36 / i) : 0", "--gpu", "b200", "--space", "global", "--size", 64], {"sectors": 2}),
            (["item * 2"], {"stages": 2}), (["lane * 33", "--size", 32], {"stages": 1}), (["lane + item", "--gpu", "h200", "--bytes", 2], {"wavefronts": 1}),
            (["-1 * -i"], {"stages": 1}), (["none"], {"stages": 0, "requests": 0})):
        done = run(*arguments, "--json")
        found = json.loads(done.stdout) if done.returncode == 0 else {}
        check(found.get("pattern") == arguments[0] and all(found.get(k) == v for k, v in expected.items()), "example", arguments, done)


def refusals(folder):
    for arguments, words in (
            ([], "EXPRESSION"), ([""], "EXPRESSION is empty"), (["i *"], 'column 4, where a number, a name or "("'),
            (["i i"], "an operator or the end"), (["(i"], '")"'), (["j"], '"j" in column 1; accepted: i, item, lane, none'), (["j", "--size", 33], "accepted: i, item, none"),
            (["2 * lane", "--size", 33], '"lane" in column 5, and the items of several warps; accepted: i, item, none'), (["lane", "--threads", 16], "several warps"),
            (["i", "--let", "item=3"], "item, lane"), (["i ? 1"], '":"'), (["1.5"], "column 2"),
            (["9223372036854775808"], "64 bits"), (["12ab"], "whole number"), (["010 * i"], "without a 0 in front"), (["a", "--let", "a=010"], "NAME=VALUE"), (["i", "--gpu", "gtx580"], "v100, a100"), (["i / 0"], "divisor"), (["1 << 63"], "shift"),
            (["i - 1"], "the address of item 0 is -1"), (["("] * 1 + ["--json"], "column 2"), (["(" * 5000], "nested more than 200"),
            (["-" * 5000 + "i"], "nested more than 200"), (["--size", "4"], "EXPRESSION"), (["i", "--let", "i=3"], "--let"), (["a", "--let", "a"], "NAME=VALUE"), (["a", "--let", "a=x"], "NAME=VALUE"),
            (["a", "--let", "a=1", "--let", "a=2"], "twice"), (["i", "--width", 0], "--width is 0"), (["i", "--width", 65], "1 to 64"),
            (["i", "--machine", "hmm"], "dmm, umm, v100"), (["i", "--gpu", "h300"], "h200"), (["i", "--gpu", "h200", "--width", 32], "--width"),
            (["i", "--bytes", 4], "--gpu"), (["i", "--gpu", "h200", "--bytes", 3], "1, 2, 4, 8 or 16, or 32 in the global memory of b200"),
            (["32 * i", "--gpu", "h200", "--space", "global", "--bytes", 32], "--bytes is 32; accepted: 1, 2, 4, 8 or 16, or 32 in the global memory of b200"),
            (["32 * i", "--gpu", "b200", "--bytes", 32], "--bytes is 32"), (["i", "--gpu", "h200", "--bytes", 4], "address in bytes"),
            (["i", "--gpu", "h200", "--space", "local"], "shared, global"), (["i", "--gpu", "h200", "--op", "atomic"], "load, store"),
            (["i", "--size", -1], "--size"), (["i", "--threads", 0], "--threads"), (["i", "j"], "j"), (["i", "--svg", folder / "no" / "x"], "--svg"),
            (["i * 4611686018427387904"], "64 bits"), (["i", "--svg", folder / "same", "--html", folder / "same"], "same file")):
        done = run(*arguments)
        check(done.returncode == 2 and words in done.stderr and not done.stdout and done.stderr.count("\n") == 1, "refused", arguments, words, done)


def stages_for(addresses, kind):
    banks = collections.defaultdict(set)
    for a in addresses:
        banks[a % 32 if kind == "dmm" else 0].add(a if kind == "dmm" else a // 32)
    return max(map(len, banks.values()))


def for_all():
    """Statements for all values of a name, compared with an enumeration far beyond their periods; by Z3, too, where it
    is installed."""
    values = {"odd": range(1, 500, 2), "even": range(0, 500, 2), "every": range(300), "multiples-of-32": range(32, 10000, 32),
              "1..31": range(1, 32), "7..7": [7]}
    patterns = {"i * s": lambda i, s: i * s, "i * (s + 1)": lambda i, s: i * (s + 1), "i + s": lambda i, s: i + s,
                "i * 32 + (i + s) % 32": lambda i, s: i * 32 + (i + s) % 32, "i * 32 + (i ^ s % 32)": lambda i, s: i * 32 + (i ^ s % 32),
                "i / 2 * s + i % 2": lambda i, s: i // 2 * s + i % 2, "i < 1 ? s * 32 : 192": lambda i, s: s * 32 if i < 1 else 192}
    for (text, f), (name, domain), kind in itertools.product(patterns.items(), values.items(), ("dmm", "umm")):
        done = run(text, "--machine", kind, "--for-all", f"s={name}", "--json")
        if not check(done.returncode == 0, text, name, kind, done):
            continue
        found = json.loads(done.stdout)
        stages = {s: stages_for([f(i, s) for i in range(32)], kind) for s in domain}
        most = max(stages.values())
        [symbol] = found["symbols"]
        check(found["max_stages"] == most and stages.get(symbol["value"]) == most, text, name, kind, found, most)
        check(found["conflict_free" if kind == "dmm" else "coalesced"] == (most == 1), text, name, kind, found)
    two = {"i * s + t": lambda i, s, t: i * s + t, "t * s + i": lambda i, s, t: t * s + i, "i * (s + t)": lambda i, s, t: i * (s + t),
           "i < 1 ? s * 32 : t * 32": lambda i, s, t: s * 32 if i < 1 else t * 32}
    for (text, f), s_name, t_name in itertools.product(two.items(), ("odd", "even"), ("1..31", "7..7")):
        done = run(text, "--for-all", f"s={s_name}", "--for-all", f"t={t_name}", "--json")
        if not check(done.returncode == 0, text, s_name, t_name, done):
            continue
        found = json.loads(done.stdout)
        stages = {(s, t): stages_for([f(i, s, t) for i in range(32)], "dmm") for s in values[s_name][:33] for t in values[t_name]}
        most = max(stages.values())
        check([x["name"] for x in found["symbols"]] == ["s", "t"] and [x["values"] for x in found["symbols"]] == [s_name, t_name], found)
        check(found["max_stages"] == most and stages.get(tuple(x["value"] for x in found["symbols"])) == most, text, found, most)
    check("counterexample: s = 1 and t = 31\n" in run("i * (s + t)", "--for-all", "s=odd", "--for-all", "t=odd").stdout, "both values")
    check("free of bank conflicts" in run("i * s + t * u", "--for-all", "s=odd", "--for-all", "t=every", "--for-all", "u=1..9").stdout, "three")
    check("free of bank conflicts" in run("i * s", "--for-all", "s=odd").stdout, "the text")
    check("counterexample: s = 32" in run("i * s", "--for-all", "s=even").stdout, "the counterexample")
    for arguments, words in (
            (["i * s", "--for-all", "s=oddd"], "multiples-of-K"), (["i * s", "--for-all", "i=odd"], "NAME=VALUES"),
            (["i * s", "--for-all", "s"], "NAME=VALUES"), (["i * s", "--for-all", "s=5..4"], "FIRST..LAST"),
            (["i * s", "--for-all", "s=multiples-of-0"], "multiples-of-K"), (["i * s * s", "--for-all", "s=odd"], "no known period"),
            (["i * s", "--for-all", "s=odd", "--let", "s=3"], "both"), (["i * s", "--for-all", "s=odd", "--size", 64], "one warp"),
            (["i < s ? i : none", "--for-all", "s=odd"], "none"), (["i * s", "--for-all", "s=odd", "--svg", "x.svg"], "draws nothing"),
            (["i * s * t", "--for-all", "s=odd", "--for-all", "t=odd"], "no known period"),
            (["i * (s % 3201 + t % 3299)", "--for-all", "s=every", "--for-all", "t=every"], "10560099"),
            (["i * s", "--for-all", "s=odd", "--for-all", "s=even"], "s twice"),
            (["i", "--for-all", "s=odd", "--for-all", "t=odd", "--for-all", "u=odd", "--for-all", "v=odd"], "up to 3"),
            (["400 - s * 4 + i * 4", "--for-all", "s=1..200", "--gpu", "h200"], "0 or more"),
            (["400 - s * 4 + i * 4", "--for-all", "s=every", "--gpu", "h200"], "0 or more"),
            (["i * s * 16", "--for-all", "s=odd", "--gpu", "a100", "--bytes", 16], "up to 4 bytes"),
            (["i * s * 2", "--for-all", "s=odd", "--gpu", "h200"], "a multiple of 4"),
            (["i * s * 4", "--for-all", "s=odd", "--gpu", "h200", "--space", "global"], "--space shared")):
        done = run(*arguments)
        check(done.returncode == 2 and words in done.stderr and not done.stdout, "refused", arguments, words, done)
    if z3:
        check_by_z3()


def check_by_z3():
    """Two lanes of one bank with different words, for some value: what a statement excludes, or its counterexample has."""
    for name, first, step in (("odd", 1, 2), ("even", 0, 2), ("every", 0, 1), ("multiples-of-32", 32, 32), ("multiples-of-3", 3, 3)):
        for text, f in (("i * s", lambda i, s: i * s), ("i * (s + 1)", lambda i, s: i * (s + 1)), ("i * 33 + s", lambda i, s: i * 33 + s),
                        ("i * (s * 2 + 4)", lambda i, s: i * (s * 2 + 4))):
            i, j, s = z3.BitVecs("i j s", 40)
            solver = z3.Solver()
            solver.add(z3.ULT(i, j), z3.ULT(j, 32), z3.ULT(s, 1 << 30), z3.UGE(s, first), z3.URem(s - first, step) == 0)
            solver.add(f(i, s) != f(j, s), (f(i, s) ^ f(j, s)) & 31 == 0)
            found = json.loads(run(text, "--for-all", f"s={name}", "--json").stdout)
            check((solver.check() == z3.unsat) == found["conflict_free"], "Z3 decides", text, name, "differently:", found)


def files(folder):
    for arguments in (["i * 32"], ["i * 128", "--gpu", "h200", "--space", "global"], ["i * 64", "--gpu", "v100", "--bytes", 8], ["none"], ["i<9?i:none"]):
        done = run(*arguments, "--svg", folder / "a.svg", "--html", folder / "a.html")
        svg, page = (folder / "a.svg").read_text(encoding="utf-8"), (folder / "a.html").read_text(encoding="utf-8")
        check(done.returncode == 0 and "<svg" in svg and svg.rstrip().endswith("</svg>"), "picture", arguments, done)
        check(page.startswith("<!DOCTYPE html>") and "<svg" in page and "color-scheme: light dark" in page and "http://" not in
              page.replace("http://www.w3.org", ""), "page", arguments)
        check(arguments[0] in done.stdout and arguments[0].replace("<", "&lt;") in page, "the pattern's text", arguments)
    check("--bytes" in run("--help").stdout, "help")


def main():
    random.seed(seed)
    examples()
    for _ in range(300):
        compare_memory()
        compare_gpu()
    for_all()
    with tempfile.TemporaryDirectory() as name:
        refusals(pathlib.Path(name))
        files(pathlib.Path(name))
    finish()


main()
