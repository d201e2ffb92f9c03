#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests mmm-run itself: its options, the settings that it passes on, its exit statuses, and the
programs that it rejects before they run.

A library and a program compiled here take the place of the device and of a CUDA program, so that no
nvcc is needed.

    mmm_run_test.py PATH_OF_MMM_RUN
    mmm_run_test.py --traces PATH_OF_MMM_REPLAY --nvcc PATH PATH_OF_MMM_RUN

The second form tests instead that mmm-replay computes from a kernel's trace what was counted.
Exit status 77 (skipped) without nvcc, or without a C compiler.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "test" / "program"))
import checks  # noqa: E402
from checks import check  # noqa: E402

mmm_run = pathlib.Path(checks.program).resolve()
folder = pathlib.Path(tempfile.mkdtemp(prefix="mmm-run-test-"))
compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")

# A stand-in for the device: writes the lines of FAKE_VERDICT into the verdict and prints the
# settings that it got.
LIBRARY = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void cudaNothing(void) {}
extern char** environ;
__attribute__((destructor)) static void end(void) {
  for (char** e = environ; *e; ++e)
    if (strncmp(*e, "MMM_RUN_", 8) == 0 && strncmp(*e, "MMM_RUN_VERDICT", 15) != 0 && strncmp(*e, "MMM_RUN_LIBRARY", 15) != 0)
      fprintf(stderr, "%s\n", *e);
  char const* const lines = getenv("FAKE_VERDICT");
  FILE* const file = lines ? fopen(getenv("MMM_RUN_VERDICT"), "a") : NULL;
  if (file) fprintf(file, "%s\n", lines);
  if (file) fclose(file);
}
"""
# A stand-in for a CUDA program: does what its first argument says and prints the others.
PROGRAM = r"""
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void cudaNothing(void);
static void stop(int signal) {  // as a handler must: without stdio, which may be at work on the same buffer
  char text[] = "signal 00\n";
  text[7] = (char)('0' + signal / 10);
  text[8] = (char)('0' + signal % 10);
  if (write(1, text, sizeof text - 1) < 0) _exit(10);
  _exit(9);
}
int main(int argc, char** argv) {
  cudaNothing();
  for (int k = 0; k < argc; ++k) printf("[%s]", argv[k]);
  printf("\n");
  fflush(stdout);
  if (argc < 2) return 0;
  if (strcmp(argv[1], "exit") == 0) return atoi(argv[2]);
  if (strcmp(argv[1], "raise") == 0) raise(atoi(argv[2]));
  if (strcmp(argv[1], "wait") == 0) {
    signal(SIGTERM, stop);
    signal(SIGUSR1, stop);
    printf("waiting\n");
    fflush(stdout);
    for (;;) pause();
  }
  if (strcmp(argv[1], "echo") == 0) {
    char line[100];
    while (fgets(line, sizeof line, stdin)) fputs(line, stdout);
  }
  return 0;
}
"""


def build(source, name, *flags):
    file = folder / (name + ".c")
    file.write_text(source)
    out = folder / name
    done = subprocess.run([compiler, "-x", "c", str(file), "-x", "none", "-o", str(out), *flags], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr)
        sys.exit(1)
    return out


def environment(**more):
    own = {k: v for k, v in os.environ.items() if not k.startswith("MMM_RUN_") and k not in ("FAKE_VERDICT", "LD_PRELOAD")}
    return {**own, **more}


def run(*arguments, library=True, text="", verdict=None, **more):
    if library:
        more["MMM_RUN_LIBRARY"] = str(folder / "libmmm_device.so")
    if verdict is not None:
        more["FAKE_VERDICT"] = verdict
    return subprocess.run([mmm_run, *map(str, arguments)], capture_output=True, text=True, input=text, cwd=folder,
                          env=environment(**more))


def settings(found):
    """The settings that the library received, by name without MMM_RUN_."""
    return dict(re.findall(r"^MMM_RUN_(\w+)=(.*)$", found.stderr, re.M))


def refused(found, *words):
    check(found.returncode == 2, "exit", found.returncode, "for", found.args[1:], found.stderr)
    check(found.stdout == "" and found.stderr.startswith("mmm-run: "), "refusal of", found.args[1:], found.stdout, found.stderr)
    for word in words:
        check(word in found.stderr, "refusal of", found.args[1:], "lacks", word, ":", found.stderr)


def build_all():
    for path, soname in (("libcudart.so.13", "libcudart.so.13"), ("libmmm_device.so", "libcudart.so.13"),
                         ("libcudart.so.12", "libcudart.so.12")):
        build(LIBRARY, path, "-shared", "-fPIC", f"-Wl,-soname,{soname}")
    build(PROGRAM, "program", str(folder / "libcudart.so.13"))
    build(PROGRAM, "program_12", str(folder / "libcudart.so.12"))
    build("int main(void) { return 0; }", "plain")
    # A program that uses the CUDA runtime only through a library of its own.
    build("void cudaNothing(void); void work(void) { cudaNothing(); }", "libwork.so", "-shared", "-fPIC",
          str(folder / "libcudart.so.13"))
    build("void work(void); int main(void) { work(); return 5; }", "by_library", str(folder / "libwork.so"),
          f"-Wl,-rpath,{folder}")


def passed_on():
    found = run("./program", "--json", "x", "", "a b", "--", "-h")
    check(found.returncode == 0 and found.stdout == "[./program][--json][x][][a b][--][-h]\n", "arguments", found)
    check(settings(found) == {}, "settings without options", found.stderr)
    check(run("--", "./program", "exit", 4).returncode == 4, "--")
    check(run("--seed", 3, "--", "./program", "--seed").stdout == "[./program][--seed]\n", "-- after an option")
    check(run("./program", "echo", text="one\ntwo\n").stdout.endswith("one\ntwo\n"), "standard input")
    on_path = run("program", "x", PATH=f"/nonexistent:{folder}")
    check(on_path.stdout == "[program][x]\n", "a program on PATH", on_path)
    check(run("./by_library").returncode == 5, "the runtime is used by a library")
    script = folder / "script"
    script.write_text("#!/bin/sh\n./program in_script\n")
    script.chmod(0o755)
    found = run("./script", verdict="findings 0\nexceeded 0")
    check(found.returncode == 0 and found.stdout == "[./program][in_script]\n", "a script", found)

    (folder / "known.txt").write_text("# known\n\nrace:f\n")
    found = run("--gpu", "a100", "--seed", 18446744073709551615, "--memory", "weak", "--check", "race,bounds", "--devices=64", "--suppressions", "known.txt",
                "--json", "out.json", "--html=out.html", "--trace", "out.csv", "--sarif", "out.sarif", "--write-baseline", "b.json", "./program")
    check(found.returncode == 0, "all options", found)
    check(settings(found) == {"GPU": "a100", "SEED": "18446744073709551615", "MEMORY": "weak", "CHECK": "race,bounds",
                              "SUPPRESSIONS": str(folder / "known.txt"),
                              "DEVICES": "64", "JSON": str(folder / "out.json"), "HTML": str(folder / "out.html"),
                              "TRACE": str(folder / "out.csv"), "SARIF": str(folder / "out.sarif"),
                              "WRITE_BASELINE": str(folder / "b.json")}, "settings", found.stderr)
    check(settings(run("--blocks", 7, "--check", "all", "./program")) == {"BLOCKS": "7", "CHECK": "all"}, "settings of --blocks")
    # Settings from the environment do not count: mmm-run sets all of them from its options.
    found = run("./program", MMM_RUN_CHECK="all", MMM_RUN_JSON="/nowhere", MMM_RUN_GPU="h100")
    check(found.returncode == 0 and settings(found) == {}, "settings from outside", found.stderr)
    other = build("#include <stdio.h>\n__attribute__((constructor)) static void begin(void) { puts(\"preloaded\"); }", "other.so",
                  "-shared", "-fPIC")
    found = run("./program", LD_PRELOAD=str(other))
    check("preloaded" in found.stdout and found.returncode == 0, "another preloaded library", found)
    (folder / "tmp").mkdir()
    check(run("./program", TMPDIR=str(folder / "tmp")).returncode == 0 and not list((folder / "tmp").iterdir()),
          "a temporary file stays")


def exit_statuses():
    for status in (0, 1, 2, 3, 42, 255):
        check(run("./program", "exit", status).returncode == status, "the program's status", status)
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL):
        found = run("./program", "raise", int(number))
        check(found.returncode == 128 + number and f"signal {int(number)}" in found.stderr, "signal", number, found)
    (folder / "limits.json").write_text('{"default": {"findings": 0}}')
    limits = ("--limits", "limits.json")
    (folder / "base.json").write_text('{"mmm_run_baseline": 1, "kernels": []}')
    base = ("--baseline", "base.json")
    found = run(*base, "--tolerance", "2,lanes=7.5%", "--write-baseline", "base2.json", "./program", verdict="findings 0\nexceeded 0")
    check(settings(found) == {"BASELINE": str(folder / "base.json"), "TOLERANCE": "2,lanes=7.5%",
                              "WRITE_BASELINE": str(folder / "base2.json")}, "settings of a baseline", found.stderr)
    for options, verdict, own, wanted in (
            (base, "findings 0\nexceeded 1", 0, 4),
            (base, "findings 0\nexceeded 0", 7, 7),
            ((), "findings 2\nexceeded 1", 0, 0),
            (("--check", "none"), "findings 2\nexceeded 0", 0, 0),
            (("--check", "all"), "findings 2\nexceeded 0", 0, 3),
            (("--check", "race"), "findings 1\nfindings 3\nexceeded 0", 7, 3),
            (("--check", "race"), "findings 3\nfindings 0\nexceeded 0", 7, 3),
            (("--check", "race"), "findings 0\nexceeded 0", 7, 7),
            (("--check", "race"), "findings 1", 0, 3),
            (limits, "findings 2\nexceeded 1", 0, 4),
            (limits, "findings 0\nexceeded 1", 7, 4),
            (limits, "findings 0\nexceeded 0", 0, 0),
            (limits, "findings 0\nexceeded 0", 7, 7),
            ((*limits, "--check", "all"), "findings 1\nexceeded 1", 0, 3),
            ((*limits, "--check", "all"), "findings 0\nexceeded 1", 0, 4),
            ((*limits, "--check", "all"), "findings 1\nexceeded 1\nunsupported tex", 0, 2),
            ((), "faults 1\nfindings 1\nexceeded 0", 0, 5),
            ((), "faults 1", 7, 5),
            (("--check", "none"), "faults 1\nfindings 0\nexceeded 0", 7, 7),
            (("--check", "race"), "faults 1\nfindings 0\nexceeded 0", 0, 5),
            (("--check", "race"), "faults 1\nfindings 1\nexceeded 0", 0, 3),
            (limits, "faults 1\nfindings 0\nexceeded 1", 0, 5),
            ((), "unsupported tex.2d at a.cu:3", 1, 2)):
        found = run(*options, "./program", "exit", own, verdict=verdict)
        check(found.returncode == wanted, options, verdict, own, "ends with", found.returncode, "instead of", wanted, found.stderr)
    found = run(*base, "./program", "exit", 0)
    check(found.returncode == 2 and "the baseline was not checked" in found.stderr, "a baseline that nobody checked", found)
    found = run("--sarif", "late.sarif", "--write-baseline", "late.json", "./program", "exit", 0)
    check("no SARIF log was written" in found.stderr and "no baseline was written" in found.stderr, "nothing is written", found)
    found = run(*limits, "./program", "exit", 0)
    check(found.returncode == 2 and "not checked" in found.stderr, "limits that nobody checked", found)
    check(run(*limits, "./program", "exit", 6).returncode == 6, "limits that nobody checked, after a failure")


def waiting():
    """Starts a program that runs until a signal comes."""
    child = subprocess.Popen([mmm_run, "./program", "wait"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                             cwd=folder, env=environment(MMM_RUN_LIBRARY=str(folder / "libmmm_device.so")))
    child.stdout.readline()
    check(child.stdout.readline() == "waiting\n", "the program waits")
    return child


def signals():
    for number in (signal.SIGTERM, signal.SIGUSR1):
        child = waiting()
        child.send_signal(number)
        out = child.stdout.read()
        check(child.wait(20) == 9 and out == f"signal {int(number)}\n", "signal", number, "is passed on:", out)
    # The program ends when mmm-run is killed.
    child = waiting()
    child.kill()
    child.wait()
    begin = time.monotonic()
    check(child.stdout.read() == "" and time.monotonic() - begin < 10, "the program ends with mmm-run")


def refusals():
    refused(run(), "PROGRAM", "--help")
    refused(run("--seed", 1), "PROGRAM")
    for option, value, *words in (
            ("--gpu", "h201", "h201", "h200", "rtx4090"), ("--gpu", "gtx580", "h200"), ("--seed", "-1", '"-1"', "2^64"),
            ("--seed", "x", '"x"'), ("--seed", "18446744073709551616", "2^64"), ("--memory", "soft", "strong or weak"),
            ("--check", "races", '"races"', "race", "uninitialized"), ("--check", "", "none"), ("--check", "race,", "all"),
            ("--check", "all,none", "none"), ("--html", "", "--html", "path"), ("--limits", "/tmp", "/tmp", "regular file"),
            ("--devices", "0", "1 to 64"), ("--devices", "65", "1 to 64"), ("--devices", "2x", "2x"),
            ("--json", "no/such/out.json", "no/such/out.json", "cannot be written"), ("--html", ".", "cannot be written"),
            ("--trace", "/proc/x", "--trace"), ("--limits", "none.json", "none.json", "cannot be read"),
            ("--jason", "x", "--jason", "did you mean --json?"), ("--gpu", "h201", "did you mean h200?"),
            ("--check", "leak,races", "did you mean race?"), ("-x", "y", "-x"),
            ("--baseline", "none.json", "none.json", "cannot be read"), ("--baseline", "/tmp", "regular file"),
            ("--baseline", "program.c", "baseline program.c: ", "accepted: a file that --write-baseline wrote"),
            ("--suppressions", "none.txt", "none.txt", "cannot be read"), ("--suppressions", "/tmp", "regular file"),
            ("--suppressions", "program.c", "suppressions program.c: line ", "accepted: CHECK:", "uninitialized"),
            ("--sarif", "no/such/x", "no/such/x", "cannot be written"), ("--write-baseline", ".", "cannot be written"),
            ("--blocks", "0", '"0"', "from 1 on"), ("--blocks", "x", '"x"'),
            ("--tolerance", "1", "needs --baseline")):
        refused(run(option, value, "./program"), *words)
    (folder / "base.json").write_text('{"mmm_run_baseline": 1, "kernels": []}')
    for value in ("", "x", "-1", "1e3", "lane=3"):
        refused(run("--baseline", "base.json", "--tolerance", value, "./program"), "--tolerance", "percent from 0 to 1000")
    refused(run("--seed", 1, "--seed", 2, "./program"), "--seed")
    for other, *words in (("--write-baseline", "b.json"), ("--baseline", "base.json"), ("--check", "uninitialized"),
                          ("--check", "race,uninitialized,bounds")):
        refused(run("--blocks", 3, other, *words, "./program"), "--blocks and " + other)
    refused(run("./program", MMM_PROCESSOR="sse"), "MMM_PROCESSOR", '"sse"', "accepted on this processor: baseline")
    refused(run("--json"), "--json")
    refused(run("--json", "a", "--html", "./a", "./program"), "--html")
    for text, *words in (("{", "JSON"), ("[]", "object"), ('{"kernel": {}}', '"kernel"', "kernels, lines, default"),
                         ('{"kernels": {"k": {"shared": 0}}}', '"shared"', "shared_excessive"),
                         ('{"kernels": {"k": {"barriers": -1}}}', '"barriers"', "-1"),
                         ('{"default": {"barriers": 1e400}}', "limits wrong.json: ", "overflow"),
                         ('{"' + "x" * 100000 + '": 0}', "limits wrong.json: ", "…"),
                         ('{"lines": {"a.cu": {}}}', '"a.cu"', "file.cu:12"), ('{"default": 0}', '"default"')):
        (folder / "wrong.json").write_text(text)
        found = run("--limits", "wrong.json", "./program")
        refused(found, "wrong.json", *words)
        check(len(found.stderr) < 600, "limits are told at length", found.stderr[:1000])

    with (folder / "huge.json").open("wb") as file:
        file.truncate(2**40)
    for path, *words in (("/dev/zero", "regular file"), (".", "regular file"), ("huge.json", "too large", "256 MiB")):
        refused(run("--limits", path, "./program"), path, *words)
    (folder / "utf16.json").write_bytes("{}".encode("utf-16"))
    refused(run("--limits", "utf16.json", "./program"), "utf16.json", "UTF-16", "accepted: UTF-8")
    (folder / "mark.json").write_bytes(b"\xEF\xBB\xBF{}")
    found = run("--limits", "mark.json", "./program", verdict="findings 0\nexceeded 0")
    check(found.returncode == 0, "limits with a byte order mark", found)

    for option in ("--gpu", "--seed", "--memory", "--check", "--suppressions", "--devices", "--json", "--html", "--trace", "--limits", "--baseline",
                   "--write-baseline", "--sarif"):
        refused(run(option, "", "./program"), option, "accepted: ")
    for option in ("--seed", "--devices"):
        for value in ("-0", "+1", " 1", "1 ", "0x1", "1e0", "1.0"):
            refused(run(option, value, "./program"), f'{option} is "{value}"; accepted: ')
    for arguments in (("--gpu", "x" * 100000), ("--seed", "9" * 100000), ("--check", "race," * 20000), ("--json", "x" * 100000),
                      ("--" + "x" * 100000, 1), ("--limits", "x" * 100000), ("x" * 100000,), ("./" + "x" * 100000,)):
        found = run(*arguments, "./program")
        refused(found, "…")
        check(len(found.stderr) < 800, arguments[0][:20], "is told at length", found.stderr[:1000])

    refused(run("./missing"), "./missing", "No such file")
    refused(run("missing"), "missing", "PATH")
    refused(run(folder), "no file")
    (folder / "text").write_text("hello\n")
    refused(run("./text"), "not executable")
    (folder / "text").chmod(0o755)
    refused(run("./text"), "no ELF")
    for size in (0, 3, 20, 64, 200, 1000):  # truncated files
        cut = folder / "cut"
        cut.write_bytes((folder / "program").read_bytes()[:size])
        cut.chmod(0o755)
        refused(run("./cut"), "./cut")
    refused(run("./plain"), "./plain", "libcudart.so.13", "libcuda.so.1")
    refused(run("./program_12"), "libcudart.so.12", "CUDA 13")
    refused(run("./program", MMM_RUN_LIBRARY="/no/such/library.so", library=False), "/no/such/library.so")


# A stand-in for a CUDA runtime that is linked into a program, or into a library of one: its functions return 1. A
# constructor calls one, as compiled CUDA programs do.
RUNTIME = r"""
#include <stdio.h>
#ifdef ALL
__attribute__((visibility("hidden"), noinline)) int __cudaGetProcAddress(void) { return 1; }
#endif
__attribute__((visibility("hidden"), noinline)) int __cudaRegisterFatBinary(void) { return 1; }
__attribute__((visibility("hidden"), noinline)) int cudaLaunchKernel(void) { return 1; }
__attribute__((visibility("hidden"), noinline)) int cudaMalloc(void) { return 1; }
#ifdef OVERLAP
__asm__(".text\n.p2align 4\n.type cudaFree,@function\ncudaFree: ret\n.size cudaFree,1\n.type other,@function\nother: ret\n.size other,1");
#endif
#ifdef SHORT
__asm__(".text\n.p2align 4\n.byte 0\n.type cudaFree,@function\ncudaFree: ret\n.size cudaFree,1\n.skip 32");
#endif
#ifdef UNKNOWN  // to the device
__attribute__((visibility("hidden"), noinline)) int cudaFreeArray(void) { return 1; }
#endif
static int first;
__attribute__((constructor)) static void begin(void) { first = __cudaRegisterFatBinary(); }
void calls(void) { printf("%d%d%d\n", first, cudaLaunchKernel(), cudaMalloc()); }
#ifdef TWICE
int more(void);
int (*const keep)(void) = more;
#endif
#ifndef LIBRARY
int main(void) { calls(); return 0; }
#endif
"""
TWIN = "__attribute__((noinline)) static int cudaMalloc(void) { return 1; } int more(void) { return cudaMalloc(); }"
LOADS = r"""
#include <dlfcn.h>
int main(void) {
  void (*calls)(void) = (void (*)(void))dlsym(dlopen("./libruntime.so", RTLD_NOW), "calls");
  calls();
  return 0;
}
"""
#: The same of the device: they return 2.
DEVICE = "".join(f"int {name}(void) {{ return 2; }} " for name in
                 ("__cudaGetProcAddress", "__cudaRegisterFatBinary", "cudaLaunchKernel", "cudaMalloc", "cudaFree")) + LIBRARY


def linked_runtimes():
    """The functions of a runtime that is linked into a file are the device's, all of them or none."""
    build(DEVICE, "libmmm_device.so", "-shared", "-fPIC", "-Wl,-soname,libcudart.so.13")
    shutil.copy(mmm_run.parent.parent / "libmmm_static_runtime.so", folder)
    (folder / "twin.c").write_text(TWIN)
    for name, expected, *flags in (
            ("all", "222", "-DALL"), ("without_pie", "222", "-DALL", "-no-pie", "-fno-pie"), ("short", "111", "-DALL", "-DSHORT"),
            ("of_cuda_12", "111"), ("stripped", "111", "-DALL", "-s"), ("overlap", "111", "-DALL", "-DOVERLAP"),
            ("unknown", "111", "-DALL", "-DUNKNOWN"), ("twice", "111", "-DALL", "-DTWICE", str(folder / "twin.c"))):
        build(RUNTIME, name, "-falign-functions=16", *flags)
        found = run(f"./{name}", verdict="findings 0")
        check(found.returncode == 0 and found.stdout == expected + "\n", "a linked runtime:", name, found)
    build(RUNTIME, "libruntime.so", "-shared", "-fPIC", "-DALL", "-DLIBRARY", "-falign-functions=16")
    build(LOADS, "loads", "-ldl")
    found = run("./loads", verdict="findings 0")
    check(found.stdout == "222\n", "a runtime in a library that is loaded later", found)
    other = build("unsigned la_version(unsigned v) { return v; }", "audit.so", "-shared", "-fPIC")
    found = run("./all", verdict="findings 0", LD_AUDIT=str(other))
    check(found.stdout == "222\n", "another library that audits", found)


# A stand-in for the runtime of CUDA 12: it has other functions, and asks the driver for the table that no runtime of
# NVIDIA's does without.
RUNTIME_12 = r"""
#include <dlfcn.h>
__attribute__((noinline)) int __cudaRegisterFatBinary(void) { return 1; }
__attribute__((noinline)) int cudaLaunchKernel(void) { return 1; }
__attribute__((noinline)) int cudaMalloc(void) {
  static unsigned char const id[] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
  void const* table;
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  int (*ask)(void const**, unsigned char const*) = driver ? (int (*)(void const**, unsigned char const*))dlsym(driver, "cuGetExportTable") : 0;
  return ask ? ask(&table, id) : 1;
}
int main(void) { return __cudaRegisterFatBinary() + cudaLaunchKernel() + cudaMalloc(); }
"""


def runtimes_of_cuda_12():
    """A runtime of CUDA 12 that is linked into a program is refused, by name where the program has symbols."""
    for name, word, *flags in (("linked_12", "is not that of CUDA 13"), ("linked_12_stripped", "has no symbols", "-s")):
        build(RUNTIME_12, name, "-falign-functions=16", "-ldl", *flags)
        found = run(f"./{name}", library=False)
        check(found.returncode == 2 and found.stderr.startswith(f"mmm-run: the CUDA runtime that is linked into {folder}/{name} ")
              and word in found.stderr, "a linked runtime of CUDA 12:", found)


def lists():
    """--list-unsupported, of the device itself: PTX files, functions that a program links, libraries without PTX."""
    head = ".version 9.0\n.target sm_90\n.address_size 64\n"
    (folder / "all.ptx").write_text(head + ".visible .entry k()\n{\n  ret;\n}\n")
    found = run("--list-unsupported", "all.ptx", library=False)
    check(found.returncode == 0 and found.stdout == "all.ptx: nothing that it links is missing\n", "a list of nothing", found)
    text = head + """.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  multimem.st.weak.global.u32 [%rd1], %r1;
  add.foo.u32 %r1, %r1, 1;
  multimem.st.weak.global.u32 [%rd1], %r2;
  ret;
}
"""
    (folder / "some.ptx").write_text(text)
    found = run("--list-unsupported", "--json", "list.json", "some.ptx", library=False)
    check(found.returncode == 1 and found.stderr == "", "a list has status 1", found)
    check("instruction multimem.st.weak.global.u32 (2 times): this instruction is not supported; first in PTX line 9, in k\n"
          in found.stdout and "instruction add.foo.u32: " in found.stdout, "the list", found.stdout)
    listed = json.loads((folder / "list.json").read_text())
    check(listed["program"] == "some.ptx" and [(e["kind"], e["name"], e["count"]) for e in listed["unsupported"]] ==
          [("instruction", "multimem.st.weak.global.u32", 2), ("instruction", "add.foo.u32", 1)], "the list as JSON", listed)
    (folder / "wrong.ptx").write_text("hello")
    found = run("--list-unsupported", "wrong.ptx", library=False)
    check(found.returncode == 1 and found.stdout.startswith("code: PTX"), "PTX that cannot be read", found)
    # A program that links a function that there is, one that ends programs, one of its own library, and one
    # that there was when it was linked.
    functions = ("cudaMalloc", "cudaImportExternalMemory", "cudaOwnFunction", "cudaNoFunction")

    def build_others(defined):
        build("".join(f"void {f}(void) {{}}" for f in defined), "libothers.so", "-shared", "-fPIC", "-Wl,-soname,libothers.so")

    build_others(functions)
    build("void cublasNothing(void) {}", "libcublas.so.13", "-shared", "-fPIC", "-Wl,-soname,libcublas.so.13")
    build("".join(f"void {f}(void);" for f in (*functions, "cublasNothing")) +
          "int main(void) {" + "".join(f"{f}();" for f in (*functions, "cublasNothing")) + "}", "links",
          str(folder / "libothers.so"), str(folder / "libcublas.so.13"), f"-Wl,-rpath,{folder}")
    build_others(functions[:-1])
    found = run("--list-unsupported", "./links", library=False)
    check(found.returncode == 1, "the list of a program", found)
    lines = sorted(found.stdout.splitlines())
    for line, begin in zip(lines, ("function cudaImportExternalMemory: a call of it ends the program",
                                   "function cudaNoFunction: this device does not have it",
                                   f"library {folder}/libcublas.so.13: libcublas.so.13 has no PTX")):
        check(line.startswith(begin), "the list has", line, "instead of", begin)
    check(len(lines) == 3, "the list of a program", lines)
    refused(run("--list-unsupported", "./links", "x", library=False), "one PROGRAM")
    refused(run("--list-unsupported", "--seed", 1, "./links", library=False), "--seed has no meaning")
    refused(run("--list-unsupported", "none.ptx", library=False), "none.ptx", "cannot be read")
    refused(run("--list-unsupported", "./script", library=False), "is a script")
    refused(run("--list-unsupported"), "PROGRAM")


def helps():
    found = run("--help")
    check(found.returncode == 0 and found.stderr == "", "help", found)
    for word in ("--gpu", "--seed", "--memory", "--check", "--devices", "--limits", "--json", "--html", "--trace", "--version",
                 "PROGRAM", "nvcc -gencode", "Exit status", "uninitialized", "h200", "MMM_RUN_LIBRARY"):
        check(word in found.stdout, "help lacks", word)
    found = run("--version")
    check(found.returncode == 0 and re.fullmatch(r"mmm-run \d+\.\d+\.\d+\n", found.stdout), "version", found)


KERNEL = r"""
__global__ void kernel(float const* from, float* to, unsigned* bins) {
  __shared__ float tile[32 * 32];
  __shared__ unsigned own[8];
  int const t = threadIdx.x;
  if (t < 8) own[t] = 0;
  tile[t % 32 * 32 + t / 32] = from[t * 3];
  __syncthreads();
  atomicAdd(&own[t % 5], 1u);
  reinterpret_cast<float4*>(to)[t / 4] = reinterpret_cast<float4*>(tile)[t / 4];
  __syncthreads();
  if (t < 8) atomicAdd(&bins[t], own[t]);
}
int main() {
  float* a;
  cudaMalloc(&a, 65536);
  cudaMemset(a, 0, 65536);
  kernel<<<3, 1024>>>(a, a + 4096, reinterpret_cast<unsigned*>(a) + 12000);
  return cudaDeviceSynchronize();
}
"""


def replayed(replay, nvcc):
    """mmm-replay must compute from the trace of a compiled kernel the cost that the JSON contains.
    """
    (folder / "kernel.cu").write_text(KERNEL)
    done = subprocess.run([nvcc, "-cudart", "shared", "-gencode", "arch=compute_90,code=compute_90", "-lineinfo", "kernel.cu",
                           "-o", "kernel"], capture_output=True, text=True, cwd=folder)
    check(done.returncode == 0, "nvcc:", done.stderr)
    found = run("--json", "k.json", "--trace", "k.csv", "--html", "k.html", "./kernel", library=False)
    check(found.returncode == 0 and "kernel" in found.stderr, "the kernel runs", found)
    (launch,) = [json.loads(line) for line in (folder / "k.json").read_text().splitlines()]
    told = subprocess.run([replay, "k.csv", "--json"], capture_output=True, text=True, cwd=folder)
    check(told.returncode == 0, "mmm-replay:", told.stderr)
    totals = json.loads(told.stdout.splitlines()[-1])["totals"]
    for space, members in (("shared", ("requests", "wavefronts", "ideal", "excessive")), ("global", ("requests", "sectors"))):
        for member in members:
            counted = sum(launch[space][kind][member] for kind in ("load", "store", "atomic"))
            check(totals[space][member] == counted and counted > 0, space, member, "replayed", totals[space][member], "counted",
                  counted)
    check((folder / "k.html").read_text().rstrip().endswith("</html>"), "the page is whole")


options = argparse.ArgumentParser()
options.add_argument("--traces")
options.add_argument("--nvcc", default="nvcc")
options.add_argument("--quick", action="store_true")
options.add_argument("program")
options = options.parse_args()
if options.traces and shutil.which(options.nvcc) is None:
    print("nvcc not found: skipped")
    sys.exit(77)
if compiler is None:
    print("no C compiler: skipped")
    sys.exit(77)
try:
    if options.traces:
        replayed(pathlib.Path(options.traces).resolve(), options.nvcc)
    else:
        build_all()
        passed_on()
        exit_statuses()
        signals()
        refusals()
        lists()
        runtimes_of_cuda_12()
        helps()
        linked_runtimes()
finally:
    shutil.rmtree(folder)
checks.finish()
