# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmm_device: counts, findings, arrays. One process has one device: that of `mmm_device.start` below."""
import ctypes
import gc
import multiprocessing
import pickle
import subprocess
import sys
import threading

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
    assert repr(c.kernels).startswith("Kernels([Kernel('scale', launches=1")
    with pytest.raises(KeyError, match="0 is no kernel; accepted: scale, spread"):
        c.kernels[0]
    with pytest.raises(KeyError, match="'a.py:1' is no line; accepted: none: the kernels were compiled without lines"):
        c.lines["a.py:1"]


def test_statements_around_exceptions_and_threads(driver):
    c = mmm_device.counted()
    with pytest.raises(ZeroDivisionError), c:
        driver.scale(mmm_device.zeros(4), mmm_device.zeros(4), 1)
        1 / 0
    assert c.kernels["scale"].launches == 1
    with c:
        pass
    assert len(c.kernels) == 0  # those of its last statement
    current = ctypes.c_void_p()
    driver.call("cuCtxGetCurrent", ctypes.byref(current))

    def work():
        driver.call("cuCtxSetCurrent", current)
        for _ in range(25):
            driver.scale(mmm_device.zeros(40), mmm_device.zeros(40), 1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    with mmm_device.counted() as c:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (c.kernels["scale"].launches, c.kernels["scale"].sectors) == (100, 1000)


def of_a_child(connection, values):
    """What a child of the process can do with the device, and with an array of its parent."""
    told = []
    for use in (lambda: mmm_device.counted(gpu="h100"), lambda: mmm_device.counted().__enter__(), lambda: mmm_device.zeros(3),
                lambda: values.numpy() if hasattr(values, "numpy") else None):
        try:
            use()
            told.append("")
        except RuntimeError as error:
            told.append(str(error))
    connection.send(told)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children(method):
    values = mmm_device.zeros(3)
    context = multiprocessing.get_context(method)
    here, there = context.Pipe()
    with mmm_device.counted():
        child = context.Process(target=of_a_child, args=(there, values if method == "fork" else None))
        child.start()
        assert here.poll(60)
        told = here.recv()
        child.join(60)
    assert child.exitcode == 0
    if method == "spawn":
        assert told == [""] * 4
    else:
        assert all("a fork of the one in which the device began" in text and "spawn" in text for text in told)
    with pytest.raises(TypeError, match="stays in its process; accepted: its numpy()"):
        pickle.dumps(values)


def test_one_device_for_a_process():
    with pytest.raises(ValueError, match="gpu is 'a100', but the device of this process is 'h100'"):
        mmm_device.start(gpu="a100")
    with pytest.raises(ValueError, match="check is 'shuffle'"):
        mmm_device.counted(check="shuffle")
    for check in (["race"], True):
        with pytest.raises(TypeError, match="check is .*; accepted: a text, or None"):
            mmm_device.counted(check=check)
    with pytest.raises(TypeError, match="devices is '2'; accepted: a whole number"):
        mmm_device.start(devices="2")
    with pytest.raises(ValueError, match="seed is '7'"):
        mmm_device.start(seed=7)
    with pytest.raises(ValueError, match="gpu is empty"):
        mmm_device.start(gpu="")
    with pytest.raises(RuntimeError, match="nothing was counted yet"):
        mmm_device.counted().kernels
    with pytest.raises(RuntimeError, match="nothing was counted yet"):
        mmm_device.counted().end()
    with pytest.raises(RuntimeError, match="nothing was counted yet"):
        mmm_device.counted().html("page.html")


@pytest.mark.parametrize("code, text", [
    ("mmm_device.start(gpu='h1000')", "ValueError: gpu is 'h1000': .*h100"),
    ("mmm_device.start(gpu='h100\\0')", "ValueError: gpu is .*; accepted: a text without null characters"),
    ("mmm_device.start(gpu=100)", "TypeError: gpu is 100; accepted: a text"),
    ("mmm_device.start(check='races')", 'ValueError: check is "races".*race'),
    ("mmm_device.start(check='race, bounds')", 'ValueError: check is "race, bounds"'),
    ("mmm_device.start(devices=65)", 'ValueError: devices is "65".*1 to 64'),
    ("mmm_device.start(devices=True)", "TypeError: devices is True; accepted: a whole number"),
    ("mmm_device.start(seed=-1)", 'ValueError: seed is "-1".*below 2.64'),
    ("mmm_device.start(memory='x')", 'ValueError: memory is "x".*strong or weak'),
    ("mmm_device.start(suppressions='/none')", "ValueError: suppressions /none: the file cannot be read"),
    ("""
import ctypes
a = mmm_device.array([1.0, 2.0])
ctypes.CDLL("libcuda.so.1").cuDevicePrimaryCtxReset_v2(0)
b = mmm_device.array([3.0, 4.0])
try:
    a.numpy()
except RuntimeError as error:
    del a
    raise SystemExit(f"{error}; {b.numpy()}")
""", r"the array's memory was freed with its context.*\[3. 4.\]"),
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
    for dtype in (object, ">f4", "longdouble", "clongdouble", "datetime64[s]", [("a", "i4")], "float33"):
        for make in (mmm_device.empty, mmm_device.zeros):
            with pytest.raises(ValueError, match="dtype is .*; accepted: integers"):
                make(3, dtype)
    for values in (None, "text", [object()], numpy.arange(3, dtype=">i4")):
        with pytest.raises(ValueError, match="dtype is .*; accepted: integers"):
            mmm_device.array(values)
    for shape in (-1, (2, -1), 3.5, (3.5,), "33", True, (2, None)):
        for make in (mmm_device.empty, mmm_device.zeros):
            with pytest.raises(ValueError, match="shape is .*; accepted: a whole number from 0 on"):
                make(shape)
    for shape in (1 << 45, 1 << 70, (1 << 40, 1 << 40)):
        for make in (mmm_device.empty, mmm_device.zeros):
            with pytest.raises(MemoryError, match="shape is .*, of float32: [0-9]+ bytes"):
                make(shape)
    assert mmm_device.empty(numpy.int64(3)).shape == mmm_device.empty([numpy.uint8(3)]).shape == (3,)
    with pytest.raises(TypeError):
        len(mmm_device.zeros(()))


def test_dlpack():
    values = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
    a = mmm_device.array(values)
    assert type(a.__dlpack__(stream=1, max_version=(1, 0), dl_device=(2, 0), copy=False)).__name__ == "PyCapsule"
    assert type(a.__dlpack__(copy=True)).__name__ == "PyCapsule"
    for device, copy in (((1, 0), False), ((2, 1), None), ((13, 0), True)):
        with pytest.raises(BufferError, match=r"dl_device is .*; accepted: \(2, 0\), or \(1, 0\) for a copy"):
            a.__dlpack__(dl_device=device, copy=copy)

    class OnTheHost:
        def __dlpack__(self, **_):
            return a.__dlpack__(dl_device=(1, 0))

        def __dlpack_device__(self):
            return 1, 0

    assert (numpy.from_dlpack(OnTheHost()) == values).all()


def test_memory_is_freed():
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
