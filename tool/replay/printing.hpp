// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.hpp"
#include "request.hpp"
#include "tally.hpp"

#include <cstddef>
#include <string>

namespace replay {

//! Standard output, a large piece at a time. tool::failure if it cannot be written.
class printer {
 public:
  void put(std::string_view text) {
    text_ += text;
    if (text_.size() >= max_bytes) flush();
  }
  void flush();

 private:
  static constexpr std::size_t max_bytes = std::size_t{1} << 18;
  std::string text_;
};

//! A request and its cost as a line of JSON.
void print_json(printer& out, request const& r, mmm::gpu::shared_cost const& c);
void print_json(printer& out, request const& r, mmm::gpu::global_cost const& c);

//! The sums as a line of JSON.
[[nodiscard]] std::string totals_json(options const& o, tally const& t, std::size_t passed_over);
//! The sums as a page that needs nothing else.
[[nodiscard]] std::string page(options const& o, tally const& t, std::size_t passed_over);
//! The sums as a table.
[[nodiscard]] std::string totals_text(options const& o, tally const& t, std::size_t passed_over);

}  // namespace replay
