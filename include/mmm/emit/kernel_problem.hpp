// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

#include <cstdint>
#include <type_traits>

//! The problems for which mmm::emit writes a kernel.
namespace mmm {

//! A type of values, by its name on a command line and in C++.
struct value_type {
  char const* name;
  char const* spelling;
  index bytes;

  friend constexpr bool operator==(value_type const& a, value_type const& b) {
    for (index k = 0;; ++k) {
      if (a.name[k] != b.name[k]) return false;
      if (a.name[k] == 0) return a.bytes == b.bytes;
    }
  }
};

//! The types whose kernels mmm::emit writes.
inline constexpr value_type value_types[] = {
    {"float", "float", 4},       {"double", "double", 8},   {"int", "int", 4},
    {"unsigned", "unsigned", 4}, {"int64", "long long", 8}, {"uint64", "unsigned long long", 8}};

//! The entry of `T` in value_types: of the integer with the same size and sign, if it has another
//! name. A compile error for a type without arithmetic, and for numbers of less than 4 bytes.
template <class T>
[[nodiscard]] constexpr value_type value_type_of() {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "mmm: kernels are emitted for float, double and integers of 4 and 8 bytes");
  if constexpr (std::is_floating_point_v<T>)
    return value_types[sizeof(T) == 4 ? 0 : 1];
  else
    return value_types[(sizeof(T) == 4 ? 2 : 4) + (std::is_unsigned_v<T> ? 1 : 0)];
}

//! Kinds of problems, in the order of their names.
enum class problem_kind : std::uint8_t {
  copies,
  sums,
  scans,
  sorts,
  transposes,
  products,
  convolutions,
  image_convolutions,
  summed_areas
};

//! The names of problem_kind, as mmm-explore has them.
inline constexpr char const* problem_names[] = {"copy",        "sum",
                                                "prefix-sums", "sort",
                                                "transpose",   "matrix-multiply",
                                                "convolution", "image-convolution",
                                                "summed-area"};

//! Kernels are emitted for GPUs of this compute capability, times ten, and later ones.
inline constexpr index least_capability = 75;

//! A problem of one kind, size and type of values.
struct kernel_problem {
  static constexpr index max_taps = 4096;
  static constexpr index max_radius = 4;  //!< of an image's kernel

  problem_kind kind = problem_kind::sums;
  index size = 0;  //!< words of sequences, outputs of convolutions, the side of matrices and images
  value_type type = value_types[0];
  index taps = 32;   //!< of a convolution
  index radius = 1;  //!< of an image's kernel
  //! Transposes and convolutions are also chosen among known::further_transposes and
  //! known::further_convolutions.
  bool wide = false;

  [[nodiscard]] constexpr char const* name() const { return problem_names[static_cast<int>(kind)]; }
  //! True if the size is a side: of matrices and of images.
  [[nodiscard]] constexpr bool has_sides() const {
    return kind == problem_kind::transposes || kind == problem_kind::products ||
           kind == problem_kind::image_convolutions || kind == problem_kind::summed_areas;
  }
  [[nodiscard]] constexpr index max_size() const { return index{1} << (has_sides() ? 15 : 30); }
  //! Throws std::invalid_argument, a compile error in a constant expression, for sizes, taps or a
  //! radius that no kernel is emitted for.
  constexpr void check() const {
    bool known = false;
    for (value_type const& one : value_types) known |= one == type;
    if (!known) detail::reject("the type's size", type.bytes, "an entry of mmm::value_types");
    if (size < 1 || size > max_size())
      detail::reject("the size of a problem", size,
                     has_sides() ? "1 to 32768, a side" : "1 to 1073741824");
    if (kind == problem_kind::convolutions && (taps < 1 || taps > max_taps))
      detail::reject("the number of taps", taps, "1 to 4096");
    if (kind == problem_kind::image_convolutions && (radius < 1 || radius > max_radius))
      detail::reject("the radius", radius, "1 to 4");
  }
};

}  // namespace mmm
