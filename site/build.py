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
sys.path.append(str(root / "test"))
import links  # noqa: E402

LINK = re.compile(r"(!?\[[^\]\n]*\]\()([^)\s#]+)(#[^)\s]*)?(\))")

# The first page shows the playground where README.md, which cannot, goes on without it.
PLAYGROUND = """
Type the address of lane `i` of a warp, in words, or choose an example:

<iframe id="playground" title="Playground" data-src="playground/index.html?embedded" style="width: 100%; height: 60rem; border: 0"></iframe>
<script src="playground/embed.js"></script>

[The playground on a page of its own](playground/index.html)
"""
BEFORE_PLAYGROUND = "\nIt models no caches"


def groups_of(index):
    """The sections of docs/README.md, with the documents of each: the menu of the site."""
    groups = []
    for heading, target in re.findall(r"^## (.+)|^- \[[^\]]*\]\(([^)]*)\)", index.read_text(), re.MULTILINE):
        if heading:
            groups.append((heading, []))
        else:
            groups[-1][1].append(os.path.normpath(pathlib.Path("docs") / target))
    return groups


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
    """A page for each header, and one that lists all names by what they are for. Returns the pages' part of the menu."""
    groups, menu = {}, {}
    for header in reference.headers(root):
        entries = [e for e in header.entries if not e.name.startswith("MMM_DETAIL")]
        if not entries and header.path.count("/") > 1:
            continue
        page = pathlib.Path("reference") / pathlib.Path(header.path).with_suffix(".md" if header.path.endswith(".hpp") else ".cuh.md")
        text = f"# &lt;{header.path}&gt;\n\n{prose(header.about)}\n\n" + "".join(entry_page(e) for e in entries)
        (work / page).parent.mkdir(parents=True, exist_ok=True)
        (work / page).write_text(text)
        task, problem = reference.task_of(header.path)
        menu.setdefault(task, []).append({header.path: page.as_posix()})
        names = groups.setdefault((task, problem), set())
        names.update((e.name, e.scope, e.kind, header.path, f"{page.relative_to('reference').as_posix()}#{anchor_of(e)}") for e in entries)
    order = ["Headers to include", *reference.TASKS]
    text = f"# All public names\n\n{sum(map(len, groups.values()))} names, from the comments of the headers, by what they are for.\n"
    for task, problem in sorted(groups, key=lambda group: (order.index(group[0]), group[1])):
        names = sorted(groups[task, problem], key=lambda n: (n[0].lower(), n))
        if not names:
            continue
        text += f"\n### {problem}\n\n" if problem else f"\n## {task}\n\n"
        text += "| name | kind | namespace | header |\n|---|---|---|---|\n"
        text += "".join(f"| [`{name}`]({link}) | {kind} | `{scope}` | `<{path}>` |\n" for name, scope, kind, path, link in names)
    (work / "reference/index.md").write_text(text)
    return [{"All names": "reference/index.md"}] + [{task: menu[task]} for task in order if task in menu]


def title_of(document):
    for line in document.read_text().splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    sys.exit(f"{document} has no title")


def with_anchors(text):
    """The page with the anchors of its headings as GitHub makes them, for which its links are written."""
    lines = text.split("\n")
    for number, anchor in links.headings(text):
        if lines[number].startswith("##"):  # the first title is no anchor, and mkdocs reads it by itself
            lines[number] += f" {{#{anchor}}}"
    return "\n".join(lines)


def main():
    out, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    shutil.rmtree(work, ignore_errors=True)
    documents = [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *sorted((root / "docs").glob("*.md"))]
    groups = groups_of(root / "docs/README.md")
    placed = {path for _, group in groups for path in group} | {"README.md", "docs/README.md"}
    found = {path.relative_to(root).as_posix() for path in documents}
    if placed != found:
        sys.exit(f"documents without a place in docs/README.md, or places without a document: {sorted(placed ^ found)}")
    documents += [root / "SECURITY.md", root / "device/README.md"]  # pages that have links to them and no place in the menu
    for document in documents:
        place = work / document.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = take_along(with_anchors(document.read_text()), document, work)
        if document == root / "README.md":
            if BEFORE_PLAYGROUND not in text:
                sys.exit(f"README.md has no place for the playground: {BEFORE_PLAYGROUND!r}")
            text = text.replace(BEFORE_PLAYGROUND, PLAYGROUND + BEFORE_PLAYGROUND, 1)
        place.write_text(text)
    (work / "playground").mkdir()
    kept = out / "playground"
    for file in kept.glob("*"):  # the site is built from nothing; the playground was built before
        shutil.copy(file, work / "playground")
    menu = [{"mmm": "README.md"}, {"Playground": "playground/index.html"}, {"All pages": "docs/README.md"}]
    menu += [{name: [{title_of(root / path): path} for path in group]} for name, group in groups]
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
