#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the documentation as a site.

    build.py OUT WORK

Puts README.md, the other documents and a reference of every public name together in WORK, in the
folders that they have in the repository, and has mkdocs build the site in OUT. A link to a file of
the repository takes that file along. OUT/playground stays.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import reference

root = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(!?\[[^\]\n]*\]\()([^)\s#]+)(#[^)\s]*)?(\))")

# Every document has its place here: a new one in no group ends the build.
GROUPS = [
    ("Begin", ["docs/install.md", "docs/i-have-a-kernel.md", "docs/i-have-a-trace.md", "docs/data-dependent-accesses.md", "docs/gallery.md", "docs/faq.md", "docs/what-mmm-is-not.md",
               "docs/glossary.md"]),
    ("The model", ["docs/model.md", "docs/algorithms.md", "docs/tutorial-bitonic-sort.md", "docs/writing-an-algorithm.md", "docs/results.md",
                   "docs/how-it-works.md"]),
    ("GPUs", ["docs/hardware.md", "docs/trace-a-kernel.md", "docs/without-a-gpu.md", "docs/gpu.md", "docs/prediction.md", "docs/choices.md",
              "docs/predicted-rows.md", "docs/gpu-results.md", "docs/machine-code.md", "docs/thrust.md"]),
    ("Develop", ["docs/performance.md", "docs/how-it-is-built.md", "docs/how-to-add-an-algorithm.md", "docs/how-to-add-a-check.md", "CONTRIBUTING.md", "CHANGELOG.md"]),
]
# The first page shows the playground where README.md, which cannot, goes on without it.
PLAYGROUND = """
Type the address of lane `i` of a warp, in words, or choose an example:

<iframe id="playground" title="Playground" data-src="playground/index.html?embedded" style="width: 100%; height: 60rem; border: 0"></iframe>
<script src="playground/embed.js"></script>

[The playground on a page of its own](playground/index.html)
"""
BEFORE_PLAYGROUND = "\nIt models no caches"
LAYERS = "core machine index layout cost gpu trace execution algorithm timing choose interop report".split()


def outside_code(text, change):
    """The text with `change` applied to the lines that are no code."""
    out, fence = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fence = not fence
        out.append(line if fence or line.startswith("    ") else change(line))
    return "\n".join(out)


def take_along(text, source, work):
    """Copies what the document links to, and gives a folder a page that lists its files."""
    def link(found):
        opening, target, anchor, closing = found.group(1), found.group(2), found.group(3) or "", found.group(4)
        if ":" in target:
            return found.group(0)
        path = pathlib.Path(os.path.normpath(source.parent / target))
        if not path.exists() or root not in path.parents:
            return found.group(0)
        if path.suffix == ".md":  # its file's name says less than its title
            named = opening.removeprefix("[").removesuffix("](") in (target, target + anchor)
            return f"[{title_of(path)}]({target}{anchor})" if named else found.group(0)
        place = work / path.relative_to(root)
        if path.is_dir():
            files = sorted(p for p in path.iterdir() if p.is_file())
            place.mkdir(parents=True, exist_ok=True)
            for file in files:
                shutil.copy(file, place)
            (place / "index.md").write_text(f"# {path.relative_to(root)}\n\n" + "".join(f"- [{p.name}]({p.name})\n" for p in files))
            return f"{opening}{target}/index.md{anchor}{closing}"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
        return found.group(0)
    return outside_code(text, lambda line: LINK.sub(link, line))


def anchor_of(entry):
    return re.sub(r"\W+", "-", f"{entry.scope}-{entry.name}").strip("-") or "name"


def prose(comment):
    """A comment as Markdown: its code blocks are indented already, its parameters become items."""
    lines = []
    for line in comment:
        parts = re.split(r"(?:^|(?<=\s))\\(?=(?:t?param|return|throws)\b)", line or "")
        lines.append(parts[0].rstrip())
        for part in parts[1:]:
            word, _, rest = part.partition(" ")
            name, _, more = rest.partition(" ")
            lines += ["", f"**`{name}`** {more}".rstrip() if word in ("param", "tparam") else f"**{word}** {rest}"]
    text = "\n".join(lines).strip("\n")
    # what looks like a tag is a template's argument
    return outside_code(text, lambda line: "`".join(
        part if n % 2 else part.replace("<", "&lt;") for n, part in enumerate(line.split("`"))))


def entry_page(entry, level="##"):
    out = f"{level} {entry.name.replace('operator', 'operator ') if 'operator' == entry.name[:8] else entry.name}"
    out = out.replace("*", r"\*").replace("<", "&lt;")
    out += f" {{#{anchor_of(entry)}}}\n\n" if level == "##" else "\n\n"
    out += f"```cpp\n{entry.signature}\n```\n\n"
    if entry.comment and entry.comment[0] is None:
        out += "See the name above.\n\n"
    else:
        out += prose(entry.comment) + "\n\n"
    documented = [m for m in entry.members if m.kind != "enumerator" or m.comment]
    for member in documented:
        signature = " ".join(member.signature.split())
        text = prose([c for c in member.comment if c is not None]).replace("\n", " ")
        out += f"- ``{signature}``" + (f"  \n  {text}" if text else "") + "\n"
    return out + ("\n" if documented else "")


def write_reference(work):
    """A page for each header, and one that lists all names. Returns the pages' part of the menu."""
    names, menu = [], {}
    for header in reference.headers(root):
        entries = [e for e in header.entries if not e.name.startswith("MMM_DETAIL")]
        if not entries and header.path.count("/") > 1:
            continue
        page = pathlib.Path("reference") / pathlib.Path(header.path).with_suffix(".md" if header.path.endswith(".hpp") else ".cuh.md")
        text = f"# &lt;{header.path}&gt;\n\n{prose(header.about)}\n\n" + "".join(entry_page(e) for e in entries)
        (work / page).parent.mkdir(parents=True, exist_ok=True)
        (work / page).write_text(text)
        parts = header.path.split("/")
        menu.setdefault(parts[1] if len(parts) > 2 else "to include", []).append({header.path: page.as_posix()})
        names += [(e.name, e.scope, e.kind, header.path, f"{page.relative_to('reference').as_posix()}#{anchor_of(e)}",
                   next((c for c in e.comment if c), "")) for e in entries]
    rows = "".join(f"| [`{name}`]({link}) | {kind} | `{scope}` | `<{path}>` |\n"
                   for name, scope, kind, path, link, _ in sorted(set(names), key=lambda n: (n[0].lower(), n)))
    (work / "reference/index.md").write_text(
        f"# All public names\n\n{len(set(names))} names, from the comments of the headers.\n\n"
        "| name | kind | namespace | header |\n|---|---|---|---|\n" + rows)
    order = ["to include", *LAYERS]
    if set(menu) - set(order):
        sys.exit(f"a folder of include/mmm is no layer of site/build.py: {set(menu) - set(order)}")
    return [{"All names": "reference/index.md"}] + [{group: menu[group]} for group in order if group in menu]


def title_of(document):
    for line in document.read_text().splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    sys.exit(f"{document} has no title")


def main():
    out, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    shutil.rmtree(work, ignore_errors=True)
    documents = [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *sorted((root / "docs").glob("*.md"))]
    placed = {path for _, group in GROUPS for path in group} | {"README.md"}
    found = {path.relative_to(root).as_posix() for path in documents}
    if placed != found:
        sys.exit(f"documents without a place in site/build.py, or places without a document: {sorted(placed ^ found)}")
    for document in documents:
        place = work / document.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = take_along(document.read_text(), document, work)
        if document.name == "README.md":
            if BEFORE_PLAYGROUND not in text:
                sys.exit(f"README.md has no place for the playground: {BEFORE_PLAYGROUND!r}")
            text = text.replace(BEFORE_PLAYGROUND, PLAYGROUND + BEFORE_PLAYGROUND, 1)
        place.write_text(text)
    (work / "playground").mkdir()
    kept = out / "playground"
    for file in kept.glob("*"):  # the site is built from nothing; the playground was built before
        shutil.copy(file, work / "playground")
    menu = [{"mmm": "README.md"}, {"Playground": "playground/index.html"}]
    menu += [{name: [{title_of(root / path): path} for path in group]} for name, group in GROUPS]
    menu.append({"Reference": write_reference(work)})
    settings = {
        "site_name": "mmm: memory machine models", "docs_dir": str(work), "site_dir": str(out), "site_url": "",
        "use_directory_urls": False, "nav": menu, "strict": True,
        "theme": {"name": "material", "font": False, "features": ["navigation.tabs", "navigation.indexes"], "palette": [
            {"media": "(prefers-color-scheme: light)", "scheme": "default",
             "toggle": {"icon": "material/brightness-7", "name": "dark"}},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate",
             "toggle": {"icon": "material/brightness-4", "name": "light"}}]},
        "markdown_extensions": ["admonition", "attr_list", "tables", "pymdownx.highlight", "pymdownx.superfences", {"toc": {"permalink": True}}],
        "plugins": ["search"], "extra_css": ["narrow.css"],
    }
    file = work.with_suffix(".yml")
    # the path of a header is one word, wider than a small screen
    (work / "narrow.css").write_text(".md-typeset h1 { overflow-wrap: anywhere }\n")
    file.write_text(json.dumps(settings, indent=1))  # JSON is YAML
    sys.exit(subprocess.run(["/usr/bin/mkdocs", "build", "--quiet", "--clean", "--config-file", str(file)], cwd=root).returncode)


main()
