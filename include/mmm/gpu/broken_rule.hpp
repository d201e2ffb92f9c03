// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/cost/refusal.hpp>

#include <cstdint>

//! The hardware's rules for descriptors (tensor maps, wgmma operands) that a descriptor breaks: the
//! field, its value, and what is accepted, in compile errors and in exceptions.
namespace mmm::gpu {

//! Fields of descriptors.
enum class descriptor_field : std::uint8_t {
  none,
  type,
  rank,
  address,
  sizes,
  strides,
  box,
  element_strides,
  interleave,
  swizzle,
  fill_with_nan,
  rows,
  columns,
  start_address,
  leading_byte_offset,
  stride_byte_offset,
  base_offset,
  place_of_element
};

//! Values that a field accepts.
enum class accepted_values : std::uint8_t {
  all,
  integers_of_8_to_64_bits_and_floats_of_16_to_64,
  from_1_to_5,
  from_3_to_5_with_interleave,
  multiples_of_16,
  multiples_of_32_with_interleave_of_32,
  from_1_to_2_to_the_32,
  multiples_of_16_below_2_to_the_40,
  from_1_to_256,
  multiples_of_16_bytes,
  from_1_to_8,
  bytes_32_with_interleave_of_32,
  at_most_the_span_of_the_swizzle,
  no_nan_for_integers,
  inside_of_the_tile,
  multiples_of_16_below_2_to_the_18,
  multiples_of_the_swizzle_pattern,
  canonical_layout,
  multiples_of_the_span,
  multiples_of_the_operand,
  bytes_of_the_elements_of_the_tile,
  that_of_the_tensor_map,
  no_swizzle_by_the_limits
};

//! The first rule that a descriptor breaks.
struct broken_rule {
  descriptor_field field = descriptor_field::none;
  int dimension = 0;  //!< of a field that is an array
  index value = 0;
  accepted_values accepted = accepted_values::all;
  //! True if a rule is broken.
  [[nodiscard]] constexpr explicit operator bool() const { return field != descriptor_field::none; }
  friend constexpr bool operator==(broken_rule const&, broken_rule const&) = default;
};

//! The name of a field, as it is written.
[[nodiscard]] constexpr char const* text_of(descriptor_field f) {
  constexpr char const* names[] = {"none",
                                   "type",
                                   "rank",
                                   "address",
                                   "sizes",
                                   "strides",
                                   "box",
                                   "element_strides",
                                   "interleave",
                                   "swizzle",
                                   "fill_with_nan",
                                   "rows",
                                   "columns",
                                   "start_address",
                                   "leading_byte_offset",
                                   "stride_byte_offset",
                                   "base_offset",
                                   "place_of_element"};
  return names[static_cast<int>(f)];
}
//! The accepted values, as words.
[[nodiscard]] constexpr char const* text_of(accepted_values a) {
  constexpr char const* texts[] = {"all values",
                                   "u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16 or tf32",
                                   "1 to 5",
                                   "3 to 5 with an interleave",
                                   "multiples of 16",
                                   "multiples of 32 with an interleave of 32 bytes",
                                   "1 to 2^32",
                                   "multiples of 16 below 2^40",
                                   "1 to 256",
                                   "multiples of 16 bytes, in elements",
                                   "1 to 8",
                                   "bytes_32 with an interleave of 32 bytes",
                                   "no more bytes than the swizzle's span",
                                   "false for integers",
                                   "those of an operand inside of the tile",
                                   "multiples of 16 below 2^18",
                                   "multiples of the swizzle's pattern",
                                   "the canonical layout of the swizzle",
                                   "multiples of the swizzle's span, in elements",
                                   "multiples of those of the operand",
                                   "as many as an element of the tile has",
                                   "that of the tensor map",
                                   "none, by the limits of the tile"};
  return texts[static_cast<int>(a)];
}

//! Reasons and figures of a refusal, for the compiler's message.
struct invalid_descriptor {};
template <descriptor_field Field>
struct in_field {};
template <int Dimension>
struct in_dimension {};
template <index Value>
struct found_value {};
template <accepted_values Accepted>
struct accepted {};

namespace detail {
//! std::invalid_argument for a broken rule.
constexpr void require(broken_rule const& r) {
  if (r) mmm::detail::reject(text_of(r.field), r.value, text_of(r.accepted));
}
//! True, or refused with the field, its value and what is accepted.
template <broken_rule Rule>
[[nodiscard]] constexpr auto assert_no_broken_rule() {
  if constexpr (!Rule)
    return true;
  else
    return refused<invalid_descriptor, in_field<Rule.field>, in_dimension<Rule.dimension>,
                   found_value<Rule.value>, accepted<Rule.accepted>>();
}
}  // namespace detail

}  // namespace mmm::gpu
