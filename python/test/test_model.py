# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmm: the model's figures compared with enumeration, and with formulas of the papers."""
import random

import mmm
import pytest


def dmm_stages(address, width, items):
    """Stages by enumeration: of each warp, the most different addresses in a bank."""
    total = 0
    for first in range(0, items, width):
        banks = {}
        for i in range(first, min(first + width, items)):
            banks.setdefault(address(i) % width, set()).add(address(i))
        total += max(len(bank) for bank in banks.values())
    return total


def umm_stages(address, width, items):
    """Stages by enumeration: of each warp, the address groups."""
    return sum(len({address(i) // width for i in range(first, min(first + width, items))}) for first in range(0, items, width))


def test_stages_by_enumeration():
    draw = random.Random(1)
    for width in (1, 2, 3, 7, 16, 32, 64):
        for _ in range(20):
            factor, offset, shift, items = draw.randrange(70), draw.randrange(9), draw.randrange(1, 8), draw.randrange(1, 200)
            text = f"i * factor + offset + i / {shift}"

            def address(i):
                return i * factor + offset + i // shift

            assert mmm.stages(text, mmm.dmm(width), size=items, factor=factor, offset=offset) == dmm_stages(address, width, items)
            assert mmm.stages(text, mmm.umm(width), size=items, factor=factor, offset=offset) == umm_stages(address, width, items)


def test_pattern():
    assert mmm.stages("i * 33", mmm.dmm(32, 1)) == 1
    assert mmm.stages("i * 32", mmm.dmm(32, 1)) == 32
    found = mmm.pattern("i * 128", mmm.gpu("h100"), space="shared", bytes=4)
    assert (found["wavefronts"], found["ideal"], found["conflict_free"]) == (32, 1, False)
    assert mmm.pattern("i * 4", mmm.gpu("h100"), space="global", op="store")["sectors"] == 4


def test_cost():
    found = mmm.cost("contiguous", mmm.umm(32, 400), n=4096, p=1024)
    assert found.time == 4 * (1024 // 32 + 400 - 1) and found.rounds == 4  # n/p rounds of p/w stages
    assert found == mmm.cost("contiguous", mmm.umm(), n=4096, p=1024, seed=5)
    assert found.lower_bound <= found.time <= found.constant * found.upper_bound
    simulated = mmm.cost("sum", mmm.hmm(dmms=4), n=1000, p=256, simulate=True)
    assert simulated.figures["closed_form"]["agrees"] and simulated.figures["correct"]
    assert mmm.cost("sum", mmm.hmm(dmms=4), n=1000, p=256).time == simulated.time
    assert mmm.cost("sum", mmm.hmm(dmms=16), n=4096, p=2048).time == 2184
    assert mmm.cost("convolution", mmm.dmm(), n=256, p=64, taps=8).time > 0


def test_other_commands():
    assert mmm.explore("layout", "swizzled", width=8)


@pytest.mark.parametrize("call, text", [
    (lambda: mmm.stages("i *", mmm.dmm(32)), "the pattern ends in column 4, where a number"),
    (lambda: mmm.stages("i", mmm.dmm(0)), "--width is 0; accepted: a whole number from 1 to 64"),
    (lambda: mmm.stages("i", mmm.gpu("h100")), "machine is h100; accepted: dmm and umm"),
    (lambda: mmm.stages("i", mmm.gpu("h1000")), "accepted: dmm and umm"),
    (lambda: mmm.pattern("i", mmm.gpu("h1000")), "--machine is .?h1000.?.*h100"),
    (lambda: mmm.cost("sums", mmm.dmm()), "sums.*sum"),
    (lambda: mmm.cost("sum", mmm.dmm(), n=-1), "--size is -1; accepted"),
    (lambda: mmm.cost("sum", mmm.dmm(), n=1 << 62, p=1), "too large together: --size 4611686018427387904"),
    (lambda: mmm.cost("sum", mmm.dmm(), taps=3), "--taps is given, but sum does not use it"),
])
def test_what_is_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_what_does_not_matter_is_a_warning():
    with pytest.warns(UserWarning, match="--ports does not matter"):
        mmm.explore("sum", machine="dmm", ports=2, size=64, threads=32, no_simulate=True)
