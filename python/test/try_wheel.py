#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the wheel of mmm_device and mmm, installs it by pip from the file, and runs the tests of this folder with it.

  try_wheel.py --build FOLDER [--wheel FILE ...] [--mmm-explore PROGRAM] [--triton] [PYTHON ...]

PYTHON: those to do it for (the one that runs this); for a second one nothing is compiled again but what is Python's.
--wheel: these, in place of one that scripts/python-wheel builds. --mmm-explore: mmm's answers are compared with what this
prints. --triton: the example, too, which needs that package. Each has a virtual environment under FOLDER. Exit status 77
(skipped) if the packages cannot be had.
"""
import argparse
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
sys.path.insert(0, str(root / "device/test/python"))
from environments import environment, install  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--build", required=True, type=pathlib.Path)
parser.add_argument("--wheel", nargs="*", default=[], type=pathlib.Path)
parser.add_argument("--mmm-explore", type=pathlib.Path)
parser.add_argument("--triton", action="store_true")
parser.add_argument("pythons", nargs="*", default=[sys.executable])
options = parser.parse_args()
failures, skipped = [], []


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=3000, **more)


def wheel_of(tag):
    """The newest wheel for a version of Python, as 311; those for 312 serve later ones."""
    found = [w for w in options.wheel or (root / "build/wheels").glob("*.whl")
             if f"-cp{tag}-" in w.name or (int(tag) >= 312 and "-cp312-abi3-" in w.name)]
    return max(found, key=lambda w: w.stat().st_mtime, default=None)


def compiled():
    """The objects of the library and the tools in the folder in which wheels are built, with their times."""
    return {path: path.stat().st_mtime_ns for part in ("device", "tool") for path in (root / "build/wheel" / part).rglob("*.o")}


options.build.mkdir(parents=True, exist_ok=True)
for number, python in enumerate(options.pythons):
    tag = run(python, "-c", "import sys; print('%d%d' % sys.version_info[:2])").stdout.strip()
    own = environment(options.build / f"python{tag}", ["pytest>=8", "pytest-xdist", "mypy", "numpy", *(["triton==3.9.0"] if options.triton else [])], python)
    if own is None:
        skipped.append(python)
        continue
    if not options.wheel:
        before = compiled()
        r = run(root / "scripts/python-wheel", python)
        if number > 0 and compiled() != before:
            failures.append(f"{python}: its wheel compiled what the one before had compiled")
        if r.returncode != 0:
            failures.append(f"{python}: no wheel: {r.stdout[-2000:]} {r.stderr[-4000:]}")
            continue
    wheel = wheel_of(tag)
    if wheel is None:
        failures.append(f"{python}: there is no wheel for {tag}")
        continue
    if not wheel.name.endswith("-linux_x86_64.whl"):  # none of manylinux: it needs the system's libzstd and liblz4
        failures.append(f"{wheel.name}: not for linux_x86_64")
    without = {name: value for name, value in os.environ.items() if not name.startswith(("MMM_", "PYTHONPATH", "LD_"))}
    r = install(own, "--no-deps", "--no-index", "--force-reinstall", wheel)
    if r.returncode == 0:
        r = run(own, "-m", "pip", "check", "--disable-pip-version-check")
    if r.returncode == 0:
        explore = {} if options.mmm_explore is None else {"MMM_EXPLORE": str(options.mmm_explore.resolve())}
        r = run(own, "-m", "pytest", "-q", "-p", "no:cacheprovider", here, cwd=options.build, env={**without, **explore})
    print(f"{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB, Python {tag}: {(r.stdout.strip().splitlines() or [r.stderr])[-1]}", flush=True)
    if r.returncode != 0:
        failures.append(f"{python}: {r.stdout[-6000:]} {r.stderr[-2000:]}")
    if options.triton and r.returncode == 0:
        r = run(own, root / "example/python/counted_rows.py", env={**without, "TRITON_CACHE_DIR": str(options.build / "triton_cache")})
        if r.returncode != 0 or "1024 words a row: 32000 sectors are loaded, 8192 would do" not in r.stdout:
            failures.append(f"{python}: the example prints {r.stdout} {r.stderr}")
for failure in failures:
    print("FAILED", failure)
print(f"{len(failures)} failures; skipped: {', '.join(skipped) or 'none'}")
sys.exit(1 if failures else 77 if skipped else 0)
