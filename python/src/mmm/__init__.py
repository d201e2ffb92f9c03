# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The costs of memory accesses on the memory machine models, in Python: what mmm-explore answers, in this process.

    import mmm

    mmm.stages("i * 33", mmm.dmm(32))                      # 1: the lanes of a warp are in different banks
    mmm.pattern("i * 128", mmm.gpu("h100"), bytes=4)       # all figures, and the padding or swizzle that costs least
    mmm.cost("sum", mmm.hmm(dmms=16), n=4096, p=2048).time # time units

What mmm-explore refuses is a ValueError with its message.
"""
from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Union

from . import _model

__all__ = ["Cost", "Machine", "bpram", "cost", "dmm", "explore", "gpu", "hmm", "pattern", "pram", "stages", "umm"]

Option = Union[int, str, bool, None]


@dataclass(frozen=True)
class Machine:
    """A machine, or a GPU as one; made by the functions below."""

    kind: str
    #: as mmm-explore's options name them; those that are not here have its defaults
    parameters: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.kind}({values})" if values else self.kind


def _machine(kind: str, **parameters: Optional[int]) -> Machine:
    return Machine(kind, {name: value for name, value in parameters.items() if value is not None})


def dmm(width: int = 32, latency: int = 1) -> Machine:
    """The Discrete Memory Machine: `width` banks, `latency` in time units."""
    return _machine("dmm", width=width, latency=latency)


def umm(width: int = 32, latency: int = 400, ports: int = 1) -> Machine:
    """The Unified Memory Machine: address groups of `width` words, `ports` stages accepted per time unit."""
    return _machine("umm", width=width, latency=latency, ports=ports)


def hmm(dmms: int = 16, width: int = 32, shared_latency: int = 1, latency: int = 400, capacity: Optional[int] = None, ports: int = 1,
        cluster: Optional[int] = None, peer_latency: Optional[int] = None) -> Machine:
    """The Hierarchical Memory Machine: `dmms` DMMs with `capacity` words each, and a global memory."""
    return _machine("hmm", dmms=dmms, width=width, shared_latency=shared_latency, latency=latency, capacity=capacity, ports=ports,
                    cluster=cluster, peer_latency=peer_latency)


def pram() -> Machine:
    """The Parallel Random Access Machine."""
    return _machine("pram")


def bpram(width: int = 32) -> Machine:
    """The Block PRAM."""
    return _machine("bpram", width=width)


def gpu(name: str) -> Machine:
    """A GPU by its name, as "h100": for `pattern` its rules, for `cost` the machine that the algorithm runs on."""
    return _machine(name)


def explore(*words: str, **options: Option) -> Any:
    """The answer of `mmm-explore WORDS --OPTIONS --json`: `explore("layout", "swizzled", width=8)`.

    An underscore in the name of an option stands for a hyphen; True is an option without a value; None and False are
    left out. What does not matter is a warning.
    """
    arguments = [str(word) for word in words]
    for name, value in options.items():
        if value is None or value is False:
            continue
        arguments.append("--" + name.replace("_", "-"))
        if value is not True:
            arguments.append(str(value))
    text, _, notes = _model.run([*arguments, "--json"])
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return json.loads(text)


def pattern(expression: str, machine: Machine, *, size: Optional[int] = None, threads: Optional[int] = None, space: Optional[str] = None,
            op: Optional[str] = None, bytes: Optional[int] = None, **names: int) -> dict[str, Any]:
    """All figures of an access whose addresses are an expression in C's syntax; the item is `i`.

    Addresses are words on a dmm or umm, and bytes on a GPU, where `space` is "shared" or "global", `op` "load" or
    "store", and `bytes` those of a lane. `names` are numbers that the expression uses. `size` items (one warp) are
    assigned to `threads` (one for each).
    """
    lets = [word for name, value in names.items() for word in ("--let", f"{name}={value}")]
    parameters = {name: value for name, value in machine.parameters.items() if name == "width"}
    return explore("pattern", expression, *lets, machine=machine.kind, **parameters, size=size, threads=threads, space=space, op=op,
                   bytes=bytes)


def stages(expression: str, machine: Machine, *, size: Optional[int] = None, threads: Optional[int] = None, **names: int) -> int:
    """The stages that the requests of an access occupy on a dmm or umm: `pattern`'s figure."""
    if machine.kind not in ("dmm", "umm"):
        raise ValueError(f"machine is {machine}; accepted: dmm and umm, whose requests occupy stages; pattern has the figures of a GPU")
    return int(pattern(expression, machine, size=size, threads=threads, **names)["stages"])


class Cost:
    """The cost of an algorithm, and how far it is from the lower bound."""

    def __init__(self, figures: dict[str, Any]):
        #: the object that mmm-explore --json prints
        self.figures = figures
        self.time: int = figures["time"]  #: in time units
        self.stages: int = figures["stages"]
        self.rounds: int = figures["rounds"]
        self.lower_bound: int = figures["bound"]["time"]  #: in time units
        self.upper_bound: int = figures["upper_bound"]["time"]  #: of which the time is at most `constant`-fold
        self.constant: int = figures["upper_bound"]["constant"]

    def __repr__(self) -> str:
        return f"Cost(time={self.time}, stages={self.stages}, rounds={self.rounds}, lower_bound={self.lower_bound})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cost) and self.figures == other.figures


def cost(algorithm: str, machine: Machine, n: Optional[int] = None, p: Optional[int] = None, *, simulate: bool = False,
         **options: Option) -> Cost:
    """The cost of an algorithm of `mmm-explore --list` for size `n` and `p` threads over the whole machine.

    By its closed form; with `simulate` it is simulated and compared, too. `options` are those of mmm-explore: `taps=16`.
    """
    return Cost(explore(algorithm, machine=machine.kind, **machine.parameters, size=n, threads=p, no_simulate=not simulate, **options))
