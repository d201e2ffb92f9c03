// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "processes.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

// Algorithm objects on MPI's processes: results are those of one node on the whole sequence. For
// sizes of 0, of fewer words than processes, and sizes that the processes do not divide; and for
// parts of very different sizes, some of them empty.

namespace {

// Numbers without a pattern that a program could meet by chance; sums are exact in float.
std::vector<int> numbers(mmm::index n) {
  std::vector<int> words;
  for (mmm::index i = 0; i < n; ++i)
    words.push_back(static_cast<int>((i * i * 7 + i * 13) % 101) - 30);
  return words;
}

// How a whole sequence lies on the processes.
struct lying {
  std::vector<mmm::index> sizes;
  [[nodiscard]] mmm::index first(mmm::index rank) const {
    mmm::index sum = 0;
    for (mmm::index r = 0; r < rank; ++r) sum += sizes[static_cast<std::size_t>(r)];
    return sum;
  }
  [[nodiscard]] mmm::index total() const { return first(static_cast<mmm::index>(sizes.size())); }
  template <class T>
  [[nodiscard]] std::vector<T> own(std::vector<T> const& whole) const {
    auto const begin = whole.begin() + static_cast<std::ptrdiff_t>(first(checks::own_rank()));
    return {begin, begin + static_cast<std::ptrdiff_t>(
                               sizes[static_cast<std::size_t>(checks::own_rank())])};
  }
};
std::vector<lying> all_lyings() {
  mmm::index const k = checks::number_of_processes();
  std::vector<lying> all;
  for (mmm::index const n : {mmm::index{0}, mmm::index{1}, k - 1, k, k + 1, mmm::index{1000}}) {
    lying x;
    mmm::block_distribution const parts(n, k);
    for (mmm::index r = 0; r < k; ++r) x.sizes.push_back(parts.words(r));
    all.push_back(x);
  }
  lying last_only{std::vector<mmm::index>(static_cast<std::size_t>(k), 0)};
  last_only.sizes.back() = 97;
  all.push_back(last_only);
  lying uneven;
  for (mmm::index r = 0; r < k; ++r) uneven.sizes.push_back(r % 2 == 1 ? 0 : 50 * r + 3);
  all.push_back(uneven);
  return all;
}

// Compares `call(on, own words)` with `call(one node, all words)`; both return the same type: a
// value, or the words that the call writes, of which a process has its own.
template <class Call>
void check_program(Call const& call) {
  auto const on = checks::processes();
  checks::node_handle const one(mmm::threads(1));
  for (lying const& parts : all_lyings()) {
    std::vector<int> const whole = numbers(parts.total());
    auto const expected = call(one, whole);
    auto const found = call(on, parts.own(whole));
    CAPTURE(parts.sizes);
    if constexpr (requires { expected.begin(); })
      CHECK(found == parts.own(expected));
    else
      CHECK(found == expected);
  }
}

}  // namespace

TEST_CASE("mpi: sums") {
  check_program(
      [](auto const& on, std::vector<int> const& a) { return mmm::sum(on, a.begin(), a.end()); });
  check_program([](auto const& on, std::vector<int> const& a) {
    return mmm::sum(on, a.begin(), a.end(), mmm::maximum{}, mmm::init(-1000));
  });
  check_program([](auto const& on, std::vector<int> const& a) {
    return mmm::sum(on, a.begin(), a.end(), mmm::init(0.5));
  });
}

TEST_CASE("mpi: prefix-sums") {
  check_program([](auto const& on, std::vector<int> const& a) {
    std::vector<int> b(a.size(), -1);
    mmm::prefix_sums(on, a.begin(), a.end(), b.begin());
    return b;
  });
  check_program([](auto const& on, std::vector<int> a) {
    mmm::prefix_sums(on, a.begin(), a.end(), a.begin());
    return a;
  });
  check_program([](auto const& on, std::vector<int> const& a) {
    std::vector<int> b(a.size(), -1);
    mmm::exclusive_prefix_sums(on, a.begin(), a.end(), b.begin(), mmm::maximum{}, mmm::init(-7));
    return b;
  });
}

// x -> scale x + shift; composition does not commute.
struct affine {
  int scale = 1;
  int shift = 0;
  friend bool operator==(affine const&, affine const&) = default;
};
struct composed {
  affine operator()(affine const& f, affine const& g) const {
    return {f.scale * g.scale % 1009, (f.shift * g.scale + g.shift) % 1009};
  }
};

TEST_CASE("mpi: folds and prefix-sums by an operator that does not commute") {
  auto const maps = [](std::vector<int> const& a) {
    std::vector<affine> all;
    for (int const x : a) all.push_back({(x + 40) % 7 + 1, x + 31});
    return all;
  };
  check_program([&](auto const& on, std::vector<int> const& a) {
    std::vector<affine> const f = maps(a);
    std::vector<affine> b(f.size());
    mmm::prefix_sums(on, f.begin(), f.end(), b.begin(), composed{});
    return b;
  });
}

TEST_CASE("mpi: segmented prefix-sums") {
  check_program([](auto const& on, std::vector<int> const& a) {
    std::vector<char> heads;
    for (int const x : a) heads.push_back(static_cast<char>(x % 5 == 0));
    std::vector<int> b(a.size(), -1);
    mmm::segmented_prefix_sums(on, a.begin(), a.end(), heads.begin(), b.begin());
    return b;
  });
}

TEST_CASE("mpi: argmin") {
  check_program([](auto const& on, std::vector<int> const& a) -> mmm::index {
    try {
      return mmm::argmin(on, a.begin(), a.end()).place;
    } catch (std::invalid_argument const&) {
      return -1;  // of no words, on all processes
    }
  });
}

TEST_CASE("mpi: sorts") {
  check_program([](auto const& on, std::vector<int> a) {
    mmm::sort(on, a.begin(), a.end());
    return a;
  });
  check_program([](auto const& on, std::vector<int> keys) {
    std::vector<long> values;  // of equal keys equal ones: their order is open
    for (int const x : keys) values.push_back(7L - 3 * x);
    mmm::sort_pairs(on, keys.begin(), keys.end(), values.begin());
    return values;
  });
}

TEST_CASE("mpi: nodes merge the sorted runs that they receive, stably") {
  using machine = mmm::dmm<32, 2>;  // on which merging takes less time than sorting again
  lying const parts{
      std::vector<mmm::index>(static_cast<std::size_t>(checks::number_of_processes()), 1000)};
  std::vector<int> const keys = numbers(parts.total());
  std::vector<int> places(keys.size());
  std::iota(places.begin(), places.end(), 0);
  std::vector<int> own_keys = parts.own(keys), own_places = parts.own(places);
  mmm::merge_sort_pairs(
      mmm::mpi::on(MPI_COMM_WORLD, mmm::host_threads<machine>(machine{}, mmm::threads(64))),
      own_keys.begin(), own_keys.end(), own_places.begin());
  std::stable_sort(places.begin(), places.end(), [&](int x, int y) {
    return keys[static_cast<std::size_t>(x)] < keys[static_cast<std::size_t>(y)];
  });
  CHECK(own_places == parts.own(places));
}

TEST_CASE("mpi: convolutions") {
  for (std::size_t const taps : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{40}}) {
    std::vector<int> const x = numbers(static_cast<mmm::index>(taps));
    for (lying const& parts : all_lyings()) {
      mmm::index const n = parts.total();
      std::vector<int> const y = numbers(n + static_cast<mmm::index>(taps) - 1);
      std::vector<int> whole(static_cast<std::size_t>(n), -1);
      mmm::convolution(checks::node_handle(mmm::threads(1)), x.begin(), x.end(), y.begin(), y.end(),
                       whole.begin(), whole.end());
      lying words = parts;  // the last process has the words after its outputs, too
      words.sizes.back() += static_cast<mmm::index>(taps) - 1;
      std::vector<int> const own = words.own(y);
      std::vector<int> result(parts.own(whole).size(), -1);
      mmm::convolution(checks::processes(), x.begin(), x.end(), own.begin(), own.end(),
                       result.begin(), result.end());
      CAPTURE(parts.sizes, taps);
      CHECK(result == parts.own(whole));
    }
  }
}

namespace {

// Whole rows on the processes, as mmm::block_distribution has them.
[[maybe_unused]] lying rows_on_processes(mmm::index rows, mmm::index columns) {
  lying x;
  mmm::block_distribution const blocks(rows, checks::number_of_processes());
  for (mmm::index r = 0; r < blocks.blocks; ++r) x.sizes.push_back(columns * blocks.words(r));
  return x;
}

}  // namespace

TEST_CASE("mpi: convolutions of images") {
  for (mmm::index const rows : {0, 1, 5, 23})
    for (mmm::index const columns : {1, 9})
      for (mmm::index const v : {0, 1, 3}) {
        mmm::shape const image(rows, columns);
        std::vector<int> const a = numbers(image.area());
        std::vector<int> const b = numbers((2 * v + 1) * (2 * v + 1));
        std::vector<int> whole(a.size(), -1);
        mmm::image_convolution(checks::node_handle(mmm::threads(1)), a.begin(), image, b.begin(),
                               mmm::radius(v), whole.begin());
        lying const parts = rows_on_processes(rows, columns);
        std::vector<int> const own = parts.own(a);
        std::vector<int> result(own.size(), -1);
        mmm::image_convolution(checks::processes(), own.begin(), image, b.begin(), mmm::radius(v),
                               result.begin());
        CAPTURE(rows, columns, v);
        CHECK(result == parts.own(whole));
      }
}

TEST_CASE("mpi: transposes") {
  for (mmm::index const side : {0, 1, 2, 5, 16, 23}) {
    lying const parts = rows_on_processes(side, side);
    std::vector<int> const a = numbers(side * side);
    std::vector<int> whole = a;
    mmm::transpose_straightforward(checks::node_handle(mmm::threads(1)), whole.begin(), side);
    std::vector<int> own = parts.own(a);
    mmm::transpose_straightforward(checks::processes(), own.begin(), side);
    CAPTURE(side);
    CHECK(own == parts.own(whole));
  }
}

TEST_CASE("mpi: products on all grids of the processes") {
  mmm::index const k = checks::number_of_processes();
  auto const block_of = [](mmm::block_grid const& grid, std::vector<int> const& whole) {
    std::vector<int> own;
    for (mmm::index i = 0; i < grid.words(checks::own_rank()); ++i)
      own.push_back(whole[static_cast<std::size_t>(grid.place(checks::own_rank(), i))]);
    return own;
  };
  for (mmm::product_shape const& shape :
       {mmm::product_shape(0, 3, 2), mmm::product_shape(1, 1, 1), mmm::product_shape(7, 5, 9),
        mmm::product_shape(16, 16, 16)})
    for (mmm::index rows = 1; rows <= k; ++rows)
      for (mmm::index columns = 1; rows * columns <= k; ++columns) {
        if (k % (rows * columns) != 0) continue;
        mmm::node_grid const grid(rows, columns, k / (rows * columns));
        for (mmm::index const panels : {1, 2, 3}) {
          std::vector<int> const a = numbers(shape.rows * shape.inner);
          std::vector<int> const b = numbers(shape.inner * shape.columns);
          std::vector<int> c(static_cast<std::size_t>(shape.rows * shape.columns), -1);
          mmm::matrix_multiply(checks::node_handle(mmm::threads(1)), a.begin(), b.begin(), shape,
                               c.begin(), mmm::tile(1));
          mmm::product_blocks const blocks(shape, grid, mmm::inner_panels(panels));
          std::vector<int> const own_a = block_of(blocks.left, a);
          std::vector<int> const own_b = block_of(blocks.right, b);
          std::vector<int> const expected = block_of(blocks.result, c);
          std::vector<int> own_c(expected.size(), -1);
          mmm::matrix_multiply(checks::processes(), own_a.begin(), own_b.begin(), shape,
                               own_c.begin(), mmm::tile(1), grid, mmm::inner_panels(panels));
          CAPTURE(shape.rows, shape.inner, shape.columns, rows, columns, panels);
          CHECK(own_c == expected);
        }
      }
}
