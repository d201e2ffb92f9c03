#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands that README.md, CONTRIBUTING.md and docs/*.md print, as they are printed, each
page's in an empty folder, and compares what the pages show of their output.

    commands.py [--program NAME=PATH ...] [--nvcc PATH] [--part nvcc|rest] [--all] [--page NAME ...]
                [--work FOLDER] [--root FOLDER]
    commands.py --self-test   plants each kind of mistake and demands that it is found

A command is a line of an indented or fenced block, a step of a job in a block of YAML (which has to
be valid), or a code span with an argument, that begins with a program of PROGRAMS. One with a FORM in it (FILE, …) is not run, but has options that the program
knows, as has one that is not run for another reason. Comments above a block or a paragraph:

    <!-- not run: REASON -->         its commands are not run
    <!-- run: COMMAND -->            is run, and not shown
    <!-- output: COMMAND -->         the block is what COMMAND prints; <!-- output, status 3: … -->
    <!-- file: NAME -->              the block is this file; the line `NAME`: says so of the blocks of C++
                                     that follow, an empty line between them

Each line of a block without a language is among what the page's commands print, in this order; …
stands for any text. A picture that commands draw equals the page's. --part nvcc: the pages that call nvcc, and
rest: the others. Exit status 77 (skipped) where a part's compiler is missing.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    pass

PROGRAMS = re.compile(r"(mmm-[a-z-]+|(?:scripts|benchmark|test|site)/[\w./-]+|cmake|ctest|cpack|nvcc|g\+\+|pkg-config|conan|vcpkg|apt"
                      r"|python3|export|\./[\w/]+)(?=\s|$)")
OURS = re.compile(r"mmm-[a-z-]+")
FORM = re.compile(r"[…<\[]|\b(?!ON\b|OFF\b)[A-Z]{2,}\b")
# Pages, and beginnings of commands, that are run with --all only.
LONG = {"tutorial-bitonic-sort.md": "compiled with --all, and by scripts/docs --test",
        "data-dependent-accesses.md": "compiled with --all, and by scripts/docs --test",
        "cmake -S . -B build/run": "built with --all", "cmake --build build/run": "built with --all",
        "cmake --install build/run": "built with --all"}
# Beginnings of commands that are never run: they take minutes, or change more than a folder.
NEVER = {"scripts/": "a script of the repository: it takes minutes, or installs", "benchmark/": "a measurement", "test/": "another test",
         "cmake --workflow": "builds and tests everything", "ctest": "builds and tests everything",
         "apt ": "installs packages", "conan ": "installs packages: scripts/packages --test", "vcpkg ": "installs packages", "export ": "a setting"}
# A command's name, not a whole command.
NAMES = ("cmake --install", "mmm-explore pattern", "mmm-explore choose-layout", "mmm-explore emit")
# Pages whose commands another test runs.
WITH_HELP = {"pattern", "layout", "choose-layout", "emit", "figure", "random-shift", "fragment", "tensor-map", "wgmma"}  # what mmm-explore does besides algorithms, with a help of its own
ELSEWHERE = {"gallery.md": "run by scripts/gallery --check"}

Item = collections.namedtuple("Item", "kind line text language", defaults=(None,))


def items(text):
    """Comments, blocks (language None: indented; "": none is named) and paragraphs, in their order."""
    lines, n = text.split("\n"), 0
    while n < len(lines):
        begin, line = n, lines[n]
        mark = re.match(r"(```+|~~~+)(\S*)", line)
        n += 1
        if line.startswith("<!--"):
            while "-->" not in lines[n - 1]:
                n += 1
            yield Item("comment", begin + 1, "\n".join(lines[begin:n])[4:].rsplit("-->", 1)[0].strip())
        elif mark:
            while lines[n] != mark.group(1):
                n += 1
            yield Item("block", begin + 1, "\n".join(lines[begin + 1:n]), mark.group(2))
            n += 1
        elif line.startswith("    "):
            while n < len(lines) and (lines[n].startswith("    ") or not lines[n].strip() and lines[n + 1:n + 2] and lines[n + 1].startswith("    ")):
                n += 1
            yield Item("block", begin + 1, "\n".join(l[4:] for l in lines[begin:n]))
        elif line.strip():
            while n < len(lines) and lines[n].strip() and not re.match(r"```|~~~|<!--", lines[n]):
                n += 1
            yield Item("text", begin + 1, "\n".join(lines[begin:n]))


def commands_of(item):
    if item.kind == "text":
        spans = (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", item.text))
        return [span for span in spans if PROGRAMS.match(span) and " " in span]
    lines = [re.sub(r"\s+# .*", "", line.strip()) for line in item.text.splitlines()]
    if item.language == "yaml":  # a step of a job: - run: COMMAND, or - COMMAND
        lines = [re.sub(r"^- (run: )?", "", line) for line in lines]
    shown = item.language in (None, "", "sh", "bash", "yaml")
    return [line for line in lines if PROGRAMS.match(line)] if shown and item.kind == "block" else []


class Run:
    def __init__(self, root, programs, nvcc, everything, work):
        self.root, self.programs, self.nvcc, self.everything, self.work = root, programs, nvcc, everything, work
        self.failures, self.left, self.ran, self.compared, self.pictures = [], collections.Counter(), 0, 0, 0
        self.help, self.copied, self.installed = {}, None, False
        (work / "bin").mkdir(parents=True)
        for name, path in programs.items():
            (work / "bin" / name).symlink_to(path)
        host = shutil.which("g++-12")
        if host:
            (work / "bin/g++").symlink_to(host)
        if nvcc:
            (work / "bin/nvcc").write_text(f'#!/bin/sh\nexec {nvcc} {"-ccbin g++-12" if host else ""} "$@"\n')
            (work / "bin/nvcc").chmod(0o755)

    def repository(self):
        """A copy of the tree, in which a reader builds."""
        if not self.copied:
            self.copied = self.work / "mmm"
            shutil.copytree(self.root, self.copied, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
        return self.copied

    def execute(self, command, folder):
        """The exit status, and what was printed."""
        if re.match(r"cmake |scripts/", command):
            folder = self.repository()
        environment = {**os.environ, "PATH": f"{self.work / 'bin'}:{os.environ['PATH']}", "mmm": str(self.root), "HOME": str(self.work),
                       "PKG_CONFIG_PATH": str(self.work / "prefix/share/pkgconfig")}
        if "pkg-config" in command and not self.installed:
            self.installed = True
            for step in ("cmake --preset library", f"cmake --install build/library --prefix {self.work / 'prefix'}"):
                subprocess.run(step.split(), cwd=self.repository(), check=True, capture_output=True)
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True, timeout=1200,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def options_known(self, command):
        """What is wrong with a command's program and options, without running it."""
        name = PROGRAMS.match(command).group(1)
        options = re.findall(r"(?<![\w-])--[a-z][\w-]*", command)
        if "/" in name and not name.startswith("./"):
            script = self.root / name
            if not script.is_file() or not os.access(script, os.X_OK):
                yield f"{name} is no program of the repository"
            else:
                yield from (f"{name} knows no {option}" for option in options if option not in script.read_text())
        if name in self.programs:
            second = command.split()[1:2]
            asked = [name, *(second if second and second[0] in WITH_HELP else [])]
            if tuple(asked) not in self.help:
                self.help[tuple(asked)] = self.execute(" ".join([*asked, "--help"]), self.work)[1]
            known = self.help[tuple(asked)] + "--help --version --list"
            yield from (f"{' '.join(asked)} knows no {option}" for option in options if option not in known)
        for preset in re.findall(r"--preset (\w+)", command) if name in ("cmake", "ctest") else []:
            files = [self.root / "CMakePresets.json", self.root / "device" / "CMakePresets.json"]
            if not any(f'"{preset}"' in file.read_text() for file in files if file.is_file()):
                yield f"there is no preset {preset}"

    def page(self, path):
        folder = self.work / path.relative_to(self.root).with_suffix("")
        folder.mkdir(parents=True)
        content = list(items(path.read_text()))
        outputs = {parts[2] for item in content if item.kind == "comment" and (parts := re.fullmatch(r"output(, status \d+)?: (.*)", item.text))}
        printed, without = [], None  # all that was printed; why something was left out

        def complain(item, what):
            self.failures.append(f"{path.relative_to(self.root)}:{item.line}: {what}")

        def missing(command):
            for name in OURS.findall(command):
                if re.search(rf"(^|[;&|\n] *){name}\b", command) and name not in self.programs:
                    return f"{name} is not in this build"
            if re.search(r"\bnvcc\b", command) and not self.nvcc:
                return "nvcc not found"
            if re.search(r"(^|\s)\./\w", command) and without:
                return without
            long = next((why for begin, why in LONG.items() if path.name == begin or command.startswith(begin)), None)
            return long if long and not self.everything else ELSEWHERE.get(path.name)

        def never(command):
            return next((why for begin, why in NEVER.items() if command.startswith(begin)), None)

        def run(item, command, wanted=0):
            nonlocal without
            reason = missing(command)
            if reason:
                if not command.startswith("cmake "):  # what a page compiles is missing from here on
                    without = reason
                self.left[reason] += 1
                return None
            status, output = self.execute(command, folder)
            self.ran += 1
            printed.extend(output.splitlines())
            if status != wanted:
                complain(item, f"{command}: exit status {status}, not {wanted}\n{output[-3000:]}")
            return output.splitlines()

        def compare(item, lines, what):
            self.compared += 1
            at = 0
            for shown in item.text.splitlines():
                pattern = re.compile(".*".join(re.escape(part) for part in shown.rstrip().split("…")))
                while at < len(lines) and not pattern.fullmatch(lines[at].rstrip()):
                    at += 1
                if at == len(lines):
                    complain(item, f"{what} does not print (in this order): {shown}\n" + "\n".join(lines[-40:]))
                    return
                at += 1

        reason, output, file, named = None, None, None, None  # what comments say of the next block
        later = []  # blocks of what is printed until the page's end
        for item in content:
            if item.kind == "comment":
                word, _, rest = item.text.partition(": ")
                if word == "not run":
                    reason = rest
                elif word == "run":
                    run(item, rest)
                elif word == "file":
                    file = rest
                elif word == "output" or word.startswith("output, status "):
                    output = (rest, int(word.removeprefix("output, status ") if word != "output" else 0))
                continue
            found = commands_of(item)
            if item.kind == "block" and item.language == "yaml":
                try:
                    yaml.safe_load(item.text)
                except NameError:
                    self.left["YAML is not parsed: PyYAML not found"] += 1
                except yaml.YAMLError as error:
                    complain(item, f"no YAML: {error}")
            if item.kind == "text":
                name = re.fullmatch(r"`([\w.]+)`:", item.text)
                named = name.group(1) if name else named
            if file or (named and item.kind == "block" and item.language == "cpp"):
                place = folder / (file or named)
                place.write_text((place.read_text() + "\n" if place.exists() else "") + item.text + "\n")
            elif output:
                lines = run(item, *output)
                if lines is not None:
                    compare(item, lines, output[0])
            elif item.kind == "block" and item.language == "" and not found and not reason:
                later.append(item)
            else:
                for command in found:
                    for wrong in self.options_known(command):
                        complain(item, f"{command}: {wrong}")
                    if reason or never(command):
                        self.left[f"not run: {reason or never(command)}"] += 1
                    elif FORM.search(command) or command in NAMES:
                        self.left["a form, with words for names"] += 1
                    elif command not in outputs:
                        run(item, command)
            reason = output = file = None
        for item in later:
            if without:
                self.left[without] += 1
            else:
                compare(item, printed, "the page's programs")
        for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", path.read_text()):
            drawn = folder / pathlib.Path(picture).name
            if drawn.is_file():
                self.pictures += 1
                if drawn.read_bytes() != (path.parent / picture).read_bytes():
                    self.failures.append(f"{path.relative_to(self.root)}: {picture} is not what the commands draw")


def pages(root):
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]


def calls_nvcc(page):
    return any(re.search(r"\bnvcc\b", text) for item in items(page.read_text())
               for text in ([item.text] if item.kind == "comment" else commands_of(item)))


def check(root, programs, nvcc, everything, chosen, work):
    run = Run(root, programs, nvcc, everything, work)
    for page in chosen:
        run.page(page)
    return run


def self_test():
    echo = "<!-- run: printf 'one\\ntwo\\n' -->\n"
    cases = [
        ("    mmm-echo a\n", None), ("    mmm-echo --wrong\n", "knows no --wrong"), ("    mmm-fail x\n", "exit status 3"),
        ("Say `mmm-fail x`.\n", "exit status 3"), ("Say `mmm-fail`.\n", None), ("Say `mmm-fail FILE`.\n", None), ("Say `mmm-echo --no FILE`.\n", "knows no --no"),
        ("<!-- not run: why -->\n    mmm-fail x\n", None), ("<!-- not run: why -->\n    mmm-fail x\n\n    mmm-fail x\n", None),
        ("<!-- not run: why -->\nSay `mmm-fail x`.\n\nSay `mmm-fail x`.\n", "exit status 3"),
        ("<!-- not run: why -->\n    mmm-echo --wrong\n", "knows no --wrong"), ("<!-- not run: why -->\n    scripts/none\n", "no program of the repository"),
        ("<!-- not run: why -->\n    cmake --preset none\n", "no preset none"), ("<!-- not run: why -->\n    cmake --preset there\n", None),
        ("<!-- output: mmm-echo a -->\n```\na\n```\n", None), ("<!-- output: mmm-echo a -->\n```\nb\n```\n", "does not print"),
        ("<!-- output: mmm-echo abc d -->\n    a… d\n", None), ("<!-- output: mmm-echo a -->\n    b\n", "does not print"),
        ("<!-- output: mmm-fail x -->\n```\n```\n", "exit status 3"), ("<!-- output, status 3: mmm-fail x -->\n```\n```\n\nSay `mmm-fail x`.\n", None),
        (echo + "\n```\none\ntwo\n```\n", None), (echo + "\n```\ntwo\none\n```\n", "does not print"), ("```\nout of nothing\n```\n", "does not print"),
        ("<!-- file: f -->\n```json\na\n```\n<!-- run: grep a f -->\n", None), ("`f`:\n\n```cpp\na\n```\n<!-- run: grep b f -->\n", "exit status 1"),
        ("<!-- run: echo 1 > p.svg -->\n![p](p.svg)\n", None), ("<!-- run: echo 2 > p.svg -->\n![p](p.svg)\n", "not what the commands draw"),
        ("    mmm-none a\n    ./a\n", None), ("```yaml\n- run: |\n    mmm-fail x\n```\n", "exit status 3"),
        ("```yaml\n- run: mmm-fail x\n```\n", "exit status 3"), ("```yaml\n- mmm-fail x\n```\n", "exit status 3"),
        ("<!-- not run: why -->\n```yaml\n- run: mmm-echo --wrong\n```\n", "knows no --wrong")]
    if "yaml" in globals():
        cases += [("```yaml\na: b: c\n```\n", "no YAML"), ("```yaml\na: [b]\n```\n", None)]
    wrong = []
    for text, demanded in cases:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "docs").mkdir()
            (root / "CMakePresets.json").write_text('"there"')
            (root / "docs/p.svg").write_text("1\n")
            (root / "docs/a.md").write_text(text)
            for program, does in (("mmm-echo", 'echo "$@"'), ("mmm-fail", "exit 3")):
                (root / program).write_text(f"#!/bin/sh\n{does}\n")
                (root / program).chmod(0o755)
            run = check(root, {p: root / p for p in ("mmm-echo", "mmm-fail")}, None, False, [root / "docs/a.md"], root / "work")
        if (demanded is None) != (not run.failures) or demanded and (len(run.failures) != 1 or demanded not in run.failures[0]):
            wrong.append(f"{text!r}: {run.failures}, demanded: {demanded}")
    print("\n".join(wrong) or f"{len(cases)} cases as demanded")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--part", choices=("nvcc", "rest"))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--page", action="append")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    given = (program.split("=", 1) for program in options.program)
    programs = {name: pathlib.Path(path).resolve() for name, path in given if os.access(path, os.X_OK)}
    nvcc = shutil.which(options.nvcc)
    if options.part == "nvcc" and not nvcc:
        print("nvcc not found: skipped")
        return 77
    chosen = [page for page in pages(options.root) if not options.page or page.name.removesuffix(".md") in options.page]
    if options.part:
        chosen = [page for page in chosen if calls_nvcc(page) == (options.part == "nvcc")]
    with tempfile.TemporaryDirectory() as temporary:
        if options.work:
            shutil.rmtree(options.work, ignore_errors=True)
        work = (options.work or pathlib.Path(temporary) / "work").resolve()
        run = check(options.root, programs, nvcc, options.all, chosen, work)
    for failure in run.failures:
        print(failure)
    for reason, count in sorted(run.left.items()):
        print(f"left out, {count}: {reason}")
    print(f"{len(chosen)} pages: {run.ran} commands run, {run.compared} outputs and {run.pictures} pictures compared, {sum(run.left.values())} left out, "
          f"{len(run.failures)} failures")
    return 1 if run.failures or not run.ran else 0


if __name__ == "__main__":
    sys.exit(main() if sys.argv[1:] != ["--self-test"] else self_test())
