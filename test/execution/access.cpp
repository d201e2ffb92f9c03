// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of plain values, as kernels and threads of the host make them.
#include <mmm/execution/access.hpp>

#include "catch.hpp"

#include <sys/mman.h>

namespace {

// A page that cannot be read: an access ends the program.
struct forbidden_page {
  int const* words =
      static_cast<int const*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ~forbidden_page() { munmap(const_cast<int*>(words), 4096); }
};

// The sum of p[0 … n - 1] and of `words - n` sevens, without an access to other words.
[[gnu::noinline]] int sum_of_first(mmm::index n, int const* p, mmm::index words) {
  int sum = 0;
  for (mmm::index k = 0; k < words; ++k) sum += mmm::load_if(k < n, p[k], 7);
  return sum;
}

}  // namespace

// This file is compiled with -O2: an optimizing compiler must not read eight words at once before
// it knows the condition.
TEST_CASE("load_if and store_if access no word where the condition does not hold") {
  forbidden_page const page;
  REQUIRE(page.words != MAP_FAILED);
  CHECK(sum_of_first(0, page.words, 64) == 448);
  int words[] = {1, 2, 3};
  CHECK(sum_of_first(3, words, 5) == 20);
  for (mmm::index k = 0; k < 3; ++k) mmm::store_if(k > 3, const_cast<int*>(page.words)[k], 1);
  mmm::store_if(true, words[0], 4);
  CHECK(words[0] == 4);
  static_assert(mmm::load_if(true, 5, 7) == 5 && mmm::load_if(false, 5, 7) == 7);
}
