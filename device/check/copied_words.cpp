// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/copied_words.hpp>
#include <device/check/sites.hpp>

#include <algorithm>
#include <bit>

namespace device::check {

std::vector<ptx::instruction const*> instructions_of(memory_access const& a) {
  std::vector<ptx::instruction const*> found;
  program const* const p = program_of(*a.of_warp);
  if (p == nullptr || a.op->index >= p->text_line_of.size()) return found;
  std::uint32_t const line = p->text_line_of[a.op->index];
  for (ptx::instruction const& i : p->body.instructions)
    if (i.text_line == line) found.push_back(&i);
  return found;
}

namespace {

[[nodiscard]] bool names(ptx::operand const& o, std::uint32_t reg) {
  return o.reg == reg || std::any_of(o.parts.begin(), o.parts.end(),
                                     [&](ptx::operand const& p) { return names(p, reg); });
}

//! True if an instruction uses a register's value, other than to store it in memory.
[[nodiscard]] bool computes_with(ptx::instruction const& i, std::uint32_t reg) {
  bool const stores = i.opcode == "st" && !i.has("param");
  if (i.guard == reg) return true;
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    ptx::operand const& o = i.operands[k];
    bool const is_written = k == 0 && o.kind != ptx::operand::kind_type::memory;
    bool const is_stored = stores && k == 1;
    if (!is_written && !is_stored && names(o, reg)) return true;
  }
  return std::any_of(i.call_arguments.begin(), i.call_arguments.end(),
                     [&](ptx::operand const& o) { return names(o, reg); });
}

//! True if an instruction writes a register otherwise than by a load that observers see, or stores
//! it where the thread itself may read it unseen (local memory, of which printf reads).
[[nodiscard]] bool hides(ptx::instruction const& i, std::uint32_t reg) {
  bool const observed = !i.has("param") && !i.has("const") && !i.has("local");
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    ptx::operand const& o = i.operands[k];
    if (!names(o, reg)) continue;
    bool const is_written = k == 0 && o.kind != ptx::operand::kind_type::memory;
    if (is_written && !(i.opcode == "ld" && observed)) return true;
    if (!is_written && i.opcode == "st" && !observed) return true;
  }
  return std::any_of(i.call_returns.begin(), i.call_returns.end(),
                     [&](ptx::operand const& o) { return names(o, reg); });
}

}  // namespace

register_use const& register_uses::find(memory_access const& a) {
  auto const [entry, is_new] = known_.try_emplace(a.op);
  register_use& use = entry->second;
  if (!is_new) return use;
  auto const here = instructions_of(a);
  bool const loads = here.size() == 1 && here[0]->opcode == "ld";
  bool const stores = here.size() == 1 && here[0]->opcode == "st";
  if ((!loads && !stores) || here[0]->operands.size() < 2) return use;
  ptx::operand const& value = here[0]->operands[loads ? 0 : 1];
  bool const is_vector = value.kind == ptx::operand::kind_type::vector;
  std::vector<ptx::operand> const elements =
      is_vector ? value.parts : std::vector<ptx::operand>{value};
  auto const count = static_cast<int>(elements.size());
  if (count == 0 || a.bytes % count != 0 || a.bytes > 32) return use;
  use.bytes = a.bytes / count;
  use.computed = 0;
  use.only_copied = true;
  auto const& code = program_of(*a.of_warp)->body.instructions;
  auto const any = [&](auto const& holds) { return std::any_of(code.begin(), code.end(), holds); };
  for (int k = 0; k < count; ++k) {
    std::uint32_t const reg = elements[static_cast<std::size_t>(k)].reg;
    use.registers.push_back(reg);
    if (reg == ptx::none) continue;
    if (any([&](ptx::instruction const& i) { return computes_with(i, reg); }))
      use.computed |= ((std::uint64_t{1} << use.bytes) - 1) << k * use.bytes;
    if (any([&](ptx::instruction const& i) { return hides(i, reg); })) use.only_copied = false;
  }
  return use;
}

void undefined_registers::define(frame const* f, std::uint32_t reg, lane_mask active) {
  auto const found = known_.find({f, reg});
  if (found == known_.end()) return;
  for (; active != 0; active &= active - 1)
    found->second.missing[static_cast<std::size_t>(std::countr_zero(active))] = 0;
  auto const& missing = found->second.missing;
  if (std::all_of(missing.begin(), missing.end(), [](std::uint32_t m) { return m == 0; }))
    known_.erase(found);
}

void undefined_outputs::remove(std::uint64_t begin, std::uint64_t bytes) {
  if (words_.empty()) return;
  auto first = words_.lower_bound(begin);
  while (first != words_.begin() &&
         std::prev(first)->first + std::prev(first)->second.bytes > begin)
    --first;
  words_.erase(first, words_.lower_bound(begin + bytes));
}

void undefined_outputs::copy(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes) {
  if (words_.empty()) return;
  std::vector<std::pair<std::uint64_t, word>> found;
  for (auto w = words_.lower_bound(source); w != words_.end() && w->first < source + bytes; ++w)
    found.emplace_back(w->first - source, w->second);
  remove(destination, bytes);
  for (auto& [offset, w] : found) words_[destination + offset] = std::move(w);
}

std::optional<finding> undefined_outputs::find(std::uint64_t begin, std::uint64_t bytes) const {
  auto const first = words_.lower_bound(begin);
  if (first == words_.end() || first->first >= begin + bytes) return std::nullopt;
  return *first->second.origin;
}

}  // namespace device::check
