# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A part of a program that is counted."""
from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Mapping
from typing import Any, Iterator, Optional, SupportsIndex, Union, overload

from . import _device
from ._figures import Finding, Kernel, Line, finding
from ._start import checks_of, demand_own_process, demand_supported, start

HEADERS = ("kernel", "launches", "wavefronts", "excessive", "sectors", "excess", "instructions", "lanes", "findings")


class Kernels(Mapping[str, Kernel]):
    """Kernels by name: the whole one, demangled, or a word of it that no other kernel has."""

    def __init__(self, kernels: list[Kernel]):
        self._by_name = {kernel.name: kernel for kernel in kernels}

    def __getitem__(self, name: str) -> Kernel:
        if name in self._by_name:
            return self._by_name[name]
        word = re.compile(rf"(?<!\w){re.escape(str(name))}(?!\w)")
        found = [kernel for full, kernel in self._by_name.items() if word.search(full)]
        if len(found) == 1:
            return found[0]
        names = ", ".join(kernel.name for kernel in found) if found else ", ".join(self._by_name) or "none: no kernel was launched"
        raise KeyError(f"{name!r} is {'part of several kernels' if found else 'no kernel'}; accepted: {names}")

    def __repr__(self) -> str:
        return f"Kernels({list(self._by_name.values())})"

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


class Lines(list[Line]):
    """Lines of source; also by place: `lines["kernels.py:12"]`."""

    @overload
    def __getitem__(self, which: Union[str, SupportsIndex]) -> Line:
        ...

    @overload
    def __getitem__(self, which: slice) -> list[Line]:
        ...

    def __getitem__(self, which: Any) -> Any:
        if not isinstance(which, str):
            return super().__getitem__(which)
        found = [line for line in self if line.place == which or line.place.endswith("/" + which)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(dict.fromkeys(line.place for line in self if line.line)) or "none: the kernels were compiled without lines"
        raise KeyError(f"{which!r} is {f'{len(found)} lines' if found else 'no line'}; accepted: {known}")


class Findings(list[Finding]):
    """Findings; as text what mmm-run prints of them."""

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self)

    def assert_none(self) -> None:
        """AssertionError with the text of the findings, if there are some."""
        if self:
            raise AssertionError(f"{len(self)} finding{'s' if len(self) > 1 else ''}:\n{self}")


class counted:
    """Counts what is launched in a `with` statement, by any thread, and collects the findings.

    `gpu` and `check` are those of `start`, which is called; `check` also leaves out findings of other checks. Statements
    may be inside of others, and figures may be read before the end. At the end all that was launched is waited for, and
    what the device does not support raises Unsupported.
    """

    def __init__(self, gpu: Optional[str] = None, check: Optional[str] = None):
        start(gpu, check)
        self._checks = checks_of(check)
        self._section: Optional[_device.Section] = None
        self._final: Optional[dict[str, Any]] = None

    def __enter__(self) -> "counted":
        demand_own_process()
        self._section, self._final = _device.Section(), None
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.end()
        demand_supported()

    def end(self) -> None:
        """What is launched from now on is not counted."""
        section = self._begun()
        section.end()
        self._final = json.loads(section.json())

    def _begun(self) -> _device.Section:
        if self._section is None:
            raise RuntimeError("nothing was counted yet: `with mmm_device.counted() as c:` comes first")
        return self._section

    def _figures(self) -> dict[str, Any]:
        if self._final is not None:
            return self._final
        figures: dict[str, Any] = json.loads(self._begun().json())
        return figures

    @property
    def kernels(self) -> Kernels:
        """The kernels by name, in the order of their first launches."""
        return Kernels([Kernel(of) for of in self._figures()["kernels"]])

    @property
    def lines(self) -> Lines:
        """The lines of source of all kernels."""
        return Lines(Line(of) for of in self._figures()["lines"])

    @property
    def findings(self) -> Findings:
        """The findings, each once."""
        return Findings(f for f in map(finding, self._figures()["findings"]) if self._checks is None or f.check in self._checks)

    def assert_no_findings(self) -> None:
        """AssertionError with the text of the findings, if there are some."""
        self.findings.assert_none()

    def assert_conflict_free(self, kernel: Optional[str] = None) -> None:
        """AssertionError that names the lines whose requests to shared memory have bank conflicts; of one kernel, or all."""
        of = self.kernels
        bad = [f"{line.place} in {k.name}: {line.shared.transfers} wavefronts where {line.shared.transfers - line.shared.excessive} would do"
               for k in ([of[kernel]] if kernel is not None else of.values()) for line in k.lines if line.shared.excessive > 0]
        if bad:
            raise AssertionError("bank conflicts:\n" + "\n".join(bad))

    def html(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page of `mmm-run --html`: kernels, the source line by line, pictures of requests, findings."""
        page = self._begun().html()
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def _rows(self) -> list[tuple[str, ...]]:
        found = self.findings
        return [(k.name, str(k.launches), str(k.wavefronts), str(k.excessive_wavefronts), str(k.sectors), str(k.excess_sectors),
                 str(k.instructions), f"{k.average_lanes:.1f}", str(sum(f.kernel == k.name for f in found)))
                for k in self.kernels.values()]

    def __str__(self) -> str:
        rows = [HEADERS, *self._rows()]
        if len(rows) == 1:
            return "no kernel was launched" + "".join("\n" + str(f) for f in self.findings)
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADERS))]
        rows.insert(1, tuple("-" * width for width in widths))
        text = "\n".join("  ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                                   for column, (cell, width) in enumerate(zip(row, widths))) for row in rows)
        return "\n".join([text, *map(str, self.findings)])

    def _repr_html_(self) -> str:
        def row(cells: tuple[str, ...], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        found = "".join(f"<pre>{html.escape(str(f))}</pre>" for f in self.findings)
        return f"<table><thead>{row(HEADERS, 'th')}</thead><tbody>{''.join(row(r, 'td') for r in self._rows())}</tbody></table>{found}"
