#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks docs/papers.md, the page with a row for every numbered statement of the five papers.

    papers.py [--build FOLDER] [--root FOLDER] -- COMPILER OPTION ...
    papers.py --self-test -- COMPILER OPTION ...   plants each kind of mistake and demands that it is found

A row names a statement, what it says, calls, tests and a misprint. Demanded:

    every statement of STATEMENTS has one row below its paper's heading, and no other row is there;
    every call, a code span, compiles as a static assertion after the page's block of C++, which
    defines the names; COMPILER must stop after the syntax (-fsyntax-only);
    a link in the place of a call leads to a heading of docs/gallery.md or docs/results.md;
    every test exists: `NAME`, a test case of Catch2 below test/; static `NAME`, a source there with
    static assertions; ctest `NAME`, a test of test/CMakeLists.txt;
    with --build, ctest there lists every test case and every test of its own.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def numbered(kind, count, first=1):
    return [f"{kind} {n}" for n in range(first, first + count)]


STATEMENTS = {
    "Nakano 2012": ["theorem 1", "lemma 2", "lemma 3", "table 1", *numbered("figure", 6)],
    "Nakano 2013a": ["lemma 1", "theorem 2", *numbered("lemma", 4, 3), "theorem 7", "theorem 8", "theorem 9", "corollary 10",
                     "table I", "table II", *numbered("figure", 5)],
    "Nakano 2013b": [*numbered("theorem", 3), "table I", *numbered("figure", 12)],
    "Nakano and Ito 2014": [*numbered("lemma", 4), "theorem 5", "theorem 6", "lemma 7", "theorem 8", "theorem 9", "table I",
                            *numbered("figure", 6)],
    "Nakano 2014": ["lemma 1", "theorem 1", "theorem 2", "lemma 2", "theorem 3", *numbered("figure", 8)],
}
DRAWN = ("gallery.md", "results.md")  # pages whose pictures and tables a test draws again
CASE = re.compile(r'(?:TEST_CASE|TEMPLATE_TEST_CASE)\(\s*"((?:[^"\\]|\\.)*)"((?:\s*"(?:[^"\\]|\\.)*")*)')

Row = collections.namedtuple("Row", "line paper statement says calls tests misprint")


def rows_of(text):
    paper = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("## "):
            paper = line[3:].strip()
        elif line.startswith("|") and paper:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if cells[0] == "statement" or set(line) <= set("|- "):
                continue
            yield Row(number, paper, *cells) if len(cells) == 5 else Row(number, paper, f"{cells[0]} ({len(cells)} cells)", "", "", "", "")


def spans(cell):
    """The code spans of a cell, each with the word before it."""
    return [(word or "", code) for word, code in re.findall(r"(?:\b(\w+) )?`([^`]+)`", cell)]


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", "")).replace(" ", "-")


def cases_of(root, pattern="*.cpp"):
    """The names of all test cases, and the stems of sources with static assertions."""
    cases, static = set(), set()
    for source in (root / "test").rglob(pattern):
        text = source.read_text()
        for first, more in CASE.findall(text):  # a name may be two literals
            cases.add(first + "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', more)))
        if "static_assert" in text:
            static.add(source.name.split(".")[0])
    return cases, static


def listed_tests(build):
    done = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    return {test["name"] for test in json.loads(done.stdout)["tests"]}


def compiled(root, text, rows, compiler):
    """The compiler's messages for the calls."""
    block = re.search(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    source = block.group(1) if block else ""
    for row in rows:
        for _, call in spans(row.calls):
            source += f'#line {row.line} "docs/papers.md"\nstatic_assert({call});\n'
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "calls.cpp"
        file.write_text(source)
        done = subprocess.run([*compiler, str(file)], capture_output=True, text=True)
    if done.returncode == 0:
        return []
    errors = [line for line in done.stderr.splitlines() if re.match(r"docs/papers\.md:\d+:.*error", line)]
    return errors or [f"the calls do not compile:\n{done.stderr[:3000]}"]


def check(root, compiler, build, statements):
    page = root / "docs/papers.md"
    text = page.read_text()
    rows = list(rows_of(text))
    complaints = []

    def complain(row, what):
        complaints.append(f"docs/papers.md:{row.line}: {row.paper}, {row.statement}: {what}")

    seen = collections.Counter((row.paper, row.statement) for row in rows)
    for paper, wanted in statements.items():
        complaints += [f"docs/papers.md: {paper} has no row for {name}" for name in wanted if (paper, name) not in seen]
    headings = {name: {slug(h) for h in re.findall(r"^#+ (.*)$", (root / "docs" / name).read_text(), re.MULTILINE)}
                for name in DRAWN if (root / "docs" / name).is_file()}
    cases, static = cases_of(root)
    own = (root / "test/CMakeLists.txt").read_text()
    listed = listed_tests(build) if build else None
    if build and listed is None:
        complaints.append(f"ctest cannot list the tests of {build}")
    for row in rows:
        if row.statement not in statements.get(row.paper, ()):
            complain(row, "the paper has no such statement, or the row not 5 cells")
            continue
        if seen[row.paper, row.statement] > 1:
            complain(row, "has several rows")
        if not row.says:
            complain(row, "nothing says what it is")
        links = re.findall(r"\]\(([\w.-]+\.md)#([^)]+)\)", row.calls)
        for name, anchor in links:
            base = re.sub(r"-\d+$", "", anchor)  # the second heading of this text
            if name not in headings or not {anchor, base} & headings[name]:
                complain(row, f"{name}#{anchor} is no heading of {' or '.join(DRAWN)}")
        if not links and not spans(row.calls):
            complain(row, "neither a call nor a picture has it")
        if not spans(row.tests):
            complain(row, "no test checks it")
        for word, name in spans(row.tests):
            if word == "static":
                if name not in static:
                    complain(row, f"no source {name} with static assertions")
                continue
            exists = re.search(rf"mmm_labelled_test\(\s*{re.escape(name)}\s", own) if word == "ctest" else name in cases
            if not exists:
                complain(row, f"there is no test {name}")
            elif listed is not None and name not in listed and not any(t.endswith("." + name) for t in listed):
                complain(row, f"ctest does not run {name}")
    return complaints + compiled(root, text, rows, compiler), rows


def self_test(compiler):
    names = "```cpp\ninline constexpr int two = 2;\n```\n\n"
    head = "## P\n\n| statement | says | call | tests | misprint |\n|---|---|---|---|---|\n"
    good = "| lemma 1 | it | `two == 2`, [p](gallery.md#a-b) | `a case`, static `s`, ctest `t` | |\n"
    figure = "| figure 1 | it | [p](gallery.md#a-b) | `in two parts` | |\n"

    def changed(old, new):
        assert old in good
        return names + head + good.replace(old, new) + figure

    cases = [(names + head + good + figure, None), (names + head + good, "no row for figure 1"),
             (names + head + good + good + figure, "several rows"), (names + head + good + figure + good.replace("lemma 1", "lemma 2"), "no such statement"),
             (changed("two == 2", "two == 3"), "error"), (changed("two == 2", "three == 2"), "error"), (head + good + figure, "error"),
             (changed("| it |", "| |"), "nothing says"), (changed("a-b", "a-c"), "is no heading"), (changed("gallery.md", "other.md"), "is no heading"),
             (changed("`two == 2`, [p](gallery.md#a-b)", ""), "neither a call"), (changed("`a case`", "`a castle`"), "no test a castle"),
             (changed("`a case`, static `s`, ctest `t`", ""), "no test checks"), (changed("static `s`", "static `r`"), "no source r"),
             (changed("ctest `t`", "ctest `u`"), "no test u"), (changed("| it |", "| it | it | it |"), "lemma 1 (7 cells): the paper has no such"),
             ((names + head + good + figure).replace("## P", "## Q"), "no row for lemma 1")]
    wrong = []
    for text, demanded in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "test").mkdir()
            (root / "docs/papers.md").write_text(text)
            (root / "docs/gallery.md").write_text("# A `b`\n")
            (root / "test/s.cpp").write_text('static_assert(true);\nTEST_CASE("a case", "[tag]") {}\nTEST_CASE(\n    "in two "\n    "parts") {}\n')
            (root / "test/CMakeLists.txt").write_text("mmm_labelled_test(t tree x)\n")
            found, _ = check(root, compiler, None, {"P": ["lemma 1", "figure 1"]})
        if (demanded is None) != (not found) or demanded and not any(demanded in complaint for complaint in found):
            wrong.append(f"{text!r}: {found}, demanded: {demanded}")
    with tempfile.TemporaryDirectory() as folder:  # a build that lacks a test case
        root = pathlib.Path(folder)
        for name in ("docs", "test", "build"):
            (root / name).mkdir()
        (root / "docs/papers.md").write_text(names + head + "| lemma 1 | it | `two == 2` | `a case` | |\n")
        (root / "test/s.cpp").write_text('TEST_CASE("a case") {}\n')
        (root / "test/CMakeLists.txt").write_text("")
        for listed, demanded in (("unit.a case", False), ("unit.another case", True)):
            (root / "build/CTestTestfile.cmake").write_text(f'add_test("{listed}" "true")\n')
            found, _ = check(root, compiler, str(root / "build"), {"P": ["lemma 1"]})
            if demanded != any("ctest does not run a case" in complaint for complaint in found) or not demanded and found:
                wrong.append(f"{listed}: {found}")
    print("\n".join(wrong) or f"{len(cases) + 2} cases as demanded")
    return 1 if wrong else 0


def main():
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--build")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args(arguments[:split])
    compiler = arguments[split + 1:] or ["c++", "-std=c++20", "-fsyntax-only", f"-I{options.root / 'include'}"]
    if options.self_test:
        return self_test(compiler)
    complaints, rows = check(options.root, compiler, options.build, STATEMENTS)
    for complaint in complaints:
        print(complaint)
    calls = sum(len(spans(row.calls)) for row in rows)
    print(f"{len(rows)} statements, {calls} calls, {len({name for row in rows for _, name in spans(row.tests)})} tests, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
