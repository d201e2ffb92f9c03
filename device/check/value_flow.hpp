// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/definedness_rules.hpp>
#include <device/check/undefined_words.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace device::check {

//! Follows undefined bytes from register to register, as an instruction computes with them. They
//! are a finding, at the load that they come from, where they decide what the program does: a
//! branch, the predicate of an instruction that has an effect, an address, an operand of an atomic
//! operation or of a barrier, a shuffle's mask or lane, an argument of a call that the device
//! provides.
class value_flow {
 public:
  //! The operation is the next of a warp; see observer::executes.
  void executes(warp&, operation const&, lane_mask active, bool together, undefined_registers&);
  //! A kernel's instructions may be gone.
  void clear() { known_.clear(); }

 private:
  //! A register that decides what the program does.
  struct decision {
    std::uint32_t reg;
    char const* dependent;  //!< "an address depends on them"
  };
  //! The instructions that are not the rule's alone.
  enum class kind : std::uint8_t {
    computation,
    load,            //!< from memory: observer::access knows what is undefined of it
    parameter_load,  //!< from a .param variable
    parameter_store,
    shuffle,
    vote,
    fold,  //!< match, redux: each lane's result depends on all lanes
    product,
    call,
    end  //!< ret, exit
  };
  struct plan {
    kind form = kind::computation;
    definedness_rule how = definedness_rule::any;
    bool has_effect = false;  //!< besides that on its destinations
    std::vector<decision> decisions;
    std::vector<ptx::operand const*> sources;
    std::vector<std::uint32_t> destinations;
  };
  std::unordered_map<ptx::instruction const*, plan> known_;

  //! An instruction at work (value_flow_step.hpp).
  struct step;
  class product;

  [[nodiscard]] plan const& plan_of(ptx::instruction const&);
  static void decide(step const&, undefined_register const&, lane_mask, char const* dependent);
  static void decide_by(step const&, std::uint32_t reg, lane_mask, char const* dependent);
  static void compute(step const&);
  //! The origin of undefined bytes, and what undefined_register has of them.
  struct provenance {
    std::shared_ptr<finding const> origin{};
    lane_mask whole = 0;
    lane_mask computed = 0;
  };
  [[nodiscard]] static provenance provenance_of(step const&);
  [[nodiscard]] static provenance computed_from(step const&);
  static void set(step const&, std::uint32_t destination, std::array<std::uint32_t, lanes> const&,
                  provenance const&);
  static void shuffle(step const&);
  static void vote(step const&);
  static void fold(step const&);
  static void multiply(step const&);
  static void load_parameter(step const&);
  static void store_parameter(step const&);
  static void call(step const&);
};

}  // namespace device::check
