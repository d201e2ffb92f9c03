# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Virtual environments with packages, for tests."""
import subprocess
import sys


def install(own, *what):
    """What pip of this Python says as it installs packages for the Python `own`, which needs no pip of its own."""
    return subprocess.run([sys.executable, "-m", "pip", "--python", own, "--disable-pip-version-check", "install", "--quiet",
                           "--no-compile", *what], capture_output=True, text=True)


def environment(folder, packages, python=sys.executable):
    """The Python of a virtual environment in `folder` with these packages, or None if they cannot be had. It is made anew
    if the packages are others than before."""
    own, done = folder / "bin/python", folder / "packages.txt"
    if done.exists() and done.read_text() == "\n".join(map(str, packages)):
        return own
    made = subprocess.run([python, "-m", "venv", "--without-pip", "--clear", folder], capture_output=True, text=True)
    if made.returncode == 0:
        made = install(own, "--retries", "1", "--timeout", "20", *packages)
    if made.returncode != 0:
        print(f"{folder.name}: the packages cannot be had:\n{made.stderr[-2000:]}")
        return None
    done.write_text("\n".join(map(str, packages)))
    return own
