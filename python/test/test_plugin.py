# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest --mmm-device."""
import pathlib

import pytest

pytest_plugins = "pytester"
TESTS = """
import ctypes, sys
import pytest

def launched(kernel, n=64):
    import mmm_device
    from driver_calls import Driver
    driver = Driver()
    x, out = mmm_device.zeros(n), mmm_device.zeros(n)
    driver.spread(out) if kernel == "spread" else driver.scale(x, out, 2)

def test_right(mmm_counted):
    launched("scale")
    assert mmm_counted.kernels["scale"].sectors == 16

def test_race(mmm_counted):
    launched("spread")

def test_after_it(mmm_counted):
    assert len(mmm_counted.kernels) == 0

def test_plain():
    pass
"""


@pytest.fixture
def run(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(__file__).parent), prepend=":")
    pytester.makepyfile(TESTS)
    return pytester.runpytest_subprocess


def test_a_finding_fails_its_test(run):
    r = run("--mmm-device=h100")
    r.assert_outcomes(passed=3, failed=1)
    r.stdout.fnmatch_lines(["*mmm_device: 1 finding:*", "*race:*spread*", "FAILED *test_race*"])


def test_other_checks_find_nothing(run):
    run("--mmm-check=bounds", "--mmm-device").assert_outcomes(passed=4)


def test_without_the_option(run):
    run().assert_outcomes(passed=1, skipped=3)


def test_what_is_refused(run):
    r = run("--mmm-device=h1000")
    assert r.ret == 4
    r.stderr.fnmatch_lines(["*--mmm-device=h1000*h100*"])
