#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what README.md, CONTRIBUTING.md, SECURITY.md and docs/**/*.md refer to.

    links.py [ROOT]        every link to a file of the repository leads to one, and its #anchor to a
                           heading; every header, path, name of the library, macro and option between
                           backticks exists; docs/headers.md lists each header that users include,
                           docs/README.md each page
    links.py --self-test   plants each kind of mistake and demands that it is found
"""
import functools
import pathlib
import re
import sys
import tempfile

FOLDERS = ("benchmark", "cmake", "device", "docs", "example", "include", "packaging", "python", "scripts", "site", "test", "tool")
# Paths that are short for one below these folders: docs/how-it-is-built.md, CONTRIBUTING.md, docs/gpu.md.
SHORT_FOR = ("include", "include/mmm", "device", "device/test", "packaging")
LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
SPAN = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)", re.DOTALL)
# What stands in the place of a name: FILE, <name>, x…
FORM = re.compile(r"[<>…]|\b[A-Z]{2,}\b")
# Words of other programs and libraries: an option of theirs, a header that the reader has.
FOREIGN_OPTIONS = {"--expt-relaxed-constexpr", "--extended-lambda",  # nvcc
                   "--overlay-ports",  # vcpkg
                   "--workflow", "--preset", "--install", "--prefix", "--build", "--target", "--component",  # cmake
                   "--cflags"}  # pkg-config
OF_THE_READER = {"mmm/layer/name.hpp", "value.hpp"}  # CONTRIBUTING.md: any header, one of a new back end


def pages(root):
    named = [root / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    return [page for page in [*named, *sorted((root / "docs").rglob("*.md"))] if page.is_file()]


def without_blocks(text):
    """The text with empty lines in the place of fenced and indented blocks and of comments, so that
    line numbers stay."""
    text = re.sub(r"<!--.*?-->", lambda c: "\n" * c.group().count("\n"), text, flags=re.DOTALL)
    out, fence, block, blank = [], None, False, True
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", line)
        block = bool(line.startswith("    ") and (block or blank)) or (block and not line.strip())
        blank = not line.strip()
        if fence:
            out.append("")
            fence = None if mark and line.strip() == fence else fence
        elif mark:
            out.append("")
            fence = mark.group(1)
        else:
            out.append("" if block else line)
    return "\n".join(out)


def headings(text):
    """The number of the line and the anchor of each heading, by GitHub's rule."""
    used = set()
    for number, line in enumerate(without_blocks(text).split("\n")):
        if heading := re.match(r"#{1,6}\s+(.*?)\s*#*$", line):
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
            name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            anchor = next(a for times in range(len(used) + 1) if (a := f"{name}-{times}" if times else name) not in used)
            used.add(anchor)
            yield number, anchor


@functools.lru_cache(maxsize=None)
def anchors(page):
    return {anchor for _, anchor in headings(page.read_text())}


@functools.lru_cache(maxsize=None)
def words(root):
    """Every word of the sources, and every option of a program or script, by kind."""
    texts = {"include": [], "all": []}
    for folder in FOLDERS:
        if folder != "docs":
            for file in (root / folder).rglob("*"):
                if file.is_file() and (file.suffix in (".hpp", ".cuh", ".cpp", ".cu", ".py", ".cmake", ".txt", ".bash", ".in", ".def") or not file.suffix):
                    text = file.read_text(errors="replace")
                    texts["all"].append(text)
                    if folder == "include":
                        texts["include"].append(text)
    for name in ("CMakeLists.txt", "CMakePresets.json"):
        texts["all"].append((root / name).read_text() if (root / name).is_file() else "")
    included, everything = "\n".join(texts["include"]), "\n".join(texts["all"])
    return (frozenset(re.findall(r"\w+", included)), frozenset(re.findall(r"MMM_\w+", everything)),
            frozenset(re.findall(r"--[a-z][\w-]*", everything)))


@functools.lru_cache(maxsize=None)
def file_names(root):
    return frozenset(file.name for folder in FOLDERS for file in (root / folder).rglob("*"))


def exists(root, page, path):
    if "*" in path:
        return any(True for base in (root, *(root / f for f in SHORT_FOR)) for _ in base.glob(path))
    return any((base / path).exists() for base in (root, page.parent, *(root / f for f in SHORT_FOR)))


def wrong_names(root, page, span):
    """What a code span mentions and nobody has."""
    names, macros, options = words(root)
    for header in re.findall(r"<(mmm/[^>]*)>", span):
        if not FORM.search(header) and header not in OF_THE_READER and not (root / "include" / header).is_file():
            yield f"no header <{header}>"
    for path in re.findall(r"(?<![\w/.~<-])(?:\w[\w-]*/)+[\w*.-]*\w", span):  # <a/b.hpp> may be another library's
        first, ending = path.split("/")[0], re.search(r"\.(hpp|cuh|cpp|cu|py|json|md|csv|svg|bash|def|cmake)$", path)
        if first == "build" or FORM.search(span):
            continue
        if (first in FOLDERS or ending) and not exists(root, page, path):
            yield f"no file {path}"
    for header in re.findall(r"^\w+\.(?:hpp|cuh)$", span):
        if header not in file_names(root) | OF_THE_READER:
            yield f"no file named {header}"
    for name in re.findall(r"\bmmm((?:::\w+)+)", span):
        for part in name.split("::")[1:]:
            if part not in names:
                yield f"no name {part} in the headers: mmm{name}"
    for macro in re.findall(r"\bMMM_[A-Z]\w*", span):
        if macro not in macros:
            yield f"no macro, option or variable {macro}"
    for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", span):
        if option not in options | FOREIGN_OPTIONS:
            yield f"no option {option}"


def complaints_of(root):
    complaints, links, spans = [], 0, 0
    for page in pages(root):
        text = without_blocks(page.read_text())
        where = page.relative_to(root).as_posix()

        def complain(at, what):
            complaints.append(f"{where}:{text.count(chr(10), 0, at) + 1}: {what}")

        prose = SPAN.sub(lambda s: re.sub(r"[^\n]", "x", s.group()), text)
        for link in LINK.finditer(prose):
            target, _, anchor = link.group(2).partition("#")
            if ":" in target:
                continue
            links += 1
            file = (page.parent / target).resolve() if target else page
            if not file.exists() or (root not in file.parents and file != root):
                complain(link.start(), f"the link leads to no file: {target}")
            elif re.fullmatch(r"[\w./-]+\.md", link.group(1)) and not file.as_posix().endswith("/" + link.group(1)):
                complain(link.start(), f"{link.group(1)} is another file than {target}")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                complain(link.start(), f"the link leads to no heading: {target}#{anchor}")
        for span in SPAN.finditer(text):
            spans += 1
            for what in wrong_names(root, page, " ".join(span.group(2).split())):
                complain(span.start(), what)
    return complaints + missing_headers(root) + missing_pages(root), links, spans


def missing_headers(root):
    """The headers that users include are in the table of docs/headers.md: docs/install.md promises them."""
    page = root / "docs/headers.md"
    text = page.read_text() if page.is_file() else ""
    return [f"docs/headers.md: <mmm/{file.name}> is not in the table of headers" for file in sorted((root / "include/mmm").glob("*.*h*"))
            if text and not re.search(rf"^\|.*`<mmm/{re.escape(file.name)}>`.*\|.*\|$", text, re.MULTILINE)]


def missing_pages(root):
    """Each page of docs/ is in docs/README.md, once: site/build.py makes its navigation of it."""
    index = root / "docs/README.md"
    listed = re.findall(r"^- \[[^\]]*\]\(([^)#]+)\)", index.read_text(), re.MULTILINE) if index.is_file() else []
    return [f"docs/README.md: lists {page.name} {listed.count(page.name)} times, not once" for page in sorted((root / "docs").glob("*.md"))
            if listed and page != index and listed.count(page.name) != 1]


def self_test():
    cases = [
        ("[a](b.md)", None), ("[b.md](b.md#a-title)", None), ("[docs/b.md](b.md)", None), ("[c.md](b.md)", "another file"), ("[a](c.md)", "no file"), ("[a](b.md#a-title)", None), ("[a](b.md#title)", "no heading"),
        ("[a](b.md#a-title-1)", None), ("[a](#here)\n\n# Here", None), ("[a](#there)", "no heading"), ("![a](c.svg)", "no file"),
        ("[`code`](c.md)", "no file"), ("```\n[a](c.md)\n```", None), ("text\n\n    [a](c.md)", None), ("- item\n  [a](c.md)", "no file"),
        ("[a](../../x.md)", "no file"), ("[a](https://example.org/x.md)", None),
        ("`<mmm/a.hpp>`", None), ("`<mmm/b.hpp>`", "no header"), ("`<mmm/layer/name.hpp>` `<mmm/FILE.hpp>`", None),
        ("`test/t.py`", None), ("`test/u.py`", "no file"), ("`test/*.py`", None), ("`test/*.cu`", "no file"), ("`mmm/a.hpp`", None),
        ("`a.hpp`", None), ("`z.hpp`", "no file named"), ("`mmm::thing`", None), ("`mmm::other`", "no name"), ("`mmm::thing::part`", "no name"),
        ("`MMM_A`", None), ("`MMM_B`", "no macro"), ("`t.py --do FILE`", None), ("`--undo`", "no option"), ("``--undo``", "no option"),
        ("`x\n--undo`", "no option"), ("<!-- `--undo` -->", None), ("headers.md a", "not in the table of headers"), ("headers.md | `<mmm/a.hpp>` | a |", None),
        ("README.md - [b](b.md)", None), ("README.md - [c](../test/t.py)", "lists b.md 0 times"), ("README.md - [b](b.md)\n- [b](b.md)", "lists b.md 2 times")]
    wrong = []
    for text, wanted in cases:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name).resolve()
            for folder in ("docs", "test", "include/mmm"):
                (root / folder).mkdir(parents=True)
            (root / "docs/b.md").write_text("# A *title*\n\n## A title\n")
            (root / "test/t.py").write_text('"--do"')
            (root / "include/mmm/a.hpp").write_text("int thing; // MMM_A")
            page, _, rest = text.partition(" ") if text.startswith(("headers.md", "README.md")) else ("a.md", "", text)
            (root / "docs" / page).write_text(rest + "\n")
            found = complaints_of(root)[0]
        if (wanted is None) != (not found) or wanted and (len(found) != 1 or wanted not in found[0]):
            wrong.append(f"{text!r}: {found}, wanted: {wanted}")
    print("\n".join(wrong) or f"{len(cases)} cases as demanded")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = pathlib.Path(arguments[0]).resolve() if arguments else pathlib.Path(__file__).resolve().parent.parent
    complaints, links, spans = complaints_of(root)
    for line in complaints:
        print(line)
    print(f"{links} links, {spans} code spans, {len(complaints)} complaints")
    return 1 if complaints or not links else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
