// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <stdexcept>
#include <string>

namespace mmm::detail {

//! Throws std::invalid_argument that names the argument, its value and what is accepted.
//! Out of the constexpr path: reached in a constant expression, it is the compile error.
[[noreturn]] inline void reject(char const* argument, index value, char const* accepted) {
  throw std::invalid_argument(std::string("mmm: ") + argument + " is " + std::to_string(value) +
                              "; accepted: " + accepted);
}

//! Does the same for an unsigned value that an mmm::index does not hold.
[[noreturn]] inline void reject_unsigned(char const* argument, std::uint64_t value,
                                         char const* accepted) {
  throw std::invalid_argument(std::string("mmm: ") + argument + " is " + std::to_string(value) +
                              "; accepted: " + accepted);
}

//! Throws std::length_error that names the quantity and says how much would have been needed.
[[noreturn]] inline void reject_length(char const* quantity, index needed, index available) {
  throw std::length_error(std::string("mmm: ") + quantity + ": " + std::to_string(needed) +
                          " needed, " + std::to_string(available) + " available");
}

//! Throws std::overflow_error. In a constant expression, the compile error that names the
//! operation.
[[noreturn]] inline void reject_overflow(char const* operation) {
  throw std::overflow_error(std::string("mmm: a figure does not fit into 64 bits: ") + operation);
}

}  // namespace mmm::detail
