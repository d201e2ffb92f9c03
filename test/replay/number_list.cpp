// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each way in which mmm-replay reads lists of numbers reads what a simple one does.
// (test/program/replay_test.py tests what depends on them.)
#include "catch.hpp"
#include "processors.hpp"

#include <common/text.hpp>
#include <replay/number_list.hpp>

#include <algorithm>
#include <random>
#include <string>

using namespace replay;

namespace {

//! A list's text within bytes that no reading of it may depend on.
class surrounded {
 public:
  explicit surrounded(std::string const& text, char around)
      : bytes_(std::string(64, around) + text + std::string(64, around)) {}
  [[nodiscard]] std::string_view text() const {
    return std::string_view(bytes_).substr(64, bytes_.size() - 128);
  }

 private:
  std::string bytes_;
};

//! The numbers of a list, read one by one.
std::string read_simply(std::string_view list, char mark, spelling how) {
  std::string result;
  if (std::count(list.begin(), list.end(), mark) >= 32) return "none";
  for (bool more = true; more;) {
    std::string_view text = list.substr(0, list.find(mark));
    more = text.size() < list.size();
    list.remove_prefix(text.size() + (more ? 1 : 0));
    bool const empty = text.empty();
    bool const negative = how == spelling::decimal_or_negative && text.starts_with('-');
    bool const prefixed =
        how == spelling::hexadecimal && (text.starts_with("0x") || text.starts_with("0X"));
    text.remove_prefix(negative ? 1 : prefixed ? 2 : 0);
    mmm::index value = 0;
    bool const is_number = text.size() <= 16 && tool::read_whole(text, value, prefixed ? 16 : 10) &&
                           !(prefixed && (text.starts_with("0x") || text.starts_with("0X"))) &&
                           (how == spelling::hexadecimal) == prefixed && !(negative && value == 0);
    if (!empty && !is_number) return "none";
    result += (empty ? "" : std::to_string(negative ? -value : value)) + ";";
  }
  return result;
}

//! The answer of number_list for a list.
std::string said(tool::processor by, std::string const& text, char mark, spelling how,
                 char around) {
  number_list list;
  number_list::numbers numbers;
  surrounded const in(text, around);
  if (!list.read(by, in.text(), mark, how, numbers)) return "none";
  std::string result;
  for (std::size_t k = 0; k < list.count; ++k)
    result += ((list.empty >> k & 1) != 0 ? "" : std::to_string(numbers[k])) + ";";
  return result;
}

//! The answer for a list with other texts around it; it must be that of a simple reading.
std::string agreed_by(tool::processor by, std::string const& text, char mark, spelling how) {
  std::string const result = read_simply(text, mark, how);
  for (char const around : {mark, '0', '-', '\xFF'}) {
    CAPTURE(text, mark, around);
    CHECK(said(by, text, mark, how, around) == result);
  }
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("lists of numbers that are read, and others", "", processors::baseline,
                   processors::avx512) {
  SKIP_BEFORE(TestType::value);
  auto const agreed = [](auto const&... of) { return agreed_by(TestType::value, of...); };
  using enum spelling;
  CHECK(agreed("", ';', decimal) == ";");
  CHECK(agreed("0;12345678;123456789;9999999999999999", ';', decimal) ==
        "0;12345678;123456789;9999999999999999;");
  CHECK(agreed(";7;;", ';', decimal) == ";7;;;");
  CHECK(agreed("00000007", ';', decimal) == "7;");
  CHECK(agreed(std::string(31, ';'), ';', decimal) == std::string(32, ';'));
  CHECK(agreed("5 -6 0 -1234567890123456", ' ', decimal_or_negative) ==
        "5;-6;0;-1234567890123456;");
  CHECK(agreed("0x0 0XfF 0x7fffffffffffffff", ' ', hexadecimal) == "0;255;9223372036854775807;");
  CHECK(agreed(";0x10;", ';', hexadecimal) == ";16;;");
  for (char const* no :
       {"12345678901234567", "-1", "+1", "1 2", "1,2", "0x1", "a", "1:", "/1", "\xB1"})
    CHECK(agreed(std::string("1;") + no, ';', decimal) == "none");
  for (char const* no : {"-", "--1", "-0", "-00000000000", "1-", "-12345678901234567", "0x1"})
    CHECK(agreed(std::string("1 ") + no, ' ', decimal_or_negative) == "none");
  for (char const* no : {"1", "12", "0x", "x1", "1x1", "0y1", "0x-1", "0xg", "0x@", "0x:", "0x`",
                         "0x/", "0x8000000000000000", "0x00000000000000001"})
    CHECK(agreed(std::string("0x1 ") + no, ' ', hexadecimal) == "none");
  CHECK(agreed(std::string(32, ';'), ';', decimal) == "none");
  CHECK(agreed(std::string(5000, ';'), ';', decimal) == "none");
  CHECK(agreed(std::string(5000, '1'), ';', decimal) == "none");
}

TEMPLATE_TEST_CASE("hexadecimal numbers of one length, and with any byte changed", "",
                   processors::baseline, processors::avx512) {
  SKIP_BEFORE(TestType::value);
  auto const agreed = [](auto const&... of) { return agreed_by(TestType::value, of...); };
  std::mt19937_64 random(8);
  for (std::size_t const length : {1U, 2U, 7U, 12U, 13U, 14U}) {
    std::string text;
    std::string numbers;
    for (int k = 0; k < 32; ++k) {
      std::string number;
      for (std::size_t d = 0; d < length; ++d) number += "0123456789abcdefABCDEF"[random() % 22];
      text += (k == 0 ? "" : ";") + std::string(k % 3 == 0 ? "0X" : "0x") + number;
      numbers += std::to_string(std::stoll(number, nullptr, 16)) + ";";
    }
    CHECK(agreed(text, ';', spelling::hexadecimal) == numbers);
    for (std::size_t k = 0; k < text.size(); ++k)
      for (char const other : {';', '0', 'f', 'G', 'x', '/', '\xB1'}) {
        std::string changed = text;
        changed[k] = other;
        static_cast<void>(agreed(changed, ';', spelling::hexadecimal));
      }
    std::size_t const last = text.rfind(';');
    CHECK(agreed(text.substr(0, last), ';', spelling::hexadecimal) ==
          numbers.substr(0, numbers.rfind(';', numbers.size() - 2) + 1));
    CHECK(agreed(text + text.substr(last), ';', spelling::hexadecimal) == "none");
  }
}

TEMPLATE_TEST_CASE("random lists of numbers, some of them with a wrong byte", "",
                   processors::baseline, processors::avx512) {
  SKIP_BEFORE(TestType::value);
  auto const agreed = [](auto const&... of) { return agreed_by(TestType::value, of...); };
  std::mt19937_64 random(7);
  auto const below = [&](std::uint64_t n) { return random() % n; };
  int read = 0;
  for (int k = 0; k < 20000; ++k) {
    auto const how = static_cast<spelling>(below(3));
    bool const alike = below(2) == 0;
    std::size_t const length = 1 + below(how == spelling::hexadecimal ? 16 : 17);
    std::string text;
    for (std::uint64_t left = 1 + below(33); left > 0; --left) {
      if (how == spelling::hexadecimal) text += below(2) == 0 ? "0x" : "0X";
      if (how == spelling::decimal_or_negative && below(2) == 0) text += '-';
      for (std::size_t d = alike ? length : 1 + below(length); d > 0; --d)
        text += how == spelling::hexadecimal ? "0123456789abcdefABCDEF"[below(22)]
                                             : "0123456789"[below(10)];
      if (left > 1) text += below(40) == 0 ? ";;" : ";";
    }
    if (below(4) == 0) text[below(text.size())] = static_cast<char>(below(256));
    read += agreed(text, ';', how) == "none" ? 0 : 1;
  }
  CHECK(read > 5000);
}
