# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest --mmm-device[=GPU]: tests run on the device in software, and fail on what its checks find.

The fixture `mmm_counted` has the figures of the test: `mmm_counted.kernels["add"].sectors`. Without --mmm-device tests
that use it are skipped.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

import pytest

if TYPE_CHECKING:
    import mmm_device

# mmm_device is imported where the option is given: it takes the place of the CUDA driver.
SECTION = pytest.StashKey["mmm_device.counted"]()


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
        raise pytest.UsageError(f"--mmm-device={config.option.mmm_device} --mmm-check={config.option.mmm_check}: {error}") from error


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: Any) -> Iterator[None]:
    if item.config.option.mmm_device is None:
        yield
        return
    import mmm_device

    item.stash[SECTION] = section = mmm_device.counted(check=item.config.option.mmm_check).__enter__()
    yield
    section.end()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[Any]:
    outcome = yield
    section = item.stash.get(SECTION, None)
    if section is None:
        return
    from mmm_device import Unsupported, demand_supported

    try:
        demand_supported()
        if outcome.excinfo is None:
            section.assert_no_findings()
    except (AssertionError, Unsupported) as error:
        outcome.force_exception(pytest.fail.Exception(f"mmm_device: {error}", pytrace=False))


@pytest.fixture
def mmm_counted(request: Any) -> "mmm_device.counted":
    """The figures and findings of this test so far."""
    section = request.node.stash.get(SECTION, None)
    if section is None:
        pytest.skip("--mmm-device is not given")
    return section
