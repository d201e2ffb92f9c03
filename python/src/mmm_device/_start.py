# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device of the process: begun once, then the same for all."""
from __future__ import annotations

import contextlib
import json
import operator
import os
import pathlib
import re
import sys
import threading
from typing import Any, Optional

from . import _device

HERE = pathlib.Path(__file__).resolve().parent
# Numba looks for the driver when it is imported. What fails here, fails again in `start`.
with contextlib.suppress(RuntimeError):
    _device.load(str(HERE / "cuda"))
_lock = threading.Lock()
_begun: dict[str, Optional[str]] = {}  # the settings that were given, by variable
_process = 0  #: in which the device began; 0 before that


class Unsupported(RuntimeError):
    """Something was asked for that this device does not have; nothing that was computed since is right."""


def start(gpu: Optional[str] = None, check: Optional[str] = None, *, seed: Optional[int] = None, memory: Optional[str] = None,
          devices: Optional[int] = None, suppressions: Optional[str] = None) -> None:
    """Begins the device of this process, before the first call of CUDA.

    `gpu` (h200), `check` (none), `seed`, `memory` (strong), `devices` (1) and `suppressions` are those of mmm-run's
    options. ValueError says what is accepted. A later call may repeat settings, and name some of the checks; others are
    a ValueError, since a process has one device. In a process that mmm-run started, its options hold.
    """
    global _process
    _demand_texts(gpu=gpu, check=check, memory=memory, suppressions=suppressions)
    wanted = {"MMM_RUN_GPU": gpu, "MMM_RUN_CHECK": check, "MMM_RUN_SEED": _number("seed", seed), "MMM_RUN_MEMORY": memory,
              "MMM_RUN_DEVICES": _number("devices", devices), "MMM_RUN_SUPPRESSIONS": suppressions and os.path.abspath(suppressions)}
    with _lock:
        _device.load(str(HERE / "cuda"))
        _demand_numba()
        demand_own_process()
        if settings() is None:
            try:
                _device.begin([word for name, value in wanted.items() if value is not None for word in (name, value)])
            except ValueError as error:
                raise ValueError(_in_python(str(error), wanted)) from None
            _begun.update(wanted)
            _process = os.getpid()
            return
        _demand_same(wanted)


def settings() -> Optional[dict[str, Any]]:
    """The GPU and the checks of the device; None before it has begun."""
    text = _device.settings()
    return None if text is None else json.loads(text)


def checks_of(check: Optional[str]) -> Optional[set[str]]:
    """The names in a list of checks; None for all that the device has."""
    names = set((check or "all").split(","))
    return None if "all" in names else names - {"none"}


def demand_own_process() -> None:
    """Raises RuntimeError in a child that the process with the device has forked: as with CUDA, the child has none."""
    if _process not in (0, os.getpid()):
        raise RuntimeError("this process is a fork of the one in which the device began, and has no device; accepted: "
                           "multiprocessing.get_context(\"spawn\"), or a fork before the first use of the device")


def _demand_texts(**given: Any) -> None:
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is {value!r}; accepted: a text, or None")
        if value == "":
            raise ValueError(f"{name} is empty; accepted: a value, or None")
        if value is not None and "\0" in value:
            raise ValueError(f"{name} is {value!r}; accepted: a text without null characters")


def _number(name: str, value: Any) -> Optional[str]:
    if value is None:
        return None
    try:
        if not isinstance(value, bool):
            return str(operator.index(value))
    except TypeError:
        pass
    raise TypeError(f"{name} is {value!r}; accepted: a whole number, or None")


def _in_python(message: str, given: dict[str, Optional[str]]) -> str:
    """A message about the device's settings, with the names that the arguments of `start` have."""
    named = re.sub(r"MMM_RUN_([A-Z]+)", lambda name: name[1].lower(), message)
    gpu = given["MMM_RUN_GPU"]
    return f"gpu is {gpu!r}: {named}" if named == message and gpu is not None and gpu in message else named


def _demand_same(wanted: dict[str, Optional[str]]) -> None:
    now = settings() or {}
    if wanted["MMM_RUN_GPU"] not in (None, now["gpu"]):
        raise ValueError(f"gpu is {wanted['MMM_RUN_GPU']!r}, but the device of this process is {now['gpu']!r}; accepted: that, or None")
    lacking = sorted((checks_of(wanted["MMM_RUN_CHECK"]) or set()) - set(now["checks"]))
    if lacking or (wanted["MMM_RUN_CHECK"] == "all" and not now["all"]):
        raise ValueError(f"check is {wanted['MMM_RUN_CHECK']!r}, but the device of this process has begun with "
                         f"{','.join(now['checks']) or 'none'}; accepted: some of these, or None; start(check=\"all\") comes first")
    for name in ("MMM_RUN_SEED", "MMM_RUN_MEMORY", "MMM_RUN_DEVICES", "MMM_RUN_SUPPRESSIONS"):
        if wanted[name] not in (None, _begun.get(name)):
            raise ValueError(f"{name[8:].lower()} is {wanted[name]!r}, but the device of this process has begun with "
                             f"{_begun.get(name)!r}; accepted: that, or None")


def _demand_numba() -> None:
    """Numba keeps the error of the search for a driver, which it makes when it is imported."""
    module = sys.modules.get("numba.cuda.cudadrv.driver") or sys.modules.get("numba_cuda.numba.cuda.cudadrv.driver")
    error = getattr(getattr(module, "driver", None), "initialization_error", None)
    if error is not None:
        raise RuntimeError("Numba was imported before mmm_device, and found no driver; import mmm_device first")


def _lead_triton() -> None:
    """Triton links the driver's library by its folder, and asks for an assembler."""
    os.environ["TRITON_LIBCUDA_PATH"] = str(HERE / "cuda")
    for name in ("TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"):
        os.environ[name] = str(HERE / "triton" / "ptxas")


_lead_triton()


def demand_supported() -> None:
    """Raises Unsupported if something was refused."""
    refused = _device.refused()
    if refused is not None:
        raise Unsupported(refused)
