// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/sites.hpp>
#include <device/check/undefined_words.hpp>

#include <algorithm>
#include <bit>

namespace device::check {

ptx::instruction const* instruction_of(warp const& w, operation const& op) {
  program const* const p = program_of(w);
  if (p == nullptr || op.index >= p->instruction_of.size()) return nullptr;
  std::uint32_t const number = p->instruction_of[op.index];
  return number == ptx::none ? nullptr : &p->body.instructions[number];
}

moved_registers moved_registers_of(ptx::instruction const& i) {
  moved_registers found;
  bool const loads = i.opcode == "ld" || i.opcode == "ldmatrix";
  bool const stores = i.opcode == "st" || i.opcode == "stmatrix";
  if ((!loads && !stores) || i.operands.size() < 2) return found;
  found.is_matrix = i.opcode.size() > 2;
  found.is_transposed = i.has("trans");
  if (found.is_matrix && !(i.has("m8n8") && i.has("b16"))) return found;
  ptx::operand const& value = i.operands[loads ? 0 : 1];
  bool const is_vector = value.kind == ptx::operand::kind_type::vector;
  for (ptx::operand const& o : is_vector ? value.parts : std::vector<ptx::operand>{value})
    found.registers.push_back(o.reg);
  for (std::string_view const m : i.modifiers)
    if (ptx::scalar const type = ptx::scalar_of(m); ptx::bytes_of(type) != 0) {
      using enum ptx::scalar;
      found.bytes = ptx::bytes_of(type);
      found.is_signed = type == s8 || type == s16 || type == s32 || type == s64;
    }
  if (found.is_matrix) found.bytes = 4;
  return found;
}

void add_use(finding& f, std::string const& use) {
  f.message.insert(std::min(f.message.find('\n'), f.message.size()), ", and " + use);
}

void undefined_registers::define(frame const* f, name n, lane_mask defined) {
  auto const found = known_.find({f, n});
  if (found == known_.end()) return;
  undefined_register& r = found->second;
  r.computed &= ~defined;
  for (; defined != 0; defined &= defined - 1)
    r.missing[static_cast<std::size_t>(std::countr_zero(defined))] = 0;
  if (std::all_of(r.missing.begin(), r.missing.end(), [](std::uint32_t m) { return m == 0; }))
    known_.erase(found);
}

void undefined_registers::leave(frame const* f, lane_mask left) {
  std::vector<name> of_frame;
  for (auto const& [key, r] : known_)
    if (key.first == f) of_frame.push_back(key.second);
  for (name const n : of_frame) define(f, n, left);
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
