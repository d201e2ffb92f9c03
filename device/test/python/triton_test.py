# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Triton on the device in software: a sum of vectors, softmax, a product of matrices (autotuned), layer
normalization forwards and backwards, attention, and a copy by tensor maps that the kernel makes. Run by mmm-run; compared with numpy.

  mmm-run [--check all] python triton_test.py [NAME ...]
  mmm-run --check all python triton_test.py mistake
"""
import sys

import numpy
import triton
import triton.language as tl
from arrays import Array, begin

random = numpy.random.default_rng(1)


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


def add():
    n = 9843
    x, y = random.random((2, n), dtype=numpy.float32)
    a, b, c = Array(x), Array(y), Array(numpy.zeros(n, numpy.float32))
    add_kernel[(triton.cdiv(n, 1024),)](a, b, c, n, BLOCK=1024)
    compare(c.get(), x + y, 0)
    a.free(), b.free()


@triton.jit
def softmax_kernel(x, out, rows, columns, step, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    column = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        v = tl.load(x + row * step + column, mask=column < columns, other=-float("inf"))
        e = tl.exp(v - tl.max(v, axis=0))
        tl.store(out + row * step + column, e / tl.sum(e, axis=0), mask=column < columns)


def softmax():
    x = random.standard_normal((37, 781), dtype=numpy.float32)
    a, b = Array(x), Array(numpy.zeros_like(x))
    softmax_kernel[(8,)](a, b, *x.shape, x.shape[1], BLOCK=1024, STAGES=2, num_warps=8)
    e = numpy.exp(x - x.max(1, keepdims=True))
    compare(b.get(), e / e.sum(1, keepdims=True), 1e-6)
    a.free()


@triton.autotune(configs=[triton.Config({"M": 64, "N": 32, "K": 32, "GROUP": 4}, num_stages=3, num_warps=4)], key=["m", "n", "k"])
@triton.jit
def product_kernel(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr):
    number = tl.program_id(0)
    down, across = tl.cdiv(m, M), tl.cdiv(n, N)
    group = number // (GROUP * across)
    height = min(down - group * GROUP, GROUP)
    i = group * GROUP + (number % (GROUP * across)) % height
    j = (number % (GROUP * across)) // height
    row, column, inner = i * M + tl.arange(0, M), j * N + tl.arange(0, N), tl.arange(0, K)
    left = a + (row % m)[:, None] * k + inner[None, :]
    right = b + inner[:, None] * n + (column % n)[None, :]
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, K)):
        x = tl.load(left, mask=inner[None, :] < k - step * K, other=0.0)
        y = tl.load(right, mask=inner[:, None] < k - step * K, other=0.0)
        total = tl.dot(x, y, total)
        left += K
        right += K * n
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.float16), mask=(row[:, None] < m) & (column[None, :] < n))


def product():
    m, n, k = 150, 72, 88
    x = random.standard_normal((m, k)).astype(numpy.float16)
    y = random.standard_normal((k, n)).astype(numpy.float16)
    a, b, c = Array(x), Array(y), Array(numpy.zeros((m, n), numpy.float16))
    product_kernel[lambda meta: (triton.cdiv(m, meta["M"]) * triton.cdiv(n, meta["N"]),)](a, b, c, m, n, k)
    compare(c.get(), (x.astype(numpy.float32) @ y.astype(numpy.float32)), 3e-2)
    a.free(), b.free()


@triton.jit
def norm_kernel(x, y, w, b, mean, scale, step, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * step
    y += row * step
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < n, other=0.0)
    middle = tl.sum(total, axis=0) / n
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        v = tl.where(at < n, tl.load(x + at, mask=at < n, other=0.0) - middle, 0.0)
        total += v * v
    s = 1 / tl.sqrt(tl.sum(total, axis=0) / n + eps)
    tl.store(mean + row, middle)
    tl.store(scale + row, s)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        v = (tl.load(x + at, mask=at < n, other=0.0) - middle) * s
        tl.store(y + at, v * tl.load(w + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


@triton.jit
def norm_gradient_kernel(dy, x, mean, scale, dw, lock, step, n, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    """The gradients of the weights of a row are added to one of GROUP sums, under a lock."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = (tl.load(x + row * step + at, mask=at < n, other=0.0) - tl.load(mean + row)) * tl.load(scale + row)
    part = tl.load(dy + row * step + at, mask=at < n, other=0.0) * v
    lock += row % GROUP
    dw += (row % GROUP) * n
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(lock + GROUP) == 0:
        tl.atomic_xchg(lock + GROUP, 1)
    else:
        part += tl.load(dw + at, mask=at < n)
    tl.store(dw + at, part, mask=at < n)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


def norm():
    rows, n, group = 23, 300, 4
    x, dy = random.standard_normal((2, rows, n), dtype=numpy.float32)
    w, b = random.random((2, n), dtype=numpy.float32)
    arrays = [Array(v) for v in (x, numpy.zeros_like(x), w, b, numpy.zeros(rows, numpy.float32), numpy.zeros(rows, numpy.float32))]
    norm_kernel[(rows,)](*arrays, n, n, 1e-5, BLOCK=256)
    middle, s = x.mean(1, keepdims=True), 1 / numpy.sqrt(x.var(1, keepdims=True) + 1e-5)
    gradients, locks = Array(numpy.zeros((group, n), numpy.float32)), Array(numpy.zeros(2 * group, numpy.int32))
    given = Array(dy)
    norm_gradient_kernel[(rows,)](given, arrays[0], arrays[4], arrays[5], gradients, locks, n, n, GROUP=group, BLOCK=512, num_warps=2)
    compare(arrays[1].get(), (x - middle) * s * w + b, 1e-4)
    compare(gradients.get().sum(0), (dy * (x - middle) * s).sum(0), 1e-3)
    for a in (*arrays, locks, given):
        a.free()


@triton.jit
def attention_kernel(q, k, v, out, scale, heads, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    first = tl.program_id(0) * M
    base = tl.program_id(1) * length * D
    row, inner, column = first + tl.arange(0, M), tl.arange(0, D), tl.arange(0, N)
    x = tl.load(q + base + row[:, None] * D + inner[None, :])
    top = tl.full([M], -float("inf"), dtype=tl.float32)
    weight = tl.zeros([M], dtype=tl.float32)
    total = tl.zeros([M, D], dtype=tl.float32)
    end = first + M if CAUSAL else length
    for begin_of_keys in range(0, end, N):
        key = begin_of_keys + column
        score = tl.dot(x, tl.load(k + base + key[None, :] * D + inner[:, None])) * scale
        if CAUSAL:
            score = tl.where(row[:, None] >= key[None, :], score, -1.0e6)
        higher = tl.maximum(top, tl.max(score, 1))
        p = tl.math.exp2(score - higher[:, None])
        shrink = tl.math.exp2(top - higher)
        weight = weight * shrink + tl.sum(p, 1)
        total = tl.dot(p.to(tl.float16), tl.load(v + base + key[:, None] * D + inner[None, :]), total * shrink[:, None])
        top = higher
    tl.store(out + base + row[:, None] * D + inner[None, :], (total / weight[:, None]).to(tl.float16))


def attention():
    heads, length, d = 2, 128, 32
    q, k, v = random.standard_normal((3, heads, length, d)).astype(numpy.float16)
    for causal in (False, True):
        arrays = [Array(x) for x in (q, k, v, numpy.zeros_like(q))]
        scale = 1.44269504 / d**0.5
        attention_kernel[(length // 64, heads)](*arrays, scale, heads, length, M=64, N=32, D=d, CAUSAL=causal, num_warps=4, num_stages=3)
        s = q.astype(numpy.float32) @ k.astype(numpy.float32).transpose(0, 2, 1) / d**0.5
        if causal:
            s = numpy.where(numpy.tril(numpy.ones((length, length), bool)), s, -numpy.inf)
        p = numpy.exp(s - s.max(-1, keepdims=True))
        compare(arrays[3].get(), p / p.sum(-1, keepdims=True) @ v.astype(numpy.float32), 1e-2)
        for a in arrays:
            a.free()


@triton.jit
def double_kernel(x, out, rows, columns, M: tl.constexpr, N: tl.constexpr):
    given = tl.make_tensor_descriptor(x, shape=[rows, columns], strides=[columns, 1], block_shape=[M, N])
    made = tl.make_tensor_descriptor(out, shape=[rows, columns], strides=[columns, 1], block_shape=[M, N])
    i, j = tl.program_id(0) * M, tl.program_id(1) * N
    made.store([i, j], given.load([i, j]) * 2)


def descriptors():
    """The tensor maps are made by tensormap.replace, in memory that Triton asks for."""
    triton.set_allocator(lambda size, align, stream: Array(numpy.zeros(size, numpy.int8)))
    x = random.standard_normal((100, 72)).astype(numpy.float16)
    a, b = Array(x), Array(numpy.zeros_like(x))
    double_kernel[(4, 2)](a, b, 100, 72, M=32, N=64)
    compare(b.get(), 2 * x.astype(numpy.float32), 0)
    Array.free_all()


@triton.jit
def double_without_mask(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at)  # finding: bounds
    tl.store(out + at, v * 2, mask=at < n)


def mistake():
    """The last block loads what lies behind the vector, and the device's memory is not to be had any more."""
    a, b = Array(numpy.zeros(1000, numpy.float32)), Array(numpy.zeros(1000, numpy.float32))
    double_without_mask[(4,)](a, b, 1000, BLOCK=256)
    b.get()


def compare(found, expected, error):
    far = numpy.abs(found.astype(numpy.float32) - expected).max()
    assert far <= error, f"a word is off by {far}, more than {error}"


if __name__ == "__main__":
    begin()
    for name in sys.argv[1:] or ("add", "softmax", "product", "norm", "attention", "descriptors"):
        globals()[name]()
        print(name, "is right", flush=True)
