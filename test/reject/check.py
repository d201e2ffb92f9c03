#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a source file that must not compile.

    check.py FILE -- COMPILER [FLAGS ...]
    check.py --without-control FILE -- COMPILER [FLAGS ...]
    check.py --controls FILE ... -- COMPILER [FLAGS ...]
    check.py --together FILE ... -- COMPILER [FLAGS ...]
    check.py --self-test -- COMPILER [FLAGS ...]

Comments in FILE give the expected messages of the compiler as regular expressions of Python, all of
which must be found:

    // expect: stages
    // expect(gcc, clang): a message of some compilers only: gcc, clang, nvcc, or clang with C++26: sentence
    // expect-first: bank conflict

An `expect-first` stands in the line of the first error, above which there are only lines that say
who includes whom; the file has one error then, in less than 4096 bytes.

    // shown(gcc): README.md

A page shows the first error word for word, in lines of any length.

FILE also shows that it fails for this reason only: with -DMMM_REJECT_CONTROL it must compile
without a message (the offending lines are in the #else of `#ifdef MMM_REJECT_CONTROL`). A file with
`// control: none (the reason)` needs no control. --controls compiles the controls of several files as
one, each in a namespace of its own, so that their headers are parsed once; --without-control leaves
the control to it. --together compiles the files in the same way, without their controls: the messages
must name each file and have what it expects. Files that expect the same are compiled apart. It is for
files without `expect-first` and `shown`.
Exit status: 0 rejected as expected, 1 not, 2 wrong arguments, 77 compiler missing (skipped).
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_BYTES = 4096  # of a message with an `expect-first`


def compiler_kind(command):
    name = pathlib.Path(command[0]).name
    if "nvcc" in name.lower():
        return "nvcc"
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True).stdout
    if "clang" not in version:
        return "gcc"
    return "sentence" if "-std=c++26" in command else "clang"


def compile_file(command, source, *more):
    done = subprocess.run([*command, *more, str(source)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def quoted(text, lines=60):
    all_lines = text.splitlines()
    shown = all_lines[:lines] + ([f"... {len(all_lines) - lines} more lines"] if len(all_lines) > lines else [])
    return "\n".join("    | " + line for line in shown)


def without_control(text):
    return re.search(r"^\s*//\s*control:\s*none\s*\(.+\)", text, re.M) is not None


def of_control(code, output):
    """The complaints about a compiled control, as a list of texts; empty if it compiled without a message."""
    if code == 0:
        return []
    return ["the control (-DMMM_REJECT_CONTROL) does not compile, so the failure proves nothing:\n" + quoted(output)]


def compiled_together(sources, command, *more):
    """The exit status and the output of a compiler for several files, compiled as one: headers come first, so that those which a
    file includes again are empty then."""
    headers = dict.fromkeys(h for source in sources for h in re.findall(r"^\s*#include (<.*>)", source.read_text(), re.M))
    together = "".join(f"#include {header}\n" for header in headers)
    together += "".join(f'namespace file_{k} {{\n#include "{source.resolve()}"\n}}\n' for k, source in enumerate(sources))
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, "together.cpp")
        made.write_text(together)
        return compile_file(command, made, *more)


def controls_complaints(sources, command):
    """The complaints about the controls of several files, compiled as one."""
    code, output = compiled_together([s for s in sources if not without_control(s.read_text())], command, "-DMMM_REJECT_CONTROL")
    return of_control(code, output)


def together_complaints(sources, command):
    """The complaints about several files that must be rejected, compiled as few."""
    kind, wrong = compiler_kind(command), []
    parts = []  # [{source: its expectations}]
    for source in sources:
        text = source.read_text()
        expected = set(expectations(text, "expect", kind))
        if not expected or any(expectations(text, word, kind) for word in ("expect-first", "shown")):
            wrong.append(f"{source.name}: needs `// expect: regex` lines for {kind}, and no others")
        part = next((part for part in parts if all(expected.isdisjoint(other) for other in part.values())), None)
        if part is None:
            parts.append(part := {})
        part[source] = expected
    for part in parts:
        code, output = compiled_together(part, command)
        found = [] if code > 0 and "internal compiler error" not in output else [f"status {code}, but must be rejected"]
        found += [f"{source.name}: compiled, but must be rejected" for source in part if not re.search(re.escape(str(source.resolve())) + "[:(]", output)]
        found += [f"{source.name}: rejected, but the message lacks: {regex}" for source, expected in part.items()
                  for regex in sorted(expected) if not re.search(regex, output)]
        wrong += found + (["it says:\n" + quoted(output)] if found else [])
    return wrong


def expectations(text, word, kind):
    """The regular expressions behind `// word:` and `// word(kind):`."""
    found = re.findall(rf"^\s*//\s*{word}(?:\(([a-z, ]+)\))?:[ \t]*(\S.*?)\s*$", text, re.M)
    return [regex for only, regex in found if only == "" or kind in only.split(", ")]


def first_line_complaints(expected, output):
    """The complaints about what the first error has to say, as a list of texts."""
    lines = output.splitlines()
    errors = [n for n, line in enumerate(lines) if "error:" in line]
    if not errors:
        return ['no line has "error:"']
    above = [line for line in lines[:errors[0]] if not re.match(r"In file included from |\s+from ", line)]
    wrong = [f"the line of the first error lacks: {regex}" for regex in expected if not re.search(regex, lines[errors[0]])]
    if above:
        wrong.append(f"above the first error stands: {above[0]}")
    if len(errors) > 1:
        wrong.append(f"{len(errors)} errors, where one is enough")
    if len(output.encode()) >= MAX_BYTES:
        wrong.append(f"{len(output.encode())} bytes, where {MAX_BYTES - 1} are enough")
    return wrong


def page_complaints(pages, output):
    """The complaints about pages that do not show the first error, as a list of texts."""
    def words(text):
        return " ".join(text.replace("\u2018", "'").replace("\u2019", "'").split())
    error = re.search("error:.*", output)
    return [f"{page} does not show: {words(error[0])}" for page in pages if error and words(error[0]) not in words((ROOT / page).read_text())]


def complaints(source, command, compile_control=True):
    """The complaints, as a list of texts; empty if the file is rejected as it demands."""
    text = source.read_text()
    kind = compiler_kind(command)
    expected, in_first_line = (expectations(text, word, kind) for word in ("expect", "expect-first"))
    wrong = []
    if not expected and not in_first_line:
        wrong.append(f"no `// expect: regex` line for {kind}")

    code, output = compile_file(command, source)
    if code == 0:
        wrong.append("compiled, but must be rejected")
    elif code < 0 or "internal compiler error" in output:
        wrong.append(f"the compiler crashed (status {code}):\n{quoted(output)}")
    else:
        missing = [regex for regex in expected if not re.search(regex, output)]
        of_message = [f"rejected, but the message lacks: {regex}" for regex in missing]
        if in_first_line:
            of_message += first_line_complaints(in_first_line, output)
        of_message += page_complaints(expectations(text, "shown", kind), output)
        wrong += of_message
        if of_message:
            wrong.append("it says:\n" + quoted(output))

    if not without_control(text):
        if "MMM_REJECT_CONTROL" not in text:
            wrong.append("no control: let it compile under MMM_REJECT_CONTROL, or say `// control: none (the reason)`")
        elif compile_control:
            wrong += of_control(*compile_file(command, source, "-DMMM_REJECT_CONTROL"))
    return wrong


def self_test(command):
    bad = 'template <int Stages> struct limit { static_assert(Stages == 1, "too many stages"); };\n'
    good = bad + "#ifdef MMM_REJECT_CONTROL\ntemplate struct limit<1>;\n#else\ntemplate struct limit<7>;\n#endif\n"
    first, told = "// expect-first: too many stages\n", "#ifndef MMM_REJECT_CONTROL\n#error {}\n#endif\n"
    cases = [
        ("accepts what it should", "// expect: too many stages\n// expect: 7\n" + good, None),
        ("finds a file that compiles", "// expect: x\nint MMM_REJECT_CONTROL;\n", "must be rejected"),
        ("finds a missing text", "// expect: too few stages\n" + good, "lacks: too few stages"),
        ("demands every text", "// expect: too many stages\n// expect: 8888\n" + good, "lacks: 8888"),
        ("demands an expectation", good, "no `// expect"),
        ("takes the first error's text", first + told.format("too many stages"), None),
        ("finds it elsewhere only", first + told.format("see below\n#error too many stages"), "first error lacks: too many"),
        ("finds two errors", first + told.format("too many stages\n#error again"), "2 errors"),
        ("finds a long message", first + told.format("too many stages" + MAX_BYTES * "!"), "4095 are enough"),
        ("demands a control", "// expect: too many stages\n" + bad + "template struct limit<7>;\n", "no control"),
        ("finds a failing control", "// expect: too many stages\n" + good + "unknown_type x;\n", "proves nothing"),
        ("takes a reason for no control", "// expect: too many stages\n// control: none (always wrong)\n" + bad
         + "template struct limit<7>;\n", None),
    ]
    expected = "// expect: too many stages\n"
    accepted, bad_control = expected + good, expected + good.replace("limit<1>", "limit<2>")
    cases_of_controls = [
        ("compiles controls as one", [accepted] * 3, None),
        ("finds a failing one among them", [accepted, bad_control], "proves nothing"),
        ("leaves out files without one", [accepted, "// control: none (wrong)\nunknown x;\n"], None),
    ]
    other = accepted.replace("too many", "too few")
    cases_of_several = [
        ("compiles files as one", [accepted, other], None),
        ("finds one that compiles among them", [accepted, other.replace("limit<7>", "limit<1>")], "case_1.cpp: compiled"),
        ("finds one with another message", [accepted, other.replace("few stages\"", "few steps\"")], "lacks: too few stages"),
        ("takes files that expect the same", [accepted, other, accepted], None),
        ("finds one that compiles among these", [accepted, accepted.replace("limit<7>", "limit<1>")], "case_1.cpp: compiled"),
        ("takes no expect-first among them", [accepted, other.replace("expect:", "expect-first:")], "and no others"),
    ]
    several = [(*case, controls_complaints) for case in cases_of_controls] + [(*case, together_complaints) for case in cases_of_several]
    failed = 0
    for what, texts, demanded, call in [(what, [text], demanded, None) for what, text, demanded in cases] + several:
        with tempfile.TemporaryDirectory() as folder:
            sources = [pathlib.Path(folder, f"case_{k}.cpp") for k in range(len(texts))]
            for source, text in zip(sources, texts):
                source.write_text(text)
            found = "\n".join(call(sources, command) if call else complaints(sources[0], command))
        fine = found == "" if demanded is None else demanded in found
        print(("ok      " if fine else "FAILED  ") + what)
        if not fine:
            failed += 1
            print(quoted(found or "(no complaint)"))
    instantiated = "a.cpp: In instantiation of 'limit<7>':\na.cpp:1:1: error: too many stages\n"
    if not any("above the first error" in line for line in first_line_complaints(["too many stages"], instantiated)):
        print("FAILED  finds a line above the first error")
        failed += 1
    return 1 if failed else 0


def main(arguments):
    if "--" not in arguments:
        print(__doc__, file=sys.stderr)
        return 2
    what, command = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    mode = what.pop(0) if what and what[0].startswith("--") else ""
    few = {"": 1, "--without-control": 1, "--self-test": 0}.get(mode, len(what) or 1)
    if not command or len(what) != few or mode not in ("", "--without-control", "--self-test", "--controls", "--together"):
        print(__doc__, file=sys.stderr)
        return 2
    if shutil.which(command[0]) is None:
        print(f"{pathlib.Path(command[0]).name.replace('MMM_NVCC-NOTFOUND', 'nvcc')} not found: skipped")
        return 77
    if mode == "--self-test":
        return self_test(command)
    sources = [pathlib.Path(name) for name in what]
    name = what[0] if len(what) == 1 else f"{len(what)} files"
    of_several = {"--controls": controls_complaints, "--together": together_complaints}.get(mode)
    wrong = of_several(sources, command) if of_several else complaints(sources[0], command, mode == "")
    for line in wrong:
        print(f"{name}: {line}")
    if not wrong:
        print(f"{name}: " + ("the controls compile" if mode == "--controls" else "rejected as demanded"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
