#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests mmm-explore emit: its files, its JSON, its completion, and what it refuses, of which nothing is written.

    explore_emit.py PATH_OF_MMM_EXPLORE
"""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

from checks import check, finish, program, run

root = pathlib.Path(__file__).resolve().parents[2]
SUM = ["sum", "--gpu", "h200"]

# The file and the JSON object have the same choice and costs.
for arguments, name in [(["sum", "--gpu", "a100", "--size", 1000], "mmm_sum_float"), (["transpose", "--gpu", "h200", "--size", 201, "--type", "double"],
                        "mmm_transpose_double"), (["sort", "--gpu", "h100", "--name", "in_order", "--size", 5000], "in_order")]:
    text, told = run("emit", *arguments), run("emit", *arguments, "--json")
    check(text.returncode == 0 and told.returncode == 0, arguments, text.stderr, told.stderr)
    figures = json.loads(told.stdout)
    check(figures.pop("source") == text.stdout, arguments, "the source of the JSON object is another one")
    check(figures["name"] == name and f'extern "C" int {name}(' in text.stdout and f'extern "C" int {name}_strided(' in text.stdout, arguments, "name")
    check(f"using machine = {figures['machine']};" in text.stdout, arguments, "machine")
    check(f"// The launch: {figures['blocks']} blocks of {figures['block_threads']} threads." in text.stdout, arguments, "launch")
    comment = " ".join(line[2:].strip() for line in text.stdout.split("\n\n")[0].splitlines())
    for key in ("loaded", "stored"):
        said = re.search(rf"(\d+)(?: to (\d+))? {key}", comment)
        sectors = [int(n) for n in said.groups() if n]
        check(figures[f"sectors_{key}"] == (sectors if len(sectors) > 1 else sectors[0]), arguments, key, said[0], figures)
    possible = [c["microseconds"] for c in figures["candidates"] if c["possible"]]
    check(figures["predicted_microseconds"] == min(possible), arguments, "not the quickest candidate")
    if "transpose" in arguments:  # 201 * 201 * 8 bytes fill 10100.25 sectors, and rows begin within sectors
        check(10101 < figures["sectors_loaded"] < 15000, "sectors of a transpose", figures["sectors_loaded"])
    if "sort" in arguments:
        check(len(figures["time_units"]) == 2 and figures["time_units"][0] <= figures["time_units"][1], arguments, "range of costs", figures)
    else:
        check(f"cost{{{figures['rounds']}, {figures['stages']}, {figures['time_units']}}}" in text.stdout, arguments, "cost")

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    file = folder / "sum.cu"
    done = run("emit", *SUM, "-o", file)
    check(done.returncode == 0 and done.stdout == "" and "-DTEST sum.cu" in file.read_text(), "a file is written", done)
    done = run("emit", *SUM, "-o", file, "--json")
    check(json.loads(done.stdout)["file"] == str(file) and "source" not in json.loads(done.stdout), "the file's name in the JSON object", done.stdout)
    whole = file.read_text()
    link = folder / "link.cu"
    link.symlink_to(file)
    check(run("emit", *SUM, "--type", "int", "-o", link).returncode == 0 and link.is_symlink() and "mmm_sum_int" in file.read_text(), "a link stays one")
    file.write_text(whole)

    # What is refused: the message, on stderr, names what was given and what is accepted; nothing is written.
    REFUSED = [
        (["sum"], "--gpu is missing"), (["sum", "--gpu", "h300"], "--gpu is h300"), (["sum", "--gpu", "gtx580"], "--gpu is gtx580"),
        (["product", "--gpu", "h200"], "PROBLEM is product"), ([], "PROBLEM is required"), (SUM + ["--type", "complex"], "--type is complex"),
        (SUM + ["--type", "string"], "--type is string"), (SUM + ["--size", 0], "--size is 0"), (SUM + ["--size", -3], "--size is -3"),
        (SUM + ["--size", 1 << 31], "--size is 2147483648; accepted: 1 to 1073741824"), (SUM + ["--size", "9" * 30], "--size is 999"),
        (SUM + ["--size", "1e6"], "--size is 1e6"), (["transpose", "--gpu", "h200", "--size", 32769], "accepted: 1 to 32768"),
        (SUM + ["--taps", 3], "--taps is given, but it is for convolution"), (SUM + ["--radius", 1], "--radius is given, but it is for image-convolution"),
        (["image-convolution", "--gpu", "h200", "--radius", 5], "--radius is 5; accepted: 1 to 4"),
        (["convolution", "--gpu", "h200", "--taps", 0], "--taps is 0; accepted: 1 to 4096"),
        (["copy", "--gpu", "a100", "--size", 1 << 30, "--type", "double", "--radius", 1], "--radius is given"),
        *((SUM + ["--name", word], f"--name is {word}; accepted: a letter") for word in ("2sums", "a-b", "int", "while", "machine", "_x", "_X", "a__b", "abs", "main", "cudaMalloc", "x" * 65)),
        (SUM + ["--space", "narrow"], "--space is narrow"), (SUM + ["--machine", "umm"], "--machine")]
    for arguments, message in REFUSED:
        for json_asked in ([], ["--json"]):
            out = folder / "refused.cu"
            done = run("emit", *arguments, "-o", out, *json_asked)
            shown = message[:message.index("x" * 60) + 58] if "x" * 65 in message else message
            check(done.returncode == 2 and done.stdout == "" and shown in done.stderr, arguments, "is not refused by", repr(shown), done)
            check(not out.exists(), arguments, "leaves a file")
    for out in ("/dev/full", folder / "none" / "sum.cu", "/proc/sum.cu", folder, folder / "a b.cu", folder / 'x".cu'):
        done = run("emit", *SUM, "-o", out)
        check(done.returncode == 2 and done.stdout == "" and "--output is " in done.stderr, out, done)
    with open("/dev/full", "w") as full:
        done = subprocess.run([program, "emit", *SUM], stdout=full, stderr=subprocess.PIPE, text=True)
        check(done.returncode == 2 and done.stderr, "a full device at stdout", done)
    # A file that grows over a limit, as on a full disk: the old one stays, and no new one is left.
    for out, left in ((file, whole), (folder / "new.cu", None)):
        done = subprocess.run([program, "emit", *SUM, "--type", "double", "-o", out], capture_output=True, text=True, restore_signals=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))
        check(done.returncode == 2 and "--output is " in done.stderr, "a full disk", out, done)
        check((out.read_text() if out.exists() else None) == left, "a full disk leaves another file at", out)
    if os.geteuid() != 0:
        folder.chmod(0o555)
        done = run("emit", *SUM, "-o", folder / "new.cu")
        check(done.returncode == 2 and "--output is " in done.stderr, "a folder that cannot be written", done)
        folder.chmod(0o755)
    check(sorted(p.name for p in folder.iterdir()) == ["link.cu", "sum.cu"], "files are left", list(folder.iterdir()))

    # Completion, which asks the program: problems, options, their words, and files after -o.
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _mmm "$1"; printf "%s\\n" "${COMPREPLY[@]}"')
    links = folder / "bin"
    links.mkdir()
    (links / "mmm-explore").symlink_to(pathlib.Path(program).resolve())
    for words, wanted in [(["emit", "tr"], {"transpose"}), (["emit", "sum", "--gpu", "h1"], {"h100"}), (["emit", "sum", "--type", "uint"], {"uint64"}),
                          (["emit", "sum", "--na"], {"--name"}), (["emit", "sum", "-o", "su"], set()), (["emit", "sum", "--output", "su"], set())]:
        done = subprocess.run([shutil.which("bash"), "--norc", "-c", script, "_", root / "tool/completion/mmm.bash", "mmm-explore", *words],
                              capture_output=True, text=True, env={**os.environ, "PATH": f"{links}:{os.environ['PATH']}"}, cwd=folder)
        check(set(done.stdout.split()) == wanted, "completion of", words, "gives", done.stdout, done.stderr)
finish()
