#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps the C++ in README.md and docs/**/*.md equal to code that is compiled.

    snippets.py [ROOT]         checks
    snippets.py --fix [ROOT]   rewrites the blocks
    snippets.py --self-test    plants each kind of mistake and demands that it is found

Above every C++ block is a comment that names a region of a source file of the tests, tools,
examples or benchmarks:

    <!-- snippet: example/snippets/bank_conflicts.cpp#padding -->

The region lies between the lines `// [padding]` and `// [/padding]`. A block below `<!-- not
compiled -->` is not checked.
"""
import pathlib
import re
import sys
import tempfile
import textwrap

FENCE = re.compile(r"^\s*(```+|~~~+)\s*(\S*)")
LANGUAGES = ("cpp", "c++", "cxx", "cc", "cuda", "cu")
COMPILED = re.compile(r"^(test|tool|example|benchmark)/.*\.(cpp|cu|hpp|cuh)$")
MARKER = re.compile(r"^\s*<!--\s*snippet:\s*(\S+?)#(\S+)\s*-->\s*$")
EXEMPT = re.compile(r"^\s*<!--\s*not compiled\b.*-->\s*$")
TAG = re.compile(r"^\s*//\s*\[/?[A-Za-z0-9_-]+\]\s*$")


class Wrong(Exception):
    pass


def region(root, path, tag):
    if not COMPILED.match(path):
        raise Wrong(f"{path} is no source file of the tests, tools, examples or benchmarks")
    if not (root / path).is_file():
        raise Wrong(f"{path} does not exist")
    lines = (root / path).read_text().splitlines()
    opening = [n for n, line in enumerate(lines) if re.match(rf"^\s*//\s*\[{re.escape(tag)}\]\s*$", line)]
    closing = [n for n, line in enumerate(lines) if re.match(rf"^\s*//\s*\[/{re.escape(tag)}\]\s*$", line)]
    if len(opening) != 1 or len(closing) != 1 or closing[0] < opening[0]:
        raise Wrong(f"{path} needs one line `// [{tag}]` and after it one line `// [/{tag}]`")
    body = [line for line in lines[opening[0] + 1:closing[0]] if not TAG.match(line)]
    text = textwrap.dedent("\n".join(line.rstrip() for line in body)).strip("\n")
    if not text:
        raise Wrong(f"{path}: the region [{tag}] is empty")
    return text.splitlines()


def process(root, document, fix):
    """(complaints, blocks seen, blocks rewritten)"""
    lines = document.read_text().splitlines()
    out, complaints, seen, rewritten = [], [], 0, 0
    label = None  # the last non-blank line outside of blocks
    where = document.relative_to(root).as_posix()
    n = 0
    while n < len(lines):
        fence = FENCE.match(lines[n])
        if not fence:
            if lines[n].strip():
                label = lines[n]
            out.append(lines[n])
            n += 1
            continue
        end = n + 1
        while end < len(lines) and not re.match(rf"^\s*{re.escape(fence.group(1))}\s*$", lines[end]):
            end += 1
        body = lines[n + 1:end]
        at = f"{where}:{n + 1}"
        if fence.group(2).lower() in LANGUAGES:
            seen += 1
            marker = MARKER.match(label or "")
            if marker:
                try:
                    wanted = region(root, *marker.groups())
                    if [line.rstrip() for line in body] != wanted:
                        if fix:
                            body, rewritten = wanted, rewritten + 1
                        else:
                            complaints.append(f"{at}: differs from {marker.group(1)}#{marker.group(2)}; --fix rewrites it")
                except Wrong as reason:
                    complaints.append(f"{at}: {reason}")
            elif not EXEMPT.match(label or ""):
                complaints.append(f"{at}: a C++ block without `<!-- snippet: file#tag -->` or `<!-- not compiled -->`")
        elif MARKER.match(label or ""):
            complaints.append(f"{at}: a snippet comment above a block that is not C++")
        label = None
        out += [lines[n], *body, *lines[end:end + 1]]
        n = end + 1
    if rewritten:
        document.write_text("\n".join(out) + "\n")
    return complaints, seen, rewritten


def run(root, fix):
    documents = [file for file in [root / "README.md", *sorted((root / "docs").rglob("*.md"))] if file.is_file()]
    complaints, seen, rewritten = [], 0, 0
    for document in documents:
        more, blocks, changed = process(root, document, fix)
        complaints += more
        seen += blocks
        rewritten += changed
    return complaints, len(documents), seen, rewritten


def self_test():
    source = "int main() {\n  // [one]\n  int a = 1;\n    // [two]\n    int b = 2;\n    // [/two]\n  // [/one]\n}\n// [e]\n// [/e]\n"
    mark = "<!-- snippet: example/s.cpp#{} -->\n"
    cases = [
        ("an equal block", mark.format("two") + "```cpp\nint b = 2;\n```\n", None),
        ("nested tags are left out", mark.format("one") + "\n```cpp\nint a = 1;\n  int b = 2;\n```\n", None),
        ("a different block", mark.format("two") + "```cpp\nint b = 3;\n```\n", "differs from"),
        ("no comment", "text\n```cpp\nint b = 2;\n```\n", "without"),
        ("a comment serves one block", mark.format("two") + "```cpp\nint b = 2;\n```\n```cpp\nint b = 2;\n```\n", "without"),
        ("not compiled", "<!-- not compiled -->\n```cpp\nint b = …;\n```\n", None),
        ("other languages", "```cmake\nproject(x)\n```\n", None),
        ("a missing file", mark.format("two").replace("/s", "/t") + "```cpp\n```\n", "does not exist"),
        ("a missing tag", mark.format("three") + "```cpp\n```\n", "needs one line"),
        ("an empty region", mark.format("e") + "```cpp\n```\n", "is empty"),
        ("a file that nobody compiles", "<!-- snippet: docs/s.cpp#two -->\n```cpp\n```\n", "no source file"),
    ]
    failed = 0
    for what, text, demanded in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "example").mkdir()
            (root / "example/s.cpp").write_text(source)
            (root / "README.md").write_text(text)
            complaints = run(root, fix=False)[0]
            right = not complaints if demanded is None else len(complaints) == 1 and demanded in complaints[0]
            if demanded == "differs from":
                run(root, fix=True)
                right = right and not run(root, fix=False)[0]
        print(("ok      " if right else "FAILED  ") + what + (f": {complaints}" if not right else ""))
        failed += not right
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    fix = "--fix" in arguments
    roots = [argument for argument in arguments if argument != "--fix"]
    root = pathlib.Path(roots[0]).resolve() if roots else pathlib.Path(__file__).resolve().parent.parent
    complaints, documents, seen, rewritten = run(root, fix)
    for line in complaints:
        print(line)
    print(f"{documents} documents, {seen} C++ blocks, {rewritten} rewritten, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
