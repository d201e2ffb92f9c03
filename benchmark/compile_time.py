#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the library's compile time, in seconds of processor time (user + system), as differences
of medians.

    compile_time.py [--runs N] [--compilers g++-12 clang++-19 ...] [--json FILE] [--strict]
    compile_time.py --count [--compilers ...] [--json FILE]
    compile_time.py --page             writes the tables of docs/performance.md from benchmark/results/compile-time.json
    compile_time.py --page --check     fails if the tables are not what the file says
    compile_time.py --spaces [--compilers ...]
    compile_time.py --guard [--include FOLDER] [--runs N] [--compilers ...]

  <header>           #include of this header over an empty file, and its ratio to that of <vector>
  + 10 assertions    the same and 10 assertions on a warp's stages
  warp assertion     one more static_assert on a warp's stages:
                     (201 of them - 1 of them) / 200, all different
  gpu assertion      one more static_assert on the wavefronts of 16-byte loads, measured likewise
  layout choice      one more choose_layout among 68 for a transpose's tile:
                     (9 of them - 1 of them) / 8, all different
  compile_time/X.cpp its static_asserts on whole algorithms, over <mmm/model.hpp>; per assertion

Headers of other libraries are measured beside them where they are installed, and named as missing
where they are not. All compilers run with their default limits. Within one round the files take
turns, so that a change of the machine's load affects all of them. The targets are the design's. A
result over its target is reported as `over`, and is a failure only with --strict. A file that does
not compile is a failure.

--count counts the instructions that the compilers of the host execute for each include, by Valgrind's
Cachegrind, in place of times: the process of most instructions of a whole compilation, by its ratio
to that for <vector>. Two counts of one compiler differ by less than a thousandth whatever else the
machine does. nvcc, which is many programs, is not counted. Exit status 77 without
Valgrind. A file of --json keeps the times that it has, and, of a run without --count, the counts.

--spaces measures, once and by no page, the choice of the best point of each space of mmm::spaces on one
GPU as a constant, over the headers alone, with the compilers' limits on constant expressions raised.

--guard measures the library's headers and <vector> only, and fails if one costs more than its limit
in GUARD, which is a ratio to <vector>, so that it holds on any machine.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmark" / "results" / "compile-time.json"
PAGE = ROOT / "docs" / "performance.md"
DEFAULT_COMPILERS = ["g++-12", "clang++-14", "clang++-19", "nvcc"]
# Targets of includes: ratios to <vector>; of nvcc, which includes much by itself, seconds.
RATIO_TARGETS = {"mmm/access.hpp": 0.6, "mmm/access.hpp + 10 assertions": 1, "mmm/model.hpp": 1.5, "mmm/mmm.hpp": 4}
NVCC_TARGETS = {"mmm/access.hpp": 0.5}
HEADERS = ["mmm/access.hpp", "mmm/gpu.hpp", "mmm/model.hpp", "mmm/mmm.hpp", "mmm/fast.hpp", "mmm/report.hpp"]
# Ratios to <vector> that no change may exceed: the largest measured ones and a sixth or a fifth more, so that noise
# and other machines do not matter.
GUARD = {"mmm/access.hpp": 0.9, "mmm/access.hpp + 10 assertions": 1.1, "mmm/model.hpp": 2.3, "mmm/mmm.hpp": 4.8}
PEERS = ["boost/hana.hpp", "Eigen/Dense", "range/v3/all.hpp"]
NVCC_PEERS = ["cub/cub.cuh"]
PEER_FOLDERS = ["/usr/include/eigen3", "/usr/local/include/eigen3"]
ASSERTION_TARGETS = {"g++": 0.005, "clang++": 0.007, "nvcc": 0.007}
# Counts the instructions of each process: g++ starts the compiler proper as one of its own.
COUNTER = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--trace-children=yes", "--cachegrind-out-file=/dev/null"]
ALGORITHM_TARGETS = {"g++": 0.1, "clang++": 0.2, "nvcc": 0.4}
CHOICE_TARGET = 2


def warp_assertions(count):
    lines = ["#include <mmm/access.hpp>", "using shared = mmm::dmm<32, 1>;", "constexpr auto lane = mmm::item;"]
    for k in range(1, count + 1):
        # A stride of k words puts gcd(k, 32) distinct words into each bank that it touches.
        lines.append(f"static_assert(mmm::stages<shared>(lane * {k} + {7 * k}) == {math.gcd(k, 32)});")
    return "\n".join(lines) + "\n"


def gpu_assertions(count):
    lines = ["#include <mmm/access.hpp>", "using namespace mmm::gpu;"]
    for k in range(1, count + 1):
        # Vectors of 16 bytes, k vectors apart: the 8 lanes of a phase put gcd(k, 8) vectors into
        # the same four banks.
        lines.append(f"static_assert(wavefronts<load<16>>(mmm::item * {16 * k} + {112 * k}) == {4 * math.gcd(k, 8)});")
    return "\n".join(lines) + "\n"


def layout_choices(count):
    lines = ["#include <mmm/gpu.hpp>", "using namespace mmm::gpu;"]
    for k in range(count):
        lines.append(f"static_assert(choose_layout({{32, 32}}, {{}}, tile_access<store<4>>({k}, mmm::item), "
                     f"tile_access<load<4>>(mmm::item, {k})).optimal());")
    return "\n".join(lines) + "\n"


def is_nvcc(compiler):
    return pathlib.Path(compiler).name.startswith("nvcc")


def family(compiler):
    return next((name for name in ("clang++", "nvcc") if pathlib.Path(compiler).name.startswith(name)), "g++")


def found(compiler):
    return shutil.which(compiler) or (compiler == "nvcc" and shutil.which("/usr/local/cuda/bin/nvcc")) or None


def command_for(compiler, include=ROOT / "include"):
    folders = ["-I", str(include)]
    for folder in PEER_FOLDERS:
        folders += ["-isystem", folder] if pathlib.Path(folder).is_dir() else []
    if is_nvcc(compiler):
        return [compiler, "-x", "cu", "-std=c++20", "-arch=sm_90", *folders, "-c", "-o", "out.o"]
    return [compiler, "-std=c++20", "-fsyntax-only", *folders]


def has_header(compiler, header):
    """True if the compiler finds a header of somebody else's."""
    command = [part for part in command_for(compiler) if part not in ("-fsyntax-only", "-c", "-o", "out.o")]
    source = f"#if !__has_include(<{header}>)\n#error missing\n#endif\n"
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "peer.cpp").write_text(source)
        return subprocess.run([*command, "-E", "peer.cpp"], cwd=folder, capture_output=True).returncode == 0


def version_of(compiler):
    text = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    match = re.search(r"V?(\d+\.\d+\.\d+)", text)
    return match.group(1) if match else "?"


def processor_seconds(command, folder):
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{output.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime


def measure(compiler, files, runs, include=ROOT / "include"):
    """Median seconds by file name."""
    command = command_for(compiler, include)
    seconds = {name: [] for name in files}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, name).write_text(text)
        processor_seconds([*command, next(iter(files))], folder)  # warm-up, not measured
        for turn in range(runs):
            for name in files:
                progress(f"{compiler}: round {turn + 1} of {runs}: {name}")
                seconds[name].append(processor_seconds([*command, name], folder))
    progress("")
    return {name: statistics.median(values) for name, values in seconds.items()}


def count_instructions(compiler, files, include=ROOT / "include"):
    """Instructions by file name."""
    counted = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            progress(f"{compiler}: counting {name}")
            pathlib.Path(folder, name).write_text(text)
            ran = subprocess.run([*COUNTER, *command_for(compiler, include), name], cwd=folder, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, errors="replace")
            figures = re.findall(r"^==\d+== I +refs: +([\d,]+)", ran.stderr, re.M)
            if ran.returncode != 0 or not figures:
                sys.exit(f"failed: {compiler} {name}\n{ran.stderr}")
            counted[name] = max(int(figure.replace(",", "")) for figure in figures)
    progress("")
    return counted


def count_includes(options):
    if shutil.which(COUNTER[0]) is None:
        print(f"{COUNTER[0]}: not found: nothing is counted")
        return 77
    rows, versions, missing = [], {}, []
    for compiler in options.compilers:
        path = found(compiler)
        if path is None or is_nvcc(compiler):
            print(f"{compiler}: not found or not a host compiler: left out")
            continue
        name = pathlib.Path(compiler).name
        versions[name] = version_of(path)
        peers = [peer for peer in PEERS if has_header(path, peer)]
        missing += [f"{peer} for {name}" for peer in PEERS if peer not in peers]
        own = {name: text for name, text in includes().items() if name != "empty.cpp"}
        own.update({include_file(peer): f"#include <{peer}>\n" for peer in peers})
        counted = count_instructions(path, own)
        for what in ["vector", *HEADERS, "mmm/access.hpp + 10 assertions", *peers]:
            instructions = counted[include_file(what)]
            ratio, target = instructions / counted["vector.cpp"], RATIO_TARGETS.get(what)
            rows.append({"compiler": name, "what": what, "instructions": instructions, "ratio": round(ratio, 3),
                         "target": target, "within": target is None or ratio <= target})
            verdict = "" if target is None else f"{target:.2f} x  {'ok' if ratio <= target else 'over'}"
            print(f"{name:12} {what:31} {instructions / 1e6:9.1f} million {ratio:6.2f} x <vector>  {verdict}", flush=True)
    if not rows:
        return 77
    if options.json:
        save(options.json, {"counts": {"counter": version_of_counter(), "versions": versions, "rows": rows, "missing": missing}})
    return 1 if options.strict and not all(entry["within"] for entry in rows) else 0


def version_of_counter():
    return subprocess.run([COUNTER[0], "--version"], capture_output=True, text=True).stdout.strip()


def save(file, parts):
    """Replaces parts of a file's results."""
    known = json.loads(file.read_text()) if file.exists() and file.stat().st_size > 0 else {}
    file.write_text(json.dumps({**known, **parts}, indent=2) + "\n")


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def include_file(name):
    return name.replace("/", "_").replace(" ", "_") + ".cpp"


def includes():
    """Files that include one header each, and 10 assertions."""
    files = {"empty.cpp": "", "vector.cpp": "#include <vector>\n"}
    for header in HEADERS:
        files[include_file(header)] = f"#include <{header}>\n"
    files[include_file("mmm/access.hpp + 10 assertions")] = warp_assertions(10)
    return files


SPACES = {"products": "size(1024)", "transposes": "size(4096)", "convolutions": "size(1 << 22), mmm::taps(64)"}


def measure_spaces(options):
    for compiler in options.compilers:
        path = found(compiler)
        if path is None or is_nvcc(compiler):
            print(f"{compiler}: " + ("not found" if path is None else "left out, spaces are for the host"))
            continue
        raised = "-fconstexpr-steps=" if family(compiler) == "clang++" else "-fconstexpr-ops-limit="
        with tempfile.TemporaryDirectory() as folder:
            def seconds(text):
                pathlib.Path(folder, "space.cpp").write_text("#include <mmm/choose/tuning_spaces.hpp>\n" + text)
                return processor_seconds([*command_for(path), raised + "1000000000", "space.cpp"], folder)
            alone = seconds("")
            print(f"{compiler}: the header {alone:.1f} s")
            for space, problem in SPACES.items():
                text = (f"static_assert(mmm::best<mmm::gpu::h200>(mmm::spaces::{space}, "
                        f"mmm::problem_c<mmm::{problem}>).time.microseconds > 0);\n")
                print(f"{compiler}: {space} {seconds(text) - alone:.1f} s", flush=True)
    return 0


def guard(options):
    measured, failed = False, False
    names = [include_file(name) for name in GUARD] + ["vector.cpp"]
    files = {name: text for name, text in includes().items() if name in names}
    for compiler in options.compilers:
        path = found(compiler)
        if path is None or is_nvcc(compiler):
            print(f"{compiler}: not found or not a host compiler: left out")
            continue
        measured = True
        over = set(GUARD)
        for attempt in range(5):  # other work may disturb some; a heavy header is too slow in every one
            median = measure(path, files, options.runs, options.include)
            ratios = {name: median[include_file(name)] / median["vector.cpp"] for name in GUARD}
            over &= {name for name in GUARD if ratios[name] > GUARD[name]}
            for name, ratio in ratios.items():
                print(f"{pathlib.Path(compiler).name:12} {name:31} {ratio:5.2f} x <vector>, limit {GUARD[name]:4.2f}  "
                      f"{'too slow' if ratio > GUARD[name] else 'ok'}")
            if not over:
                break
        failed |= bool(over)
    return 77 if not measured else 1 if failed else 0


def table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def table_of_counts(counts):
    compilers = list(counts["versions"])
    at = {(row["compiler"], row["what"]): row for row in counts["rows"]}
    rows = [["instructions, x `<vector>`", *(f"{name} ({counts['versions'][name]})" for name in compilers)]]
    for what in dict.fromkeys(row["what"] for row in counts["rows"]):
        cells = []
        for name in compilers:
            row = at.get((name, what))
            cells.append("" if row is None else f"{row['instructions'] / 1e6:.0f} million" if what == "vector"
                         else f"{row['ratio']:.2f}")
        rows.append([titled(what), *cells])
    return [*table(rows), ""]


def titled(what):
    return f"`<{what.split(' + ')[0]}>`" + "".join(" and " + part for part in what.split(" + ")[1:])


def tables(result):
    """The tables of docs/performance.md."""
    compilers = list(result["versions"])
    at = {(row["compiler"], row["what"]): row for row in result["rows"]}
    kinds = [("header", "include", "s", 1), ("one more", "assertion", "ms", 1000)]
    text = table_of_counts(result["counts"]) if "counts" in result else []
    for title, kind, unit, factor in kinds:
        rows = [[title, *(f"{name} ({result['versions'][name]}), {unit}" for name in compilers)]]
        for what in dict.fromkeys(row["what"] for row in result["rows"] if row["kind"] == kind):
            cells = []
            for name in compilers:
                row = at.get((name, what))
                if row is None:
                    cells.append("")
                elif kind == "include":
                    ratio = f", {row['ratio']:.2f}" if row["ratio"] is not None and what != "vector" else ""
                    cells.append(f"{row['seconds']:.3f}{ratio}")
                else:
                    cells.append(f"{row['seconds'] * factor:.1f}")
            rows.append([titled(what) if kind == "include" else what, *cells])
        text += [*table(rows), ""]
    missing = result["missing"]
    text.append(f"Times are medians of {result['runs']} runs on {result['processor']}. "
                + (f"Not installed there: {', '.join(missing)}." if missing else ""))
    return "\n".join(text).strip() + "\n"


BEGIN, END = "<!-- compile time: begin -->\n", "<!-- compile time: end -->\n"


def write_page(check):
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    page = text[:begin] + "\n" + tables(json.loads(RESULT.read_text())) + "\n" + text[end:]
    if check:
        if page != text:
            print(f"{PAGE.relative_to(ROOT)} is not what {RESULT.relative_to(ROOT)} says: run benchmark/compile_time.py --page")
        return int(page != text)
    PAGE.write_text(page)
    return 0


def processor_name():
    try:
        match = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    except OSError:
        match = None
    return match.group(1).strip() if match else "an unknown processor"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="rounds; the medians count (default 7)")
    parser.add_argument("--compilers", nargs="+", default=DEFAULT_COMPILERS)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a figure is over its target")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    parser.add_argument("--check", action="store_true", help="with --page: compare only")
    parser.add_argument("--count", action="store_true", help="count the instructions of includes in place of times")
    parser.add_argument("--spaces", action="store_true", help="only measure the best points of tuning spaces")
    parser.add_argument("--guard", action="store_true", help="only compare the headers with their limits")
    parser.add_argument("--include", type=pathlib.Path, default=ROOT / "include", help="with --guard: the folder of mmm/")
    options = parser.parse_args()
    if options.page:
        return write_page(options.check)
    if options.spaces:
        return measure_spaces(options)
    if options.guard:
        return guard(options)
    if options.count:
        return count_includes(options)

    files = includes()
    files.update({
        "warp_1.cpp": warp_assertions(1),
        "warp_201.cpp": warp_assertions(201),
        "gpu_1.cpp": gpu_assertions(1),
        "gpu_201.cpp": gpu_assertions(201),
        "choice_1.cpp": layout_choices(1),
        "choice_9.cpp": layout_choices(9),
    })
    algorithms = {}
    for source in sorted((ROOT / "benchmark" / "compile_time").glob("*.cpp")):
        text = source.read_text()
        # The file's own name as key, which no generated file has, and the number of its assertions,
        # by which the time is divided.
        algorithms[source.stem] = len(re.findall(r"^\s*static_assert\b", text, re.M))
        if algorithms[source.stem] == 0:
            sys.exit(f"{source}: no static_assert at the beginning of a line")
        files[f"algorithm_{source.stem}.cpp"] = text

    rows, missing, versions = [], [], {}

    def row(compiler, kind, what, seconds, target=None, ratio=None, by_ratio=False):
        got = ratio if by_ratio else seconds
        rows.append({"compiler": compiler, "kind": kind, "what": what, "seconds": round(seconds, 5),
                     "ratio": None if ratio is None else round(ratio, 3), "target": target,
                     "target_is_ratio": by_ratio, "within": target is None or got <= target})

    for compiler in options.compilers:
        path = found(compiler)
        if path is None:
            missing.append(compiler)
            continue
        name = pathlib.Path(compiler).name
        versions[name] = version_of(path)
        peers = []
        for peer in NVCC_PEERS if is_nvcc(compiler) else PEERS:
            if has_header(path, peer):
                peers.append(peer)
            else:
                missing.append(f"{peer} for {name}")
        own = {**files, **{include_file(peer): f"#include <{peer}>\n" for peer in peers}}
        median = measure(path, own, options.runs)
        over = {file: seconds - median["empty.cpp"] for file, seconds in median.items()}
        for what in ["vector", *HEADERS, "mmm/access.hpp + 10 assertions", *peers]:
            # Of whole compilations, as the design measured them; nvcc takes seconds for an empty file.
            ratio = None if is_nvcc(compiler) else median[include_file(what)] / median["vector.cpp"]
            by_ratio = not is_nvcc(compiler) and what in RATIO_TARGETS
            row(name, "include", what, over[include_file(what)],
                RATIO_TARGETS[what] if by_ratio else NVCC_TARGETS.get(what) if is_nvcc(compiler) else None,
                ratio, by_ratio)
        assertion = ASSERTION_TARGETS[family(name)]
        row(name, "assertion", "warp assertion", (median["warp_201.cpp"] - median["warp_1.cpp"]) / 200, assertion)
        row(name, "assertion", "gpu assertion", (median["gpu_201.cpp"] - median["gpu_1.cpp"]) / 200, assertion)
        row(name, "assertion", "layout choice", (median["choice_9.cpp"] - median["choice_1.cpp"]) / 8, CHOICE_TARGET)
        for stem, count in algorithms.items():
            over_include = median[f"algorithm_{stem}.cpp"] - median[include_file("mmm/model.hpp")]
            row(name, "assertion", f"{stem}, each of {count}", over_include / count, ALGORITHM_TARGETS[family(name)])

    if rows:
        widest = max(len(entry["what"]) for entry in rows)
        print(f"{'compiler':12} {'what':{widest}} {'measured':>11} {'x vector':>9} {'target':>9}")
        for entry in rows:
            ratio = "" if entry["ratio"] is None else f"{entry['ratio']:.2f}"
            target = ("" if entry["target"] is None else f"{entry['target']:.2f} x" if entry["target_is_ratio"]
                      else f"{entry['target'] * 1e3:.0f} ms")
            verdict = "" if entry["target"] is None else "ok" if entry["within"] else "over"
            print(f"{entry['compiler']:12} {entry['what']:{widest}} {entry['seconds'] * 1e3:8.2f} ms {ratio:>9} {target:>9}  {verdict}")
        print(f"medians of {options.runs}, processor time over an empty file, default limits; ratios are of whole compilations")
    for one in missing:
        print(f"{one}: not found: left out")
    if options.json:
        result = {"runs": options.runs, "processor": processor_name(), "versions": versions, "rows": rows, "missing": missing}
        save(options.json, result)
    if not rows:
        return 77
    return 1 if options.strict and not all(entry["within"] for entry in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
