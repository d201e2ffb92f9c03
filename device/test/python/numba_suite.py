#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs numba-cuda's own tests, which its package has, on the device in software.

  numba_suite.py --mmm-run PATH --python PYTHON --build FOLDER [--jobs N] [--limit SECONDS] [--quick | FILE ...]

PYTHON has numba-cuda and pytest. FILE is one of the tests' files, as "cudapy/test_sync.py" (all); --quick: those of QUICK. The tests that do not pass are
compared with numba_suite.txt, which names each under its reason; under a reason that begins with "not run", none is run. Exit
status 1 if they differ.

Each test that fails is the last of its process, as a fault of a kernel stays with it; the file goes on with the next test in
another. So it does after a test that ends its process, as the device does at what it lacks, and after one that takes longer
than --limit seconds.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

#: Memory, a kernel that reads past the end of an array, barriers and votes.
QUICK = ["cudadrv/test_cuda_memory.py", "cudapy/test_localmem.py", "cudapy/test_sync.py"]
#: The names of a file's own records in its log.
BEGIN, END = "the file", "the end"


def outcomes(log):
    """The last record of each test of a log, by the test's name."""
    lines = log.read_text().splitlines() if log.exists() else ()
    return {record["test"]: record for record in map(json.loads, lines)}


def write(log, test, outcome, message=""):
    with log.open("a") as file:
        print(json.dumps({"test": test, "outcome": outcome, "message": message[-3000:]}), file=file)


def expected():
    """The tests of numba_suite.txt: {test: its reason}."""
    reason, found = None, {}
    for line in pathlib.Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.startswith("== "):
            reason = line[3:]
        elif line and not line.startswith("#"):
            found[line] = reason
    return found


def not_run():
    return {test for test, reason in expected().items() if reason.startswith("not run")}


def run_tests(folder, name, log):
    """The tests of a file that the log does not name yet, each logged as it begins and as it ends. In mmm-run."""
    import pytest
    done = outcomes(log).keys() | not_run()

    class Log:
        @pytest.fixture(scope="class")
        def initialize_from_pytest_config(self, request):  # of numba-cuda's conftest.py, which its package has not
            request.cls._dump_failed_filechecks = False

        def pytest_collection_modifyitems(self, items):
            items[:] = [item for item in items if item.nodeid not in done]

        def pytest_collectreport(self, report):
            if report.failed or report.skipped:
                write(log, BEGIN, report.outcome, str(report.longrepr))

        def pytest_runtest_logstart(self, nodeid):
            write(log, nodeid, "begun")

        def pytest_runtest_logreport(self, report):
            known = outcomes(log)[report.nodeid]["outcome"]
            if known not in ("failed", "skipped") and (report.outcome != "passed" or report.when == "call"):
                write(log, report.nodeid, "passed" if hasattr(report, "wasxfail") else report.outcome, str(report.longrepr))

        def pytest_runtest_logfinish(self, nodeid):
            if outcomes(log)[nodeid]["outcome"] == "failed":
                os._exit(0)

    os.chdir(folder)
    pytest.main(["-q", "--capture=sys", "-p", "no:cacheprovider", "-o", "consider_namespace_packages=true", "--rootdir", folder, name], plugins=[Log()])
    write(log, END, "end")


def run_file(name, folder, options):
    """The outcome of each test of a file: {test: record}."""
    log = options.build / (name.replace("/", ".") + ".jsonl")
    log.unlink(missing_ok=True)
    given = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [options.mmm_run, options.python, __file__, "--child", folder, name, log]
    while END not in outcomes(log):
        before = len(outcomes(log))
        with open(log.with_suffix(".txt"), "w+") as text:
            child = subprocess.Popen(command, stdout=text, stderr=subprocess.STDOUT, env=given, start_new_session=True)
            size, since = -1, time.monotonic()
            while child.poll() is None and time.monotonic() - since < options.limit:
                time.sleep(0.05)
                now = log.stat().st_size if log.exists() else 0
                if now != size:
                    size, since = now, time.monotonic()
            late = child.poll() is None
            if late:
                os.killpg(child.pid, 9)
                child.wait()
            text.seek(0)
            said = text.read()
        found = outcomes(log)
        if END not in found:
            for test in [test for test, record in found.items() if record["outcome"] == "begun"]:
                write(log, test, "slow" if late else "ended", said)
            if len(outcomes(log)) == before:  # its first test was not reached
                write(log, BEGIN, "slow" if late else "ended", said)
                write(log, END, "end")
    found = outcomes(log)
    del found[END]
    return {f"{name}::{test}" if test == BEGIN else test: record for test, record in found.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mmm-run", required=True)
    parser.add_argument("--python", required=True, type=pathlib.Path)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=900)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    options.build, options.python = options.build.absolute(), options.python.absolute()  # tests run in another folder
    options.build.mkdir(parents=True, exist_ok=True)
    folder = next(options.python.parents[1].glob("lib/python*/site-packages/numba_cuda/numba/cuda/tests"))
    files = options.files or options.quick and QUICK or sorted(str(file.relative_to(folder)) for file in folder.glob("*/test_*.py") if "benchmarks" not in file.parts)
    found = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, records in zip(files, pool.map(lambda name: run_file(name, folder, options), files)):
            print(name, dict(collections.Counter(record["outcome"] for record in records.values())), flush=True)
            found |= records
    print(len(found), "tests:", dict(collections.Counter(record["outcome"] for record in found.values())))
    listed = {test: reason for test, reason in expected().items() if test.split("::")[0] in files}
    for reason, count in collections.Counter(listed.values()).most_common():
        print(f"{count:4}  {reason}")
    bad = {test for test, record in found.items() if record["outcome"] not in ("passed", "skipped")}
    for test in sorted(bad - listed.keys()):
        print(f"{test} is not in numba_suite.txt, and {found[test]['outcome']}:\n{found[test]['message'][-1500:]}")
    better = {test for test in listed.keys() - bad - not_run()}
    for test in sorted(better):
        print(test, "of numba_suite.txt", found[test]["outcome"] if test in found else "is not there")
    return 1 if bad - listed.keys() or better else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run_tests(sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]))
    else:
        sys.exit(main())
