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
ENDS = """
import pytest

@pytest.fixture
def before():
    from test_more import launched
    launched("spread")

@pytest.fixture
def after():
    yield
    from test_more import launched
    launched("spread")

def test_before(before):
    pass

def test_after(after):
    pass

def test_both(before):
    assert 0

def test_next(mmm_counted):
    assert len(mmm_counted.kernels) == 0
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


def test_fixtures_and_failures(run, pytester):
    """What a fixture launches is found, too, and told with a failure."""
    pytester.makepyfile(test_more=TESTS, test_ends=ENDS)
    r = run("--mmm-device=h200", "test_ends.py")
    r.assert_outcomes(passed=2, failed=2, errors=1)
    r.stdout.fnmatch_lines(["*ERROR at teardown of test_after*", "mmm_device: 1 finding:", "*test_both*", "*Captured mmm_device call*", "*race:*"])


def test_several_processes(run, pytester):
    pytest.importorskip("xdist")
    pytester.makepyfile(test_more=TESTS)
    run("--mmm-device", "-n2").assert_outcomes(passed=6, failed=2)


def test_what_is_refused(run):
    r = run("--mmm-device=h1000")
    assert r.ret == 4
    r.stderr.fnmatch_lines(["*--mmm-device=h1000*h100*"])
    r = run("--mmm-device", "test_what_is_refused.py")
    assert r.ret == 4
    r.stderr.fnmatch_lines(["*write --mmm-device=h200 test_what_is_refused.py*"])
