# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmm_device: counts, findings, arrays. One process has one device: that of `mmm_device.start` below."""
import gc
import subprocess
import sys

import mmm_device
import numpy
import pytest
from driver_calls import Driver

mmm_device.start(gpu="h100", check="all")


@pytest.fixture(scope="module")
def driver():
    return Driver()


def test_counts_of_a_kernel(driver):
    for n in (1, 31, 32, 128, 1000, 10007):
        values = numpy.arange(n, dtype=numpy.float32)
        x, out = mmm_device.array(values), mmm_device.empty(n)
        with mmm_device.counted(gpu="h100", check="all") as c:
            driver.scale(x, out, 3)
            driver.scale(x, out, 2)
        assert (out.numpy() == 2 * values).all()
        kernel = c.kernels["scale"]
        warps, sectors = -(-n // 32), -(-n // 8)
        assert (kernel.launches, kernel.failed) == (2, 0)
        assert kernel.global_.load == mmm_device.Requests(2 * warps, 2 * sectors, 2 * sectors)
        assert kernel.global_.store == kernel.global_.load
        assert (kernel.sectors, kernel.excess_sectors, kernel.wavefronts) == (4 * sectors, 0, 0)
        assert sum(line.instructions for line in c.lines) == kernel.instructions == sum(kernel.instructions_by_kind.values())
        c.assert_no_findings()
        c.assert_conflict_free()


def test_findings_and_conflicts(driver, tmp_path):
    out = mmm_device.empty(64, "int32")
    with mmm_device.counted() as outer:
        with mmm_device.counted(check="race") as races, mmm_device.counted(check="bounds,leak") as others:
            driver.spread(out)
            assert outer.kernels["spread"].launches == 1  # before the end
        driver.spread(out)
    assert outer.kernels["spread"].launches == 2
    assert races.kernels["spread"].launches == 1
    assert [f.check for f in races.findings] == ["race"] and races.findings[0].kernel == "spread"
    assert others.findings == []
    with pytest.raises(AssertionError, match="1 finding:\n.*race"):
        races.assert_no_findings()
    with pytest.raises(AssertionError, match="spread: 128 wavefronts where 4 would do"):
        races.assert_conflict_free()
    with pytest.raises(AssertionError, match="bank conflicts"):
        races.assert_conflict_free("spread")
    assert "race" in str(races) and "spread" in str(races)
    assert "<td>spread</td>" in races._repr_html_() and "race" in races._repr_html_()
    races.html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "spread" in page and "Findings" in page


def test_names_of_kernels_and_lines(driver):
    with mmm_device.counted() as c:
        pass
    assert str(c) == "no kernel was launched" and len(c.kernels) == 0
    with pytest.raises(KeyError, match="no kernel was launched"):
        c.kernels["scale"]
    with mmm_device.counted() as c:
        driver.scale(mmm_device.zeros(4), mmm_device.zeros(4), 1)
        driver.spread(mmm_device.zeros(64))
    assert list(c.kernels) == ["scale", "spread"]
    with pytest.raises(KeyError, match="scale, spread"):
        c.kernels["scal"]
    with pytest.raises(KeyError, match="no line"):
        c.lines["a.py:1"]


def test_one_device_for_a_process():
    with pytest.raises(ValueError, match="gpu is 'a100', but the device of this process is 'h100'"):
        mmm_device.start(gpu="a100")
    with pytest.raises(ValueError, match="check is 'shuffle'"):
        mmm_device.counted(check="shuffle")
    with pytest.raises(ValueError, match="seed is '7'"):
        mmm_device.start(seed=7)
    with pytest.raises(ValueError, match="gpu is empty"):
        mmm_device.start(gpu="")
    with pytest.raises(RuntimeError, match="nothing was counted yet"):
        mmm_device.counted().kernels


@pytest.mark.parametrize("code, text", [
    ("mmm_device.start(gpu='h1000')", "ValueError: .*h1000.*h100"),
    ("mmm_device.start(check='races')", "ValueError: .*races.*race"),
    ("mmm_device.start(devices=65)", "ValueError: .*65.*1 to 64"),
    ("""
import ctypes
try:
    with mmm_device.counted() as c:
        print(ctypes.CDLL("libcuda.so.1").cuCheckpointProcessLock(0, None))
except mmm_device.Unsupported as error:
    raise SystemExit(f"Unsupported: {error}")
""", "Unsupported: cuCheckpointProcessLock is not supported"),
])
def test_what_is_refused(code, text):
    r = subprocess.run([sys.executable, "-c", "import mmm_device\n" + code], capture_output=True, text=True)
    assert r.returncode == 1
    assert __import__("re").search(text, r.stderr, __import__("re").DOTALL), r.stderr


def test_a_quiet_process():
    """Nothing is printed about kernels that nobody asks for, and what was printed by default is in no file."""
    code = "from driver_calls import Driver; d = Driver(); d.scale(mmm_device.zeros(9), mmm_device.zeros(9), 2)"
    r = subprocess.run([sys.executable, "-c", "import mmm_device\n" + code], capture_output=True, text=True, cwd=__file__.rsplit("/", 1)[0])
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")


@pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 4), (2, 0, 3), (2, 3, 4)])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "uint8", "bool", "complex64"])
def test_arrays(shape, dtype):
    values = numpy.arange(numpy.prod(shape)).reshape(shape).astype(dtype)
    a = mmm_device.array(values)
    assert (a.shape, a.dtype, a.size, a.nbytes, a.ndim, a.strides) == (values.shape, values.dtype, values.size, values.nbytes, values.ndim,
                                                                     tuple(values.itemsize * numpy.prod(shape[k + 1:], dtype=int)
                                                                           for k in range(len(shape))))
    assert (a.numpy() == values).all() and a.copy_to_host().dtype == values.dtype and (numpy.asarray(a) == values).all()
    interface = a.__cuda_array_interface__
    assert interface["data"] == (a.data_ptr(), False) and interface["shape"] == shape and interface["typestr"] == values.dtype.str
    assert a.__dlpack_device__() == (2, 0) and type(a.__dlpack__()).__name__ == "PyCapsule"


def test_rows_that_are_not_in_order():
    values = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
    assert (mmm_device.array(values.T).numpy() == values.T).all()
    assert (mmm_device.array([[1, 2], [3, 4]], "int32").numpy() == [[1, 2], [3, 4]]).all()


def test_what_arrays_refuse():
    a = mmm_device.zeros((2, 3))
    with pytest.raises(ValueError, match=r"shape \(3, 2\); accepted: \(2, 3\)"):
        a.copy_from_host(numpy.zeros((3, 2)))
    with pytest.raises(ValueError, match="dtype is object"):
        mmm_device.empty(3, object)
    with pytest.raises(ValueError, match="dtype is >f4"):
        mmm_device.empty(3, ">f4")
    with pytest.raises(ValueError, match="shape is"):
        mmm_device.empty(-1)
    with pytest.raises(TypeError):
        len(mmm_device.zeros(()))


def test_memory_is_freed():
    import ctypes
    free, total = ctypes.c_size_t(), ctypes.c_size_t()

    def left():
        gc.collect()
        assert ctypes.CDLL("libcuda.so.1").cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)) == 0
        return free.value

    a = mmm_device.empty(1 << 20)
    before = left()
    capsule = a.__dlpack__()
    del a
    assert left() == before  # the capsule holds it
    del capsule
    assert left() > before
