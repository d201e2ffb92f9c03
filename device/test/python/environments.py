# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Virtual environments with packages, for tests."""
import subprocess
import sys


def environment(folder, packages, python=sys.executable):
    """The Python of a virtual environment in `folder` with these packages, or None if they cannot be had. It is made anew
    if the packages are others than before."""
    own, done = folder / "bin/python", folder / "packages.txt"
    if done.exists() and done.read_text() == "\n".join(map(str, packages)):
        return own
    made = subprocess.run([python, "-m", "venv", "--clear", folder], capture_output=True, text=True)
    if made.returncode == 0:
        made = subprocess.run([own, "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20",
                               "--disable-pip-version-check", *packages], capture_output=True, text=True)
    if made.returncode != 0:
        print(f"{folder.name}: the packages cannot be had:\n{made.stderr[-2000:]}")
        return None
    done.write_text("\n".join(map(str, packages)))
    return own
