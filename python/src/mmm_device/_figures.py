# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of kernels and lines, and findings, from the device's JSON."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional


@dataclass(frozen=True)
class Requests:
    """Requests of warps of one kind to one memory."""

    requests: int
    #: passes through shared memory, or sectors of 32 bytes of global and local memory
    transfers: int
    #: the fewest transfers for what was asked for
    ideal: int
    #: lanes that update an address of another lane, one after the other
    serialized: int = 0

    @property
    def excessive(self) -> int:
        """The transfers that could be saved."""
        return self.transfers - self.ideal


@dataclass(frozen=True)
class Memory:
    """What was asked of one memory."""

    load: Requests
    store: Requests
    atomic: Requests

    @property
    def transfers(self) -> int:
        """Wavefronts of shared memory; sectors of global or local memory."""
        return self.load.transfers + self.store.transfers + self.atomic.transfers

    @property
    def excessive(self) -> int:
        """The transfers that could be saved."""
        return self.load.excessive + self.store.excessive + self.atomic.excessive


class Figures:
    """The figures of a line or of a kernel; wavefronts and sectors are sums over loads, stores and atomic operations."""

    def __init__(self, of: dict[str, Any]):
        self.shared = _memory(of["shared"], "wavefronts")
        self.global_ = _memory(of["global"], "sectors")
        self.local = _memory(of["local"], "sectors")
        #: instructions of PTX that warps executed, by kind
        self.instructions_by_kind: dict[str, int] = {name: n for name, n in of["instructions"].items() if name != "all"}
        self.instructions: int = of["instructions"]["all"]
        self.average_lanes: float = of["average_lanes"]  #: active lanes of an instruction
        self.barriers: int = of["barriers"]  #: times that a warp arrived at one of its block

    @property
    def wavefronts(self) -> int:
        """Passes through shared memory."""
        return self.shared.transfers

    @property
    def excessive_wavefronts(self) -> int:
        """Wavefronts that bank conflicts cost."""
        return self.shared.excessive

    @property
    def sectors(self) -> int:
        """Units of 32 bytes of global memory."""
        return self.global_.transfers

    @property
    def excess_sectors(self) -> int:
        """Sectors of global memory that better coalescing would save."""
        return self.global_.excessive


class Line(Figures):
    """The figures of a line of source, over all launches and kernels, or those of one kernel."""

    def __init__(self, of: dict[str, Any]):
        super().__init__(of)
        self.file: str = of["file"]  #: empty if the kernel was compiled without lines
        self.line: int = of["line"]
        at = of.get("called_at")
        #: the line of another file at which this one is inlined; None if it is not
        self.called_at: Optional[str] = f"{at['file']}:{at['line']}" if at else None

    @property
    def place(self) -> str:
        """`kernels.py:12`"""
        return f"{self.file}:{self.line}" if self.line else "no line"

    def __repr__(self) -> str:
        return f"Line({self.place}, wavefronts={self.wavefronts}, sectors={self.sectors}, instructions={self.instructions})"


class Kernel(Figures):
    """The figures of all launches of a kernel."""

    def __init__(self, of: dict[str, Any]):
        super().__init__(of)
        self.name: str = of["kernel"]
        self.launches: int = of["launches"]
        self.failed: int = of["failed"]  #: launches that a fault ended
        self.lines: list[Line] = [Line(line) for line in of["lines"]]

    def __repr__(self) -> str:
        return f"Kernel({self.name!r}, launches={self.launches}, wavefronts={self.wavefronts}, sectors={self.sectors})"


@dataclass(frozen=True)
class Finding:
    """An error in a kernel, or in what the program asks of the device."""

    check: str  #: "race", "bounds", …
    kernel: str
    file: str
    line: int  #: 0 if the kernel was compiled without lines
    count: int  #: how often it was found
    message: str  #: thread, block, address, the other access
    text: str  #: all of it, as mmm-run prints it

    def __str__(self) -> str:
        return self.text.rstrip("\n")


def finding(of: dict[str, Any]) -> Finding:
    return Finding(of["check"], of["kernel"], of["file"], of["line"], of["count"], of["message"], of["text"])


def _memory(of: dict[str, Any], unit: str) -> Memory:
    def requests(kind: str) -> Requests:
        given = of.get(kind)
        if given is None:
            return Requests(0, 0, 0)
        return Requests(given["requests"], given[unit], given["ideal"], given.get("serialized", 0))

    return Memory(requests("load"), requests("store"), requests("atomic"))
