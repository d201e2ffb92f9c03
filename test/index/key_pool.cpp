// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a box and accesses are recognized by their keys, number by number.
#include <mmm/index/expression.hpp>
#include <mmm/index/expression_key.hpp>
#include <mmm/index/key_pool.hpp>

#include "catch.hpp"

#include <initializer_list>

using mmm::index;
using mmm::item;
using mmm::detail::key_pool;

namespace {

key_pool::key add(key_pool& pool, std::initializer_list<index> numbers) {
  pool.begin();
  for (index const n : numbers) pool.add(n);
  return pool.end();
}

template <class E>
key_pool::key add(key_pool& pool, E const& e) {
  pool.begin();
  mmm::detail::describe(e, pool);
  return pool.end();
}

}  // namespace

TEST_CASE("equal keys are the same") {
  key_pool pool;
  auto const a = add(pool, {1, 2, 3});
  auto const b = add(pool, {1, 2, 3});
  CHECK(pool.same(a, b));
  CHECK_FALSE(pool.same(a, add(pool, {1, 2})));
  CHECK_FALSE(pool.same(a, key_pool::key{}));
}

TEST_CASE("different keys with the same hash are not the same") {
  key_pool pool;
  auto const hash = [&](index n) { return static_cast<index>(add(pool, {n}).hash); };
  auto const a = add(pool, {1, 2});
  auto const b = add(pool, {3, 2 ^ hash(1) ^ hash(3)});
  CHECK(a.hash == b.hash);
  CHECK_FALSE(pool.same(a, b));
}

TEST_CASE("a key that others have overwritten is the same as none") {
  key_pool pool;
  auto const a = add(pool, {1, 2, 3});
  for (int k = 0; k < 4096; ++k) add(pool, {7});
  CHECK_FALSE(pool.same(a, add(pool, {1, 2, 3})));
  CHECK(pool.same(add(pool, {1, 2, 3}), add(pool, {1, 2, 3})));
}

TEST_CASE("expressions have the same key exactly if they are equal, whatever their types are") {
  key_pool pool;
  auto const key = add(pool, item * 3 + 7);
  CHECK(pool.same(key, add(pool, item * mmm::literal<3> + mmm::literal<7>)));
  CHECK_FALSE(pool.same(key, add(pool, item * 3 - 7)));
  CHECK_FALSE(pool.same(key, add(pool, item * 7 + 3)));
  CHECK_FALSE(pool.same(key, add(pool, item * (item * 0 + 3) + 7)));
  CHECK_FALSE(pool.same(key, add(pool, select(item < 3, item, 7))));
  CHECK_FALSE(pool.same(add(pool, item < 3), add(pool, item <= 3)));
  CHECK_FALSE(pool.same(add(pool, item < 3 && item < 4), add(pool, item < 3 || item < 4)));
}

TEST_CASE("expressions that differ in an added number have the same key without it") {
  key_pool pool;
  auto const unmoved = [&](auto const& e) {
    pool.begin();
    mmm::detail::describe_unmoved(e, pool);
    return pool.end();
  };
  auto const key = unmoved(item * 3 + 7);
  CHECK(pool.same(key, unmoved(item * 3 + mmm::literal<100>)));
  CHECK_FALSE(pool.same(key, unmoved(item * 4 + 7)));
  CHECK_FALSE(pool.same(key, unmoved(item * 3 * 1 + 7)));
  CHECK_FALSE(pool.same(unmoved((item + 1) * 3 + 7), unmoved((item + 2) * 3)));
  CHECK(pool.same(unmoved((item + 1) * 3 + 7), unmoved((item + 2) * 3 + 1)));
  CHECK_FALSE(pool.same(key, unmoved(item * 3 - 7)));
  CHECK_FALSE(pool.same(unmoved(item % 2 + 1), unmoved(item % 3 + 1)));
  CHECK(mmm::detail::added_number(item * 3 + 7) == 7);
  CHECK(mmm::detail::added_number((item + 2) * 3 + mmm::literal<5>) == 11);
  CHECK(mmm::detail::added_number((item + 2) * (item + 1) + 4) == 4);
  CHECK(mmm::detail::added_number(5 + item * 3 + 7) == 12);
  CHECK(mmm::detail::added_number(item * 3) == 0);
}
