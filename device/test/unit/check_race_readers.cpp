// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of one word by many threads, some of which the writer waits for: compared with vector
// clocks of all threads, which forget no read.
#include "check_events.hpp"

#include <device/check/reader_lists.hpp>

#include <algorithm>
#include <random>

using namespace check_events;

namespace {

constexpr std::uint32_t warps = 3;
constexpr std::uint32_t threads = 32 * warps;
constexpr std::uint64_t word = 4;  //!< in shared memory

//! The block's threads, what each knows of the others, and who has read the word.
class reference {
 public:
  void read(std::uint32_t thread) { readers_.push_back({thread, ++clocks_[thread][thread]}); }
  void sync(std::vector<std::uint32_t> const& members) {
    std::array<std::uint32_t, threads> all{};
    for (std::uint32_t const m : members)
      for (std::uint32_t t = 0; t < threads; ++t) all[t] = std::max(all[t], clocks_[m][t]);
    for (std::uint32_t const m : members) clocks_[m] = all;
  }
  [[nodiscard]] bool races(std::uint32_t writer) const {
    return std::any_of(readers_.begin(), readers_.end(),
                       [&](auto const& r) { return clocks_[writer][r.first] < r.second; });
  }

 private:
  std::array<std::array<std::uint32_t, threads>, threads> clocks_{};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> readers_;
};

std::vector<std::uint32_t> threads_of(std::uint32_t warp) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t t = 0; t < 32; ++t) all.push_back(32 * warp + t);
  return all;
}

//! Does the same to the check and to the reference.
class twin {
 public:
  explicit twin(kernel& k) : kernel_(k) {}

  static constexpr int events = 17;
  void event(int number) {
    switch (number) {
      case 0:
        return row(0, 4);
      case 1:
        return row(1, 4);
      case 2:
        return row(2, 4);
      case 3:
        return row(1, 8);
      case 4:
        return row(2, 16);
      case 5:
        return row(0, 1);
      case 6:
        return row(2, 1);
      case 7:
        return all_of(0);
      case 8:
        return all_of(1);
      case 9:
        return lane(0, 1);
      case 10:
        return lane(1, 2);
      case 11:
        return sync_warp(0, all_lanes);
      case 12:
        return sync_warp(0, 0b1011);
      case 13:
        return lane(0, 3);
      case 14:
        return sync_warps(0, 1);
      case 15:
        return sync_warps(0, 2, 0b1011);
      default:
        return sync_warps(0, 2);
    }
  }
  //! True if both say the same of a write.
  [[nodiscard]] bool agrees(std::uint32_t writer) {
    std::uint64_t const before = kernel_.races();
    kernel_.one(0, writer / 32, writer % 32, shared_store, 50, word);
    return (kernel_.races() != before) == reference_.races(writer);
  }

 private:
  //! The lanes of a warp read neighbours, of which some read the word or a part of it.
  void row(std::uint32_t warp, int bytes) {
    kernel_.by(0, warp, all_lanes, of_bytes(shared_load, bytes), line_++,
               words(0, static_cast<std::uint64_t>(bytes)));
    for (std::uint32_t t = 0; t < 32; ++t) {
      std::uint64_t const begin = std::uint64_t{t} * static_cast<std::uint64_t>(bytes);
      if (begin < word + 4 && word < begin + static_cast<std::uint64_t>(bytes))
        reference_.read(32 * warp + t);
    }
  }
  void all_of(std::uint32_t warp) {
    kernel_.by(0, warp, all_lanes, shared_load, line_++, place(word));
    for (std::uint32_t const t : threads_of(warp)) reference_.read(t);
  }
  void lane(std::uint32_t warp, std::uint32_t t) {
    kernel_.one(0, warp, t, shared_load, line_++, word);
    reference_.read(32 * warp + t);
  }
  void sync_warp(std::uint32_t warp, lane_mask members) {
    kernel_.sync_warp(0, warp, members);
    std::vector<std::uint32_t> named;
    for (std::uint32_t t = 0; t < 32; ++t)
      if ((members >> t & 1) != 0) named.push_back(32 * warp + t);
    reference_.sync(named);
  }
  void sync_warps(std::uint32_t a, std::uint32_t b, lane_mask of_a = all_lanes) {
    kernel_.arrive(0, a, 1, true, of_a);
    kernel_.arrive(0, b, 1);
    kernel_.complete(0, 1);
    std::vector<std::uint32_t> both;
    for (std::uint32_t const t : threads_of(a))
      if ((of_a >> t % 32 & 1) != 0) both.push_back(t);
    for (std::uint32_t const t : threads_of(b)) both.push_back(t);
    reference_.sync(both);
  }

  kernel& kernel_;
  reference reference_{};
  std::uint32_t line_ = 1;
};

}  // namespace

TEST_CASE("a write meets every reader: all sequences of three reads and barriers") {
  kernel k(1, threads);
  int wrong = 0;
  for (int sequence = 0; sequence < twin::events * twin::events * twin::events; ++sequence)
    for (std::uint32_t const writer : {3U, 40U}) {
      k.next();
      twin both(k);
      for (int left = sequence, n = 0; n < 3; ++n, left /= twin::events)
        both.event(left % twin::events);
      wrong += both.agrees(writer) ? 0 : 1;
    }
  CHECK(wrong == 0);
}

TEST_CASE("a write meets every reader: long sequences") {
  kernel k(1, threads);
  std::mt19937 random(1);
  int wrong = 0;
  for (int n = 0; n < 1000; ++n) {
    k.next();
    twin both(k);
    for (auto left = random() % 30 + 4; left != 0; --left)
      both.event(static_cast<int>(random() % twin::events));
    wrong += both.agrees(static_cast<std::uint32_t>(random() % threads)) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("requests whose pattern is known are checked like others") {
  constexpr std::uint64_t blocks = 2;
  kernel plain(blocks, threads);
  kernel named(blocks, threads);
  plain.names_patterns = false;
  std::mt19937 random(5);
  auto const below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::size_t found = 0;
  for (int n = 0; n < 1500; ++n) {
    for (std::uint32_t left = below(20) + 4, line = 1; left != 0; --left, ++line) {
      std::uint32_t const b = below(blocks), w = below(warps), kind = below(10);
      lane_mask const mask = below(4) == 0 ? static_cast<lane_mask>(random()) | 1U : all_lanes;
      int const bytes = below(4) == 0 ? 1 << below(5) : 4;
      bool const writes = below(3) == 0, shared = below(4) != 0;
      std::uint64_t const first =
          (shared ? 0 : arena) + 128 * below(2) + (below(6) == 0 ? 16 * below(3) : 0);
      auto const address =
          [&](std::uint32_t t) {  // of one word, a row, or a row the other way round
            return first + static_cast<unsigned>(bytes) * (kind < 3 ? 0 : kind < 7 ? t : 31 - t);
          };
      request const r = of_bytes(
          shared ? (writes ? shared_store : shared_load) : (writes ? global_store : global_load),
          bytes);
      bool const strong = below(40) == 0;
      for (kernel* const k : {&plain, &named}) {
        if (strong)
          k->one(b, w, 0, volatile_store, line, arena + 4 * (first & 60));
        else if (kind == 8)
          k->sync_warp(b, w, mask);
        else if (kind == 9)
          k->sync_block(b);
        else
          k->by(b, w, mask, r, line, address);
      }
    }
    REQUIRE(plain.findings.size() == named.findings.size());
    for (std::size_t k = 0; k < plain.findings.size(); ++k)
      REQUIRE(plain.findings[k].message == named.findings[k].message);
    found += plain.findings.size();
    for (kernel* const k : {&plain, &named}) {
      k->findings.clear();
      k->next();
    }
  }
  CHECK(found > 100);
}

TEST_CASE("a write meets a reader among many blocks") {
  constexpr std::uint64_t blocks = 60;
  kernel k(blocks, 32);
  for (std::uint64_t b = 1; b < blocks; ++b) k.one(b, 0, 0, global_load, 1, arena);
  // Block 0 knows of all readers but the first.
  for (std::uint64_t b = 2; b < blocks; ++b) {
    k.fence(b, 0, 1);
    k.one(b, 0, 0, volatile_store, 2, arena + 4096 * b);
    k.one(0, 0, 0, volatile_load, 3, arena + 4096 * b);
    k.fence(0, 0, 1);
  }
  REQUIRE(k.races() == 0);
  SECTION("that has not let it know") {
    k.one(0, 0, 0, global_store, 4, arena);
    CHECK(k.races() == 1);
  }
  SECTION("all have") {
    k.fence(1, 0, 1);
    k.one(1, 0, 0, volatile_store, 2, arena + 4096);
    k.one(0, 0, 0, volatile_load, 3, arena + 4096);
    k.fence(0, 0, 1);
    k.one(0, 0, 0, global_store, 4, arena);
    CHECK(k.races() == 0);
  }
}

TEST_CASE("lists of readers have limits") {
  using namespace device::check;
  reader_lists lists;
  reader_list l = 0;
  constexpr std::uint32_t many = 1000;
  for (std::uint32_t b = 0; b < many; ++b) l = lists.add(l, {b << 10, b + 1, 1, 7}, {64, 2});
  std::vector<warp_read> found;
  CHECK_FALSE(lists.find(l, 64, [&](warp_read const& r) {
    found.push_back(r);
    return false;
  }));
  REQUIRE(found.size() >= reader_lists::max_depth / 2);
  CHECK(found.size() <= reader_lists::max_depth);
  for (std::size_t n = 0; n < found.size(); ++n) {
    CHECK(found[n].time == many - n);
    CHECK(found[n].lanes == 1);
  }
  CHECK_FALSE(lists.is_within_block(l, 1));
  // Lists of reads that are not known any more are empty.
  for (std::uint32_t n = 0; n <= reader_lists::max_reads; ++n)
    (void)lists.add(0, {0, n + 1, 1, 1}, {0, 2});
  CHECK_FALSE(lists.find(l, 64, [](warp_read const&) { return true; }));
}
