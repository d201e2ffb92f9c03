# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA programs compiled quickly: with fewer optimizations, and several as one, so that their headers
are parsed once."""
import re
import subprocess


def fewer_optimizations(nvcc, level):
    """nvcc's flags to compile kernels faster, level mid or max; none where it has no such flag."""
    words = subprocess.run([nvcc, "--help"], capture_output=True, text=True, check=False).stdout
    return ["-Ofc", level] if "-Ofc" in words else []


def write_together(sources, made, parts=None):
    """Writes a source that includes all sources, each in a namespace of its own. The first argument
    of its program is the name (without .cu) of the one whose main function is called, with the
    further arguments. Headers come first: those that a source includes again are empty then. A file
    that would not change is left alone. parts is one more program: a name and its sources, which
    stay in the global namespace."""
    name_of_parts, files = parts or (None, [])
    headers = {}
    for source in [*files, *sources]:
        for line in source.read_text(encoding="utf-8").splitlines():
            if match := re.match(r'#include (<.*>|"(.*)")', line):
                near = match[2] and source.parent / match[2]
                headers[f'"{near.resolve()}"' if near and near.exists() else match[1]] = None
    text = "".join(f"#include {header}\n" for header in [*headers, "<string_view>"])
    if files:
        text += f"#define main main_of_{name_of_parts}\n" + "".join(f'#include "{f.resolve()}"\n' for f in files) + "#undef main\n"
    for source in sources:
        text += f'namespace program_{source.stem} {{\n#include "{source.resolve()}"\n}}\n'
    text += """
namespace {
[[maybe_unused]] int start(int (*program)(), int, char**) { return program(); }
[[maybe_unused]] int start(int (*program)(int, char**), int count, char** arguments) { return program(count, arguments); }
}
int main(int count, char** arguments) {
  std::string_view const name = count > 1 ? arguments[1] : "";
"""
    mains = {source.stem: f"program_{source.stem}::main" for source in sources}
    if files:
        mains[name_of_parts] = f"main_of_{name_of_parts}"
    for name, function in mains.items():
        text += f'  if (name == "{name}") return start({function}, count - 1, arguments + 1);\n'
    text += "  return 2;\n}\n"
    if not made.exists() or made.read_text(encoding="utf-8") != text:
        made.write_text(text, encoding="utf-8")
