// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.cuh>

#include "session.cuh"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

//! The launches of candidates for one problem: `parts` blocks of `block` threads on every
//! multiprocessor.
class race {
 public:
  race(session& s, problem what, std::function<bool()> right)
      : s_(s), what_(std::move(what)), right_(std::move(right)) {}

  //! A contender that runs `call(handle)` on an HMM.
  template <class Call>
  race& on_blocks(char const* name, index parts, index block, Call const& call) {
    hmm const machine = parts == 1 ? s_.device.hmm() : s_.device.split(parts);
    auto const on = mmm::cuda::on(machine, mmm::threads(machine.dmms() * block), s_.stream());
    who_.push_back({name, "fast",
                    "hmm, " + std::to_string(parts) + (parts == 1 ? " block of " : " blocks of ") +
                        std::to_string(block),
                    [on, call] { call(on); }, right_});
    return *this;
  }
  //! A contender that runs `call(handle)` on a UMM.
  template <class Call>
  race& on_umm(char const* name, Call const& call) {
    umm const machine = s_.device.umm();
    mmm::threads const p(s_.device.multiprocessors * 1024);
    auto const on = mmm::cuda::on(machine, p, s_.stream());
    who_.push_back({name, "literal", "umm", [on, call] { call(on); }, right_});
    return *this;
  }
  void run() { s_.compare(what_, who_); }

 private:
  session& s_;
  problem what_;
  std::function<bool()> right_;
  std::vector<contender> who_{};
};

}  // namespace bench
