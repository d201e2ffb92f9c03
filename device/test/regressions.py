# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Regressions and refactorings of status/guard.cu, for device_test.py: a name, the kernel, and what is replaced in
the kernel's text (all occurrences)."""
import collections
import re

Regression = collections.namedtuple("Regression", "name kernel old new figures")
Refactoring = collections.namedtuple("Refactoring", "name kernel old new")

#: With the figures that grow.
REGRESSIONS = [Regression(*row) for row in (
    ("a tile without padding", "transpose", "[32][33]", "[32][32]", {"shared_wavefronts", "shared_excessive"}),
    ("the order of loops swapped", "add_rows", "in[k * 128 + threadIdx.x]", "in[threadIdx.x * 32 + k]",
     {"global_sectors", "global_excess_sectors"}),
    ("vector access lost", "scale", """  float4 v = reinterpret_cast<float4 const*>(in)[threadIdx.x];
  v.x *= 2;
  reinterpret_cast<float4*>(out)[threadIdx.x] = v;
""", "  for (int k = 0; k < 4; ++k) out[k * 128 + threadIdx.x] = in[k * 128 + threadIdx.x] * 2;\n", {"global_requests"}),
    ("a loop no longer unrolled, so that its array is in local memory", "reverse", "#pragma unroll\n", "#pragma unroll 1\n",
     {"local_requests", "local_sectors"}),
    ("an atomic for each thread instead of each warp", "count_all", """  int const all = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(reinterpret_cast<int*>(out), all);
""", "  atomicAdd(reinterpret_cast<int*>(out), mine);\n", {"atomic_serialized"}),
    ("registers spilled", "hold_many", "__launch_bounds__(128)", "__launch_bounds__(1024, 2)", {"stack_bytes"}),
    ("blocked instead of striped loads", "load_striped", "in[k * 128 + threadIdx.x]", "in[threadIdx.x * items + k]",
     {"global_sectors", "global_excess_sectors"}),
    ("contended atomics in shared memory", "histogram", "(threadIdx.x + static_cast<int>(in[threadIdx.x])) % 32",
     "static_cast<int>(in[threadIdx.x]) % 32", {"atomic_serialized", "shared_wavefronts"}),
    ("__restrict__ lost, so that values are loaded twice", "two_results", "__restrict__ ", "", {"global_requests"}),
    ("a wider type", "copy_values", "using value = float;", "using value = double;", {"global_sectors"}),
    ("a misaligned tile", "copy_tile", "pitch = 64;", "pitch = 65;", {"global_sectors", "global_excess_sectors"}),
    ("an array of structures instead of arrays", "norm_of_points", """in[threadIdx.x];
  float const y = in[128 + threadIdx.x];
  float const z = in[256 + threadIdx.x];
""", """in[3 * threadIdx.x];
  float const y = in[3 * threadIdx.x + 1];
  float const z = in[3 * threadIdx.x + 2];
""", {"global_sectors", "global_excess_sectors"}),
    ("a stride of two words in shared memory", "pairs", "item[threadIdx.x] + item[128 + threadIdx.x]",
     "item[2 * threadIdx.x] + item[2 * threadIdx.x + 1]", {"shared_wavefronts", "shared_excessive"}),
    ("bytes one by one", "bytes", "uchar4 const four = reinterpret_cast<uchar4 const*>(in)[threadIdx.x];",
     """unsigned char const* const one = reinterpret_cast<unsigned char const*>(in) + threadIdx.x;
  struct { int x, y, z, w; } const four = {one[0], one[128], one[256], one[384]};""", {"global_requests"}),
    ("a branch within warps", "two_ways", "threadIdx.x / 32 % 2", "threadIdx.x % 2", {"instructions"}),
    ("a barrier in a loop", "in_steps", "    sum += item", "    __syncthreads();\n    sum += item", {"barriers"}),
    ("a sum through shared memory instead of shuffles", "sum_of_warp", """  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
""", """  __shared__ float part[128];
  for (int distance = 16; distance > 0; distance /= 2) {
    part[threadIdx.x] = sum;
    __syncwarp();
    sum += part[threadIdx.x ^ distance];
    __syncwarp();
  }
""", {"shared_requests", "shared_wavefronts"}),
    ("no early end of a search", "search", "      break;\n", "", {"instructions", "global_requests", "lanes"}),
    ("a loop unrolled so far that it needs more registers", "polynomial", "#pragma unroll 1\n", "#pragma unroll\n", {"registers"}),
    ("a sum in global memory instead of a register", "accumulate", "    sum += in[k * 128 + threadIdx.x];\n",
     "    sum += in[k * 128 + threadIdx.x];\n    out[threadIdx.x] = sum;\n", {"global_requests", "global_sectors"}))]

#: Applied all at once; kernels also change their order and come from another file.
REFACTORINGS = [Refactoring(*row) for row in (
    ("variables renamed", "transpose", "tile", "buffer"),
    ("a kernel renamed", "add_rows", "add_rows", "columns"),
    ("parameters renamed", "scale", "in)", "source)"),
    ("a kernel made a template", "reverse", "__global__ void reverse(float const* in, float* out) {\n  float kept",
     "template <class Value>\n__global__ void reverse(Value const* in, Value* out) {\n  Value kept"),
    ("a condition turned round", "count_all", "if (threadIdx.x % 32 == 0) atomicAdd",
     "if (threadIdx.x % 32 != 0) return;\n  atomicAdd"),
    ("a constant named", "hold_many", "60", "held_values"),
    ("a helper function", "load_striped", "in[k * 128 + threadIdx.x]", "striped_item(in, k)"),
    ("a statement split", "histogram", "  atomicAdd(&bins[(threadIdx.x + static_cast<int>(in[threadIdx.x])) % 32], 1U);",
     "  unsigned const bin = (threadIdx.x + static_cast<int>(in[threadIdx.x])) % 32;\n  atomicAdd(&bins[bin], 1U);"),
    ("independent statements exchanged", "two_results", """  out[threadIdx.x] = in[threadIdx.x] + 1;
  out[128 + threadIdx.x] = in[threadIdx.x] + 2;
""", """  out[128 + threadIdx.x] = in[threadIdx.x] + 2;
  out[threadIdx.x] = in[threadIdx.x] + 1;
"""),
    ("a type inferred", "copy_values", """  reinterpret_cast<value*>(out)[threadIdx.x] = reinterpret_cast<value const*>(in)[threadIdx.x];
""", """  auto const* const from = reinterpret_cast<value const*>(in);
  auto* const to = reinterpret_cast<value*>(out);
  to[threadIdx.x] = from[threadIdx.x];
"""),
    ("for written as while", "copy_tile", """  for (int row = threadIdx.x / 32; row < 16; row += 4)
    out[row * 64 + threadIdx.x % 32] = in[row * pitch + threadIdx.x % 32];
""", """  int row = threadIdx.x / 32;
  while (row < 16) {
    out[row * 64 + threadIdx.x % 32] = in[row * pitch + threadIdx.x % 32];
    row += 4;
  }
"""),
    ("a lambda", "norm_of_points", "  out[threadIdx.x] = x * x + y * y + z * z;",
     "  auto const square = [](float v) { return v * v; };\n  out[threadIdx.x] = square(x) + square(y) + square(z);"),
    ("a macro for an index", "pairs", "128 + threadIdx.x", "SECOND_HALF"),
    ("comments and blank lines", "bytes", "  out[threadIdx.x]", "\n  // The sum of four bytes.\n\n  /* as a number */ out[threadIdx.x]"),
    ("a condition in a variable", "two_ways", "  if (threadIdx.x / 32 % 2 == 0)",
     "  bool const is_even = threadIdx.x / 32 % 2 == 0;\n  if (is_even)"),
    ("a functor instead of a loop's body", "in_steps", "    sum += item[(threadIdx.x + k) % 128];",
     "    add_rotated<128>{item}(sum, k);"),
    ("a loop in a function template", "sum_of_warp", "  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);\n",
     "  sum_lanes(sum, [](float x, int distance) { return __shfl_xor_sync(~0u, x, distance); });\n"),
    ("braces and broken lines", "search", "    if (in[k] == 0) {", "    if (in[k]\n        ==\n        0)\n    {"),
    ("a kernel in a namespace", "polynomial", "__global__ void polynomial", "namespace inner {\n__global__ void polynomial"),
    ("a temporary removed", "accumulate", """  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    sum += in[k * 128 + threadIdx.x];
  }
""", """  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    float const item = in[k * 128 + threadIdx.x];
    sum += item;
  }
"""))]

HELPERS = """#pragma once

#define SECOND_HALF (128 + threadIdx.x)

constexpr int held_values = 59 + 1;

__device__ inline float striped_item(float const* from, int k) { return from[k * 128 + threadIdx.x]; }

template <int Size>
struct add_rotated {
  float const* item;
  __device__ void operator()(float& sum, int k) const { sum += item[(threadIdx.x + k) % Size]; }
};

template <class Exchange>
__device__ void sum_lanes(float& sum, Exchange exchange) {
  for (int distance = 16; distance > 0; distance /= 2) sum += exchange(sum, distance);
}

"""


def split(text):
    """What is before the kernels, the kernels by name, and what is after them."""
    begin, end = text.index("// [kernels]\n") + len("// [kernels]\n"), text.index("// [/kernels]")
    kernels = {re.search(r"(\w+)\(float const", k)[1]: k for k in text[begin:end].strip().split("\n\n")}
    return text[:begin], kernels, text[end:]


def changed(kernels, changes):
    """The kernels with the changes of a table. Raises ValueError for a change that changes nothing."""
    kernels = dict(kernels)
    for change in changes:
        if change.old not in kernels[change.kernel]:
            raise ValueError(f"{change.kernel} lacks {change.old!r}")
        kernels[change.kernel] = kernels[change.kernel].replace(change.old, change.new)
    return kernels


def regressed(text):
    before, kernels, after = split(text)
    return before + "\n\n".join(changed(kernels, REGRESSIONS).values()) + "\n" + after


def refactored(text, header):
    """The program, and the header `header` with its kernels."""
    before, kernels, after = split(text)
    kernels = changed(kernels, REFACTORINGS)
    kernels["scale"] = re.sub(r"\bin\b", "source", kernels["scale"])
    kernels["hold_many"] = kernels["hold_many"].replace("held[59 - k]", "held[held_values - 1 - k]")
    kernels["polynomial"] += "\n}  // namespace inner"
    after = after.replace("add_rows<<<", "columns<<<").replace("polynomial<<<", "inner::polynomial<<<")
    return before + f'#include "{header}"\n' + after, HELPERS + "\n\n".join(reversed(kernels.values())) + "\n"
