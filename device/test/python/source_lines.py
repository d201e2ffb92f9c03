# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA C++ in a Python file, whose lines are known by the numbers that they have in the file."""
import sys


def from_here(text):
    """The text with a #line directive: its first line is that of the call, in the file of the caller."""
    caller = sys._getframe(1)
    return f'#line {caller.f_lineno} "{caller.f_code.co_filename}"\n{text}'
