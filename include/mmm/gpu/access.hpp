// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>

#include <cstdint>

//! Warp-wide memory accesses of real GPUs: the instruction, its width, and the lanes that give
//! addresses.
namespace mmm::gpu {

//! The kinds of instructions that access memory.
enum class instruction : std::uint8_t {
  load,   //!< every lane reads a few bytes
  store,  //!< every lane writes a few bytes
  //! ldmatrix: lanes give the addresses of the rows of 8 x 8 matrices of 16-bit elements
  load_matrix,
  store_matrix  //!< stmatrix: stores where load_matrix loads
};

//! A warp-wide access: the instruction, and the bytes at the address that a lane gives.
struct warp_access {
  instruction kind = instruction::load;
  //! per address: 1, 2, 4, 8 or 16, and 32 of the global memory; a matrix's row has 16
  int bytes = 4;
  int matrices = 0;  //!< of load_matrix and store_matrix: 1, 2 or 4, of 8 rows each

  [[nodiscard]] constexpr bool of_matrices() const { return matrices != 0; }
  [[nodiscard]] constexpr bool writes() const {
    return kind == instruction::store || kind == instruction::store_matrix;
  }
  friend constexpr bool operator==(warp_access const&, warp_access const&) = default;
};

namespace detail {
template <index Bytes>
struct access_bytes {
  static_assert(Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8 || Bytes == 16 || Bytes == 32,
                "mmm: a lane accesses 1, 2, 4, 8 or 16 bytes, and 32 of the global memory");
  static constexpr int value = static_cast<int>(Bytes);
};
template <index Count>
struct access_matrices {
  static_assert(Count == 1 || Count == 2 || Count == 4,
                "mmm: ldmatrix and stmatrix move 1, 2 or 4 matrices");
  static constexpr int value = static_cast<int>(Count);
};
}  // namespace detail

//! Each lane loads `Bytes` bytes (LDS, LDG): 1, 2, 4, 8 or 16, from an address that is a multiple
//! of them; from the global memory also 32 (ld.global.v8.b32, since compute capability 10.0).
template <index Bytes>
struct load : warp_access {
  constexpr load() : warp_access{instruction::load, detail::access_bytes<Bytes>::value, 0} {}
};
//! Each lane stores `Bytes` bytes (STS, STG), as load.
template <index Bytes>
struct store : warp_access {
  constexpr store() : warp_access{instruction::store, detail::access_bytes<Bytes>::value, 0} {}
};
//! ldmatrix.x1, .x2 or .x4: lanes 0 to `8 * Matrices - 1` give the addresses of rows of 16 bytes.
template <index Matrices>
struct ldmatrix : warp_access {
  constexpr ldmatrix()
      : warp_access{instruction::load_matrix, 16, detail::access_matrices<Matrices>::value} {}
};
//! ldmatrix with .trans: rows in memory become columns in the registers, at the same cost.
template <index Matrices>
struct ldmatrix_trans : ldmatrix<Matrices> {
  static constexpr bool transposing = true;
};
//! ldmatrix.m16n16.trans.b8 (.x1 or .x2) of compute capability 10.0 and later: 16 rows of 16 bytes
//! for each matrix. A matrix costs as two of ldmatrix do.
template <index Matrices>
struct ldmatrix_b8 : warp_access {
  static_assert(Matrices == 1 || Matrices == 2, "mmm: ldmatrix.m16n16 moves 1 or 2 matrices");
  constexpr ldmatrix_b8()
      : warp_access{instruction::load_matrix, 16, detail::access_matrices<2 * Matrices>::value} {}
};
//! stmatrix.x1, .x2 or .x4, as ldmatrix; stmatrix.m16n8.b8 writes as many rows and costs the same.
template <index Matrices>
struct stmatrix : warp_access {
  constexpr stmatrix()
      : warp_access{instruction::store_matrix, 16, detail::access_matrices<Matrices>::value} {}
};
//! stmatrix with .trans, as ldmatrix_trans.
template <index Matrices>
struct stmatrix_trans : stmatrix<Matrices> {
  static constexpr bool transposing = true;
};

//! **Concept: an access known from its type.** Models: load, store, ldmatrix, stmatrix.
template <class A>
concept static_access =
    mmm::detail::derived_from<A, warp_access> && mmm::detail::default_constructible<A>;

//! The access of `bytes` bytes per lane, for widths that only a run knows. std::invalid_argument,
//! unless the width is 1, 2, 4, 8, 16 or 32.
[[nodiscard]] constexpr warp_access access_of(instruction kind, index bytes) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16 && bytes != 32)
    mmm::detail::reject("the bytes that a lane accesses", bytes, "1, 2, 4, 8, 16 or 32");
  return {kind, static_cast<int>(bytes), 0};
}
//! The matrix access of `matrices` matrices, as access_of. std::invalid_argument, unless 1, 2 or 4.
[[nodiscard]] constexpr warp_access matrix_access_of(instruction kind, index matrices) {
  if (matrices != 1 && matrices != 2 && matrices != 4)
    mmm::detail::reject("the matrices of a matrix access", matrices, "1, 2 or 4");
  return {kind, 16, static_cast<int>(matrices)};
}

}  // namespace mmm::gpu
