// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/lexer.hpp>
#include <device/ptx/module.hpp>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace device::ptx {

//! The labels of a body. They belong to the scope `{ }` around them, and may be used before they
//! are defined; inline assembly that the compiler copies has the same label in several scopes.
class label_table {
 public:
  void enter();
  void leave() { scope_ = parents_[scope_]; }

  //! A label before the next instruction.
  void define(lexer const&, body&, std::string_view name);
  //! `a, b, c;` of `table: .branchtargets`
  void branches(lexer&, body&, std::string_view table);
  //! The latest instruction is a branch.
  void refer(body const& in) {
    references_.push_back({scope_, static_cast<std::uint32_t>(in.instructions.size() - 1)});
  }
  //! At the end of the body: lets each branch refer to the label of its own scope.
  void resolve(body&) const;

 private:
  struct definition {
    std::uint32_t scope;
    std::string_view name;    //!< as written
    std::string_view unique;  //!< in body::labels
  };
  struct reference {
    std::uint32_t scope;
    std::uint32_t instruction;
  };
  struct table {
    std::uint32_t scope;
    std::string_view name;
  };
  using by_name = std::unordered_map<std::string_view, std::vector<definition>>;

  std::uint32_t scope_ = 0;
  std::vector<std::uint32_t> parents_{0};
  std::vector<definition> definitions_;
  std::vector<reference> references_;
  std::vector<table> tables_;
  bool has_copies_ = false;

  [[nodiscard]] std::string_view visible(by_name const&, std::string_view name,
                                         std::uint32_t scope) const;
};

}  // namespace device::ptx
