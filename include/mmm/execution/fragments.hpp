// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/source_line.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>

#include <cstdint>

//! Matrices in the registers of 32 lanes: the part of a handle's vocabulary that a GPU's tensor
//! cores have instructions for. Fragments are those of gpu/fragment.hpp: registers of 4 bytes, each
//! with one element, two or four that are neighbours in a row.
//!
//! Laws, the same in every back end (test/execution/fragments.cpp), for threads `32 g … 32 g + 31`
//! as the lanes of group g:
//!   1. After `load_fragments<Order, N>(r, rows, n, place)`, matrices 4 k … 4 k + 3 are in the
//!      registers `r(i, 4 k) … r(i, 4 k + 3)`, k < N. Row q of matrix 4 k + j, 16 bytes, is the vec
//!      `rows[place(i, k)]` of lane 8 j + q. In fragment_order::as_stored, lane t has word t % 4 of
//!      row t / 4; in fragment_order::transposed, elements of 2 bytes: number t / 4 of the rows
//!      2 (t % 4) and 2 (t % 4) + 1.
//!   2. `multiply_lanes<Shape, M, N>(c, a, b, n)` adds to fragment m N + q of c, which is
//!      `Shape::c`, the product of fragment m of a and fragment q of b, for m < M and q < N.
//!      Fragments follow each other in the registers. The products of an element are added to it in
//!      the order of the inner side, exactly to 53 bits, and rounded once; a GPU may round
//!      differently. Integers wrap around.
//!   3. Only the first n threads have fragments; n is a multiple of 32, else
//!      std::invalid_argument. All threads of the handle call both.
MMM_BODIES_BEGIN
namespace mmm {

//! The order of a matrix's elements in the memory that load_fragments reads.
enum class fragment_order : std::uint8_t {
  as_stored,  //!< a row of 16 bytes of the memory is one of the matrix
  transposed  //!< a row of 16 bytes, 8 elements of 2 bytes, is a column of the matrix
};

namespace detail {

//! The members of handles for fragments. `Derived` has the members of vocabulary, and in place of
//! the default below `run_multiply_lanes<Shape, M, N>(c, a, b, n)`; a kernel's handle has a
//! `team()` with instructions for both members.
template <class Derived, class M, bool Whole>
class fragment_vocabulary {
 public:
  //! Loads N times four matrices of 8 rows of 16 bytes from the shared memory to the registers of
  //! each group of 32 lanes, as a kernel's ldmatrix does: law 1. `rows` is `wide<4>(a)` for an
  //! array of words of 4 bytes; `place(i, k)` is the vec that lane i gives in turn k. No barrier.
  //! Cost: N reads of four words by each of the first n threads. With place from a layout, its
  //! conflicts are those of gpu::fragment_addresses.
  template <fragment_order Order, index N, class Registers, class Rows, class Place>
  requires(!Whole)
  MMM_HOST_DEVICE constexpr void load_fragments(Registers const& r, Rows const& rows, index n,
                                                Place const& place,
                                                source_line line = source_line::here()) const {
    demand_groups(n);
    if constexpr (requires(Derived const& on) { on.team(); })
      own().team().template load_fragments<Order, N>(&r(0, 0), rows, n, place);
    else
      own().each(
          n,
          [=](auto const& i) {
            for (index k = 0; k < N; ++k) {
              auto const x = load(rows[place(i, k)]);
              if constexpr (requires { x[0].lane; })
                for (index j = 0; j < 4; ++j)
                  r(i, 4 * k + j) = exchanged<Order>(static_cast<int>(8 * j), x);
            }
          },
          no_barrier, line);
  }
  //! Multiplies matrices in the registers of each group of 32 lanes, as a kernel's mma.sync does:
  //! law 2. `Shape` is a gpu::mma. No cost, as arithmetic; predictions of time count it.
  template <class Shape, index Down = 1, index Across = 1, class Sums, class Left, class Right>
  requires(!Whole)
  MMM_HOST_DEVICE constexpr void multiply_lanes(Sums const& c, Left const& a, Right const& b,
                                                index n) const {
    static_assert(Shape::a::registers == 4 && Shape::b::registers == 2 && Shape::c::registers == 4,
                  "mmm: multiply_lanes has m16n8k16 of f16 and bf16, m16n8k8 of tf32, and m16n8k32 "
                  "of s8 and u8");
    demand_groups(n);
    if constexpr (requires(Derived const& on) { on.team(); })
      own().team().template multiply_lanes<Shape, Down, Across>(&c(0, 0), &a(0, 0), &b(0, 0), n);
    else
      own().template run_multiply_lanes<Shape, Down, Across>(c, a, b, n);
  }
  template <class, index, index, class Sums, class Left, class Right>
  constexpr void run_multiply_lanes(Sums const&, Left const&, Right const&, index) const {}

 private:
  [[nodiscard]] MMM_HOST_DEVICE constexpr Derived const& own() const {
    return static_cast<Derived const&>(*this);
  }
  MMM_HOST_DEVICE static constexpr void demand_groups([[maybe_unused]] index n) {
    static_assert(M::width() % 32 == 0,
                  "mmm: fragments need machines whose width is a multiple of 32");
    if constexpr (Derived::refuses)
      if (n < 0 || n % 32 != 0)
        reject("the number of threads with fragments", n, "a multiple of 32");
  }
  //! The words of all lanes after a load of four matrices, the first of whose rows lane `first`
  //! gave.
  template <fragment_order Order, class Words>
  [[nodiscard]] static auto exchanged(int first, Words const& x);
};

//! The word of lane t after a load; `row(lane, word)` are the words of lane `first` and the 7 after
//! it, each of which gave a row.
template <fragment_order Order, class Row>
[[nodiscard]] auto loaded_word(int t, int first, Row const& row) {
  if constexpr (Order == fragment_order::as_stored) {
    return row(first + t % 32 / 4, t % 4);
  } else {
    auto word = row(first, 0);
    static_assert(sizeof(word) == 4);
    for (int r = 0; r < 2; ++r) {
      auto const pair = row(first + t % 4 * 2 + r, t % 32 / 8);
      __builtin_memcpy(reinterpret_cast<char*>(&word) + 2 * r,
                       reinterpret_cast<char const*>(&pair) + t % 32 / 4 % 2 * 2, 2);
    }
    return word;
  }
}

template <class Derived, class M, bool Whole>
template <fragment_order Order, class Words>
auto fragment_vocabulary<Derived, M, Whole>::exchanged(int first, Words const& x) {
  auto y = x[0];
  for (int t = 0; t < decltype(y)::width; ++t)
    y.lane[t] = loaded_word<Order>(t, t / 32 * 32 + first,
                                   [&](int lane, int word) { return x[word].lane[lane]; });
  return y;
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
