# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits a line to points in tinygrad, on a machine without a GPU:

  DEV=CUDA:PTX mmm-run --check all python tinygrad_fit.py        (pip install tinygrad numpy)

TinyJit captures the kernels of a step at the second call, and launches them as a graph from the third on. In the sums of
1024 words, which tinygrad calls r_16_64, each of 16 threads adds 64 words that lie one after the other: the loads of a warp move
8 times the sectors that they need.
"""
import numpy
from tinygrad import Context, Tensor, TinyJit, nn

random = numpy.random.default_rng(1)
place = random.random(1024, dtype=numpy.float32)
x, y = Tensor(place), Tensor(3 * place - 1)
slope, start = Tensor([0.0]), Tensor([0.0])
optimizer = nn.optim.SGD([slope, start], lr=0.5)


@TinyJit
def step():
    optimizer.zero_grad()
    loss = (x * slope + start - y).square().mean()
    loss.backward()
    optimizer.step()
    return loss.realize()


with Context(TRAINING=1):
    for k in range(60):
        loss = step()
print(f"y = {slope.item():.2f} x + {start.item():.2f}, loss {loss.item():.1e}")
