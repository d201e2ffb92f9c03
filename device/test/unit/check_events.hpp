// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "catch.hpp"
#include "pattern.hpp"

#include <device/check/memory_checker.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

//! Sends events to the checks directly, in place of an execution.
namespace check_events {

using device::access_kind;
using device::all_lanes;
using device::lane_mask;
using device::scope;
using device::strength;

//! the start of global memory; the checks do not access it
inline constexpr std::uint64_t arena = 0x10'0000;

//! the line of an atomic operation that returns no value
inline constexpr std::uint32_t without_result = 98;
inline constexpr std::uint32_t compare_and_swap = 99;  //!< the line of an atomicCAS

//! An access under construction, which `by(…)` executes.
struct request {
  access_kind kind = access_kind::read;
  device::space where = device::space::global;
  int bytes = 4;
  strength order = strength::weak;
  scope reach = scope::none;
  bool changes = true;
  std::byte const* values = nullptr;
};
inline constexpr request global_load{};
inline constexpr request global_store{access_kind::write};
inline constexpr request shared_load{access_kind::read, device::space::shared};
inline constexpr request shared_store{access_kind::write, device::space::shared};
inline constexpr request volatile_load{access_kind::read, device::space::global, 4,
                                       strength::is_volatile};
inline constexpr request volatile_store{access_kind::write, device::space::global, 4,
                                        strength::is_volatile};
inline constexpr request relaxed_add{access_kind::update, device::space::global, 4,
                                     strength::relaxed, scope::gpu};
inline constexpr request shared_add{access_kind::update, device::space::shared, 4,
                                    strength::relaxed, scope::cta};
constexpr request of_bytes(request r, int bytes) {
  r.bytes = bytes;
  return r;
}
constexpr request ordered(request r, strength order, scope reach) {
  r.order = order;
  r.reach = reach;
  return r;
}

class kernel {
 public:
  explicit kernel(std::uint64_t blocks = 1, std::uint32_t threads = 64, bool uninitialized = false,
                  bool race = true)
      : checker(uninitialized ? &written : nullptr, false, race, arena, arena + arena_bytes),
        blocks_(blocks),
        threads_(threads) {
    code_.demangled = "kernel()";
    code_.name = "kernel";
    module_.files[1] = "kernel.cu";
    code_.source_module = &module_;
    for (std::uint32_t line = 0; line < 100; ++line) {
      device::operation op;
      op.index = line;
      op.kind = device::instruction_kind::atomic;  // used for atomic operations only
      op.d = line == without_result ? device::no_slot : 0;
      op.c = line == compare_and_swap ? 0 : device::no_slot;
      code_.operations.push_back(op);
      code_.location_of.push_back(line);
      code_.text_line_of.push_back(line);
      device::ptx::location at;
      at.file = 1;
      at.line = line;
      code_.body.locations.push_back(at);
    }
    frame_.code = &code_;
    launch_.kernel = &code_;
    launch_.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    launch_.block = {threads, 1, 1};
    launch_.report = [this](device::finding const& f) { findings.push_back(f); };
    begin();
  }

  //! A block, created at its first use.
  device::block& block(std::uint64_t number) {
    for (device::block& b : resident_)
      if (b.number == number) return b;
    device::block& b = resident_.emplace_back();
    b.of_launch = &launch_;
    b.number = number;
    b.index = {static_cast<std::uint32_t>(number), 0, 0};
    b.shared.resize(4096);
    b.warps.resize((threads_ + 31) / 32);
    for (std::uint32_t k = 0; k < b.warps.size(); ++k) {
      device::warp& w = b.warps[k];
      w.of_block = &b;
      w.number = k;
      w.current = &frame_;
      std::uint32_t const left = threads_ - 32 * k;
      w.alive = w.present = left >= 32 ? all_lanes : (lane_mask{1} << left) - 1;
    }
    checker.begin(b);
    return b;
  }
  void end_block(std::uint64_t number) {
    for (auto b = resident_.begin(); b != resident_.end(); ++b)
      if (b->number == number) {
        checker.end(*b);
        resident_.erase(b);
        return;
      }
  }

  //! Lanes of a warp access `address(lane)`, at the given line.
  template <class Address>
  void by(std::uint64_t b, std::uint32_t w, lane_mask lanes, request const& r, std::uint32_t line,
          Address address) {
    std::array<std::uint64_t, 32> at{};
    for (std::uint32_t t = 0; t < 32; ++t) at[t] = address(t);
    device::block& in = block(b);
    device::memory_access a{&in,     &in.warps[w], &code_.operations[line],
                            r.kind,  r.where,      r.bytes,
                            lanes,   at.data(),    r.order,
                            r.reach, r.changes,    r.values};
    if (names_patterns) describe(a);
    checker.access(a);
  }
  //! A single thread makes an access.
  void one(std::uint64_t b, std::uint32_t w, std::uint32_t lane, request const& r,
           std::uint32_t line, std::uint64_t address) {
    by(b, w, lane_mask{1} << lane, r, line, [&](std::uint32_t) { return address; });
  }

  void fence(std::uint64_t b, std::uint32_t w, lane_mask lanes, scope reach = scope::gpu) {
    device::warp& warp = block(b).warps[w];
    warp.active = lanes;
    checker.fence(warp, code_.operations[0], strength::acquire_release, reach);
  }
  void sync_warp(std::uint64_t b, std::uint32_t w, lane_mask members = all_lanes,
                 bool memory = true) {
    checker.warp_sync(block(b).warps[w], members, memory);
  }
  void sync_block(std::uint64_t b) {
    for (std::uint32_t k = 0; k < block(b).warps.size(); ++k)
      arrive(b, k, 0, true, block(b).warps[k].alive);
    complete(b, 0);
  }
  void arrive(std::uint64_t b, std::uint32_t w, int barrier, bool waits = true,
              lane_mask lanes = all_lanes) {
    device::operation op;
    op.flags = waits ? 0 : 1;
    checker.barrier_arrive(block(b).warps[w], op, barrier, lanes);
  }
  void complete(std::uint64_t b, int barrier) { checker.barrier_complete(block(b), barrier); }
  //! Synchronizes the grid by an atomic counter that threads poll, as grid.sync of cooperative
  //! groups does.
  void sync_grid(std::uint64_t counter) {
    for (std::uint64_t b = 0; b < blocks_; ++b) {
      sync_block(b);
      fence(b, 0, 1);
      one(b, 0, 0, relaxed_add, 90, counter);
    }
    for (std::uint64_t b = 0; b < blocks_; ++b) {
      one(b, 0, 0, volatile_load, 91, counter);
      fence(b, 0, 1);
      sync_block(b);
    }
  }

  //! Sets the file of the following lines.
  void in_file(std::string name) { module_.files[1] = std::move(name); }

  //! Ends the launch and begins another.
  void next() {
    end();
    begin();
  }

  std::uint64_t races() const { return checker_races(); }
  static constexpr std::uint64_t arena_bytes = std::uint64_t{1} << 30;
  device::check::uninitialized_check written{arena, arena + arena_bytes};
  device::check::memory_checker checker;
  std::vector<device::finding> findings;
  bool names_patterns = true;  //!< memory_access::pattern and the range are given, as by execution

 private:
  [[nodiscard]] std::uint64_t checker_races() const {
    std::uint64_t n = 0;
    for (device::finding const& f : findings) n += f.check == device::check_kind::race ? 1 : 0;
    return n;
  }
  void begin() { checker.begin(launch_); }
  void end() {
    for (device::block& b : resident_) checker.end(b);
    resident_.clear();
    checker.end(launch_);
  }

  std::uint64_t blocks_;
  std::uint32_t threads_;
  device::ptx::module module_;
  device::program code_;
  device::frame frame_;
  device::launch launch_;
  std::deque<device::block> resident_;
};

//! Consecutive words, one per lane.
inline auto words(std::uint64_t begin, std::uint64_t bytes = 4) {
  return [=](std::uint32_t t) { return begin + bytes * t; };
}
//! One address for all lanes.
inline auto place(std::uint64_t address) {
  return [=](std::uint32_t) { return address; };
}

}  // namespace check_events
