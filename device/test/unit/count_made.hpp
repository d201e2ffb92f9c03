// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pattern.hpp"

#include <device/count/counter.hpp>
#include <device/execute/launch.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace checks {

//! A kernel without code, whose accesses a test supplies.
class made_kernel {
 public:
  explicit made_kernel(std::string demangled = "kernel(float*)") {
    code_.name = demangled;
    code_.demangled = std::move(demangled);
    code_.source_module = &text_;
    within_.code = &code_;
    warp_.current = &within_;
    block_.of_launch = &launch_;
    launch_.kernel = &code_;
  }
  made_kernel(made_kernel const&) = delete;

  //! Adds a file and returns its number.
  std::uint32_t file(std::string const& path) {
    auto const number = static_cast<std::uint32_t>(text_.files.size() + 1);
    text_.files[number] = path;
    return number;
  }
  //! Adds a place in a file, inlined at another place or not, and returns its number.
  std::uint32_t place(std::uint32_t in_file, std::uint32_t line,
                      std::uint32_t inlined_at = device::ptx::none) {
    code_.body.locations.push_back({in_file, line, 1, {}, inlined_at});
    return static_cast<std::uint32_t>(code_.body.locations.size() - 1);
  }
  //! Adds an operation and returns its index.
  std::uint32_t operation(device::instruction_kind kind, std::uint32_t place = device::ptx::none,
                          bool auxiliary = false) {
    device::operation op;
    op.index = static_cast<std::uint32_t>(code_.operations.size());
    op.kind = kind;
    op.auxiliary = auxiliary;
    code_.operations.push_back(op);
    code_.location_of.push_back(place);
    code_.text_line_of.push_back(op.index);
    return op.index;
  }
  device::operation& at(std::uint32_t index) { return code_.operations[index]; }

  //! Lets lane t access address(t). \param issuer the lane whose bulk copy it is, or -1.
  //! \param is_counted false if another access stands for it
  void access(device::observer& by, std::uint32_t index, device::space where,
              device::access_kind kind, int bytes,
              std::function<std::uint64_t(unsigned)> const& address,
              device::lane_mask active = device::all_lanes, int issuer = -1,
              bool is_counted = true) {
    std::array<std::uint64_t, device::lanes> all{};
    for (unsigned t = 0; t < device::lanes; ++t)
      all[t] = (active >> t & 1) != 0 ? address(t) : ~std::uint64_t{t};
    device::memory_access a{&block_,
                            &warp_,
                            &at(index),
                            kind,
                            where,
                            bytes,
                            active,
                            all.data(),
                            device::strength::weak,
                            device::scope::none};
    a.issuer = issuer;
    a.counted = is_counted;
    describe(a);
    by.access(a);
  }
  void arrive(device::observer& by, std::uint32_t index) {
    by.barrier_arrive(warp_, at(index), 0, device::all_lanes);
  }

  void set_warp(std::uint32_t block, std::uint32_t warp) {
    block_.number = block;
    block_.index = {block, 0, 0};
    warp_.number = warp;
  }
  void set_arguments(std::vector<std::uint32_t> of_operations) {
    code_.argument_of = std::move(of_operations);
  }
  [[nodiscard]] device::program const& code() const { return code_; }
  [[nodiscard]] device::launch& launch() { return launch_; }

 private:
  device::ptx::module text_;
  device::program code_;
  device::frame within_;
  device::warp warp_;
  device::block block_;
  device::launch launch_;
};

//! The counts of the only kernel that a counter has seen.
inline std::vector<device::count::operation_accesses> counted(device::count::counter& by) {
  std::vector<device::count::program_accesses> all;
  by.move_into(all);
  return all.empty() ? std::vector<device::count::operation_accesses>{} : all.at(0).accesses;
}

}  // namespace checks
