#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs each package into an empty folder and uses it.

    packages_test.py ARCHIVES WORK [CONAN]

ARCHIVES holds the .deb and the .tar.gz. CONAN is the program conan; the recipe is left out without.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
archives, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
conan = sys.argv[3] if len(sys.argv) > 3 else None
number = int(re.search(r"#define MMM_VERSION (\d+)", (root / "include/mmm/core/config.hpp").read_text()).group(1))
version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
PROGRAMS = ("mmm-explore", "mmm-replay", "mmm-run")
COMPILER = "g++-12"
failures = []


def check(good, *what):
    if not good:
        failures.append(" ".join(str(w) for w in what))


def run(*command, good=0, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    check(done.returncode == good, "status", done.returncode, "of", *command, "\n", done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def consume(prefix, build):
    """A project that finds the package with CMake."""
    run("cmake", "-S", root / "test/consumer", "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DMMM_VERSION={version}")
    run("cmake", "--build", build)
    run(build / "consumer")
    cache = (build / "CMakeCache.txt").read_text()
    found = re.search(r"mmm_DIR:PATH=(.*)", cache)
    check(found and found.group(1).startswith(str(prefix)), "the consumer found another copy:", found)


def pkg_config(prefix):
    folder = prefix / "share/pkgconfig"
    env = {**os.environ, "PKG_CONFIG_PATH": str(folder), "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1"}
    flags = run("pkg-config", "--cflags", "mmm", env=env).split()
    check(any(str(prefix) in flag for flag in flags), "pkg-config:", flags)
    check(run("pkg-config", "--modversion", "mmm", env=env).strip() == version, "pkg-config --modversion")
    run(COMPILER, "-std=c++20", "-fsyntax-only", *flags, root / "test/consumer/main.cpp")


def programs(prefix):
    for name in PROGRAMS:
        check(run(prefix / "bin" / name, "--version") == f"{name} {version}\n", name, "--version")
    shown = run(prefix / "bin/mmm-explore", "pattern", "i * 132", "--gpu", "h200")
    check("wavefronts" in shown, "mmm-explore pattern:", shown)
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.path.exists(nvcc):
        print("nvcc not found: the installed mmm-run ran no program")
        return
    source = work / "kernel.cu"
    source.write_text("__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
                      "int main() {\n  int* a;\n  cudaMalloc(&a, 128);\n  k<<<1, 32>>>(a);\n"
                      "  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;\n}\n")
    run(nvcc, "-ccbin", COMPILER, "-cudart", "shared", "-gencode", "arch=compute_90,code=compute_90", source, "-o", work / "kernel")
    run(prefix / "bin/mmm-run", work / "kernel")


def manual(prefix):
    for page, command in [*((name, [name]) for name in PROGRAMS), ("mmm-explore-pattern", ["mmm-explore", "pattern"]),
                          ("mmm-explore-layout", ["mmm-explore", "layout"]),
                          ("mmm-explore-random-shift", ["mmm-explore", "random-shift"]), ("mmm-explore-figure", ["mmm-explore", "figure"])]:
        file = next((prefix / "share/man/man1").glob(page + ".1*"), None)
        check(file, "no man page of", page)
        if not file:
            continue
        done = subprocess.run(["man", "--warnings", "-l", str(file)], capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MAN_KEEP_FORMATTING": ""})
        check(done.returncode == 0 and not done.stderr, "man", page, done.stderr)
        options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", run(prefix / "bin" / command[0], *command[1:], "--help"), re.M)
        check(len(options) > 3, page, "has few options:", options)
        for option in options:
            check(option in done.stdout, "the man page", page, "lacks", option)


# what is typed, and a word of the answer; nothing: files are completed
TYPED = [(["mmm-explore", "sor"], {"sort"}), (["mmm-explore", "pattern", "--sv"], {"--svg"}),
         (["mmm-explore", "sum", "--machine", "pr"], {"pram"}), (["mmm-explore", "pattern", "i*3", "--gpu", "h2"], {"h200"}),
         (["mmm-replay", "--gpu", "rt"], {"rtx4090"}), (["mmm-run", "--check", "unin"], {"uninitialized"}),
         (["mmm-run", "--ver"], {"--version"}), (["mmm-explore", "sum", "--svg", "ker"], set()), (["mmm-run", "ker"], set())]


def completion(prefix):
    env = {**os.environ, "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}"}
    for words, wanted in TYPED:
        file = prefix / "share/bash-completion/completions" / words[0]
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); '
                  '"$(complete -p "$1" | sed -E "s/.* -F ([^ ]+) .*/\\1/")" "$1"; printf "%s\\n" "${COMPREPLY[@]}"')
        got = set(run("bash", "--norc", "-c", script, "_", file, *words, env=env, cwd=work).split())
        check(got == wanted, "bash:", *words, "gives", got)
    if not shutil.which("zsh"):
        print("zsh not found: its completion is left out")
        return
    folder = next(iter((prefix / "share/zsh").glob("*/_mmm")), None)
    check(folder, "no completion for zsh")
    (work / "kernel.cu").touch()
    for words, wanted in TYPED:
        # a terminal, in which the line is typed up to a tab
        script = f"""zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; fpath=({folder.parent} $fpath); autoload -Uz compinit; compinit -u -D; zstyle ":completion:*" menu no; stty -echo; print READY'
zpty -r z before '*READY*READY*'
zpty -w -n z {repr(' '.join(words))}$'\\t\\x01noglob print -r -- GOT:\\x05:END\\n'
zpty -r z after '*GOT:*:END*'
print -r -- $after"""
        try:
            out = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, env=env, cwd=work, timeout=60).stdout
        except subprocess.TimeoutExpired:
            out = "nothing within a minute"
        last = next(iter(wanted), "kernel")
        check(re.search(rf"GOT:\s?{re.escape(' '.join(words[:-1]))} {re.escape(last)}", out), "zsh:", *words, "gives", out)


def debian():
    package = next(archives.glob("*.deb"), None)
    check(package, "no .deb")
    if not package:
        return
    facts = run("dpkg-deb", "--field", package)
    for line in ("Package: mmm", f"Version: {version}", "Depends: .*libc6.*libstdc"):
        check(re.search("^" + line, facts, re.M), "the .deb lacks", line, "\n", facts)
    prefix = work / "deb/usr"
    run("dpkg", "-x", package, work / "deb")
    programs(prefix)
    manual(prefix)
    completion(prefix)
    pkg_config(prefix)
    consume(prefix, work / "deb-consumer")


def archive():
    package = next(archives.glob("*.tar.gz"), None)
    check(package, "no .tar.gz")
    if package:
        (work / "tgz").mkdir()
        run("tar", "-xf", package, "-C", work / "tgz")
        prefix = next((work / "tgz").iterdir())
        programs(prefix)
        pkg_config(prefix)
        consume(prefix, work / "tgz-consumer")


def vcpkg():
    port = root / "packaging/vcpkg/ports/mmm"
    facts = json.loads((port / "vcpkg.json").read_text())
    check(facts["name"] == "mmm" and facts["version"] == version, "vcpkg.json:", facts)
    prefix = work / "vcpkg/packages"
    run("cmake", "-D", f"port={port}", "-D", f"packages={prefix}", "-D", f"build={work / 'vcpkg/build'}", "-D",
        f"compiler={COMPILER}", "-P", root / "test/packages/vcpkg_port.cmake")
    # vcpkg demands these of a package, and complains of others
    for file in ("share/mmm/copyright", "share/mmm/usage", "share/mmm/mmmConfig.cmake", "include/mmm/mmm.hpp"):
        check((prefix / file).exists(), "the port installs no", file)
    for folder in ("share/cmake", "share/doc", "bin", "debug"):
        check(not (prefix / folder).exists(), "the port installs", folder)
    pkg_config(prefix)
    consume(prefix, work / "vcpkg/consumer")


def conan_recipe():
    if not conan:
        print("conan not found: its recipe was not tested")
        return
    profile = work / "profile"
    profile.write_text("[settings]\nos=Linux\narch=x86_64\ncompiler=gcc\ncompiler.version=12\ncompiler.libcxx=libstdc++11\n"
                       "compiler.cppstd=20\nbuild_type=Release\n[conf]\n"
                       f'tools.build:compiler_executables={{"cpp": "{COMPILER}"}}\n'
                       f"tools.cmake.cmake_layout:test_folder={work / 'conan/test'}\n")
    env = {**os.environ, "CONAN_HOME": str(work / "conan/home")}
    run(conan, "create", root / "packaging/conan", "--no-remote", "-pr:a", profile, env=env)
    listed = run(conan, "list", "mmm/*", "--cache", env=env)
    check(f"mmm/{version}" in listed, "conan list:", listed)


def main():
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    debian()
    archive()
    vcpkg()
    conan_recipe()
    for failure in failures:
        print("FAILED:", failure)
    print("every package was installed and used" if not failures else f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
