// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/finding.hpp>
#include <device/execute/observer.hpp>
#include <device/execute/warp.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

//! Undefined words in registers and in outputs: a program may copy what was never written, as it
//! does with the padding of structures, and compute with it what it drops.
namespace device::check {

//! `f(lane)` for each lane of a mask.
template <class Index = int, class F>
void each_lane(lane_mask mask, F const& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<Index>(std::countr_zero(mask)));
}

//! The PTX instruction of an operation of a warp's current program; null if not known.
[[nodiscard]] ptx::instruction const* instruction_of(warp const&, operation const&);

//! The registers that an instruction loads from memory, or stores.
struct moved_registers {
  std::vector<std::uint32_t> registers{};  //!< none: a kind of access whose values are not followed
  int bytes = 0;                           //!< of each in memory
  bool is_signed = false;                  //!< a load fills a wider register with the sign
  bool is_matrix = false;                  //!< ldmatrix and stmatrix of 8 x 8 halves
  bool is_transposed = false;
};
[[nodiscard]] moved_registers moved_registers_of(ptx::instruction const&);

//! Adds to the finding at a load of undefined bytes what depends on them.
void add_use(finding&, std::string const& use);

//! The undefined bytes of a register, by lane; bit 0 of a predicate.
struct undefined_register {
  std::array<std::uint32_t, lanes> missing{};
  lane_mask whole = 0;     //!< lanes whose load, of a vector too, got nothing that was written
  lane_mask computed = 0;  //!< lanes in which the value is more than a copy
  std::shared_ptr<finding const> origin{};  //!< the finding at their load
};

//! The registers of a warp that hold undefined bytes, by frame and name.
class undefined_registers {
 public:
  //! A register's number; the address of a byte of a .param variable (of_parameter).
  using name = std::uint64_t;
  [[nodiscard]] static name of_parameter(std::uint32_t variable, std::uint64_t byte) {
    return name{1} << 63 | name{variable} << 32 | byte;
  }
  //! The carry of .cc instructions.
  static constexpr name carry = ptx::none - 1;

  [[nodiscard]] bool empty() const { return known_.empty(); }
  void clear() { known_.clear(); }
  //! Lanes have defined values in a register.
  void define(frame const*, name, lane_mask);
  //! Lanes have left a frame.
  void leave(frame const*, lane_mask);
  [[nodiscard]] undefined_register& at(frame const* f, name n) { return known_[{f, n}]; }
  //! Null if all of its bytes are defined.
  [[nodiscard]] undefined_register const* find(frame const* f, name n) const {
    auto const found = known_.find({f, n});
    return found == known_.end() ? nullptr : &found->second;
  }

 private:
  struct hash {
    std::size_t operator()(std::pair<frame const*, name> const& k) const {
      return std::hash<frame const*>()(k.first) * 31 + std::hash<name>()(k.second);
    }
  };
  std::unordered_map<std::pair<frame const*, name>, undefined_register, hash> known_;
};

//! Words of global memory in which undefined ones were stored, with the finding that each is once
//! the host reads it.
class undefined_outputs {
 public:
  [[nodiscard]] bool empty() const { return words_.empty(); }
  void add(std::uint64_t address, std::uint64_t bytes, std::shared_ptr<finding const> origin) {
    words_[address] = {bytes, std::move(origin)};
  }
  //! Something else was written there.
  void remove(std::uint64_t begin, std::uint64_t bytes);
  //! [destination, …) gets what [source, …) has.
  void copy(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes);
  //! The finding of the first such word in a range.
  [[nodiscard]] std::optional<finding> find(std::uint64_t begin, std::uint64_t bytes) const;

 private:
  struct word {
    std::uint64_t bytes = 0;
    std::shared_ptr<finding const> origin{};
  };
  std::map<std::uint64_t, word> words_;
};

}  // namespace device::check
