# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The packages' types, by mypy."""
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("mypy")
here = pathlib.Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One for all, with mypy's cache."""
    return tmp_path_factory.mktemp("types")


def run(folder, *arguments):
    r = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=folder)
    assert r.returncode == 0, r.stdout + r.stderr


def test_a_program_of_a_user(folder):
    """The program is right but for the lines that say which error is expected there, and each of these has it."""
    run(folder, "mypy", "--strict", "--warn-unused-ignores", here / "typed_program.py")


def test_the_packages(folder):
    run(folder, "mypy", "--strict", "-p", "mmm", "-p", "mmm_device")


def test_the_stubs_of_the_modules(folder):
    """The native modules have what their stubs say. nanobind's functions have no signature that stubtest reads."""
    allowed = folder / "allowed"
    allowed.write_text("mmm\\._model\\.run\nmmm_device\\._device\\.(Memory|Section|begin|dlpack|load|refused|settings)\n")
    run(folder, "mypy.stubtest", "mmm._model", "mmm_device._device", "--allowlist", allowed, "--ignore-unused-allowlist")
