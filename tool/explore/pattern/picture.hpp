// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/request.hpp>

#include "figures.hpp"

#include <string>
#include <utility>
#include <vector>

//! A pattern's figures for readers: in words, as a picture, as a page.
namespace explore::pattern {

//! "i * 16: 16-byte loads from shared memory of a H200 SXM, 32 items".
[[nodiscard]] std::string title_of(options const& o);

//! The figures with their names.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> rows_of(options const& o,
                                                                       figures const& f);

//! The request of the warp that takes longest, for its words in banks or groups; a GPU's words have
//! 4 bytes. On a GPU's shared memory there is one request for each phase in which it is served.
[[nodiscard]] std::vector<mmm::report::request> requests_of(options const& o, figures const& f);

//! The warp that takes longest, in characters and as a picture.
[[nodiscard]] std::string drawn_text(options const& o, figures const& f);
[[nodiscard]] std::string drawn_svg(options const& o, figures const& f);

//! A page that needs nothing else: the figures and the picture.
[[nodiscard]] std::string page(options const& o, figures const& f);

}  // namespace explore::pattern
