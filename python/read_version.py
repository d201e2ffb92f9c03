# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel's version, from the header that has the project's (scikit-build-core asks for it)."""
import pathlib
import re

HEADER = pathlib.Path(__file__).resolve().parents[1] / "include/mmm/core/config.hpp"


def dynamic_metadata(field, settings=None):
    number = int(re.search(r"^#define MMM_VERSION ([0-9]+)$", HEADER.read_text(), re.MULTILINE).group(1))
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
