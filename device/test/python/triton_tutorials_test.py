# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of Triton's tutorials 1, 2, 3, 5 and 6, unchanged, on the device in software. Run by mmm-run; compared with
numpy.

  mmm-run [--check all] python triton_tutorials_test.py FOLDER [NAME ...]

FOLDER is python/tutorials of Triton's repository. Its programs need torch, whose own kernels are machine code: a tutorial's
statements that kernels need are executed, each at its own lines, and others are not. Kernels that are tuned run with each of
their configurations, --quick: with the first.
"""
import argparse
import ast
import pathlib
import types

import numpy
import triton
from arrays import Array, Float8, begin
from triton.tools.tensor_descriptor import TensorDescriptor

random = numpy.random.default_rng(1)
parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("names", nargs="*")
parser.add_argument("--quick", action="store_true")
options = parser.parse_args()
begin()
#: The version of the GPU: (9, 0).
GPU = divmod(triton.runtime.driver.active.get_current_target().arch, 10)


def statements_of(path, functions):
    """The imports at the top of a program, and the statements there that define functions and what they name."""
    def outer(statement):  # its nodes, without those in functions
        yield statement
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            for child in ast.iter_child_nodes(statement):
                yield from outer(child)

    def names(nodes, context):
        return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, context)}

    def named(statement):
        nodes = list(ast.walk(statement))
        own = names(nodes, ast.Store) | {n.arg for n in nodes if isinstance(n, ast.arg)}
        return names(nodes, ast.Load) - (own if isinstance(statement, ast.FunctionDef) else set())

    top = ast.parse(path.read_text()).body
    defines = [names(outer(s), ast.Store) | {s.name for s in outer(s) if isinstance(s, ast.FunctionDef)} for s in top]
    wanted = set(functions)
    while True:
        chosen = [s for s, defined in zip(top, defines) if defined & wanted]
        more = set().union(*map(named, chosen)) - wanted
        if not more:
            break
        wanted |= more
    imports = [s for s in top if isinstance(s, (ast.Import, ast.ImportFrom)) and not {"torch", "pytest"} & {a.name for a in s.names}]
    return imports + chosen


def tutorial(name, *functions):
    """Functions of a tutorial. All that their statements need of torch is the GPU's version."""
    path = options.folder / f"{name}.py"
    torch = types.SimpleNamespace(cuda=types.SimpleNamespace(get_device_capability=lambda: GPU))
    values = {"__name__": name, "torch": torch}
    exec(compile(ast.Module(statements_of(path, functions), []), path, "exec"), values)
    return [values[function] for function in functions]


def configurations(kernel):
    """A tuned kernel with one of its configurations after the other, so that none is timed, which needs torch."""
    for configuration in kernel.configs[:1] if options.quick else list(kernel.configs):
        kernel.configs = [configuration]
        yield configuration


def zeros(like, dtype=None):
    return Array(numpy.zeros(like, dtype or numpy.float16) if isinstance(like, tuple) else numpy.zeros_like(like))


def vector_add():
    kernel, = tutorial("01-vector-add", "add_kernel")
    x, y = random.random((2, 98432), dtype=numpy.float32)
    a, b, c = Array(x), Array(y), zeros(x)
    kernel[lambda meta: (triton.cdiv(x.size, meta["BLOCK_SIZE"]),)](a, b, c, x.size, BLOCK_SIZE=1024)
    compare(c.get(), x + y, 0)


def softmax():
    """As many programs as the device says that its multiprocessors hold."""
    kernel, = tutorial("02-fused-softmax", "softmax_kernel")
    gpu = triton.runtime.driver.active.utils.get_device_properties(0)
    x = random.standard_normal((1823, 781), dtype=numpy.float32)
    a, b = Array(x), zeros(x)
    stages = 4 if gpu["max_shared_mem"] > 200000 else 2
    compiled = kernel.warmup(b, a, 781, 781, *x.shape, BLOCK_SIZE=1024, num_stages=stages, num_warps=8, grid=(1,))
    compiled._init_handles()
    held = min(gpu["max_num_regs"] // (compiled.n_regs * 32 * 8), gpu["max_shared_mem"] // compiled.metadata.shared)
    compiled[(min(gpu["multiprocessor_count"] * held, len(x)), 1, 1)](b, a, 781, 781, *x.shape, 1024, stages)
    e = numpy.exp(x - x.max(1, keepdims=True))
    compare(b.get(), e / e.sum(1, keepdims=True), 1e-6)


def product():
    kernel, = tutorial("03-matrix-multiplication", "matmul_kernel")
    m, n, k = 300, 200, 136
    x, y = random.random((m, k)) - 0.5, random.random((k, n)) - 0.5
    for configuration in configurations(kernel):
        for small in (False, True):
            p, q = (Float8.of(x), Float8.of(y)) if small else (x.astype(numpy.float16), y.astype(numpy.float16))
            a, b, c = Array(p, Float8() if small else None), Array(q, Float8() if small else None), zeros((m, n))
            grid = lambda meta: (triton.cdiv(m, meta["BLOCK_SIZE_M"]) * triton.cdiv(n, meta["BLOCK_SIZE_N"]),)
            kernel[grid](a, b, c, m, n, k, k, 1, n, 1, n, 1, ACTIVATION="leaky_relu")
            p, q = (Float8.values(v).astype(numpy.float32) if small else v.astype(numpy.float32) for v in (p, q))
            compare(c.get(), numpy.where(p @ q >= 0, p @ q, 0.01 * (p @ q)), 1e-2, configuration)


def norm():
    forwards, backwards, sums = tutorial("05-layer-norm", "_layer_norm_fwd_fused", "_layer_norm_bwd_dx_fused", "_layer_norm_bwd_dwdb")
    rows, n, group = 151, 1000, 256
    x, dy = (random.standard_normal((2, rows, n)) * [[[0.5]], [[0.1]]]).astype(numpy.float16)
    w, b = random.random((2, n)).astype(numpy.float16)
    a, y, weights, biases, mean, scale = Array(x), zeros(x), Array(w), Array(b), zeros((rows,), numpy.float32), zeros((rows,), numpy.float32)
    forwards[(rows,)](a, y, weights, biases, mean, scale, n, n, 1e-5, BLOCK_SIZE=1024, num_warps=4, num_ctas=1)
    x, dy, w, b = (v.astype(numpy.float32) for v in (x, dy, w, b))
    s = 1 / numpy.sqrt(x.var(1, keepdims=True) + 1e-5)
    unit = (x - x.mean(1, keepdims=True)) * s
    compare(y.get(), unit * w + b, 1e-2)
    dx, given, locks = zeros((rows, n)), Array(dy.astype(numpy.float16)), zeros((2 * group,), numpy.int32)
    dw, db, sum_dw, sum_db = zeros((group, n)), zeros((group, n)), zeros((n,)), zeros((n,))
    backwards[(rows,)](dx, given, dw, db, a, weights, mean, scale, locks, n, n, BLOCK_SIZE_N=1024, GROUP_SIZE_M=group,
                                         num_warps=4)
    sums[lambda meta: (triton.cdiv(n, meta["BLOCK_SIZE_N"]),)](dw, db, sum_dw, sum_db, min(group, rows), n, BLOCK_SIZE_M=32,
                                                                                  BLOCK_SIZE_N=128, num_ctas=1)
    slope = w * dy
    compare(dx.get(), (slope - unit * (unit * slope).mean(1, keepdims=True) - slope.mean(1, keepdims=True)) * s, 1e-2)
    compare(sum_dw.get(), (dy * unit).sum(0), 1e-2)
    compare(sum_db.get(), dy.sum(0), 1e-2)


def attention():
    """Forwards with tensor maps, and backwards; with a mask and without."""
    forwards, prepare, backwards = tutorial("06-fused-attention", "_attn_fwd", "_attn_bwd_preprocess", "_attn_bwd")
    z, heads, length, d, scale = 1, 2, 256, 64, 0.5
    q, k, v, do = (random.standard_normal((4, z, heads, length, d)) * 0.5).astype(numpy.float16)
    wide = [x.astype(numpy.float32) for x in (q, k, v, do)]
    total = z * heads * length
    triton.set_allocator(lambda size, align, stream: zeros((size,), numpy.int8))
    every = forwards.configs
    for causal in (False, True):
        s = wide[0] @ wide[1].swapaxes(2, 3) * scale
        s = numpy.where(numpy.tril(numpy.ones((length, length), bool)), s, -numpy.inf) if causal else s
        p = numpy.exp(s - s.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        out = p @ wide[2]
        stage = 3 if causal else 1
        forwards.configs = [c for c in every if c.kwargs["BLOCK_N"] <= d and (not causal or c.kwargs["BLOCK_M"] >= c.kwargs["BLOCK_N"])]
        for configuration in configurations(forwards):
            a, o, m = [Array(x) for x in (q, k, v)], zeros(q), zeros((z, heads, length), numpy.float32)
            maps = [TensorDescriptor(x, [total, d], [d, 1], [1, 1]) for x in (*a, o)]
            forwards[lambda meta: (triton.cdiv(length, meta["BLOCK_M"]), z * heads, 1)](
                scale, m, z, heads, *maps, N_CTX=length, HEAD_DIM=d, FP8_OUTPUT=False, STAGE=stage, warp_specialize=False, IS_HOPPER=GPU[0] == 9)
            compare(o.get(), out, 1e-2, configuration)
        o, given, delta = Array(out.astype(numpy.float16)), Array(do), zeros((z, heads, length), numpy.float32)
        prepare[(length // 128, z * heads)](o, given, delta, z, heads, length, BLOCK_M=128, HEAD_DIM=d)
        compare(delta.peek(), (out * wide[3]).sum(-1), 1e-2)
        factor = numpy.float32(scale * 1.4426950408889634)
        gradients = [zeros(q) for _ in range(3)]
        scaled = Array((k.astype(numpy.float32) * factor).astype(numpy.float16))
        backwards[(length // 128, 1, z * heads)](a[0], scaled, a[2], scale, given, *gradients, m, delta, heads * length * d, length * d, d, 1,
                                                    heads, length, BLOCK_M1=32, BLOCK_N1=128, BLOCK_M2=128, BLOCK_N2=32, BLK_SLICE_FACTOR=2,
                                                    HEAD_DIM=d, num_warps=4, num_stages=5, CAUSAL=causal)
        dp = wide[3] @ wide[2].swapaxes(2, 3)
        ds = p * (dp - (out * wide[3]).sum(-1, keepdims=True)) * scale
        for found, expected in zip(gradients, (ds @ wide[1], ds.swapaxes(2, 3) @ wide[0], p.swapaxes(2, 3) @ wide[3])):
            compare(found.get(), expected, 1e-2)


def compare(found, expected, error, *of):
    far = numpy.abs(found.astype(numpy.float32) - expected).max()
    assert far <= error, f"a word is off by {far}, more than {error}: {of}"


if __name__ == "__main__":
    for name in options.names or ("vector_add", "softmax", "product", "norm", "attention"):
        globals()[name]()
        Array.free_all()
        print(name, "is right", flush=True)
