// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/finding.hpp>
#include <device/execute/observer.hpp>
#include <device/execute/warp.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

//! Undefined words on their way from a load to stores: a program may copy what was never written,
//! as it does with the padding of structures.
namespace device::check {

//! The PTX instructions of an access's line: one, but for assembly by hand.
[[nodiscard]] std::vector<ptx::instruction const*> instructions_of(memory_access const&);

//! The registers that an access loads or stores, and what else the program does with them.
struct register_use {
  std::vector<std::uint32_t> registers{};  //!< none if the instruction is no plain load or store
  int bytes = 0;                           //!< of each
  std::uint64_t computed = ~std::uint64_t{0};  //!< a bit for each byte that it computes with
  //! loads of global and shared memory alone write the registers, and only stores read them
  bool only_copied = false;
};

//! The uses of the accesses of programs, found once for each. Time: linear in the program.
class register_uses {
 public:
  [[nodiscard]] register_use const& find(memory_access const&);
  void clear() { known_.clear(); }

 private:
  std::unordered_map<operation const*, register_use> known_;
};

//! The bytes of a register that were never written, by lane.
struct undefined_register {
  std::array<std::uint32_t, lanes> missing{};
  lane_mask whole = 0;  //!< lanes whose load, of a vector too, got nothing that was written
  //! the finding at their load; null if the program does more than copy it
  std::shared_ptr<finding const> origin{};
};

//! The registers of a block that hold undefined bytes.
class undefined_registers {
 public:
  [[nodiscard]] bool empty() const { return known_.empty(); }
  void clear() { known_.clear(); }
  //! Lanes load a register with defined values.
  void define(frame const* f, std::uint32_t reg, lane_mask active);
  [[nodiscard]] undefined_register& at(frame const* f, std::uint32_t reg) {
    return known_[{f, reg}];
  }
  //! Null if all of its bytes are defined.
  [[nodiscard]] undefined_register const* find(frame const* f, std::uint32_t reg) const {
    auto const found = known_.find({f, reg});
    return found == known_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::pair<frame const*, std::uint32_t>, undefined_register> known_;
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
