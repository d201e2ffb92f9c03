#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what each stage of the search for a closed form (include/mmm/cost/access.hpp) is good for: without it, how many
accesses have no closed form, and how many evaluations over a box of warps and how much time the search takes.

  benchmark/closed_form_stages.py DIR [--sample N] [--cases N] [--compiler PROGRAM]

Copies the working tree to DIR, puts switches into the copy's headers, builds mmm-explore and benchmark/closed_form_stages.cpp
there, and runs them once for each set of stages that is left out: over N entries of each algorithm and machine of
benchmark/closed_forms.py, and over N random accesses (test/support/random_expression.hpp) of up to 1,500 items, and of up to 1.5 million. Nothing
is enumerated: an access without a closed form is lost. Prints the table of docs/how-it-works.md; takes half an hour.
Exit status 1 if two sets of stages find different costs, 2 if the headers do not have the lines that are switched.
"""
import argparse
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys

import closed_forms

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETS = {  # what is left out, by its title
    "": "nothing",
    "affine": "affine",
    "boxes": "boxes",
    "plane": "plane",
    "warps": "plane, columns of a warp",
    "inner": "plane, columns of an inner row",
    "within": "plane, columns that divide places in a row",
    "items": "plane, columns of an item",
    "again": "boxes again",
    "affine,boxes,plane": "all but the last search in boxes",
    "affine,plane": "affine, plane",
}
SWITCHES = """namespace mmm::detail {

struct stage_switches {
  char const* left_out = std::getenv("LEFT_OUT");
  long long evaluations = 0;
  long long lost = 0;
};
inline stage_switches& switches() {
  static struct reported : stage_switches {
    ~reported() {
      if (std::getenv("LEFT_OUT") != nullptr)
        std::fprintf(stderr, "evaluations %lld lost %lld\\n", evaluations, lost);
    }
  } all;
  return all;
}
constexpr bool stage_used(char const* name) {
  if (is_constant_evaluated() || switches().left_out == nullptr) return true;
  return std::strstr(switches().left_out, name) == nullptr;
}
constexpr void count_evaluation() {
  if (!is_constant_evaluated()) ++switches().evaluations;
}
//! True instead of an enumeration.
constexpr bool count_lost() {
  if (!is_constant_evaluated()) ++switches().lost;
  return !is_constant_evaluated();
}
"""
# In each header: the text, as it is and with its switch.
SWITCHED = {
    "search.hpp": [("#pragma once\n", "#pragma once\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <mmm/core/type_traits.hpp>\n"),
                   ("namespace mmm::detail {\n", SWITCHES)],
    "access_in_boxes.hpp": [("++memory.evaluations;", "++memory.evaluations;\n    count_evaluation();")],
    "access.hpp": [
        ("if (close_affine(", 'if (stage_used("affine") && close_affine('),
        ("if (close_group(m, group, requests, apart, access, few", 'if (stage_used("boxes") && close_group(m, group, requests, apart, access, few'),
        ("if (used &&", 'if (used && stage_used("plane") && stage_used(k == 0 ? "warps" : k == 1 ? "inner" : k == 2 ? "within" : "items") &&'),
        ("if (last > few &&", 'if (stage_used("again") && (last > few || !stage_used("boxes")) &&'),
        ("    if (warps > max_enumerated_warps)\n", "    if (count_lost()) continue;\n    if (warps > max_enumerated_warps)\n"),
        ("if (warps > 4096 && enumerated > warps - warps / 8) total.closed_form = false;",
         "if (warps > 4096 && enumerated > warps - warps / 8 && count_lost()) total.closed_form = false;"),
    ],
}


def copy_of_the_tree(tree):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def switch_stages(tree):
    for header, changes in SWITCHED.items():
        path = tree / "include/mmm/cost" / header
        text = path.read_text()
        for old, new in changes:
            if text.count(old) != 1:
                print(f"cost/{header} has not once but {text.count(old)} times: {old.strip()}", file=sys.stderr)
                sys.exit(2)
            text = text.replace(old, new)
        path.write_text(text)


def build(tree, compiler):
    subprocess.run(["cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
                    "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-Og -DNDEBUG", "-DMMM_BUILD_TESTS=OFF", "-DMMM_BUILD_EXAMPLES=OFF",
                    "-DMMM_BUILD_BENCHMARKS=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", tree / "build", "--target", "mmm-explore", "-j", "2"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([compiler, "-std=c++20", "-O2", f"-I{tree}/include", f"-I{tree}/tool", f"-I{tree}/test",
                    tree / "benchmark/closed_form_stages.cpp", "-lrapidcheck", "-o", tree / "random"], check=True)


def survey(program, sample, limit):
    """The entries of benchmark/closed_forms.py: for each set, entries that lose a closed form or take longer than the
    limit, evaluations and seconds."""
    entries = []
    for algorithm in closed_forms.algorithms(program):
        sizes = next(sizes for names, sizes in closed_forms.SIZES.items() if re.search(names, algorithm))
        for machine in closed_forms.MACHINES:
            if not closed_forms.runs_on(program, algorithm, machine):
                continue
            own = [(extra, size, p * dmms) for extra, dmms in closed_forms.MACHINES[machine] for size in sizes
                   for p in (closed_forms.THREADS_PER_DMM if machine == "hmm" else closed_forms.THREADS)]
            chosen = random.Random(f"1 {algorithm} {machine}").sample(own, min(sample, len(own)))
            entries += [(algorithm, machine, *entry) for entry in chosen]
    found = {left_out: [0, 0, 0, 0.0] for left_out in SETS}
    for algorithm, machine, extra, size, p in entries:
        command = [program, algorithm, "--machine", machine, "--size", str(size), "--threads", str(p), "--no-simulate", "--json", *extra]
        counted = {}
        for left_out in SETS:
            begin = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LEFT_OUT": left_out},
                                  preexec_fn=lambda: closed_forms.end_after(limit))
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            numbers = re.search(r"evaluations (\d+) lost (\d+)", done.stderr)
            seconds = end.ru_utime - begin.ru_utime
            if done.returncode < 0:
                counted[left_out] = 1, 0, seconds, ""
            elif done.returncode == 0 and numbers:
                counted[left_out] = int(numbers[2]), int(numbers[1]), seconds, done.stdout
            else:  # too large for 64 bits
                break
        if len(counted) < len(SETS):
            continue
        whole = {figures[3] for figures in counted.values() if figures[0] == 0}
        if len(whole) > 1:
            sys.exit(f"different costs: {' '.join(map(str, command[1:]))}")
        for left_out, (lost, evaluations, seconds, _) in counted.items():
            total = found[left_out]
            found[left_out] = [total[0] + 1, total[1] + (lost != 0), total[2] + evaluations, total[3] + seconds]
    return found


def random_accesses(program, scale, cases):
    done = subprocess.run([program, str(scale), *SETS], capture_output=True, text=True,
                          env={**os.environ, "RC_PARAMS": f"seed=1 max_success={cases} max_discard_ratio=100"})
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    lines = [line.split("|") for line in done.stdout.splitlines() if "|" in line]
    return {left_out: [int(accesses), int(lost), int(evaluations), float(seconds)]
            for left_out, accesses, lost, evaluations, seconds in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=4, help="entries of each algorithm and machine")
    parser.add_argument("--cases", type=int, default=2000, help="random accesses")
    parser.add_argument("--limit", type=int, default=5, help="seconds of processor time after which an entry is ended")
    parser.add_argument("--compiler", default="clang++-19")
    options = parser.parse_args()
    tree = options.directory.resolve()
    copy_of_the_tree(tree)
    switch_stages(tree)
    build(tree, options.compiler)
    columns = [survey(tree / "build/tool/mmm-explore", options.sample, options.limit), random_accesses(tree / "random", 1, options.cases),
               random_accesses(tree / "random", 1000, options.cases)]
    titles = ("entries", "accesses of few items", "accesses of many items")
    print("| left out | " + " | ".join(f"lost of {column[''][0]} {title} | evaluations | s" for column, title in zip(columns, titles)) + " |")
    print("|---|" + "---:|---:|---:|" * len(columns))
    for left_out, title in SETS.items():
        cells = [f"{lost:,} | {evaluations:,} | {seconds:.2f}" for _, lost, evaluations, seconds in (c[left_out] for c in columns)]
        print(f"| {title} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
