# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmm-explore's answers to arguments of Python."""
from __future__ import annotations

import json
import operator
import os
import re
import warnings
from typing import Any, Mapping, Optional, Sequence, Union

from . import _model

Value = Union[int, str, "os.PathLike[str]"]
Option = Union[Value, Sequence[Value], bool, None]


def whole(name: str, value: Any) -> int:
    """The value of an argument that is a whole number: Python's, or numpy's."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{name} is {value!r}; accepted: a whole number")


def text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"{name} is {value!r}; accepted: a text")


def wholes(**given: Optional[int]) -> dict[str, Option]:
    return {name: None if value is None else whole(name, value) for name, value in given.items()}


def texts(**given: Optional[str]) -> dict[str, Option]:
    return {name: None if value is None else text(name, value) for name, value in given.items()}


def sides(**given: Optional[Sequence[int]]) -> dict[str, Option]:
    """(64, 32) as mmm-explore writes it: 64x32."""
    found: dict[str, Option] = {}
    for name, value in given.items():
        if value is not None and not hasattr(value, "__iter__"):
            raise TypeError(f"{name} is {value!r}; accepted: a sequence of whole numbers")
        found[name] = None if value is None else "x".join(str(whole(name, side)) for side in value)
    return found


def answer(words: Sequence[str], options: Mapping[str, Option], *, operand: Optional[str] = None, names: Mapping[str, str] = {},
           frames: int = 3) -> str:
    """The text that mmm-explore prints for `words`, `options` and a last argument, the `operand`.

    Of an option True is its name alone, None and False leave it out, and a list repeats it. `names` are those of
    arguments of Python that are called otherwise than the option. A note is a warning to the caller `frames` above.
    """
    arguments, last, argument_of = list(words), [], {}
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        argument_of[option] = names.get(name, name)
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                last.append(option)
            elif one is not None and one is not False:
                # One word, so that a value that begins with a hyphen is no option; an empty one is refused as such.
                given = str(os.fspath(one) if isinstance(one, os.PathLike) else one)
                arguments += [f"{option}={given}"] if given else [option, ""]

    def in_python(message: str) -> str:
        message = re.sub(r"--[a-z][a-z-]*", lambda found: argument_of.get(found[0], found[0]), message)
        return re.sub(r"\b(EXPRESSION|LAYOUT|PROBLEM|SHAPE|FIGURE|ALGORITHM)\b", lambda found: found[0].lower(), message)

    arguments += last + ([] if operand is None else ["--", operand])
    for argument in arguments:
        argument.encode()  # UnicodeEncodeError, a ValueError, for half a surrogate pair
    try:
        printed, _, notes = _model.run(arguments)
    except ValueError as error:
        raise ValueError(in_python(str(error))) from None
    for note in notes:
        warnings.warn(in_python(note), stacklevel=frames)
    return printed


def figures(words: Sequence[str], options: Mapping[str, Option], *, operand: Optional[str] = None, names: Mapping[str, str] = {},
            frames: int = 4) -> Any:
    """What mmm-explore --json prints. ValueError if that is not JSON."""
    printed = answer(words, {"json": True, **options}, operand=operand, names={**names, "json": "--json"}, frames=frames)
    try:
        return json.loads(printed)
    except json.JSONDecodeError:
        raise ValueError(f"mmm-explore {' '.join([*words, *options])} prints no JSON; explore_text returns what it prints") from None
