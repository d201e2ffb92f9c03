// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/lane/lanewise.hpp>

#if !defined(__SSE2__)
#include <cfenv>
#endif

namespace device::DEVICE_ISA {

//! Sets the host's rounding mode while it lives. Operands are read from memory and results written
//! to memory within that time, since neither access moves over its compiler barriers. Files that
//! use it are compiled with -frounding-math.
class rounding_scope {
 public:
  explicit rounding_scope(std::uint64_t flags) {
    switch (flags & rounding) {
      case round_zero:
        set(toward_zero);
        break;
      case round_down:
        set(downward);
        break;
      case round_up:
        set(upward);
        break;
      default:
        break;
    }
  }
  ~rounding_scope() {
    if (!changed_) return;
    barrier();
    write(before_);
    barrier();
  }
  rounding_scope(rounding_scope const&) = delete;
  rounding_scope& operator=(rounding_scope const&) = delete;

 private:
  static void barrier() { __asm__ volatile("" ::: "memory"); }

#if defined(__SSE2__)
  // The control register of SSE alone: nothing here computes with the x87 unit.
  using control = unsigned;
  static constexpr control downward = 0x2000;
  static constexpr control upward = 0x4000;
  static constexpr control toward_zero = 0x6000;
  static control read() { return __builtin_ia32_stmxcsr(); }
  static void write(control c) { __builtin_ia32_ldmxcsr(c); }
  static control with(control old, control mode) { return (old & ~toward_zero) | mode; }
#else
  using control = int;
  static constexpr control downward = FE_DOWNWARD;
  static constexpr control upward = FE_UPWARD;
  static constexpr control toward_zero = FE_TOWARDZERO;
  static control read() { return std::fegetround(); }
  static void write(control c) { std::fesetround(c); }
  static control with(control, control mode) { return mode; }
#endif

  void set(control mode) {
    before_ = read();
    changed_ = true;
    barrier();
    write(with(before_, mode));
    barrier();
  }

  control before_ = 0;
  bool changed_ = false;
};

}  // namespace device::DEVICE_ISA
