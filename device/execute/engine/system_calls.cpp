// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that device code may call without defining them: printf, assert, malloc, free, and
// the allocation that `new` of an over-aligned type calls.
#include <device/execute/engine/calling_thread.hpp>
#include <device/execute/engine/system_calls.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/sync/barriers.hpp>

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace device {

namespace {

template <class T>
[[nodiscard]] std::string formatted(std::string const& conversion, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  int const length = std::snprintf(nullptr, 0, conversion.c_str(), value);
  std::string text(static_cast<std::size_t>(std::max(0, length)), '\0');
  std::snprintf(text.data(), text.size() + 1, conversion.c_str(), value);
#pragma GCC diagnostic pop
  return text;
}

//! The text that printf makes of a format and arguments that lie one after the other, each
//! at a multiple of its size.
[[nodiscard]] std::string printed(calling_thread const& by, std::string const& format,
                                  std::uint64_t arguments, std::uint64_t& count) {
  std::string out;
  std::uint64_t position = arguments;
  auto const next = [&](std::uint64_t bytes) {
    position = (position + bytes - 1) / bytes * bytes;
    std::uint64_t const here = position;
    position += bytes;
    ++count;
    return here;
  };
  for (std::size_t k = 0; k < format.size(); ++k) {
    if (format[k] != '%') {
      out += format[k];
      continue;
    }
    if (k + 1 < format.size() && format[k + 1] == '%') {
      out += '%';
      ++k;
      continue;
    }
    std::string conversion = "%";
    bool is_long = false;
    for (++k; k < format.size(); ++k) {
      char const c = format[k];
      if (c == '*') {
        conversion += std::to_string(by.value<std::int32_t>(next(4)));
      } else if (c == 'l' || c == 'z' || c == 'j' || c == 't' || c == 'L') {
        is_long = true;
      } else if (c == 'h') {
        // promoted to int
      } else if (std::string_view("0123456789.-+ #").find(c) != std::string_view::npos) {
        conversion += c;
      } else {
        break;
      }
    }
    if (k >= format.size()) return out + conversion;
    switch (char const c = format[k]; c) {
      case 'd':
      case 'i':
        out +=
            formatted(conversion + PRId64, is_long ? by.value<std::int64_t>(next(8))
                                                   : std::int64_t{by.value<std::int32_t>(next(4))});
        break;
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        out += formatted(conversion + "l" + c,
                         is_long ? by.value<std::uint64_t>(next(8))
                                 : std::uint64_t{by.value<std::uint32_t>(next(4))});
        break;
      case 'c':
        out += formatted(conversion + c, by.value<std::int32_t>(next(4)));
        break;
      case 'p':
        out += formatted(conversion + c,
                         reinterpret_cast<void const*>(by.value<std::uint64_t>(next(8))));
        break;
      case 's':
        out += formatted(conversion + c, by.text(by.value<std::uint64_t>(next(8))).c_str());
        break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        out += formatted(conversion + c, by.value<double>(next(8)));
        break;
      default:
        out += conversion + c;
    }
  }
  return out;
}

void print(warp& w, operation const& op) {
  w.each_active([&](int lane) {
    calling_thread const by(w, op, lane);
    std::uint64_t count = 0;
    std::string const text = printed(by, by.text(by.argument(0)), by.argument(1), count);
    if (w.of_block->of_launch->print) w.of_block->of_launch->print(text);
    by.give_back(count);
  });
}

void assertion_failed(warp& w, operation const& op) {
  std::string text;
  w.each_active([&](int lane) {
    calling_thread const by(w, op, lane);
    dim3 const& size = w.of_block->of_launch->block;
    dim3 const& b = w.of_block->index;
    std::uint32_t const t = w.number * lanes + static_cast<std::uint32_t>(lane);
    auto const place = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
      return "[" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "]";
    };
    text += by.text(by.argument(1)) + ":" +
            std::to_string(static_cast<std::uint32_t>(by.argument(2))) + ": " +
            by.text(by.argument(3)) + ": block: " + place(b.x, b.y, b.z) +
            ", thread: " + place(t % size.x, t / size.x % size.y, t / size.x / size.y) +
            " Assertion `" + by.text(by.argument(0)) + "` failed.\n";
  });
  std::fputs(text.c_str(), stderr);
  throw device_fault(device_fault::kind_type::assertion,
                     "an assertion of the kernel does not hold");
}

//! malloc(bytes), and with Aligned a function of (bytes, alignment): null for zero bytes and for an
//! alignment that is no power of two.
template <bool Aligned>
void allocate(warp& w, operation const& op) {
  w.each_active([&](int lane) {
    calling_thread const by(w, op, lane);
    launch const& l = *w.of_block->of_launch;
    std::uint64_t const bytes = by.argument(0);
    std::uint64_t const align = Aligned ? by.argument(1) : 1;
    bool const possible = bytes != 0 && std::has_single_bit(align);
    by.give_back(possible ? l.memory->allocate(bytes, allocation_kind::heap, l.device, align) : 0);
  });
}

void release(warp& w, operation const& op) {
  w.each_active([&](int lane) {
    calling_thread const by(w, op, lane);
    std::uint64_t const address = by.argument(0);
    if (address == 0 || w.of_block->of_launch->memory->free(address)) return;
    report_finding(w, op, check_kind::free,
                   "free() of what malloc() did not return, or of what was freed before, by " +
                       thread_text(*w.of_block, w, lane));
    throw device_fault(device_fault::kind_type::illegal_address,
                       "free() in a kernel of an address that is no allocation");
  });
}

}  // namespace

handler system_call(std::string_view name) {
  if (name == "vprintf") return &print;
  if (name == "__assertfail") return &assertion_failed;
  if (name == "malloc") return &allocate<false>;
  if (name == "__cuda_syscall_aligned_malloc") return &allocate<true>;
  if (name == "free") return &release;
  return nullptr;
}

}  // namespace device
