// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <explore/pattern/figures.hpp>
#include <explore/pattern/options.hpp>
#include <explore/pattern/parse.hpp>

#include <string>

namespace playground {

//! A pattern's figure as C++ that compiles.
struct assertion {
  std::string code;    //!< an #include and a static_assert; empty if there is none
  std::string reason;  //!< why there is none
};

//! The assertion that the pattern costs what the figures say.
[[nodiscard]] assertion assertion_of(explore::pattern::options const& o,
                                     explore::pattern::addresses const& of,
                                     explore::pattern::figures const& f);

}  // namespace playground
