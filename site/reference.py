#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the public names of the headers, with their signatures and comments, from the sources.

    reference.py [ROOT]        checks: every public name has a comment or stands below one, and no
                               namespace is passed over
    reference.py --self-test   plants names of each kind, and mistakes, and demands that they are found

A name is public in namespace mmm and in those nested in it, but for `detail`; so are the public
members of its classes. A `//!` comment belongs to the declaration below it, and to those which
follow without an empty line. One above an empty line or a namespace is about the header.
"""
import dataclasses
import pathlib
import re
import sys

NOISE = re.compile(r"\bMMM_(?:HOST_DEVICE|NO_SIDE_CHECK|ALWAYS_INLINE|DEVICE|HOST|KERNEL)\b|\[\[nodiscard\]\]|\[\[maybe_unused\]\]")
ALONE = re.compile(r"[A-Z]+_[A-Z_]+(?:\((\w*)[^\n]*\))?[ \t]*\n")  # a macro on a line of its own; what it may declare
TYPE = re.compile(r"^(?:friend\s+)?(struct|class|union|enum(?:\s+class|\s+struct)?)\b\s*(?:alignas\s*\([^)]*\)\s*)?(\w*)")
NO_FUNCTION = {"requires", "decltype", "noexcept", "explicit", "alignas", "sizeof", "static_assert", "if", "defined"}


# What a person wants to do, in the order of the reference, and the folders of include/mmm for it.
TASKS = {
    "Describe a machine": ["machine"],
    "Write an index expression": ["index"],
    "Choose a layout": ["layout"],
    "Know a cost and assert it": ["cost"],
    "Follow the rules of a GPU": ["gpu"],
    "Use an algorithm": ["algorithm"],
    "Run a program": ["execution"],
    "Trace a kernel": ["trace"],
    "Predict time and choose a kernel": ["timing", "choose"],
    "Write a kernel for a problem": ["emit", "jit"],
    "Print a report": ["report"],
    "Use the types of another library": ["interop"],
    "Numbers and settings of all of them": ["core"],
}


@dataclasses.dataclass
class Entry:
    name: str
    kind: str  # function, type, concept, variable, alias, macro
    signature: str
    comment: list
    scope: str  # the namespaces, as `mmm::gpu`
    line: int
    members: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Header:
    path: str
    about: list
    entries: list
    lost: int = 0  # namespaces that were passed over with all that is in them


def skip_group(text, at, opening, closing):
    """The place behind the bracket that closes the one at `at`; strings and comments do not count."""
    depth = 0
    while at < len(text):
        c = text[at]
        if c in "\"'" and not (c == "'" and at and text[at - 1].isalnum()):
            at = skip_string(text, at)
            continue
        if text.startswith("//", at):
            at = text.find("\n", at)
            at = len(text) if at < 0 else at
            continue
        depth += (c == opening) - (c == closing)
        at += 1
        if depth == 0:
            return at
    return at


def skip_string(text, at):
    quote = text[at]
    at += 1
    while at < len(text) and text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    return at + 1


def without_groups(text):
    """The text with what stands in template brackets and parentheses replaced by blanks; parentheses
    themselves stay."""
    out, angle, paren = [], 0, 0
    for at, c in enumerate(text):
        before = text[at - 1] if at else " "
        if c == "(":
            paren += 1
            out.append("(" if paren == 1 and angle == 0 else " ")
        elif c == ")":
            out.append(")" if paren == 1 and angle == 0 else " ")
            paren -= 1
        elif paren:
            out.append(" ")
        elif c == "<" and (before.isalnum() or before in "_ ") and not re.search(r"operator\s*<*$", text[:at]) \
                and text[at:at + 2] not in ("<=", "<<"):
            angle += 1
            out.append(" ")
        elif c == ">" and angle and before not in "-=":
            angle -= 1
            out.append(" ")
        else:
            out.append(" " if angle else c)
    return "".join(out)


def classify(signature):
    """(kind, name) of a declaration, or None if it declares nothing."""
    text = re.sub(r"\s+", " ", NOISE.sub(" ", signature)).strip()
    if not text or re.match(r"^MMM_\w+\s*\(", text) or re.match(r"^(static_assert|using namespace|friend (class|struct)|extern template)\b", text):
        return None
    flat = without_groups(text)
    flat = re.sub(r"^(?:\s*template\s*)+", "", flat).strip()
    concept = re.search(r"\bconcept\s+(\w+)", flat)
    if concept:
        return "concept", concept.group(1)
    alias = re.search(r"\busing\s+(\w+)\s*=", flat)
    if alias:
        return "alias", alias.group(1)
    using = re.match(r"^using\s+([\w: ]+?)(\w+)$", flat)
    if using:
        return "alias", using.group(2)
    body = re.sub(r"^requires\s*(\(\s*\)|[^(]*?)\s*(?=\b(struct|class|enum|union)\b)", "", flat)
    kind = TYPE.match(body)
    if kind and "(" not in body.split(":")[0]:
        return ("type", kind.group(2)) if kind.group(2) else None
    operator = re.search(r"\boperator\s*(\(\s*\)|\[\s*\]|[^\s\w(]+|[\w:]+)\s*\(", flat)
    conversion = re.search(r"\boperator\s+(\w[\w: ]*?)\s*\(", flat)
    if operator or conversion:
        found = (operator or conversion).group(1).replace(" ", "")
        return "function", "operator" + (" " if found[0].isalpha() else "") + found
    for found in re.finditer(r"(~?\w+)\s*\(", flat):
        if found.group(1) not in NO_FUNCTION and "=" not in flat[:found.start()]:
            return "function", found.group(1)
    head = re.split(r"(?<![=<>!])=(?!=)", flat)[0]
    words = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", "", head.split(" : ")[0]))
    return ("variable", words[-1]) if len(words) >= 2 else None


def shown(signature):
    """A signature without macros, with the source's line breaks."""
    lines = [NOISE.sub("", line).rstrip() for line in signature.strip("\n").split("\n")]
    lines = [re.sub(r"(?<=\S)  +", " ", line) for line in lines if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "\n".join(re.sub(r"^(\s*) (?=\S)", r"\1", line[indent:]) if n == 0 else line[indent:]
                     for n, line in enumerate(lines)).strip()


class Reader:
    def __init__(self, text, path):
        self.text, self.path = text, path
        self.header = Header(path, [], [])

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def read(self):
        self.header.lost = len(re.findall(r"^(?:inline )?namespace\b[^;={]*\{", self.text, re.M))
        self.scope(0, ["" ], self.header.entries, True, None)
        return self.header

    def scope(self, at, names, into, public, of_type):
        """Reads declarations up to the closing brace; returns the place behind it."""
        text = self.text
        pending, start, last, same = [], None, None, False
        pending_line = 0
        while at < len(text):
            if text.startswith("//!<", at):
                end = text.find("\n", at)
                end = len(text) if end < 0 else end
                if last is not None:
                    last.comment.append(text[at + 4:end].strip())
                at = end
                continue
            if text.startswith("//", at):
                end = text.find("\n", at)
                end = len(text) if end < 0 else end
                if text.startswith("//!", at):
                    if start is None:
                        if not pending:
                            pending_line = self.line(at)
                        pending.append(text[at + 3:end].removeprefix(" ").rstrip())
                        same = False
                at = end
                continue
            c = text[at]
            alone = ALONE.match(text, at) if start is None else None
            if alone:  # the first argument of one with a comment is the name of a function that it makes
                if pending and (alone.group(1) or "MMM_")[:4] != "MMM_":
                    into.append(Entry(alone.group(1), "function", f"auto {alone.group(1)}(…)", pending, "::".join(n for n in names if n), self.line(at)))
                    pending = []
                at = alone.end() - 1
                continue
            if c == "\n" and start is None and re.match(r"\n[ \t]*\n", text[at:at + 200]):
                same = False
                if pending:
                    self.about(pending, pending_line, of_type)
                    pending = []
                at += 1
                continue
            if c == "#" and (at == 0 or text[:at].rstrip(" \t").endswith("\n")):
                end = at
                while True:
                    end = text.find("\n", end)
                    end = len(text) if end < 0 else end
                    if end == len(text) or text[end - 1] != "\\":
                        break
                    end += 1
                macro = re.match(r"#\s*define\s+(MMM_(?!DETAIL_)\w+(?:\([^)]*\))?)", text[at:end])
                if macro and pending and start is None:
                    into.append(Entry(macro.group(1).split("(")[0], "macro", "#define " + macro.group(1), pending,
                                      "", self.line(at)))
                    pending = []
                at = end
                continue
            if c.isspace():
                at += 1
                continue
            access = re.match(r"(public|private|protected)\s*:(?!:)", text[at:at + 20]) if start is None else None
            if access:
                public = access.group(1) == "public"
                pending, same = [], False
                at += access.end()
                continue
            if c == "}" and start is None:
                return at + 1
            if start is None:
                start = at
            if c in "\"'" and not (c == "'" and text[at - 1].isalnum()):
                at = skip_string(text, at)
            elif c == "(":
                at = skip_group(text, at, "(", ")")
            elif c == "[":
                at = skip_group(text, at, "[", "]")
            elif c == ";":
                signature = re.sub(r"//.*", "", text[start:at])
                last = self.declared(signature, start, names, into, public, pending, same, last)
                same = last is not None
                pending, start = [], None
                at += 1
            elif c == "{":
                signature = re.sub(r"//.*", "", text[start:at])
                space = re.match(r"^\s*(?:inline\s+)?namespace\s*([\w:]*)\s*$", signature)
                if space:
                    self.header.lost -= 1
                    if pending:
                        self.about(pending, pending_line, None)
                    pending, start, same, last = [], None, False, None
                    inner = names + [space.group(1) or "detail"]
                    at = self.scope(at + 1, inner, into, "detail" not in "::".join(inner), None)
                    continue
                found = classify(signature)
                if found and found[0] == "type" and re.search(r":.*<[^>]*$", signature, re.S):
                    at = skip_group(text, at, "{", "}")  # of a base's argument
                    continue
                if found and found[0] == "type":
                    last = self.declared(signature, start, names, into, public, pending, same, last)
                    members = last.members if last is not None and public else []
                    if signature.lstrip().startswith("enum") or re.search(r"\benum\b", signature):
                        at = self.enumerators(at, members)
                    else:
                        inner_public = not re.search(r"\bclass\b", without_groups(signature))
                        at = self.scope(at + 1, names, members, inner_public, last)
                    pending, start, same = [], None, True
                    after = re.match(r"\s*;", text[at:])
                    at += after.end() if after else 0
                    continue
                constructor = re.match(r"^(.*?\))\s*:\s*[\w:]+(?:<[^{]*>)?\s*[({]?.*$", signature, re.S)
                if constructor and found and found[0] == "function" and not re.search(r"\?", signature):
                    # braces of member initializers come before the body
                    while True:
                        at = skip_group(text, at, "{", "}")
                        more = re.match(r"\s*(?:,\s*[\w:]+(?:<[^{;]*>)?\s*(?:\([^;{]*?\)\s*)?)*\{", text[at:])
                        if not more or not re.match(r"\s*[,{]", text[at:]):
                            break
                        at += more.end() - 1
                    signature = constructor.group(1)
                else:
                    at = skip_group(text, at, "{", "}")
                last = self.declared(signature, start, names, into, public, pending, same, last)
                same = last is not None
                pending = []
                start = None
                after = re.match(r"\s*;", text[at:])
                if after:
                    at += after.end()
                elif found and found[0] in ("variable", "alias", "concept") and "=" in signature:
                    while text[at:at + 1] not in (";", ""):  # the braces were a part of the value
                        at = skip_group(text, at, "{", "}") if text[at] == "{" else at + 1
                    at += 1
            else:
                at += 1
        if pending:
            self.about(pending, pending_line, None)
        return at

    def about(self, comment, line, of_type):
        if of_type is None:
            self.header.about += [*comment, ""]
        else:
            of_type.comment += ["", *comment]

    def enumerators(self, at, members):
        end = skip_group(self.text, at, "{", "}")
        body = self.text[at + 1:end - 1]
        pending = []
        for line in body.split("\n"):
            comment = re.search(r"//!<?\s?(.*)", line)
            code = line.split("//")[0]
            if comment and not code.strip():
                pending.append(comment.group(1))
                continue
            for name in re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)\s*(?:=[^,]*)?", code.strip().rstrip(",")):
                members.append(Entry(name, "enumerator", name, pending + ([comment.group(1)] if comment else []), "", 0))
                pending = []
        return end

    def declared(self, signature, at, names, into, public, comment, same, last):
        found = classify(signature)
        if not public or not found or not names[1:] or names[1] != "mmm" and not names[1].startswith("mmm::"):
            return None
        kind, name = found
        if re.search(r"\bdetail::\w+::\s*~?$", without_groups(signature).split(name + "(")[0]):
            return None  # a private member, defined out of its class
        if kind == "type" and self.text[at + len(signature):].lstrip()[:1] == ";" and not comment:
            return None  # declared before it is defined
        if kind in ("variable", "alias"):
            signature = signature if kind == "alias" else re.split(r"(?<![=<>!])=(?!=)", signature)[0] \
                if "<" not in signature.split("=")[0].replace("<=", "") else signature
        if not comment and same and last is not None and name == last.name and kind == last.kind:
            last.signature += ";\n" + shown(signature)
            return last
        entry = Entry(name, kind, shown(signature), list(comment), "::".join(n for n in names if n), self.line(at))
        if not comment and same and last is not None:
            entry.comment = [None]  # the comment of the one before is about this one, too
        into.append(entry)
        return entry


def read_header(path, root):
    # Raw strings may hold C++ of their own.
    text = re.sub(r'R"\((?:.|\n)*?\)"', lambda found: '""' + "\n" * found[0].count("\n"), path.read_text())
    return Reader(text, path.relative_to(root / "include").as_posix()).read()


def headers(root):
    files = sorted(p for p in (root / "include/mmm").rglob("*") if p.suffix in (".hpp", ".cuh"))
    return [read_header(p, root) for p in files]


def task_of(path):
    """What the names of a header are for, a key of TASKS; and of an algorithm's header its problem."""
    folder, *rest = path.split("/")[1:]
    if not rest:
        return "Headers to include", ""
    task = next((task for task, folders in TASKS.items() if folder in folders), None)
    if task is None:
        sys.exit(f"include/mmm/{folder} is not in TASKS of site/reference.py")
    return task, rest[0] if folder == "algorithm" and len(rest) > 1 else ""


def undocumented(all_headers):
    known = {(e.scope, e.name) for h in all_headers for e in h.entries if e.comment}
    return [f"include/{h.path}:{e.line}: {e.kind} {e.scope}::{e.name} has no comment"
            for h in all_headers for e in h.entries
            if not e.comment and (e.scope, e.name) not in known and e.kind not in ("macro", "enumerator") and not e.name.startswith("operator")]


EXAMPLE = '''#pragma once
//! About the header.

MMM_BODIES_BEGIN
namespace mmm {
//! A function.
template <class A, class B = int>
requires(sizeof(A) > 1)
[[nodiscard]] MMM_HOST_DEVICE constexpr auto twice(A a = {}, B b = A{1} < 2) -> B {
  return {a; ;};
}
inline int twice(long) { return 1; }
//! A type.
struct point : base<int> {
  int x = 0;  //!< first
  //! Built.
  explicit point(int a, int b) : x{a}, y_(b) {}
  //! Equal.
  friend constexpr bool operator==(point const&, point const&) = default;
  [[nodiscard]] operator int() const { return x; }
 private:
  int y_;
};
//! A concept.
template <class T>
concept pointed = requires(T t) { t.x; } || requires(T t) { t.y; };
//! An item.
inline constexpr point item{};
//! A kind.
enum class kind { one, two };
//! Another name.
using other = point;
//! How many.
inline constexpr int many = f(3);
namespace detail {
//! Private.
int hidden();
}
MMM_DETAIL_MAKE(+)
//! Made.
MMM_DETAIL_MAKE(made, plus)
//! With a base.
struct derived : base<facts{.a = 1, .b = 2}> {
  int y;
};
namespace gpu {
void bare();
}
}
'''


def self_test():
    header = Reader(EXAMPLE, "mmm/example.hpp").read()
    found = {(e.kind, e.name) for e in header.entries}
    wanted = {("function", "twice"), ("type", "point"), ("concept", "pointed"), ("variable", "item"), ("type", "kind"),
              ("alias", "other"), ("variable", "many"), ("function", "bare"), ("function", "made"), ("type", "derived")}
    members = {e.name for e in header.entries if e.name in ("point", "kind") for e in e.members}
    checks = [(found == wanted, f"names: {sorted(found ^ wanted)}"),
              (members == {"x", "point", "operator==", "operator int", "one", "two"}, f"members: {members}"),
              (header.about[:1] == ["About the header."], f"about: {header.about}"),
              (header.entries[0].signature.count("twice") == 2, "overloads stand together"),
              ("return" not in header.entries[0].signature, "bodies are left out"),
              (header.entries[-1].scope == "mmm::gpu", "namespaces"),
              (len(undocumented([header])) == 1, f"without a comment: {undocumented([header])}")]
    wrong = [text for holds, text in checks if not holds]
    print("\n".join(wrong) or "as demanded")
    return 1 if wrong else 0


def main():
    if sys.argv[1:2] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    all_headers = headers(root)
    for header in all_headers:
        task_of(header.path)  # ends the program if the folder has none
    complaints = undocumented(all_headers) + [f"include/{h.path}: {h.lost} namespaces were not read" for h in all_headers if h.lost]
    print("\n".join(complaints))
    print(f"{sum(len(h.entries) for h in all_headers)} public names in {len(all_headers)} headers, "
          f"{len(complaints)} without a comment")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
