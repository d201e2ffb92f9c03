# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tinygrad on the device in software: a product of matrices, softmax, a convolution, a step of training, and a step that
is captured into a graph. Run by mmm-run; compared with numpy.

  DEV=CUDA|CUDA:PTX mmm-run [--check all] python tinygrad_test.py [NAME ...]
  DEV=CUDA|CUDA:PTX mmm-run --check all python tinygrad_test.py mistake
"""
import ctypes
import sys

import numpy
from tinygrad import Context, Device, Tensor, TinyJit, dtypes, nn

random = numpy.random.default_rng(1)


def normal(*shape):
    return random.standard_normal(shape, dtype=numpy.float32)


def product():
    a, b = normal(37, 50), normal(50, 21)
    compare((Tensor(a) @ Tensor(b)).numpy(), a @ b, 1e-4)


def half_product():
    """Its shapes are those of the tensor cores, which tinygrad then uses."""
    a, b = normal(64, 64).astype(numpy.float16), normal(64, 64).astype(numpy.float16)
    compare(Tensor(a).matmul(Tensor(b), dtype=dtypes.float).numpy(), a.astype(numpy.float32) @ b.astype(numpy.float32), 1e-3)


def softmax():
    x = normal(19, 130)
    e = numpy.exp(x - x.max(1, keepdims=True))
    compare(Tensor(x).softmax().numpy(), e / e.sum(1, keepdims=True), 1e-6)


def convolution():
    x, w = normal(2, 3, 10, 11), normal(4, 3, 3, 3)
    windows = numpy.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))
    compare(Tensor(x).conv2d(Tensor(w)).numpy(), numpy.einsum("bchwij,ocij->bohw", windows, w), 1e-4)


def numpy_step(x, y, w, v, rate):
    """The weights of two layers, with a rectifier between them, after a step down the gradient of the mean square error."""
    hidden = x @ w
    error = 2 * (numpy.maximum(hidden, 0) @ v - y) / y.size
    back = (error @ v.T) * (hidden > 0)
    return w - rate * x.T @ back, v - rate * numpy.maximum(hidden, 0).T @ error


def training():
    x, y, w, v = normal(32, 20), normal(32, 5), normal(20, 16), normal(16, 5)
    weights = [Tensor(w), Tensor(v)]
    optimizer = nn.optim.SGD(weights, lr=0.1)
    with Context(TRAINING=1):
        ((Tensor(x) @ weights[0]).relu() @ weights[1] - Tensor(y)).square().mean().backward()
        optimizer.step()
    for found, expected in zip(weights, numpy_step(x, y, w, v, numpy.float32(0.1))):
        compare(found.numpy(), expected, 1e-4)


def graph():
    """TinyJit captures the kernels of its second call into a graph, which the later calls launch."""
    @TinyJit
    def two_sums(a, b):
        return (a + b).sum(0).realize(), (a * b).sum(1).realize()

    for _ in range(4):
        a, b = normal(40, 30), normal(40, 30)
        first, second = two_sums(Tensor(a).realize(), Tensor(b).realize())
        compare(first.numpy(), (a + b).sum(0), 1e-4)
        compare(second.numpy(), (a * b).sum(1), 1e-4)


def mistake():
    """A tensor is said to have a word more than its memory."""
    Device[Device.DEFAULT].synchronize()  # tinygrad's context is current
    address, driver = ctypes.c_uint64(), ctypes.CDLL("libcuda.so.1")
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(4000)) == 0
    assert driver.cuMemsetD32_v2(address, 0, ctypes.c_size_t(1000)) == 0
    Tensor.from_blob(address.value, (1001,), dtype=dtypes.float).sum().numpy()  # finding: bounds


def compare(found, expected, error):
    far = numpy.abs(found - expected).max()
    assert far <= error, f"a word is off by {far}, more than {error}"


if __name__ == "__main__":
    assert Device.DEFAULT == "CUDA", f"the device is {Device.DEFAULT}"
    for name in sys.argv[1:] or ("product", "half_product", "softmax", "convolution", "training", "graph"):
        globals()[name]()
        print(name, "is right", flush=True)
