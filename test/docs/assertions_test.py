#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Demands that every assertion that the playground hands out compiles and holds.

    assertions_test.py MMM_JS [COMPILER]

Asks the playground's program (run by node) for patterns of every operator on every kind of memory,
and compiles all assertions that it gives with COMPILER (g++-12).
"""
import json
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent

ON_WORDS = [["--machine", "dmm"], ["--machine", "dmm", "--width", "4"], ["--machine", "umm", "--width", "16"],
            ["--machine", "dmm", "--size", "100"], ["--machine", "umm", "--size", "7"],
            ["--machine", "dmm", "--size", "0"]]
ON_BYTES = [["--gpu", "h200"], ["--gpu", "h200", "--op", "store", "--size", "70"],
            ["--gpu", "h200", "--bytes", "16"], ["--gpu", "a100", "--bytes", "8"],
            ["--gpu", "rtx4090", "--space", "global"], ["--gpu", "v100", "--space", "global", "--bytes", "2"]]
PATTERNS = ["i", "i * 32", "-i + 100", "~i + 200", "(i + 3) * (i - 1) + 40", "i * i", "7", "7 - 3 * 2", "1 << 3",
            "100 - i - 1", "100 - (i - 1)", "i / 3 * 5", "i / (3 * 5)", "i % 8 * 36 + i / 8", "i ^ i / 8", "(i ^ 5) & 12 | 3",
            "i << 2 >> 1", "i & 7 ^ i | 16", "min(i, 5) + max(3, i * 2)", "min(2, 3) + i", "i < 5 ? i : i * 2",
            "i < 5 && i > 1 || !(i == 3) ? 1 : 2", "(i >= 4) * 8 + (i != 2)", "i % 2 == 0 ? i * 4 : none", "none",
            "1 < 2 ? i : none", "i / max(i, 1)", "8 >> i % 3", "i < 5 ? i / 0 : i", "3000000000 + i", "0x7fffffffffff + i",
            "i * 9 - (i - i * 8)", "i * 9 - i - i * 8", "i * (4 + i * 3 % 2)", "i * 4 % 3 * 8", "i <= 3 ? none : i >= 9 ? i * 3 : i + 4", "(i * 32) ^ ((i * 32) / 32 % 32)", "i - i"]
ASK = """
require(process.argv[1])().then((module) => {
  const answer = module.cwrap('mmm_answer', 'string', ['string']);
  const all = JSON.parse(require('fs').readFileSync(0, 'utf8'));
  console.log(JSON.stringify(all.map((question) => JSON.parse(answer(JSON.stringify(question))))));
});
"""


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    compiler = sys.argv[2] if len(sys.argv) > 2 else "g++-12"
    questions = [{"ask": "pattern", "pattern": pattern, "arguments": arguments}
                 for arguments in ON_WORDS for pattern in PATTERNS]
    # addresses of accesses have to be multiples of their bytes
    questions += [{"ask": "pattern", "pattern": f"({pattern}) * 16", "arguments": arguments}
                  for arguments in ON_BYTES for pattern in PATTERNS]
    done = subprocess.run(["node", "-e", ASK, program], input=json.dumps(questions), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"the playground's program failed:\n{done.stderr}")
    answers = json.loads(done.stdout)
    code, refused, without = [], 0, 0
    for question, answer in zip(questions, answers):
        if "error" in answer:
            refused += 1
        elif answer["assertion"]["code"]:
            about = f"// {question['pattern']}, {' '.join(question['arguments'])}"
            code.append(about + "\n" + answer["assertion"]["code"])
        else:
            without += 1
    print(f"{len(code)} assertions; {without} patterns without one, {refused} patterns refused")
    if len(code) < len(questions) * 3 // 4:
        sys.exit("too few patterns have an assertion")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "assertions.cpp"
        file.write_text("\n".join(code))
        checked = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                                  "-I", str(root / "include"), str(file)], capture_output=True, text=True)
    if checked.returncode != 0:
        sys.exit("an assertion does not compile:\n" + checked.stderr[:6000])
    print(f"all hold, says {compiler}")


main()
