# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmm: the model's figures compared with enumeration, and with formulas of the papers."""
import doctest
import json
import os
import pathlib
import random
import subprocess

import mmm
import numpy
import pytest

PROGRAM = os.environ.get("MMM_EXPLORE")  # mmm-explore, where there is one: try_wheel.py --mmm-explore


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


# A call, and the words of mmm-explore that it stands for.
SAME = [
    (lambda: mmm.algorithms(), "--list --json"),
    (lambda: mmm.explore("layout", "swizzled", width=8), "layout swizzled --width 8 --json"),
    (lambda: mmm.layout("padded", width=4, rows=3, columns=4, padding=1), "layout padded --width 4 --rows 3 --columns 4 --padding 1 --json"),
    (lambda: mmm.pattern("i * k + m", mmm.gpu("a100"), space="global", op="store", bytes=8, size=64, k=16, m=8),
     "pattern --machine a100 --space global --op store --bytes 8 --size 64 --let k=16 --let m=8 --json -- 'i * k + m'"),
    (lambda: mmm.pattern("-i + 40", mmm.dmm(8)), "pattern --machine dmm --width 8 --json -- '-i + 40'"),
    (lambda: mmm.pattern("i * k", mmm.dmm(), for_all="k=odd"), "pattern --for-all k=odd --json 'i * k'"),
    (lambda: mmm.cost("sum", mmm.umm(8, 5), n=1000, p=64).figures,
     "sum --machine umm --width 8 --latency 5 --size 1000 --threads 64 --no-simulate --json"),
    (lambda: mmm.cost("permutation", mmm.hmm(dmms=4), n=256, p=256, simulate=True, permutation="reverse").figures,
     "permutation --machine hmm --dmms 4 --size 256 --threads 256 --permutation reverse --json"),
    (lambda: mmm.choose_layout(["store 4: i; 0", "load 16: i; 4"], rows=32, columns=32, max_padding=2),
     "choose-layout --access 'store 4: i; 0' --access 'load 16: i; 4' --rows 32 --columns 32 --max-padding 2 --json"),
    (lambda: mmm.choose_layout(["load 4: 0; i"], rows=8, columns=32, prove=True), "choose-layout --access 'load 4: 0; i' --rows 8 --prove --json"),
    (lambda: mmm.emit("convolution", "a100", size=1000, type="double", taps=5), "emit convolution --gpu a100 --size 1000 --type double --taps 5"),
    (lambda: mmm.random_shift(width=8, access="diagonal", scheme="rap", seed=3),
     "random-shift --width 8 --access diagonal --scheme rap --seed 3 --json"),
    (lambda: mmm.figures(), "figure --list --json"),
    (lambda: mmm.figure("sum"), "figure sum --json"),
    (lambda: mmm.fragment("m16n8k16", type="bf16", operand="b"), "fragment m16n8k16 --type bf16 --operand b --json"),
    (lambda: mmm.tensor_map((64, 64), (64, 8), strides=(128,), element_strides=(1, 1), swizzle=128),
     "tensor-map --sizes 64x64 --box 64x8 --strides 128 --element-strides 1x1 --swizzle 128 --json"),
    (lambda: mmm.tensor_map((64,), (128,), swizzle="32"), "tensor-map --sizes 64 --box 128 --swizzle 32 --json"),
    (lambda: mmm.wgmma(rows=64, major="k", tile=(64, 64), swizzle=128, row=8), "wgmma --rows 64 --major k --tile 64x64 --swizzle 128 --row 8 --json"),
    (lambda: mmm.explore_text("sum", size=100, threads=32), "sum --size 100 --threads 32"),
    (lambda: mmm.explore_text(help=True), "--help"),
]


@pytest.mark.skipif(PROGRAM is None, reason="MMM_EXPLORE names no program")
@pytest.mark.parametrize("call, words", SAME, ids=[words for _, words in SAME])
def test_what_mmm_explore_prints(call, words):
    found = call()
    printed = subprocess.run(f"'{PROGRAM}' {words}", shell=True, capture_output=True, text=True).stdout
    assert found == (printed if isinstance(found, str) else json.loads(printed))


@pytest.mark.parametrize("call", [call for call, _ in SAME])
def test_all_commands(call):
    assert call()


def test_algorithms():
    machine = {"pram": mmm.pram(), "bpram": mmm.bpram(), "dmm": mmm.dmm(4), "umm": mmm.umm(4, 5), "hmm": mmm.hmm(dmms=4, width=4)}
    assert len(mmm.algorithms()) > 30
    for entry in mmm.algorithms():
        assert entry["machines"] and entry["source"] and entry["summary"]
        for kind in entry["machines"]:
            assert mmm.cost(entry["algorithm"], machine[kind], n=16, p=16, simulate=True).figures["correct"]
        for kind in machine.keys() - entry["machines"]:
            with pytest.raises(ValueError, match="machine is .*; accepted"):
                mmm.cost(entry["algorithm"], machine[kind], n=16, p=16)


def test_the_wheel_s_page():
    page = pathlib.Path(__file__).resolve().parents[1] / "README.md"
    assert doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS).failed == 0


def test_numbers_of_numpy():
    assert mmm.stages("i * k", mmm.dmm(numpy.int32(16)), size=numpy.int64(16), k=numpy.uint8(16)) == 16


@pytest.mark.parametrize("call, text", [
    (lambda: mmm.stages("i *", mmm.dmm(32)), "the pattern ends in column 4, where a number"),
    (lambda: mmm.stages("i", mmm.dmm(0)), "^width is 0; accepted: a whole number from 1 to 64"),
    (lambda: mmm.stages("i", mmm.dmm(), size=-1), "^size is -1; accepted: a whole number from 0 to"),
    (lambda: mmm.stages("i", mmm.dmm(), threads=0), "^threads is 0; accepted: a whole number from 1 to"),
    (lambda: mmm.stages("i * k", mmm.dmm(), k=-3), "the address of item 1 is -3; accepted: 0 or more"),
    (lambda: mmm.stages("i * k", mmm.dmm()), 'the pattern has the name "k" in column 5; accepted: .* names that an argument NAME=VALUE gives'),
    (lambda: mmm.stages("i", mmm.dmm(), i=3), '^an argument is "i=3"; accepted'),
    (lambda: mmm.stages("", mmm.dmm()), "^expression is empty; accepted"),
    (lambda: mmm.stages("i\0 * 2", mmm.dmm()), "has a null character; accepted"),
    (lambda: mmm.stages("i\ud800", mmm.dmm()), "surrogates not allowed"),
    (lambda: mmm.stages("--help", mmm.dmm()), 'the pattern has the name "help"'),
    (lambda: mmm.layout("--help"), '^layout is "--help"; accepted: row-major'),
    (lambda: mmm.layout("padded", padding=-1), "^padding is -1; accepted"),
    (lambda: mmm.emit("sum", "h1000"), "^gpu is h1000.*accepted: a100"),
    (lambda: mmm.emit("sums", "h100"), "^problem is sums.*accepted: copy"),
    (lambda: mmm.figure("summ"), "^figure is .*accepted: dmm-and-umm"),
    (lambda: mmm.fragment("m1"), "m1.*accepted"),
    (lambda: mmm.choose_layout([]), "^access is missing; accepted"),
    (lambda: mmm.choose_layout(["load 3: i; 0"]), "^access is .*load 3.*accepted"),
    (lambda: mmm.explore("emit", "sum", gpu="h100"), "--json is no option of mmm-explore emit"),
    (lambda: mmm.explore(help=True), "mmm-explore help prints no JSON; explore_text"),
    (lambda: mmm.explore("layout", "swizzled", width=True), "^width: 1 required"),
    (lambda: mmm.stages("i", mmm.gpu("h100")), "machine is h100; accepted: dmm and umm"),
    (lambda: mmm.stages("i", mmm.gpu("h1000")), "accepted: dmm and umm"),
    (lambda: mmm.pattern("i", mmm.gpu("h1000")), "^machine is .?h1000.?.*h100"),
    (lambda: mmm.cost("sums", mmm.dmm()), "^algorithm is 'sums'; accepted: .*sum"),
    (lambda: mmm.cost("pattern", mmm.dmm()), "^algorithm is 'pattern'; accepted: contiguous"),
    (lambda: mmm.cost("--version", mmm.dmm()), "^algorithm is '--version'; accepted: contiguous"),
    (lambda: mmm.cost("sum", mmm.dmm(), n=-1), "^n is -1; accepted"),
    (lambda: mmm.cost("sum", mmm.dmm(), n=1 << 64), "^n is 18446744073709551616; accepted"),
    (lambda: mmm.cost("sum", mmm.dmm(), p=0), "^p is 0; accepted"),
    (lambda: mmm.cost("sum", mmm.hmm(dmms=3), n=8, p=8), "^p is 8; accepted: multiples of the number of DMMs, 3"),
    (lambda: mmm.cost("sum", mmm.dmm(), n=1 << 62, p=1), "too large together: n 4611686018427387904"),
    (lambda: mmm.cost("sum", mmm.dmm(), taps=3), "^taps is given, but sum does not use it"),
    (lambda: mmm.cost("radix-sort", mmm.hmm(dmms=4, width=4), n=16, p=16), "depends on its input; leave out simulate=False"),
    (lambda: mmm.cost("sum", mmm.dmm(), tap=3), "^tap is no option of mmm-explore"),
])
def test_what_is_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("call, text", [
    (lambda: mmm.stages(33, mmm.dmm()), "expression is 33; accepted: a text"),
    (lambda: mmm.stages("i", "dmm"), "machine is 'dmm'; accepted: what dmm, umm"),
    (lambda: mmm.cost("sum", None), "machine is None; accepted"),
    (lambda: mmm.dmm(32.0), "width is 32.0; accepted: a whole number"),
    (lambda: mmm.gpu(100), "name is 100; accepted: a text"),
    (lambda: mmm.stages("i", mmm.dmm(), size=True), "size is True; accepted: a whole number"),
    (lambda: mmm.stages("i * k", mmm.dmm(), k=1.5), "k is 1.5; accepted: a whole number"),
    (lambda: mmm.cost("sum", mmm.dmm(), n="8"), "n is '8'; accepted: a whole number"),
    (lambda: mmm.cost("sum", mmm.dmm(), size=8), "size is an option; accepted: n"),
    (lambda: mmm.cost("convolution", mmm.dmm(), taps=True), "taps is True; accepted: a number"),
    (lambda: mmm.tensor_map(64, (64,)), "sizes is 64; accepted: a sequence"),
    (lambda: mmm.tensor_map((64,), (6.4,)), "box is 6.4; accepted: a whole number"),
    (lambda: mmm.choose_layout("load 4: i; 0"), "access is 'load 4: i; 0'; accepted: a list"),
])
def test_other_types(call, text):
    with pytest.raises(TypeError, match="^" + text):
        call()


def test_what_does_not_matter_is_a_warning():
    with pytest.warns(UserWarning, match="^ports does not matter") as told:
        mmm.explore("sum", machine="dmm", ports=2, size=64, threads=32, no_simulate=True)
    assert told[0].filename == __file__
