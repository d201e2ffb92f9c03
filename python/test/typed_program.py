# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A user's program, for type checkers."""
import pathlib
from typing import List

import mmm
import mmm_device


def figures(path: pathlib.Path) -> List[str]:
    with mmm_device.counted(gpu="h100", check="all") as c:
        x = mmm_device.array([1.0, 2.0])
    sectors: int = c.kernels["add"].sectors
    first: mmm_device.Line = c.lines[0]
    place: str = c.lines["kernels.py:12"].place
    texts = [finding.message for finding in c.findings]
    c.html(path)
    machine: mmm.Machine = mmm.hmm(dmms=16)
    time: int = mmm.cost("sum", machine, n=sectors, p=32, taps=3).time
    return [*texts, place, first.file, str(x.numpy().sum()), str(time + mmm.stages("i * k", mmm.dmm(), k=3))]


def wrong() -> None:
    mmm.stages(33, mmm.dmm())  # type: ignore[arg-type]
    mmm.cost("sum", "dmm")  # type: ignore[arg-type]
    mmm_device.counted(gpu=100)  # type: ignore[arg-type]
    mmm_device.zeros(3).shape = 4  # type: ignore[assignment]
    for name in mmm_device.counted().kernels:
        name.sectors  # type: ignore[attr-defined]
    for finding in mmm_device.counted().findings:
        finding.kernel.sectors  # type: ignore[attr-defined]
    for line in mmm_device.counted().lines:
        line.sector  # type: ignore[attr-defined]
