// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/labels.hpp>

#include <memory>
#include <string>

namespace device::ptx {

void label_table::enter() {
  parents_.push_back(scope_);
  scope_ = static_cast<std::uint32_t>(parents_.size() - 1);
}

void label_table::define(lexer const& text, body& in, std::string_view name) {
  auto const index = static_cast<std::uint32_t>(in.instructions.size());
  std::string_view unique = name;
  if (!in.labels.try_emplace(name, index).second) {
    for (definition const& d : definitions_)
      if (d.scope == scope_ && d.name == name) text.fail("a second label in the same scope", name);
    has_copies_ = true;
    if (!in.own_names) in.own_names = std::make_shared<std::deque<std::string>>();
    unique =
        in.own_names->emplace_back(std::string{name} + '@' + std::to_string(definitions_.size()));
    in.labels.emplace(unique, index);
  }
  definitions_.push_back({scope_, name, unique});
}

void label_table::branches(lexer& text, body& in, std::string_view name) {
  auto const [place, is_new] = in.branch_targets.try_emplace(name);
  if (!is_new) text.fail("a second table of this name", name);
  do place->second.push_back(text.word());
  while (text.accept(','));
  text.expect(';');
  tables_.push_back({scope_, name});
}

std::string_view label_table::visible(by_name const& all, std::string_view name,
                                      std::uint32_t scope) const {
  auto const found = all.find(name);
  if (found == all.end()) return name;
  for (;; scope = parents_[scope]) {
    for (definition const& d : found->second)
      if (d.scope == scope) return d.unique;
    if (scope == 0) return name;
  }
}

void label_table::resolve(body& in) const {
  if (!has_copies_) return;
  by_name all;
  for (definition const& d : definitions_) all[d.name].push_back(d);
  for (reference const& r : references_)
    for (operand& o : in.instructions[r.instruction].operands)
      if (o.kind == operand::kind_type::symbol) o.name = visible(all, o.name, r.scope);
  for (table const& t : tables_)
    for (std::string_view& target : in.branch_targets[t.name])
      target = visible(all, target, t.scope);
}

}  // namespace device::ptx
