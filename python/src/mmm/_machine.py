# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machines, as mmm-explore's options describe them."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional

from ._answer import text, whole


@dataclass(frozen=True)
class Machine:
    """A machine, or a GPU as one; made by the functions below."""

    kind: str
    #: as mmm-explore's options name them; those that are not here have its defaults
    parameters: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.kind}({values})" if values else self.kind


def demand_machine(machine: Any) -> None:
    """Raises TypeError for what is none, as a name."""
    if not isinstance(machine, Machine):
        raise TypeError(f"machine is {machine!r}; accepted: what dmm, umm, hmm, pram, bpram and gpu return")


def _machine(kind: str, **parameters: Optional[int]) -> Machine:
    return Machine(kind, {name: whole(name, value) for name, value in parameters.items() if value is not None})


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
    return _machine(text("name", name))
