// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/data_type.hpp>

//! Fragments of mma.sync: the lane and the register that hold each element of a warp's matrices.
//!
//!     using product = mmm::gpu::mma<16, 8, 16, mmm::gpu::data_type::f16>;
//!     static_assert(product::a::row(7, 3) == 1 + 8);    // lane 7, its element 3
//!     static_assert(product::a::lane_of(9, 7) == 7);
namespace mmm::gpu {

//! A matrix of `Rows * Columns` elements of `Bits` bits, distributed over the 32 lanes of a warp as
//! mma.sync wants it (PTX ISA, "Matrix Fragments for mma").
//!
//! A lane holds groups of `Packed` elements that are neighbours in a row. Four lanes hold
//! neighbouring groups of a row, eight such fours hold eight rows, and the groups of a lane follow
//! each other eight rows further down; where the rows end, `4 * Packed` columns to the right.
//!
//! Laws: `row` and `column` are a bijection of (lane, element) onto the matrix, and lane_of and
//! element_of its inverse.
template <int Rows, int Columns, int Bits, int Packed>
struct fragment {
  static_assert(
      Rows > 0 && Rows % 8 == 0 && Packed > 0 && Columns % (4 * Packed) == 0,
      "mmm: a fragment has rows in eights, and columns in groups of four lanes' elements");
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int bits = Bits;      //!< of an element
  static constexpr int packed = Packed;  //!< neighbouring elements of a row that a lane holds
  static constexpr int elements = Rows * Columns / 32;    //!< that a lane holds
  static constexpr int registers = elements * Bits / 32;  //!< of 32 bits that a lane needs for them

  //! The row of an element of a lane. \param lane a number from 0 to 31, an index expression or a
  //! warp-wide index, taken modulo 32. \param element from 0 to `elements - 1`.
  MMM_NO_SIDE_CHECK
  template <class Lane>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto row(Lane const& lane, int element) {
    return lane % 32 / 4 + element / Packed % row_groups * 8;
  }
  //! The column of an element of a lane; parameters as row.
  MMM_NO_SIDE_CHECK
  template <class Lane>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto column(Lane const& lane, int element) {
    return lane % 4 * Packed + (element / Packed / row_groups * 4 * Packed + element % Packed);
  }
  //! The lane that holds the element at (row, column).
  [[nodiscard]] MMM_HOST_DEVICE static constexpr int lane_of(int row, int column) {
    return row % 8 * 4 + column / Packed % 4;
  }
  //! The number, within its lane, of the element at (row, column).
  [[nodiscard]] MMM_HOST_DEVICE static constexpr int element_of(int row, int column) {
    return (column / (4 * Packed) * row_groups + row / 8) * Packed + column % Packed;
  }

 private:
  static constexpr int row_groups = Rows / 8;
};

namespace detail {

//! True if mma.sync multiplies m x k numbers of type a by k x n of type b.
[[nodiscard]] constexpr int mma_capability(int m, int n, int k, data_type a, data_type b) {
  using enum data_type;
  if (n != 8) return 0;
  auto const both = [=](data_type x, data_type y) {
    return (a == x || a == y) && (b == x || b == y);
  };
  auto const of_8_bits = [](data_type t) {
    return t == e2m1 || (t >= e2m3 && t <= e5m2 && t != u8 && t != s8);
  };
  if (m == 8) {
    if (both(u8, s8)) return k == 16 ? 75 : 0;
    if (both(u4, s4)) return k == 32 ? 75 : 0;
    if (both(b1, b1)) return k == 128 ? 75 : 0;
    return both(f64, f64) && k == 4 ? 80 : 0;
  }
  if (m != 16) return 0;
  if (both(f16, f16)) return k == 8 ? 75 : k == 16 ? 80 : 0;
  if (both(bf16, bf16)) return k == 8 || k == 16 ? 80 : 0;
  if (both(tf32, tf32)) return k == 4 || k == 8 ? 80 : 0;
  if (both(f64, f64)) return k == 4 || k == 8 || k == 16 ? 90 : 0;
  if (both(u8, s8)) return k == 16 || k == 32 ? 80 : 0;
  if (both(u4, s4)) return k == 32 || k == 64 ? 80 : 0;
  if (both(b1, b1)) return k == 128 || k == 256 ? 80 : 0;
  if (both(e4m3, e5m2)) return k == 16 || k == 32 ? 89 : 0;
  if (both(e2m1, e2m1) && k == 64) return 120;
  return of_8_bits(a) && of_8_bits(b) && k == 32 ? 120 : 0;
}

//! The type in which mma.sync adds products of a type, if no other is asked for.
[[nodiscard]] constexpr data_type accumulator_of(data_type a) {
  if (is_floating(a)) return a == data_type::f64 ? data_type::f64 : data_type::f32;
  return data_type::s32;
}

[[nodiscard]] constexpr bool accumulates(data_type a, data_type c) {
  using enum data_type;
  return c == accumulator_of(a) ||
         (c == f16 && is_floating(a) && a != f64 && a != bf16 && a != tf32);
}

//! Bits of an operand's element in the registers of an mma of depth k: those of 4 and 6 bits are
//! stored in 8, but for the mma of depth 64, whose numbers have 4.
[[nodiscard]] constexpr int operand_bits(data_type t, int k) {
  return t == data_type::e2m1 && k != 64 ? 8 : bits_of(t);
}
[[nodiscard]] constexpr int packed_elements(int bits) { return bits < 32 ? 32 / bits : 1; }

}  // namespace detail

//! The matrices of `mma.sync.aligned.m{M}n{N}k{K}`: C (M x N, type C) += A (M x K, type A) times B
//! (K x N, type B). All shapes and types since compute capability 7.5; not the sparse ones, nor the
//! m8n8k4 of f16, which is slow since then.
//!
//! \tparam B, C the types of B and of the accumulators; those that PTX has for A, if not given.
//! Another shape or type does not compile.
template <int M, int N, int K, data_type A, data_type B = A,
          data_type C = detail::accumulator_of(A)>
struct mma {
  //! The lowest compute capability that has it, as 10 * major + minor.
  static constexpr int capability = detail::mma_capability(M, N, K, A, B);
  static_assert(
      capability != 0,
      "mmm: mma.sync has m16n8k8 and m16n8k16 of f16 and bf16; m16n8k4 and m16n8k8 of tf32; "
      "m8n8k4, m16n8k4, m16n8k8 and m16n8k16 of f64; m8n8k16, m16n8k16 and m16n8k32 of s8 "
      "and u8; m8n8k32, m16n8k32 and m16n8k64 of s4 and u4; m8n8k128, m16n8k128 and "
      "m16n8k256 of b1; m16n8k16 and m16n8k32 of e4m3 and e5m2; m16n8k32 of floating-point "
      "numbers of 4 to 8 bits, m16n8k64 of e2m1");
  static_assert(
      detail::accumulates(A, C),
      "mmm: mma.sync adds in f32, numbers of 4 to 8 bits and f16 in f16, too, f64 in f64, and "
      "integers in s32");
  static constexpr int m = M;
  static constexpr int n = N;
  static constexpr int k = K;
  static constexpr data_type a_type = A;
  static constexpr data_type b_type = B;

 private:
  static constexpr int a_bits = detail::operand_bits(A, K);
  static constexpr int b_bits = detail::operand_bits(B, K);

 public:
  using a = fragment<M, K, a_bits, detail::packed_elements(a_bits)>;
  //! B, as CuTe has it: a row for each column of the product, so N x K.
  using b = fragment<N, K, b_bits, detail::packed_elements(b_bits)>;
  using c = fragment<M, N, bits_of(C), 2>;
};

}  // namespace mmm::gpu
