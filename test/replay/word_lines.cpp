// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of a trace of words that mmm-replay reads side by side are read as they were written, and
// lines of any other kind are left to its other reader.
#include "catch.hpp"
#include "processors.hpp"

#include <replay/word_lines.hpp>

#include <random>
#include <string>
#include <vector>

using namespace replay;

namespace {

//! The text of `count` lines within bytes that no reading of it may depend on.
struct written {
  std::string text = std::string(64, '7');
  std::vector<mmm::index> address;

  written(std::mt19937_64& random, std::string const& start, mmm::index thread, std::size_t count,
          int digits) {
    for (std::size_t k = 0; k < count; ++k) {
      mmm::index most = 1;
      for (auto d = random() % static_cast<unsigned>(digits) + 1; d > 0; --d) most *= 10;
      address.push_back(static_cast<mmm::index>(random() % static_cast<std::uint64_t>(most)));
      text += start + std::to_string(thread + static_cast<mmm::index>(k)) + "," +
              std::to_string(address.back()) + ",r\n";
    }
  }
  //! True if it is read; the addresses and the bytes must be those that were written.
  bool is_read(std::string const& start, mmm::index thread, std::size_t count) const {
    std::string const whole = text + std::string(word_lines::looked_at, '7');
    word_lines lines(start, 'r');
    word_lines::addresses to{};
    if (!lines.read(whole.data() + 64, thread, count, to)) return false;
    CAPTURE(text, thread, count);
    CHECK(lines.bytes() == text.size() - 64);
    CHECK(std::vector<mmm::index>(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(count)) ==
          address);
    return true;
  }
};

}  // namespace

TEST_CASE("lines of consecutive threads are read by AVX-512 as they were written") {
  SKIP_BEFORE(word_lines::first_processor);
  std::mt19937_64 random(5);
  int read = 0;
  for (int k = 0; k < 3000; ++k) {
    std::string const start = std::to_string(random() >> random() % 60) + ",global,0,";
    auto const thread = static_cast<mmm::index>(random() % 100000000 >> random() % 26);
    std::size_t const count = 1 + random() % 32;
    auto const last = thread + static_cast<mmm::index>(count) - 1;
    bool const fits = start.size() + std::to_string(thread).size() < word_lines::longest_start &&
                      std::to_string(thread).size() == std::to_string(last).size();
    written const in(random, start, thread, count, 8);
    CHECK(in.is_read(start, thread, count) == (fits && last <= 99999999));
    read += fits ? 1 : 0;
  }
  CHECK(read > 1000);
}

TEST_CASE("lines with one other byte are not read by AVX-512, wherever it stands") {
  SKIP_BEFORE(word_lines::first_processor);
  std::mt19937_64 random(6);
  std::string const start = "17,shared,3,";
  for (std::size_t const count : {1U, 5U, 31U, 32U}) {
    written const right(random, start, 64, count, 8);
    REQUIRE(right.is_read(start, 64, count));
    CHECK_FALSE(right.is_read(start, 65, count));
    CHECK_FALSE(right.is_read("18,shared,3,", 64, count));
    CHECK_FALSE(right.is_read(start, -1, count));
    CHECK_FALSE(right.is_read(start, 100000000, count));
    std::size_t commas = 0;  // of the line, before the byte or at it
    for (std::size_t at = 64; at < right.text.size(); ++at) {
      char const was = right.text[at];
      commas = was == '\n' ? 0 : commas + (was == ',' ? 1 : 0);
      for (char const c : {'\n', ',', '-', '/', ':', '1', 'w', '\r', '\0', '\xB1'}) {
        bool const another_address = commas == 4 && was != ',' && c == '1';
        if (c == was || another_address) continue;
        written wrong = right;
        wrong.text[at] = c;
        CHECK_FALSE(wrong.is_read(start, 64, count));
      }
    }
  }
  for (char const* line :
       {"17,shared,3,64,,r\n", "17,shared,3,64,123456789,r\n", "17,shared,3,064,1,r\n",
        "17,shared,3,64,1,r\r\n", "17,shared,3,64,1\n"}) {
    written other(random, start, 64, 0, 8);
    other.text += line;
    CHECK_FALSE(other.is_read(start, 64, 1));
  }
}
