# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the tests of the programs: the program, given as the last argument, whether --quick is
another one, and counted checks.
"""
import os
import subprocess
import sys

program = sys.argv[-1]
quick = "--quick" in sys.argv[1:-1]
failures = []
checks = 0


def check(condition, *what):
    """Counts a check; `what` describes it if it fails."""
    global checks
    checks += 1
    if not condition:
        failures.append(" ".join(str(w) for w in what))


def run(*arguments, text="", **environment):
    """Runs the program with `text` as its standard input, and with more variables."""
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, input=text,
                          env={**os.environ, **environment})


def finish():
    """Prints the failed checks (at most MAX_FAILURES) and ends the test."""
    print(f"{checks} checks, {len(failures)} failures")
    for failure in failures[:int(os.environ.get("MAX_FAILURES", 20))]:
        print("  " + failure.replace("\n", "\n    "))
    sys.exit(1 if failures or checks == 0 else 0)
