// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/launch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace device {

//! A thread that calls a function which the device provides: the thread of a lane, its arguments,
//! and what its generic addresses lead to.
class calling_thread {
 public:
  calling_thread(warp& w, operation const& op, int lane)
      : w_(w),
        op_(op),
        site_(w.current->code->calls[op.immediate]),
        lane_(static_cast<std::uint32_t>(lane)) {}

  [[nodiscard]] std::uint64_t argument(std::size_t k) const {
    return argument_as<std::uint64_t>(k);
  }
  //! The argument's bytes as a T, whose further bytes are zero.
  template <class T>
  [[nodiscard]] T argument_as(std::size_t k) const {
    T value{};
    call_site::value const& v = site_.arguments.at(k);
    std::byte const* const source =
        v.in_slot == no_slot ? w_.current->params + lane_ * w_.current->code->param_bytes + v.offset
                             : w_.source<std::byte>(v.in_slot) + lane_ * v.bytes;
    std::memcpy(&value, source, std::min<std::size_t>(v.bytes, sizeof value));
    return value;
  }
  void give_back(std::uint64_t value) const {
    if (site_.results.empty()) return;
    call_site::value const& v = site_.results[0];
    std::byte* const to =
        v.in_slot == no_slot ? w_.current->params + lane_ * w_.current->code->param_bytes + v.offset
                             : w_.destination<std::byte>(v.in_slot) + lane_ * v.bytes;
    std::memcpy(to, &value, std::min<std::size_t>(v.bytes, sizeof value));
  }
  //! The place on the host of `bytes` at a generic address.
  [[nodiscard]] std::byte const* at(std::uint64_t address, std::uint64_t bytes) const {
    std::uint64_t const offset = address & ~window_mask;
    switch (address & window_mask) {
      case shared_window:
        if (offset + bytes <= w_.of_block->shared.size())
          return w_.of_block->shared.data() + offset;
        break;
      case local_window:
        if ((offset & local_offset_mask) + bytes <= w_.local_bytes)
          return w_.local.data() + lane_ * w_.local_stride + (offset & local_offset_mask);
        break;
      case 0:
        if (launched().memory->holds(launched().device, address, bytes))
          return reinterpret_cast<std::byte const*>(address);
        break;
      default:
        break;
    }
    throw device_fault(device_fault::kind_type::illegal_address,
                       "a pointer given to " + site_.callee + " leads nowhere");
  }
  [[nodiscard]] std::string text(std::uint64_t address) const {
    std::string found;
    if (address == 0) return "(null)";
    for (;; ++address) {
      char const c = *reinterpret_cast<char const*>(at(address, 1));
      if (c == '\0') return found;
      found += c;
    }
  }
  //! Observers are notified of a value in local memory that the function reads.
  template <class T>
  [[nodiscard]] T value(std::uint64_t address) const {
    if ((address & window_mask) == local_window)
      notify(access_kind::read, space::local, address & local_offset_mask, sizeof(T));
    T found;
    std::memcpy(&found, at(address, sizeof(T)), sizeof(T));
    return found;
  }
  //! Writes a result of the function to where a pointer leads.
  template <class T>
  void put(std::uint64_t address, T const& value) const {
    auto* const to = const_cast<std::byte*>(at(address, sizeof(T)));
    if ((address & window_mask) == local_window)
      notify(access_kind::write, space::local, address & local_offset_mask, sizeof(T));
    else if ((address & window_mask) == shared_window)
      notify(access_kind::write, space::shared, address & shared_offset_mask, sizeof(T));
    else
      notify(access_kind::write, space::global, address, sizeof(T));
    std::memcpy(to, &value, sizeof(T));
  }

  [[nodiscard]] warp& of_warp() const { return w_; }
  [[nodiscard]] block& of_block() const { return *w_.of_block; }
  [[nodiscard]] launch const& launched() const { return *w_.of_block->of_launch; }
  [[nodiscard]] int lane() const { return static_cast<int>(lane_); }
  //! In its block.
  [[nodiscard]] std::uint32_t thread() const { return w_.number * lanes + lane_; }

 private:
  void notify(access_kind kind, space where, std::uint64_t begin, int bytes) const {
    std::uint64_t address[lanes] = {};
    address[lane_] = begin;
    memory_access a{w_.of_block,           &w_,     &op_,           kind,       where, bytes,
                    lane_mask{1} << lane_, address, strength::weak, scope::none};
    a.counted = false;
    for (observer* const o : *w_.of_block->observers) o->access(a);
  }

  warp& w_;
  operation const& op_;
  call_site const& site_;
  std::uint32_t lane_;
};

}  // namespace device
