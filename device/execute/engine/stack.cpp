// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alloca, stacksave, stackrestore: memory of a thread's own behind the local variables of its
// function, until that returns.
#include <device/core/failure.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/sync/barriers.hpp>
#include <device/execute/sync/groups.hpp>

#include <algorithm>
#include <bit>
#include <string>

namespace device {

namespace {

using decode::context;

//! The first byte behind a lane's local variables and what it has allocated.
std::uint32_t top_of(frame const& f, int lane) {
  return f.local_base + f.code->local_bytes +
         (f.allocated == nullptr ? 0 : (*f.allocated)[static_cast<std::size_t>(lane)]);
}

void set_top(frame& f, int lane, std::uint32_t top) {
  if (f.allocated == nullptr) f.allocated = std::make_unique<std::array<std::uint32_t, lanes>>();
  (*f.allocated)[static_cast<std::size_t>(lane)] = top - f.local_base - f.code->local_bytes;
}

//! A finding, and a fault: the thread of a lane has no such room.
[[noreturn]] void overflow(warp& w, operation const& op, int lane, std::string const& request) {
  std::string const text = request + ", as " + thread_text(*w.of_block, w, lane) +
                           " asks for, but a thread has " + std::to_string(max_local_bytes >> 20) +
                           " MiB of local memory at most";
  report_finding(w, op, check_kind::bounds, text);
  throw device_fault(device_fault::kind_type::hardware_stack, text);
}

//! d = the place of `a` bytes, whose multiple operation::immediate is.
template <class T>
void allocate(warp& w, operation const& op) {
  T const* const size = w.source<T>(op.a);
  T* const d = w.destination<T>(op.d);
  frame& f = *w.current;
  w.each_active([&](int t) {
    std::uint64_t const place = (top_of(f, t) + op.immediate - 1) & ~(op.immediate - 1);
    std::uint64_t const bytes = size[t];
    if (place > max_local_bytes || bytes > max_local_bytes - place)
      overflow(w, op, t, "alloca of " + std::to_string(bytes) + " bytes");
    set_top(f, t, static_cast<std::uint32_t>(place + bytes));
    d[t] = static_cast<T>(place);
  });
  f.max_allocated = *std::max_element(f.allocated->begin(), f.allocated->end());
  ensure_local(w, f.local_end());
}

template <class T>
void save(warp& w, operation const& op) {
  T* const d = w.destination<T>(op.d);
  w.each_active([&](int t) { d[t] = top_of(*w.current, t); });
}

template <class T>
void restore(warp& w, operation const& op) {
  T const* const saved = w.source<T>(op.a);
  frame& f = *w.current;
  w.each_active([&](int t) {
    if (saved[t] < f.local_base + f.code->local_bytes || saved[t] > top_of(f, t))
      throw device_fault(device_fault::kind_type::illegal_instruction,
                         "stackrestore: " + thread_text(*w.of_block, w, t) +
                             " restores what stacksave has not given in this call of " +
                             f.code->demangled + ", or has freed since");
    set_top(f, t, static_cast<std::uint32_t>(saved[t]));
  });
  f.max_allocated = *std::max_element(f.allocated->begin(), f.allocated->end());
}

//! The bytes of the addresses: 4 or 8.
int width_of(ptx::instruction const& i, context& to) {
  bool const wide = i.modifiers.size() == 1 && i.modifiers[0] == "u64";
  if (!wide && (i.modifiers.size() != 1 || i.modifiers[0] != "u32"))
    to.refuse(i, "only the types .u32 and .u64 are supported");
  return wide ? 8 : 4;
}

void require_operands(ptx::instruction const& i, context& to, std::size_t min_count,
                      std::size_t max_count) {
  if (i.operands.size() < min_count || i.operands.size() > max_count)
    to.refuse(i, "its number of operands is wrong");
}

void build_allocate(ptx::instruction const& i, context& to) {
  constexpr std::uint64_t usual_alignment = 8;
  constexpr std::uint64_t greatest_alignment = 1U << 23;
  require_operands(i, to, 2, 3);
  int const width = width_of(i, to);
  operation op;
  op.run = width == 8 ? &allocate<std::uint64_t> : &allocate<std::uint32_t>;
  op.immediate = usual_alignment;
  if (i.operands.size() == 3) {
    op.immediate = i.operands[2].bits;
    if (i.operands[2].kind != ptx::operand::kind_type::integer ||
        !std::has_single_bit(op.immediate) || op.immediate > greatest_alignment)
      to.refuse(i, "its alignment is no power of 2 up to 2^23");
    op.immediate = std::max(op.immediate, usual_alignment);
  }
  op.a = to.source(i.operands[1], width);
  op.d = to.destination(i.operands[0], width);
  to.emit(op);
}

void build_save(ptx::instruction const& i, context& to) {
  require_operands(i, to, 1, 1);
  int const width = width_of(i, to);
  operation op;
  op.run = width == 8 ? &save<std::uint64_t> : &save<std::uint32_t>;
  op.d = to.destination(i.operands[0], width);
  to.emit(op);
}

void build_restore(ptx::instruction const& i, context& to) {
  require_operands(i, to, 1, 1);
  int const width = width_of(i, to);
  operation op;
  op.run = width == 8 ? &restore<std::uint64_t> : &restore<std::uint32_t>;
  op.a = to.source(i.operands[0], width);
  to.emit(op);
}

}  // namespace

void add_stack_instructions(decode::instruction_table& table) {
  table["alloca"] = &build_allocate;
  table["stacksave"] = &build_save;
  table["stackrestore"] = &build_restore;
}

}  // namespace device
