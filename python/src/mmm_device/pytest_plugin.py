# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest --mmm-device[=GPU]: tests run on the device in software, and fail on what its checks find.

The fixture `mmm_counted` has the figures of the test: `mmm_counted.kernels["add"].sectors`. Without --mmm-device tests
that use it are skipped.
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Generator, Optional

import pytest

if TYPE_CHECKING:
    import mmm_device

# mmm_device is imported where the option is given: it takes the place of the CUDA driver.
SECTION: "pytest.StashKey[mmm_device.counted]" = pytest.StashKey()
FOUND: "pytest.StashKey[list[mmm_device.Finding]]" = pytest.StashKey()  # by the end of the test, without its fixtures' ends


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("mmm_device", "the GPU in software (mmm_device)")
    group.addoption("--mmm-device", nargs="?", const="h200", metavar="GPU",
                    help="run kernels on the CPU, as this GPU (h200), and fail tests on findings; write --mmm-device=GPU")
    group.addoption("--mmm-check", default="all", metavar="LIST", help="the checks, as mmm-run --check takes them (all)")


def pytest_configure(config: Any) -> None:
    if config.option.mmm_device is None:
        return
    try:
        import mmm_device

        mmm_device.start(config.option.mmm_device, config.option.mmm_check)
    except (ValueError, RuntimeError) as error:
        taken = config.option.mmm_device
        hint = f" (write --mmm-device=h200 {taken}, with a GPU before a path)" if os.path.exists(taken) else ""
        raise pytest.UsageError(f"--mmm-device={taken} --mmm-check={config.option.mmm_check}: {error}{hint}") from error


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: Any) -> Generator[None, Any, None]:
    if item.config.option.mmm_device is None:
        yield
        return
    import mmm_device

    item.stash[SECTION] = section = mmm_device.counted(check=item.config.option.mmm_check).__enter__()
    yield
    section.end()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: Any) -> Generator[None, Any, None]:
    outcome = yield
    section = item.stash.get(SECTION, None)
    if section is None:
        return
    item.stash[FOUND] = section.findings
    if outcome.excinfo is not None and item.stash[FOUND]:
        item.add_report_section("call", "mmm_device", str(item.stash[FOUND]))
    _fail(outcome, item.stash[FOUND])


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item: Any) -> Generator[None, Any, None]:
    outcome = yield
    section = item.stash.get(SECTION, None)
    if section is not None:
        before = item.stash.get(FOUND, [])
        _fail(outcome, [one for one in section.findings if one not in before])


def _fail(outcome: Any, findings: list[Any]) -> None:
    """A test that has not failed does, if there are findings, or something was asked for that the device lacks."""
    from mmm_device import Findings, Unsupported, demand_supported

    try:
        demand_supported()
        if outcome.excinfo is None:
            Findings(findings).assert_none()
    except (AssertionError, Unsupported) as error:
        outcome.force_exception(pytest.fail.Exception(f"mmm_device: {error}", pytrace=False))


@pytest.fixture
def mmm_counted(request: Any) -> "mmm_device.counted":
    """The figures and findings of this test so far."""
    section: Optional["mmm_device.counted"] = request.node.stash.get(SECTION, None)
    if section is None:
        pytest.skip("--mmm-device is not given")
    return section
