// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/lexer.hpp>
#include <device/ptx/module.hpp>

#include <deque>
#include <vector>

//! Declarations that stand in modules as well as in bodies.
namespace device::ptx {

//! The linkage directives before a variable or function: `.extern`, `.visible`, `.weak`, `.common`.
struct linkage {
  bool is_extern = false;
  bool is_visible = false;
  bool is_weak = false;
};

//! Takes any of the words above.
[[nodiscard]] linkage read_linkage(lexer&);

//! The state space whose directive is next (`.global`), taken; state_space::none if it is none of a
//! variable's.
[[nodiscard]] state_space accept_space(lexer&);

//! The rest of a declaration after its state space, up to and with `;`: one variable or several.
void read_variables(lexer&, linkage const&, state_space, std::deque<variable>& into);

//! `( .param .u64 a, .param .align 8 .b8 b[16] )`; nothing if there is no parenthesis.
[[nodiscard]] std::vector<parameter> read_parameters(lexer&);

//! `= {…}` without the sign: fills `initial` and `addresses`, and the size of an array of unknown
//! size.
void read_initializer(lexer&, variable&, std::vector<std::uint64_t> const& extents);

}  // namespace device::ptx
