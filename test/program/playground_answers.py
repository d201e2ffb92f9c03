#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the playground's kernels with those of mmm-explore emit, character for character, and its refusals.

    playground_answers.py PLAYGROUND MMM_EXPLORE   PLAYGROUND: playground_program.cpp with the playground's sources
"""
import json
import subprocess
import sys

playground, explore = sys.argv[1:]
failed = []


def ask(questions):
    done = subprocess.run([playground], input="".join(json.dumps(q) + "\n" for q in questions), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"the playground's program ended with {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(holds, *what):
    if not holds:
        failed.append(what)
        print("FAILED", *what)


choices, pattern, unknown = ask([{"ask": "choices"}, {"ask": "pattern", "pattern": "i * 32", "arguments": ["--machine", "dmm"]},
                                 {"ask": "the time"}])
check(pattern.get("takes") == 32, "a column takes 32 stages", pattern)
check("accepted: choices" in unknown.get("error", ""), "what cannot be asked", unknown)
kernels = choices["kernels"]
gpus = [gpu["name"] for gpu in kernels["gpus"]]
known = subprocess.run([explore, "emit", "--help"], capture_output=True, text=True, check=True).stdout
for names in (gpus, kernels["problems"], kernels["types"]):
    check(len(names) > 4 and ", ".join(names) in known, "names that mmm-explore emit accepts", names)
check("v100" in [gpu["name"] for gpu in choices["gpus"]] and "v100" not in gpus, "GPUs of patterns and of kernels", choices)
check(all(gpu["title"] for gpu in kernels["gpus"]), "titles", kernels["gpus"])

asked = [[problem, "--gpu", gpus[k % len(gpus)], "--type", kernels["types"][k % len(kernels["types"])]]
         for k, problem in enumerate(kernels["problems"])]
asked += [["sum", "--gpu", "h200"], ["transpose", "--gpu", "a100", "--size", "4096"],
          ["convolution", "--gpu", "h200", "--size", "65536", "--taps", "5"],
          ["image-convolution", "--gpu", "b200", "--size", "512", "--radius", "2"],
          # refused
          ["sum"], ["sum", "--gpu", "h2000"], ["sums", "--gpu", "h200"], ["sum", "--gpu", "h200", "--size", "0"],
          ["copy", "--gpu", "h200", "--taps", "5"], ["sum", "--gpu", "h200", "--type", "half"], []]
written = 0
for arguments, answer in zip(asked, ask(asked), strict=True):
    done = subprocess.run([explore, "emit", *arguments], capture_output=True, text=True)
    if done.returncode == 0:
        written += 1
        check(answer.get("source") == done.stdout, "the kernel of", arguments)
    else:
        check(answer.get("error") and answer["error"] in done.stderr, arguments, "is refused as", done.stderr, answer)
check(written == len(kernels["problems"]) + 4, written, "kernels")
file, help_text = ask([["sum", "--gpu", "h200", "-o", "sum.cu"], ["--help"]])
check("--output" in file.get("error", ""), "a file is not written", file)
check("help" in help_text.get("error", ""), "no help", help_text)
print(f"{len(asked) + 2} questions, {written} kernels, {len(failed)} failed")
sys.exit(1 if failed else 0)
