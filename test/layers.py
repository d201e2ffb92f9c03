#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the headers under include/mmm: includes between folders point down only, no header of the
standard library that is slow to compile is where only light ones are expected, and each header is
in order. The folders of device, the device in software, are layers, too: its sources include only
what is below, and so few headers of the library, and its objects need no symbol of a higher layer.

    layers.py [ROOT]           checks ROOT/include/mmm and ROOT/device (default: this repository)
    layers.py --symbols FILE   checks the device's objects, which FILE lists, a path in each line; exit
                               status 77 (skipped) if they are not built or there is no nm
    layers.py --self-test      plants each kind of mistake in a copy and demands that it is found
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LAYERS = ["core", "machine", "index", "layout", "cost", "gpu", "trace", "execution", "algorithm", "timing", "choose", "interop",
          "report", "emit", "jit"]  # bottom to top
BACK_ENDS = "execution"  # the layer whose sub-folders know nothing of each other, nor what they share of them
STRANGERS = {("index", "machine"): "index knows no machine", ("layout", "machine"): "machines and indices meet in cost"}
DEVICE_LAYERS = ["core", "ptx", "memory", "decode", "execute", "execute/lane", "execute/memory", "execute/sync", "execute/matrix",
                 "execute/texture", "execute/engine", "runtime", "driver", "count", "check", "report", "compose", "static_runtime",
                 "run"]  # bottom to top; test/ is none
DEVICE_MOST_HEADERS = 34  # of the library, that the device reaches
# Headers of others that a folder or a file may include; for a file the entry with the longest name counts. What has
# no entry may include any.
LIGHTEST = {"cstdint", "initializer_list"}
LIGHT = LIGHTEST | {"bit", "compare", "concepts", "cstddef", "limits", "type_traits"}
ALLOWED = {
    **{folder: LIGHTEST for folder in ["core", "machine", "index", "layout", "cost", "gpu"]},
    **{folder: LIGHT for folder in ["execution", "algorithm", "timing", "choose"]},
    "core/failure.hpp": LIGHTEST | {"bits/functexcept.h", "stdexcept"},  # the latter where the former does not exist
    "core/word_table.hpp": LIGHTEST | {"cstddef", "vector"},
    "core/contiguous_iterator.hpp": LIGHTEST | {"bits/iterator_concepts.h", "span"},
    "execution/cost_log.hpp": LIGHT | {"vector"},
    "execution/simulate": LIGHT | {"cstdio", "cstdlib", "new", "utility", "vector"},
    "execution/simulate/node_memory.hpp": LIGHT | {"iterator", "memory", "utility", "vector"},
    "execution/simulate/nodes.hpp": LIGHT | {"tuple", "utility", "vector"},
    "execution/simulate/host_memory.hpp": LIGHTEST | {"cstddef", "sys/mman.h"},  # the latter on Linux
    "execution/simulate/parallel.hpp": None,  # which programs include that simulate on several cores
    "execution/kernel": None,
    "execution/mpi": None,
    "algorithm/copy/copy_wide.hpp": LIGHT | {"iterator"},
    "algorithm/transpose/transpose_swizzled.hpp": LIGHT | {"iterator"},
    "choose/prefers.hpp": LIGHT | {"exception"},
    "algorithm/triangulation/polygon_triangulation.hpp": LIGHT | {"utility", "vector"},
}
HANA = "choose/space.hpp"  # the one header with Boost.Hana's small headers, for host code that includes it
WITH_HANA = {"mmm/space.hpp", "mmm/emit.hpp", "mmm/jit.hpp"}  # umbrella headers that may reach it
TWO_SIDED = {"cuda_on_host.hpp"}  # of which nvcc compiles one half, C++ compilers the other
LIGHT_UMBRELLAS = ["access.hpp", "model.hpp"]  # which reach headers with the lightest includes only
SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
MAX_LINES = 500
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
DEVICE_SIDE = re.compile(r"^(cuda|thrust/|cub/|cute/|cutlass/|cooperative_groups)")


def include_lines(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def allowed_for(inside):
    """The headers of others that a file may include; None: any."""
    names = [place.as_posix() for place in [inside, *inside.parents]]
    return next((ALLOWED[name] for name in names if name in ALLOWED), None)


def reached_from(graph, start):
    """The headers that one reaches, each with one that includes it."""
    reached, left = {start: None}, [start]
    while left:
        header = left.pop()
        for to in graph.get(header, []):
            if to not in reached:
                reached[to] = header
                left.append(to)
    return reached


def heavy_complaints(graph, foreign):
    """Headers of others that are not allowed where they are, and those that a light umbrella header reaches."""
    complaints = []
    for header, includes in foreign.items():
        inside = pathlib.PurePosixPath(header).relative_to("mmm")
        allowed = allowed_for(inside)
        for number, target in includes:
            if target.startswith("boost/hana/") and inside.as_posix() == HANA:
                continue
            if target.startswith("boost/"):
                complaints.append(f"include/{header}:{number}: <{target}>: only {HANA} has Boost.Hana's headers")
            elif allowed is not None and target not in allowed and not DEVICE_SIDE.match(target):
                complaints.append(f"include/{header}:{number}: <{target}> is not allowed in {inside.parent}: see ALLOWED")
    for header in graph:
        if header.count("/") == 1 and header not in WITH_HANA and "mmm/" + HANA in reached_from(graph, header):
            complaints.append(f"<{header}> reaches <mmm/{HANA}>, which needs Boost.Hana's headers")
    for umbrella in LIGHT_UMBRELLAS:
        start = "mmm/" + umbrella
        reached = reached_from(graph, start)
        for header in reached:
            own = ALLOWED["core/failure.hpp"] if header == "mmm/core/failure.hpp" else LIGHTEST
            for number, target in foreign.get(header, []):
                if target not in own:
                    complaints.append(f"<{start}> reaches <{target}>: include/{header}:{number}, "
                                      f"included by <{reached[header]}>")
    return complaints


def check(root):
    """(complaints, files checked, arrows between layers)"""
    top = root / "include" / "mmm"
    complaints, arrows, graph, foreign = [], {}, {}, {}
    files = sorted(file for file in top.rglob("*") if file.is_file())
    for file in files:
        where = file.relative_to(root).as_posix()
        inside = file.relative_to(top)
        umbrella = len(inside.parts) == 1
        layer = None if umbrella else inside.parts[0]
        if file.suffix not in (".hpp", ".cuh"):
            complaints.append(f"{where}: neither .hpp nor .cuh")
            continue
        if not umbrella and layer not in LAYERS:
            complaints.append(f"{where}: unknown folder `{layer}`; the layers are {' '.join(LAYERS)}")
            continue

        text = file.read_text()
        lines = text.splitlines()
        if SPDX not in lines[:3]:
            complaints.append(f"{where}: no `{SPDX}` in its first lines")
        if "#pragma once" not in lines:
            complaints.append(f"{where}: no `#pragma once`")
        if len(lines) > MAX_LINES:
            complaints.append(f"{where}: {len(lines)} lines, {MAX_LINES} at most")

        graph["mmm/" + inside.as_posix()] = []
        foreign["mmm/" + inside.as_posix()] = []
        for number, bracket, target in include_lines(file):
            at = f"{where}:{number}"
            if bracket == '"':
                complaints.append(f'{at}: "{target}": include the library\'s headers as <mmm/...>')
                continue
            if file.suffix == ".hpp" and layer not in ("interop", "jit") and DEVICE_SIDE.match(target):
                complaints.append(f"{at}: <{target}> in a .hpp; CUDA and Thrust belong into .cuh, interop and jit")
            if not target.startswith("mmm/"):
                foreign["mmm/" + inside.as_posix()].append((number, target))
                continue
            graph["mmm/" + inside.as_posix()].append(target)
            if not (root / "include" / target).is_file():
                complaints.append(f"{at}: <{target}> does not exist")
                continue
            if file.suffix == ".hpp" and target.endswith(".cuh") and inside.as_posix() not in TWO_SIDED:
                complaints.append(f"{at}: a .hpp includes <{target}>, which needs nvcc")
            parts = target.split("/")
            if umbrella:
                continue
            if len(parts) == 2:
                complaints.append(f"{at}: {layer} -> umbrella <{target}>: include what is needed")
                continue
            to = parts[1]
            if to not in LAYERS:
                continue  # complained about at the header itself
            if layer == to == BACK_ENDS and len(parts) > 3 and inside.parts[1] != parts[2]:
                complaints.append(f"{at}: one back end's <{target}> in another's folder, or in what they share")
            if to != layer:
                arrows[(layer, to)] = arrows.get((layer, to), 0) + 1
            if LAYERS.index(to) > LAYERS.index(layer):
                complaints.append(f"{at}: {layer} -> {to} points up: <{target}>")
            elif (layer, to) in STRANGERS:
                complaints.append(f"{at}: {layer} -> {to}: {STRANGERS[layer, to]}: <{target}>")
    return (complaints + cycles(graph) + heavy_complaints(graph, foreign) + device_complaints(root) + documented_complaints(root),
            len(files), arrows)


def documented_complaints(root):
    """CONTRIBUTING.md lists the layers, from top to bottom."""
    page = root / "CONTRIBUTING.md"
    section = page.read_text().partition("\n## Layers\n")[2].partition("\n## ")[0] if page.is_file() else ""
    listed = re.findall(r"^    (\w+) ", section, re.MULTILINE)
    return [] if not page.is_file() or listed == LAYERS[::-1] else [f"CONTRIBUTING.md: its layers are not {' '.join(LAYERS[::-1])}"]


def device_complaints(root):
    """The complaints about device/, whose files include each other as <device/layer/name.hpp>."""
    top = root / "device"
    complaints, reached = [], {}
    for file in sorted(top.rglob("*.?pp")):
        layer = file.parent.relative_to(top).as_posix()
        if layer.split("/")[0] == "test":
            continue
        if layer not in DEVICE_LAYERS:
            complaints.append(f"{file.relative_to(root)}: unknown folder `{layer}`; the layers are {' '.join(DEVICE_LAYERS)}")
            continue
        for number, bracket, target in include_lines(file):
            at = f"{file.relative_to(root)}:{number}"
            folder = target.removeprefix("device/").rpartition("/")[0]
            if bracket == "<" and target.startswith("device/") and (
                    folder not in DEVICE_LAYERS or DEVICE_LAYERS.index(folder) > DEVICE_LAYERS.index(layer)):
                complaints.append(f"{at}: device: {layer} -> {folder} points up: <{target}>")
            elif bracket == "<" and target.startswith("mmm/"):
                reached.setdefault(target, at)
            elif bracket == '"' and not (file.parent / target).is_file():
                complaints.append(f'{at}: "{target}" is not in this folder')
    left = list(reached)
    while left:
        header = left.pop()
        file = root / "include" / header
        for number, _, target in include_lines(file) if file.is_file() else ():
            if target.startswith("mmm/") and target not in reached:
                reached[target] = f"include/{header}:{number}"
                left.append(target)
    for header, at in reached.items():
        if header.startswith("mmm/cost/") and header != "mmm/cost/refusal.hpp":  # a descriptor's compile error
            complaints.append(f"{at}: the device reaches <{header}>, and needs no costs of algorithms")
    if len(reached) > DEVICE_MOST_HEADERS:
        complaints.append(f"the device reaches {len(reached)} headers of the library, {DEVICE_MOST_HEADERS} at most: "
                          + " ".join(sorted(reached)))
    return complaints


def layer_of_object(path):
    """The layer whose sources an object holds; one of a unity build is named after its folder."""
    unity = re.fullmatch(r"unity_(\w+)_\d+_cxx.*", path.name)
    if unity:
        return next((layer for layer in DEVICE_LAYERS if layer.replace("/", "_") == unity.group(1)), None)
    inside = [layer for layer in DEVICE_LAYERS if path.parent.as_posix().endswith("/" + layer)]
    return max(inside, key=len, default=None)


def symbol_complaints(objects):
    """The symbols that a layer's objects need and an object of a higher layer defines."""
    complaints, defined, needed = [], {}, {}
    for path in objects:
        layer = layer_of_object(path)
        if layer is None:
            complaints.append(f"{path}: of no layer, or of several")
            continue
        text = subprocess.run(["nm", "-C", path], capture_output=True, text=True, check=True).stdout
        for line in text.splitlines():
            match = re.match(r"[0-9a-f ]* ([A-Za-z]) (.*)", line)
            if match and match.group(1) in "TDBRGS":  # not what every object has that includes a header
                defined[match.group(2)] = layer
            elif match and match.group(1) == "U":
                needed.setdefault((match.group(2), layer), path)
    for (name, layer), path in sorted(needed.items()):
        if name in defined and DEVICE_LAYERS.index(defined[name]) > DEVICE_LAYERS.index(layer):
            complaints.append(f"device: {layer} -> {defined[name]} points up at link time: `{name}`, needed by {path.name}")
    return complaints


def check_symbols(list_file):
    objects = [pathlib.Path(line) for line in pathlib.Path(list_file).read_text().split("\n") if line]
    if not shutil.which("nm") or not all(path.is_file() for path in objects):
        print("no nm: skipped" if not shutil.which("nm") else "the device's objects are not built: skipped")
        return 77
    complaints = symbol_complaints(objects)
    for line in complaints:
        print(line)
    print(f"{len(objects)} objects, {len(complaints)} complaints")
    return 1 if complaints or not objects else 0


def cycles(graph):
    found, state = [], {}

    def visit(node, path):
        state[node] = "open"
        for to in graph.get(node, []):
            if state.get(to) == "open":
                found.append("headers include each other: " + " -> ".join(path[path.index(to):] + [to]))
            elif to in graph and to not in state:
                visit(to, path + [to])
        state[node] = "done"

    for node in graph:
        if node not in state:
            visit(node, [node])
    return found


def self_test():
    head = SPDX + "\n#pragma once\n"
    fine = {
        "mmm.hpp": head + "#include <mmm/core/a.hpp>\n#include <mmm/report/a.hpp>\n",
        "core/a.hpp": head + "#include <cstdint>\n",
        "machine/a.hpp": head + "#include <mmm/core/a.hpp>\n",
        "index/a.hpp": head + "#include <mmm/core/a.hpp>\n",
        "cost/a.hpp": head + "#include <mmm/machine/a.hpp>\n#include <mmm/index/a.hpp>\n",
        "report/a.hpp": head + "#include <mmm/cost/a.hpp>\n",
    }
    cases = [
        ("nothing wrong", {}, None),
        ("an upward arrow", {"core/b.hpp": head + "#  include  <mmm/cost/a.hpp>\n"}, "core -> cost points up"),
        ("index -> machine", {"index/b.hpp": head + "#include <mmm/machine/a.hpp>\n"}, "index knows no machine"),
        ("machine -> index", {"machine/b.hpp": head + "#include <mmm/index/a.hpp>\n"}, "machine -> index points up"),
        ("layout -> machine", {"layout/b.hpp": head + "#include <mmm/machine/a.hpp>\n"}, "meet in cost"),
        ("an unknown folder", {"helper/b.hpp": head}, "unknown folder `helper`"),
        ("a layer that includes an umbrella", {"report/b.hpp": head + "#include <mmm/mmm.hpp>\n"}, "umbrella"),
        ("a missing header", {"report/b.hpp": head + "#include <mmm/core/none.hpp>\n"}, "does not exist"),
        ("a quoted include", {"report/b.hpp": head + '#include "a.hpp"\n'}, "as <mmm/...>"),
        ("CUDA in a .hpp", {"execution/b.hpp": head + "#include <cuda_runtime.h>\n"}, "in a .hpp"),
        ("a back end in another", {"execution/a/b.hpp": head + "#include <mmm/execution/c/d.hpp>\n", "execution/c/d.hpp": head},
         "one back end's"),
        ("a back end in what they share", {"execution/b.hpp": head + "#include <mmm/execution/c/d.hpp>\n", "execution/c/d.hpp": head},
         "one back end's"),
        ("a .cuh in a .hpp", {"execution/b.cuh": head, "report/b.hpp": head + "#include <mmm/execution/b.cuh>\n"}, "nvcc"),
        ("no #pragma once", {"core/b.hpp": SPDX + "\n"}, "no `#pragma once`"),
        ("no SPDX line", {"core/b.hpp": "#pragma once\n"}, "SPDX"),
        ("501 lines", {"core/b.hpp": head + "\n" * 499}, "501 lines"),
        ("500 lines", {"core/b.hpp": head + "\n" * 498}, None),
        ("a cycle", {"core/b.hpp": head + "#include <mmm/core/c.hpp>\n", "core/c.hpp": head
                     + "#include <mmm/core/b.hpp>\n"}, "include each other"),
        ("an upward arrow in the device", {"../../device/core/a.cpp": "#include <device/execute/a.hpp>\n"}, "points up"),
        ("a downward arrow in the device", {"../../device/report/a.cpp": "#include <device/count/a.hpp>\n"}, None),
        ("an upward arrow between folders of a layer", {"../../device/execute/lane/a.cpp": "#include <device/execute/sync/a.hpp>\n"},
         "execute/lane -> execute/sync points up"),
        ("an upward arrow to a folder of a layer", {"../../device/execute/a.hpp": "#include <device/execute/lane/a.hpp>\n"}, "points up"),
        ("an unknown folder of the device", {"../../device/helper/a.hpp": ""}, "unknown folder `helper`"),
        ("an unknown folder of a layer", {"../../device/execute/helper/a.hpp": ""}, "unknown folder `execute/helper`"),
        ("a header of the library in the device", {"../../device/count/a.hpp": "#include <mmm/machine/a.hpp>\n"}, None),
        ("costs in the device", {"../../device/count/a.hpp": "#include <mmm/report/a.hpp>\n"}, "the device reaches <mmm/cost/a.hpp>"),
        ("too many headers of the library in the device", {
            "../../device/count/a.hpp": "".join(f"#include <mmm/core/b{k}.hpp>\n" for k in range(DEVICE_MOST_HEADERS + 1)),
            **{f"core/b{k}.hpp": head for k in range(DEVICE_MOST_HEADERS + 1)}}, "headers of the library"),
        ("a heavy header in a light layer", {"cost/b.hpp": head + "#include <string>\n"}, "<string> is not allowed in cost"),
        ("a heavy header in the algorithms", {"algorithm/sort/b.hpp": head + "#include <vector>\n"}, "not allowed"),
        ("a heavy header in an estimate", {"execution/estimate/b.hpp": head + "#include <iterator>\n"}, "not allowed"),
        ("a heavy header in the simulation", {"execution/simulate/b.hpp": head + "#include <string>\n"}, "not allowed"),
        ("a vector in the simulation", {"execution/simulate/b.hpp": head + "#include <vector>\n"}, None),
        ("a header that one file may include", {"core/contiguous_iterator.hpp": head + "#include <span>\n"}, None),
        ("the same in another file", {"core/b.hpp": head + "#include <span>\n"}, "not allowed"),
        ("Boost", {"report/b.hpp": head + "#include <boost/hana.hpp>\n"}, "only choose/space.hpp has"),
        ("all of Boost.Hana", {HANA: head + "#include <boost/hana.hpp>\n"}, "only choose/space.hpp has"),
        ("a header of Boost.Hana in its place", {HANA: head + "#include <boost/hana/tuple.hpp>\n"}, None),
        ("an umbrella that reaches Boost.Hana", {
            HANA: head + "#include <boost/hana/tuple.hpp>\n", "fast.hpp": head + f"#include <mmm/{HANA}>\n"}, "needs Boost.Hana"),
        ("an umbrella that may reach it", {
            HANA: head + "#include <boost/hana/tuple.hpp>\n", "emit.hpp": head + f"#include <mmm/{HANA}>\n"}, None),
        ("a light umbrella that reaches a heavy header", {
            "model.hpp": head + "#include <mmm/core/a.hpp>\n#include <mmm/report/b.hpp>\n",
            "report/b.hpp": head + "#include <string>\n"}, "<mmm/model.hpp> reaches <string>"),
        ("a heavy header in a light umbrella", {"access.hpp": head + "#include <bit>\n"}, "<mmm/access.hpp> reaches <bit>"),
        ("a light umbrella", {"access.hpp": head + "#include <mmm/core/a.hpp>\n#include <cstdint>\n"}, None),
        ("a header of traits in a lower layer", {"core/b.hpp": head + "#include <type_traits>\n"}, "<type_traits> is not allowed"),
        ("the layers in CONTRIBUTING.md", {"../../CONTRIBUTING.md": "\n## Layers\n\n" + "".join(f"    {layer}  what\n" for layer in LAYERS[::-1])}, None),
        ("a layer that CONTRIBUTING.md lacks", {"../../CONTRIBUTING.md": "\n## Layers\n\n    report  what\n"}, "its layers are not"),
        ("another file type", {"core/b.h": head}, "neither .hpp nor .cuh"),
    ]
    failed = 0
    for what, planted, demanded in cases:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**fine, **planted}.items():
                file = pathlib.Path(folder, "include", "mmm", name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            complaints, _, _ = check(pathlib.Path(folder))
        right = not complaints if demanded is None else len(complaints) == 1 and demanded in complaints[0]
        print(("ok      " if right else "FAILED  ") + what + (f": {complaints}" if not right else ""))
        failed += not right
    return 1 if failed + symbols_self_test() else 0


def symbols_self_test():
    """The number of failed cases; none where there is nothing to compile with."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("g++-12")
    if not compiler or not shutil.which("nm"):
        print("no compiler or no nm: upward symbols left out")
        return 0
    cases = [
        ("an upward symbol", "ptx/a.cpp.o", "report/b.cpp.o", "ptx -> report points up at link time: `defined()`"),
        ("a downward symbol", "report/a.cpp.o", "ptx/b.cpp.o", None),
        ("an upward symbol in a layer", "execute/memory/a.cpp.o", "execute/sync/b.cpp.o", "execute/memory -> execute/sync points up"),
        ("an upward symbol in a unity build", "Unity/unity_memory_0_cxx.cxx.o", "Unity/unity_execute_lane_0_cxx.cxx.o",
         "memory -> execute/lane points up"),
        ("an object of several layers", "Unity/unity_0_cxx.cxx.o", "Unity/unity_core_0_cxx.cxx.o", "of no layer, or of several"),
    ]
    failed = 0
    for what, needs, defines, demanded in cases:
        with tempfile.TemporaryDirectory() as folder:
            objects = [pathlib.Path(folder, name) for name in (needs, defines)]
            for path, text in zip(objects, ("void defined(); void needs() { defined(); }", "void defined() {}")):
                path.parent.mkdir(parents=True, exist_ok=True)
                subprocess.run([compiler, "-x", "c++", "-c", "-", "-o", path], input=text, text=True, check=True)
            complaints = symbol_complaints(objects)
        right = not complaints if demanded is None else len(complaints) == 1 and demanded in complaints[0]
        print(("ok      " if right else "FAILED  ") + what + (f": {complaints}" if not right else ""))
        failed += not right
    return failed


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) == 2 and arguments[0] == "--symbols":
        return check_symbols(arguments[1])
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    complaints, count, arrows = check(root)
    for line in complaints:
        print(line)
    if count == 0:
        print(f"{root}: no headers under include/mmm")
        return 1
    for (source, target), number in sorted(arrows.items(), key=lambda arrow: [LAYERS.index(end) for end in arrow[0]]):
        print(f"{source} -> {target} ({number})")
    print(f"{count} headers, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
