# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuPy on the device in software: its kernels in CUDA C++ (RawKernel, RawModule), those that it makes (elementwise,
reductions, fused, in Python), its arrays, and streams, events, graphs and pools. Run by mmm-run; compared with numpy.

  mmm-run [--check all] python cupy_test.py [NAME ...]
  mmm-run --check all python cupy_test.py mistake
  mmm-run python cupy_test.py sort|random|product

The last form asks for what CuPy's binary parts, or NVIDIA's libraries, have as machine code.
"""
import sys
import warnings

import cupy
import numpy
from source_lines import from_here

random = numpy.random.default_rng(1)

ADD = from_here(r'''
extern "C" __global__ void add_kernel(float const* a, float const* b, float* sum, int n) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}''')


def raw():
    a, b = random.random((2, 1000), dtype=numpy.float32)
    out = cupy.zeros(1000, numpy.float32)
    kernel = cupy.RawKernel(ADD, "add_kernel", options=("-lineinfo",))
    kernel((4,), (256,), (cupy.asarray(a), cupy.asarray(b), out, numpy.int32(1000)))
    equal(out, a + b)
    assert kernel.max_threads_per_block == 1024


MODULE = r'''
#include <cooperative_groups.h>
__constant__ int factors[4];
template <class T> __global__ void scale(T* x, T by) { x[threadIdx.x] *= by; }
extern "C" __global__ void factor(int* out) { out[threadIdx.x] = factors[threadIdx.x]; }
extern "C" __global__ void turned(int* in, int* out) {
  in[blockIdx.x] = blockIdx.x;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x] = in[(blockIdx.x + 1) % gridDim.x];
}'''


def module():
    made = cupy.RawModule(code=MODULE, options=("-std=c++17",), name_expressions=["scale<double>"], enable_cooperative_groups=True)
    x = cupy.arange(32.0)
    made.get_function("scale<double>")((1,), (32,), (x, 3.0))
    equal(x, numpy.arange(32.0) * 3)
    factors = cupy.ndarray(4, numpy.int32, made.get_global("factors"))
    factors[:] = cupy.asarray([5, 6, 7, 8])
    out = cupy.zeros(4, numpy.int32)
    made.get_function("factor")((1,), (4,), (out,))
    equal(out, [5, 6, 7, 8])
    words, out = cupy.zeros((2, 8), numpy.int32)
    made.get_function("turned")((8,), (1,), (words, out))
    equal(out, [1, 2, 3, 4, 5, 6, 7, 0])
    try:
        cupy.RawKernel('extern "C" __global__ void f() { wrong }', "f").compile()
        raise AssertionError("wrong code is compiled")
    except cupy.cuda.compiler.CompileException as e:
        assert "wrong" in str(e)


def elementwise():
    kernel = cupy.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference")
    for number in numpy.float32, numpy.float64, numpy.int32:
        x = (random.random((37, 21)) * 100).astype(number)
        equal(kernel(cupy.asarray(x), number(3)), (x - number(3)) ** 2)
    raised = cupy.ElementwiseKernel("raw T x", "T y", "y = x[i] + x[(i + 1) % _ind.size()]", "neighbours")
    x = random.integers(0, 100, 50)
    equal(raised(cupy.asarray(x), size=50), x + numpy.roll(x, -1))


def reduction():
    norm = cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
    x = random.random((40, 50))
    close(norm(cupy.asarray(x)), numpy.linalg.norm(x))
    for axis in 0, 1:
        close(norm(cupy.asarray(x), axis=axis), numpy.linalg.norm(x, axis=axis))


def functions():
    x, y = random.random((2, 500))
    a, b = cupy.asarray(x), cupy.asarray(y)
    for name in "exp log sqrt cbrt sin cos tan arcsin arctan sinh tanh floor ceil rint sign expm1 log1p".split():
        close(getattr(cupy, name)(a), getattr(numpy, name)(x))
    for name in "add subtract multiply divide power maximum arctan2 hypot fmod floor_divide".split():
        close(getattr(cupy, name)(a, b), getattr(numpy, name)(x, y))
    for kind in "bBhHiIlLefdFD?":
        x = (numpy.arange(200) % 5).astype(kind)
        equal(cupy.asarray(x) + cupy.asarray(x), x + x)


def arrays():
    x = random.random((50, 60))
    a, at = cupy.asarray(x), numpy.array([3, 1, 4])
    equal(a[::2, 3:7], x[::2, 3:7])
    equal(a[cupy.asarray(at)], x[at])
    equal(a[a > 0.5], x[x > 0.5])
    equal(a.T.copy(), x.T)
    equal(cupy.where(a > 0.5, a, 0), numpy.where(x > 0.5, x, 0))
    equal(cupy.concatenate([a, a]), numpy.concatenate([x, x]))
    equal(cupy.from_dlpack(a), x)
    for name in "sum mean var min max prod argmin argmax".split():
        for axis in None, 0, 1:
            close(getattr(cupy, name)(a, axis=axis), getattr(numpy, name)(x, axis=axis))
    long = random.integers(0, 10, 70000)
    equal(cupy.cumsum(cupy.asarray(long)), numpy.cumsum(long))
    equal(cupy.bincount(cupy.asarray(long)), numpy.bincount(long))
    close(cupy.dot(a[0], a[1]), x[0] @ x[1])


def compiled():
    @cupy.fuse()
    def length(x, y):
        return cupy.sqrt(x * x + y * y)

    x, y = random.random((2, 100))
    close(length(cupy.asarray(x), cupy.asarray(y)), numpy.sqrt(x * x + y * y))
    warnings.simplefilter("ignore")  # cupyx.jit is experimental, it says
    from cupyx import jit

    @jit.rawkernel()
    def twice(x, out, n):
        i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
        if i < n:
            out[i] = x[i] * 2

    a, out = cupy.asarray(x), cupy.zeros(100)
    twice((1,), (128,), (a, out, numpy.uint32(100)))
    equal(out, x * 2)


def streams():
    side, done = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Event()
    with side:
        x = cupy.arange(1000) * 2
        done.record()
    cupy.cuda.Stream.null.wait_event(done)
    equal(x, numpy.arange(1000) * 2)
    with side:
        x = cupy.zeros(10)
        side.begin_capture()
        x += 1
        graph = side.end_capture()
        graph.launch(side)
        graph.launch(side)
    side.synchronize()
    equal(x, numpy.full(10, 2.0))
    pinned = numpy.frombuffer(cupy.cuda.alloc_pinned_memory(800), numpy.float64, 100)
    pinned[:] = 5
    x = cupy.empty(100)
    x.set(pinned, stream=side)
    side.synchronize()
    equal(x, pinned)
    for pool in cupy.cuda.MemoryPool(cupy.cuda.malloc_managed), cupy.cuda.MemoryAsyncPool():
        with cupy.cuda.using_allocator(pool.malloc):
            assert int(cupy.arange(100).sum()) == 4950


ABOVE = from_here(r'''
extern "C" __global__ void above(float const* x, float* out) {
  float const v = x[threadIdx.x];  // finding: uninitialized
  out[threadIdx.x] = 0;
  if (v > 1) out[threadIdx.x] = v;
}''')


def mistake():
    """A kernel decides by the words of a new array, which nobody wrote."""
    kernel = cupy.RawKernel(ABOVE, "above", options=("-lineinfo",))
    kernel((1,), (32,), (cupy.empty(32, numpy.float32), cupy.zeros(32, numpy.float32)))
    cupy.cuda.Device().synchronize()
    sys.exit()


def sort():
    cupy.sort(cupy.arange(10)[::-1])


def product():
    cupy.ones((4, 4)) @ cupy.ones((4, 4))


def equal(found, expected):
    assert numpy.array_equal(cupy.asnumpy(found), expected), f"{found} instead of {expected}"


def close(found, expected):
    assert numpy.allclose(cupy.asnumpy(found), expected, rtol=1e-12, atol=1e-300), f"{found} instead of {expected}"


if __name__ == "__main__":
    for name in sys.argv[1:] or ("raw", "module", "elementwise", "reduction", "functions", "arrays", "compiled", "streams"):
        cupy.random.rand(4) if name == "random" else globals()[name]()
        print(name, "is right", flush=True)
