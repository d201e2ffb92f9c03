// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts and the types of exceptions, which core/failure.hpp makes without their headers.
#include <mmm/core/failure.hpp>
#include <mmm/core/host_array.hpp>

#include "catch.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace {

using mmm::detail::failure_text;

template <class Exception, class F>
std::string text_of(F const& f) {
  try {
    f();
  } catch (Exception const& e) {
    return e.what();
  }
  return "no exception";
}

}  // namespace

TEST_CASE("the texts of exceptions are put together") {
  CHECK(std::string(failure_text().c_str()).empty());
  CHECK(failure_text("a", mmm::index{0}, "", "b", mmm::index{-7}).c_str() == std::string("a0b-7"));
  for (mmm::index const n : {INT64_MIN, mmm::index{-10}, mmm::index{1000000}, INT64_MAX})
    CHECK(failure_text(n).c_str() == std::to_string(n));
  for (std::uint64_t const n : {std::uint64_t{0}, std::uint64_t{9}, UINT64_MAX})
    CHECK(failure_text(n).c_str() == std::to_string(n));
  std::string const words(600, 'x');
  CHECK(failure_text(words.c_str(), "y").c_str() == words.substr(0, 511));
  CHECK(failure_text(words.substr(0, 510).c_str(), mmm::index{-12}).c_str() ==
        words.substr(0, 510) + "-");
}

TEST_CASE("exceptions have the types of the standard library") {
  using mmm::detail::reject;
  CHECK(text_of<std::invalid_argument>([] { reject("the size", -1, "0 or more"); }) ==
        "mmm: the size is -1; accepted: 0 or more");
  CHECK(text_of<std::invalid_argument>([] {
          mmm::detail::reject_unsigned("the size", UINT64_MAX, "less");
        }) == "mmm: the size is 18446744073709551615; accepted: less");
  CHECK(text_of<std::length_error>([] { mmm::detail::reject_length("words", 3, 2); }) ==
        "mmm: words: 3 needed, 2 available");
  CHECK(text_of<std::overflow_error>([] { mmm::detail::reject_overflow("a sum"); }) ==
        "mmm: a figure does not fit into 64 bits: a sum");
  CHECK(text_of<std::out_of_range>([] {
          mmm::detail::throw_out_of_range(failure_text("mmm: address ", mmm::index{5}));
        }) == "mmm: address 5");
}

TEST_CASE("an array on the host grows") {
  mmm::detail::host_array<int> a(2);
  CHECK((a[0] == 0 && a[1] == 0));
  for (int i = 0; i < 100; ++i) a.push_back(i);
  CHECK(a.size() == 102);
  bool right = true;
  for (int i = 0; i < 100; ++i) right = right && a[2 + i] == i;
  CHECK(right);
  CHECK(mmm::detail::host_array<bool>(0).size() == 0);
  CHECK_THROWS_AS(mmm::detail::host_array<int>(-1), std::length_error);
}
