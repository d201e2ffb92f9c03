// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "processes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <stdexcept>

// The laws of cluster handles (execution/nodes.hpp) on MPI's processes: results are those of a
// simulation.

using checks::node_words;
using checks::own_rank;
using checks::words_of;

namespace {

// x -> factor x + term: composition is associative and does not commute.
struct affine {
  std::uint32_t factor;
  std::uint32_t term;
  friend bool operator==(affine const&, affine const&) = default;
};
struct then {
  affine operator()(affine const& f, affine const& g) const {
    return {f.factor * g.factor, g.factor * f.term + g.term};
  }
};

struct large {
  std::array<std::int64_t, 40> words;
  friend bool operator==(large const&, large const&) = default;
};

struct sizes_by_rank {
  mmm::index factor;
  mmm::index words(mmm::index r) const { return factor * (r % 3); }
};

auto const numbered = [](auto& array, mmm::index words) {
  return [=](auto&, mmm::index r) {
    for (mmm::index i = 0; i < words; ++i)
      array.part(r)[static_cast<std::ptrdiff_t>(i)] = static_cast<int>(1000 * r + i);
  };
};

}  // namespace

TEST_CASE("mpi: each_node calls the body once on each process, with its rank") {
  auto const on = checks::processes();
  CHECK(on.nodes() == checks::number_of_processes());
  CHECK(on.rank() == own_rank());
  mmm::index calls = 0;
  mmm::mpi::run(on, [&](auto const& nodes) {
    auto const twice = nodes.each_node([&](auto& local, mmm::index r) {
      ++calls;
      CHECK(r == own_rank());
      CHECK(local.threads() == 1);
      return 2 * r;
    });
    CHECK(twice[own_rank()] == 2 * own_rank());
    CHECK_THROWS_AS(twice[own_rank() + 1], std::logic_error);
  });
  CHECK(calls == 1);
}

TEST_CASE("mpi: a program's result is that of its call on each process") {
  auto const on = checks::processes();
  CHECK(mmm::mpi::run(on, [](auto const& nodes) { return nodes.rank() + 1; }) == own_rank() + 1);
}

TEST_CASE("mpi: a process has its own part of an array only") {
  auto const on = checks::processes();
  mmm::mpi::run(on, [](auto const& nodes) {
    auto const a = nodes.template allocate<int>(sizes_by_rank{5});
    CHECK(a.words(own_rank()) == 5 * (own_rank() % 3));
    CHECK(a.words(own_rank() + 1) == 5 * ((own_rank() + 1) % 3));
    CHECK_THROWS_AS(a.part(own_rank() + 1), std::logic_error);
    if (own_rank() > 0) CHECK_THROWS_AS(a.part(0), std::logic_error);
    nodes.each_node([&](auto&, mmm::index r) {
      for (mmm::index i = 0; i < a.words(r); ++i) a.part(r)[i] = 7;
      CHECK(words_of<int>(a.part(r), a.words(r)) ==
            std::vector<int>(static_cast<std::size_t>(a.words(r)), 7));
    });
    CHECK_THROWS_AS(
        nodes.template allocate<int>(sizes_by_rank{own_rank() % 3 == 0 ? 0 : -1}).words(0) +
            (own_rank() % 3 == 0 ? throw std::invalid_argument("none") : 0),
        std::invalid_argument);
  });
}

namespace {

// Pieces of all sizes: node r sends node s the rectangle of a few rows, also itself.
struct rectangles {
  mmm::index nodes;
  mmm::index pitch;
  mmm::piece operator()(mmm::index r, mmm::index s) const {
    mmm::index const rows = (r + s) % 4;
    return {.source = s * pitch,
            .target = r * 4 * pitch,
            .words = 1 + (r + 2 * s) % 3,
            .rows = rows,
            .source_pitch = nodes * pitch,
            .target_pitch = pitch};
  }
};
struct words_of_rectangles {
  mmm::index all;
  mmm::index words(mmm::index) const { return all; }
};

// A ring: receivers and senders are named.
struct to_the_next {
  mmm::index nodes;
  mmm::index words;
  mmm::piece operator()(mmm::index r, mmm::index s) const {
    return {.source = 0, .target = 0, .words = s == r + 1 ? words : 0};
  }
  mmm::rank_range receivers(mmm::index r) const { return {r + 1, r + 1 < nodes ? r + 2 : r + 1}; }
  mmm::rank_range senders(mmm::index r) const { return {r > 0 ? r - 1 : r, r}; }
};

}  // namespace

TEST_CASE("mpi: an exchange moves rectangles as a simulation does") {
  mmm::index const k = checks::number_of_processes();
  mmm::index const pitch = 5;
  auto const program = [&](auto const& on, node_words<int>& result) {
    auto const source = on.template allocate<int>(words_of_rectangles{4 * k * pitch});
    auto const target = on.template allocate<int>(words_of_rectangles{4 * k * pitch});
    on.each_node(numbered(source, 4 * k * pitch));
    on.each_node([=](auto&, mmm::index r) {
      for (mmm::index i = 0; i < 4 * k * pitch; ++i)
        target.part(r)[static_cast<std::ptrdiff_t>(i)] = -1;
    });
    on.exchange(source, target, rectangles{k, pitch});
    on.each_node([&](auto&, mmm::index r) {
      result[static_cast<std::size_t>(r)] = words_of<int>(target.part(r), 4 * k * pitch);
    });
  };
  node_words<int> expected(static_cast<std::size_t>(k));
  node_words<int> found(static_cast<std::size_t>(k));
  auto const run = checks::simulated([&](auto on) { program(on, expected); });
  CHECK(run.node_race_count == 0);
  mmm::mpi::run(checks::processes(), [&](auto const& on) { program(on, found); });
  auto const own = static_cast<std::size_t>(own_rank());
  CHECK(found[own] == expected[own]);
}

TEST_CASE("mpi: the body of an exchange runs while words travel; nothing travels for no words") {
  mmm::index const k = checks::number_of_processes();
  for (mmm::index const n : {0, 1, 70000}) {
    int bodies = 0;
    mmm::mpi::run(checks::processes(), [&](auto const& on) {
      auto const source = on.template allocate<int>(words_of_rectangles{n});
      auto const target = on.template allocate<int>(words_of_rectangles{n});
      on.each_node(numbered(source, n));
      on.exchange(source, target, to_the_next{k, n}, [&](auto&, mmm::index r) {
        ++bodies;
        CHECK(r == own_rank());
      });
      on.each_node([&](auto&, mmm::index r) {
        if (r == 0 || n == 0) return;
        CHECK(target.part(r)[0] == 1000 * (r - 1));
        CHECK(target.part(r)[n - 1] == 1000 * (r - 1) + n - 1);
      });
    });
    CHECK(bodies == 1);
  }
}

TEST_CASE("mpi: all_reduce, exclusive_scan and all_gather are folds in the order of the ranks") {
  mmm::index const k = checks::number_of_processes();
  auto const program = [&](auto const& on) {
    auto const own = on.each_node([](auto&, mmm::index r) {
      return affine{static_cast<std::uint32_t>(3 * r + 2), static_cast<std::uint32_t>(r * r + 1)};
    });
    auto const before = on.exclusive_scan(own, then{}, affine{5, 7});
    auto const found = on.each_node([=](auto&, mmm::index r) { return before[r]; });
    auto const all = on.all_gather(found);
    std::vector<affine> values{on.all_reduce(own, then{})};
    for (mmm::index r = 0; r < k; ++r) values.push_back(all[r]);
    auto const small =
        on.each_node([](auto&, mmm::index r) { return 1.0F / static_cast<float>(r + 3); });
    float const sum = on.all_reduce(small, [](float x, float y) { return x + y; });
    values.push_back({static_cast<std::uint32_t>(sum * 1e9F), 0});
    return values;
  };
  auto const expected = checks::simulated([&](auto on) { return program(on); }).result;
  CHECK(mmm::mpi::run(checks::processes(), program) == expected);
}

TEST_CASE("mpi: values larger than an agreement's packet are gathered, too") {
  auto const program = [](auto const& on) {
    auto const own = on.each_node([](auto&, mmm::index r) {
      large x{};
      for (std::size_t i = 0; i < 40; ++i) x.words[i] = static_cast<std::int64_t>(i) * (r + 1);
      return x;
    });
    return on.all_reduce(own, [](large const& x, large const& y) {
      large z{};
      for (std::size_t i = 0; i < 40; ++i) z.words[i] = 3 * x.words[i] + y.words[i];
      return z;
    });
  };
  auto const expected = checks::simulated([&](auto on) { return program(on); }).result;
  CHECK(mmm::mpi::run(checks::processes(), program) == expected);
}

TEST_CASE("mpi: broadcasts and reductions in groups of processes") {
  mmm::index const k = checks::number_of_processes();
  for (mmm::index size = 1; size <= k; ++size)
    for (mmm::index stride = 1; size * stride <= k; ++stride) {
      if (k % (size * stride) != 0) continue;
      mmm::node_groups const groups{size, stride};
      for (mmm::index const root : {mmm::index{0}, size - 1})
        for (mmm::index const n : {0, 1, 5, 1000}) {
          auto const program = [&](auto const& on, node_words<affine>& result) {
            auto const source = on.template allocate<affine>(words_of_rectangles{n});
            auto const copied = on.template allocate<affine>(words_of_rectangles{n});
            auto const folded = on.template allocate<affine>(words_of_rectangles{n});
            on.each_node([=](auto&, mmm::index r) {
              for (mmm::index i = 0; i < n; ++i)
                source.part(r)[static_cast<std::ptrdiff_t>(i)] = {
                    static_cast<std::uint32_t>(2 * r + i), static_cast<std::uint32_t>(r - i)};
            });
            on.broadcast(groups, root, source, copied);
            on.reduce(groups, root, source, folded, then{});
            on.each_node([&](auto&, mmm::index r) {
              auto& words = result[static_cast<std::size_t>(r)];
              words = words_of<affine>(copied.part(r), n);
              if (groups.member(r) != root) return;
              auto const fold = words_of<affine>(folded.part(r), n);
              words.insert(words.end(), fold.begin(), fold.end());
            });
          };
          node_words<affine> expected(static_cast<std::size_t>(k));
          node_words<affine> found(static_cast<std::size_t>(k));
          checks::simulated([&](auto on) { program(on, expected); });
          mmm::mpi::run(checks::processes(), [&](auto const& on) { program(on, found); });
          auto const own = static_cast<std::size_t>(own_rank());
          CAPTURE(size, stride, root, n);
          CHECK(found[own] == expected[own]);
        }
    }
}

TEST_CASE("mpi: a caller's sequence lies as the processes' parts do") {
  mmm::index const k = checks::number_of_processes();
  mmm::index const n = own_rank() % 2 == 0 ? 0 : 3 * own_rank();
  mmm::mpi::run(checks::processes(), [&](auto const& on) {
    auto const parts = on.distribution_of(n);
    mmm::index first = 0;
    for (mmm::index r = 0; r < k; ++r) {
      mmm::index const words = r % 2 == 0 ? 0 : 3 * r;
      CHECK(parts.words(r) == words);
      CHECK(parts.first(r) == first);
      for (mmm::index i = 0; i < words; ++i) {
        CHECK(parts.place(r, i) == first + i);
        CHECK(parts.block_of(first + i) == r);
      }
      first += words;
    }
    CHECK(parts.total() == first);
  });
}

TEST_CASE("mpi: contiguous sequences are not copied, others are") {
  std::vector<int> a(static_cast<std::size_t>(4 + own_rank()), 3);
  std::vector<int> b(a.size(), 0);
  std::deque<int> const c(a.begin(), a.end());
  std::deque<long> d(a.size(), 0);
  mmm::mpi::run(checks::processes(), [&](auto const& on) {
    auto const parts = on.distribution_of(static_cast<mmm::index>(a.size()));
    auto const read = on.bring(a.cbegin(), parts);
    auto const also_read = on.bring(c.begin(), parts);
    auto const written = on.template results<int>(b.begin(), parts);
    auto const converted = on.template results<int>(d.begin(), parts);
    on.each_node([&](auto&, mmm::index r) {
      CHECK(read.part(r) == a.data());
      CHECK(written.part(r) == b.data());
      for (mmm::index i = 0; i < parts.words(r); ++i) {
        written.part(r)[i] = read.part(r)[i] + also_read.part(r)[i];
        converted.part(r)[i] = 9;
      }
    });
    on.deliver(written, b.begin(), parts);
    on.deliver(converted, d.begin(), parts);
  });
  CHECK(b == std::vector<int>(a.size(), 6));
  CHECK(d == std::deque<long>(a.size(), 9));
}

TEST_CASE("mpi: results over a sequence that is read wait until they are delivered") {
  std::vector<int> a(5);
  std::iota(a.begin(), a.end(), 1);
  std::vector<int> const before = a;
  mmm::mpi::run(checks::processes(), [&](auto const& on) {
    auto const parts = on.distribution_of(4);
    auto const read = on.bring(a.data(), parts);
    auto const written = on.template results<int>(a.data() + 1, parts);
    on.each_node([&](auto&, mmm::index r) {
      for (mmm::index i = 0; i < 4; ++i) written.part(r)[i] = 10 * read.part(r)[i];
    });
    CHECK(a == before);
    on.deliver(written, a.data() + 1, parts);
  });
  CHECK(a == std::vector<int>{1, 10, 20, 30, 40});
}

TEST_CASE("mpi: inspected words are the process's own as they were, 0 elsewhere") {
  mmm::mpi::run(checks::processes(), [&](auto const& on) {
    auto const a = on.template allocate<int>(words_of_rectangles{3});
    on.each_node(numbered(a, 3));
    auto const words = on.run_inspect(a);
    on.each_node([&](auto&, mmm::index r) { a.part(r)[2] = -1; });
    CHECK(words(own_rank(), 2) == 1000 * own_rank() + 2);
    CHECK(words(own_rank() + 1, 2) == 0);
  });
}

TEST_CASE("mpi: repeat runs the body for each block in order") {
  std::vector<mmm::index> trips;
  mmm::mpi::run(checks::processes(), [&](auto const& on) {
    on.repeat(mmm::block_distribution(10, 4), [&](mmm::index b) { trips.push_back(b); });
  });
  CHECK(trips == std::vector<mmm::index>{0, 1, 2, 3});
}

TEST_CASE("mpi: derived communicators, and several handles at once") {
  auto const k = static_cast<int>(checks::number_of_processes());
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, k - static_cast<int>(own_rank()), &reversed);
  MPI_Comm parity = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(own_rank() % 2), 0, &parity);
  {
    auto const on = checks::processes();
    auto const backwards = checks::processes(reversed);
    auto const half = checks::processes(parity);
    MPI_Comm_free(&reversed);  // the handles have duplicates
    MPI_Comm_free(&parity);
    CHECK(backwards.rank() == k - 1 - own_rank());
    CHECK(half.nodes() == (k + (own_rank() % 2 == 0 ? 1 : 0)) / 2);
    mmm::mpi::run(on, [&](auto const& nodes) {
      auto const own = nodes.each_node([](auto&, mmm::index r) { return r; });
      auto const forwards = nodes.all_gather(own);
      mmm::mpi::run(backwards, [&](auto const& others) {
        auto const there = others.each_node([](auto&, mmm::index) { return own_rank(); });
        auto const all = others.all_gather(there);
        for (mmm::index r = 0; r < k; ++r) CHECK(all[r] == forwards[k - 1 - r]);
      });
    });
    std::vector<int> const ones(3, 1);
    CHECK(mmm::sum(half, ones.begin(), ones.end()) == 3 * half.nodes());
  }
}
