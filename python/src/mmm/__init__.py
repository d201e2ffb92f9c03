# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The costs of memory accesses on the memory machine models, in Python: what mmm-explore answers, in this process.

    import mmm

    mmm.stages("i * 33", mmm.dmm(32))                      # 1: the lanes of a warp are in different banks
    mmm.pattern("i * 128", mmm.gpu("h100"), bytes=4)       # all figures, and the padding or swizzle that costs least
    mmm.cost("sum", mmm.hmm(dmms=16), n=4096, p=2048).time # time units
    mmm.choose_layout(["store 4: lane; 0", "load 4: 0; lane"])["wavefronts"]
    print(mmm.emit("transpose", "h100", size=4096))        # the quickest kernel, a CUDA file

What mmm-explore refuses is a ValueError with its message, which names the arguments as they are here; a number or a text
of another type is a TypeError. Each function's figures are the object that `mmm-explore --json` prints.
"""
from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from ._answer import Option, answer, figures as _figures, sides, text, texts, whole, wholes
from ._machine import Machine, bpram, demand_machine, dmm, gpu, hmm, pram, umm

__all__ = ["Cost", "Machine", "algorithms", "bpram", "choose_layout", "cost", "dmm", "emit", "explore", "explore_text", "figure", "figures",
           "fragment", "gpu", "hmm", "layout", "pattern", "pram", "random_shift", "stages", "tensor_map", "umm", "wgmma"]


def explore(*words: str, **options: Option) -> Any:
    """The answer of `mmm-explore WORDS --OPTIONS --json`: `explore("layout", "swizzled", width=8)`.

    An underscore in the name of an option stands for a hyphen; True is an option without a value, None and False are
    left out, and a list repeats the option. What does not matter is a warning.
    """
    return _figures([str(word) for word in words], options)


def explore_text(*words: str, **options: Option) -> str:
    """The text that `mmm-explore WORDS --OPTIONS` prints: the table of an algorithm's cost, a list, the help."""
    return answer([str(word) for word in words], options)


def algorithms() -> list[dict[str, Any]]:
    """The algorithms that `cost` knows, each with its "machines", its "source" (paper and theorem) and a "summary"."""
    found: list[dict[str, Any]] = _figures([], {"list": True})
    return found


def pattern(expression: str, machine: Machine, *, size: Optional[int] = None, threads: Optional[int] = None, space: Optional[str] = None,
            op: Optional[str] = None, bytes: Optional[int] = None, for_all: Optional[str] = None, **names: int) -> dict[str, Any]:
    """All figures of an access whose addresses are an expression in C's syntax; the item is `i`.

    Addresses are words on a dmm or umm, and bytes on a GPU, where `space` is "shared" or "global", `op` "load" or
    "store", and `bytes` those of a lane. `names` are numbers that the expression uses. `size` items (one warp) are
    assigned to `threads` (one for each). `for_all="k=odd"` asks in place of that whether one warp has conflicts for any of
    a name's values (odd, even, every, multiples-of-3, 0..9), and has the worst of these.
    """
    return _access(expression, machine, names, **wholes(size=size, threads=threads, bytes=bytes), **texts(space=space, op=op, for_all=for_all))


def _access(expression: str, machine: Machine, names: Mapping[str, int], **options: Option) -> dict[str, Any]:
    demand_machine(machine)
    lets = [f"{name}={whole(name, names[name])}" for name in names]
    found: dict[str, Any] = _figures(["pattern"], {"machine": machine.kind, "width": machine.parameters.get("width"), "let": lets, **options},
                                     operand=text("expression", expression), names={"let": "an argument"}, frames=5)
    return found


def stages(expression: str, machine: Machine, *, size: Optional[int] = None, threads: Optional[int] = None, **names: int) -> int:
    """The stages that the requests of an access occupy on a dmm or umm: `pattern`'s figure."""
    demand_machine(machine)
    if machine.kind not in ("dmm", "umm"):
        raise ValueError(f"machine is {machine}; accepted: dmm and umm, whose requests occupy stages; pattern has the figures of a GPU")
    return int(_access(expression, machine, names, **wholes(size=size, threads=threads))["stages"])


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
         **options: Union[int, str]) -> Cost:
    """The cost of one of `algorithms` for size `n` and `p` threads over the whole machine.

    By its closed form; with `simulate` it is simulated and compared, too. `options` are those of mmm-explore: `taps=16`.
    """
    demand_machine(machine)
    known = [entry["algorithm"] for entry in algorithms()]
    if algorithm not in known:
        raise ValueError(f"algorithm is {algorithm!r}; accepted: {', '.join(known)}")
    for name, value in options.items():
        if isinstance(value, bool):
            raise TypeError(f"{name} is {value}; accepted: a number or a text")
    given: dict[str, Option] = {"machine": machine.kind, **machine.parameters, "no_simulate": not simulate}
    for name in options:
        if name in (*given, "size", "threads"):
            raise TypeError(f"{name} is an option; accepted: n for the size, p for the threads, simulate, and parameters in the machine")
    return Cost(_figures([algorithm], {**given, "size": None if n is None else whole("n", n), "threads": None if p is None else whole("p", p),
                                       **options}, names={"size": "n", "threads": "p", "no_simulate": "simulate=False"}))


def layout(layout: str, *, width: Optional[int] = None, rows: Optional[int] = None, columns: Optional[int] = None,
           padding: Optional[int] = None) -> dict[str, Any]:
    """Where the elements of an array of a layout ("swizzled", "padded", …) lie in the banks of a DMM: the "word" of each
    (row, column), and the "row_stages" and "column_stages"."""
    found: dict[str, Any] = _figures(["layout"], wholes(width=width, rows=rows, columns=columns, padding=padding),
                                     operand=text("layout", layout))
    return found


def choose_layout(access: Sequence[str], *, rows: Optional[int] = None, columns: Optional[int] = None, bytes: Optional[int] = None,
                  alignment: Optional[int] = None, max_padding: Optional[int] = None, budget: Optional[int] = None,
                  steps: Optional[int] = None, prove: bool = False) -> dict[str, Any]:
    """The layout of a tile in shared memory with the fewest "wavefronts" for its accesses, as "load 16: i; 4".

    Among all maps that are linear over F2 and all paddings, with a "bound" and its "proof"; `prove` searches until that is
    complete, which may take long, and has it "checked".
    """
    if isinstance(access, str):
        raise TypeError(f"access is {access!r}; accepted: a list of texts")
    options = wholes(rows=rows, columns=columns, bytes=bytes, alignment=alignment, max_padding=max_padding, budget=budget, steps=steps)
    found: dict[str, Any] = _figures(["choose-layout"], {"access": [text("access", one) for one in access], **options, "prove": bool(prove)})
    return found


def emit(problem: str, gpu: str, *, size: Optional[int] = None, type: Optional[str] = None, taps: Optional[int] = None,
         radius: Optional[int] = None) -> str:
    """The kernel with the least predicted time for a problem ("sum", "transpose", …) on a GPU ("h100"), as a CUDA file."""
    return answer(["emit"], {**texts(gpu=gpu, type=type), **wholes(size=size, taps=taps, radius=radius)}, operand=text("problem", problem))


def random_shift(*, width: Optional[int] = None, access: Optional[str] = None, scheme: Optional[str] = None,
                 seed: Optional[int] = None) -> dict[str, Any]:
    """The "expected_congestion" of an access ("stride", "diagonal", …) to a matrix whose rows are shifted at random by a
    scheme ("ras", "rap", "none"), and its distribution."""
    found: dict[str, Any] = _figures(["random-shift"], {**wholes(width=width, seed=seed), **texts(access=access, scheme=scheme)})
    return found


def figures() -> list[dict[str, str]]:
    """The papers' figures that `figure` draws, each with its "source" and a "summary"."""
    found: list[dict[str, str]] = _figures(["figure"], {"list": True})
    return found


def figure(figure: str, *, svg: Optional[Option] = None) -> dict[str, str]:
    """A figure of the papers as "text"; as a picture in the file `svg`."""
    found: dict[str, str] = _figures(["figure"], {"svg": svg}, operand=text("figure", figure))
    return found


def fragment(shape: str, *, type: Optional[str] = None, operand: Optional[str] = None) -> dict[str, Any]:
    """The lane and the register that hold each element of an operand ("a", "b", "c") of mma.sync, as "m16n8k16"."""
    found: dict[str, Any] = _figures(["fragment"], texts(type=type, operand=operand), operand=text("shape", shape))
    return found


def tensor_map(sizes: Sequence[int], box: Sequence[int], *, type: Optional[str] = None, strides: Optional[Sequence[int]] = None,
               element_strides: Optional[Sequence[int]] = None, swizzle: Optional[Union[int, str]] = None) -> dict[str, Any]:
    """A tensor map by the rules of cuTensorMapEncodeTiled: whether it is "valid", else the "broken" rule."""
    found: dict[str, Any] = _figures(["tensor-map"], {
        **sides(sizes=sizes, box=box, strides=strides, element_strides=element_strides), **texts(type=type), "swizzle": swizzle
    })
    return found


def wgmma(*, type: Optional[str] = None, rows: Optional[int] = None, major: Optional[str] = None, tile: Optional[Sequence[int]] = None,
          swizzle: Optional[Union[int, str]] = None, written: Optional[Union[int, str]] = None, row: Optional[int] = None,
          column: Optional[int] = None) -> dict[str, Any]:
    """The matrix descriptor of an operand of wgmma in a tile of shared memory: whether it is "valid", else what is "broken"."""
    found: dict[str, Any] = _figures(["wgmma"], {
        **texts(type=type, major=major), **wholes(rows=rows, row=row, column=column), **sides(tile=tile), "swizzle": swizzle, "written": written
    })
    return found
