// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/decode/services.hpp>
#include <device/memory/memory.hpp>
#include <device/ptx/module.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace device {

//! Offsets of .shared variables in a block's shared memory.
struct shared_layout {
  std::unordered_map<std::string_view, std::uint32_t> offsets;
  std::uint32_t bytes = 0;
  //! Gives a variable its place, if it has none, and returns it.
  std::uint32_t place(ptx::variable const&);
};

namespace decode {

//! The meaning of a name of the module in a function.
class symbols {
 public:
  virtual ~symbols() = default;
  //! The address of a .global or .const variable.
  [[nodiscard]] virtual std::optional<std::uint64_t> address_of(
      std::string_view variable) const = 0;
  //! A .shared variable of the module; null if there is none.
  [[nodiscard]] virtual ptx::variable const* shared_variable(std::string_view name) const = 0;
  [[nodiscard]] virtual std::optional<std::uint32_t> function_number(
      std::string_view name) const = 0;
};

//! Decodes a function: `into.source`, `into.of` and `into.body` are set, and `shared` holds what
//! device functions share. Instructions that are not supported are named in `into.refused`. Throws
//! device::unsupported if the function as a whole is not.
void decode_function(program& into, services const&, symbols const&, shared_layout shared);

}  // namespace decode
}  // namespace device
