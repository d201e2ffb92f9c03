// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/gpu.hpp>

#include "catch.hpp"

#include <device/count/rules.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace device;
using namespace device::count;
using mmm::index;

namespace {

using addresses = std::array<std::uint64_t, lanes>;

template <class F>
addresses each(F f) {
  addresses a{};
  for (unsigned t = 0; t < lanes; ++t) a[t] = static_cast<std::uint64_t>(f(t));
  return a;
}

//! Random requests: rows, strides, repetitions, permutations or random addresses; few or many
//! active lanes.
struct random_request {
  addresses address{};
  lane_mask active = 0;
  int bytes = 4;

  explicit random_request(std::mt19937_64& r, std::uint64_t base = 0) {
    auto const below = [&](std::uint64_t n) { return r() % n; };
    bytes = 1 << below(5);
    active = below(3) == 0   ? all_lanes
             : below(4) == 0 ? lane_mask{1} << below(32)
                             : static_cast<lane_mask>(r());
    if (active == 0) active = 1;
    std::uint64_t const shape = below(5);
    std::uint64_t const stride = below(40);
    std::uint64_t const reach = std::uint64_t{1} << below(12);
    std::uint64_t const first = below(64);
    for (unsigned t = 0; t < lanes; ++t) {
      std::uint64_t unit = 0;
      if (shape == 0) unit = first + t * stride;
      if (shape == 1) unit = first + (31 - t) * stride;
      if (shape == 2) unit = below(reach);
      if (shape == 3) unit = first + t / (1 + stride);
      if (shape == 4) unit = first + (t ^ (stride & 31));
      address[t] = base + unit * static_cast<unsigned>(bytes);
    }
    for (unsigned t = 0; t < lanes; ++t)
      if ((active >> t & 1) == 0) address[t] = r();  // addresses of inactive lanes must not matter
  }
  [[nodiscard]] std::vector<index> library() const {
    std::vector<index> all;
    for (unsigned t = 0; t < lanes; ++t)
      all.push_back((active >> t & 1) != 0 ? static_cast<index>(address[t]) : 0);
    return all;
  }
  template <class Use>
  void each_active(Use use) const {
    for (unsigned t = 0; t < lanes; ++t)
      if ((active >> t & 1) != 0) use(t, address[t]);
  }
};

//! The number of distinct units of `size` bytes that are accessed, by enumeration of the bytes.
index units(std::vector<std::uint64_t> const& bytes, std::uint64_t size) {
  std::set<std::uint64_t> found;
  for (std::uint64_t const b : bytes) found.insert(b / size);
  return std::ssize(found);
}

}  // namespace

TEST_CASE("shared requests cost what the library says") {
  std::mt19937_64 r(11);
  for (int k = 0; k < 20000; ++k) {
    random_request const a(r);
    bool const writes = r() % 2 == 0;
    access_kind const kind = writes ? access_kind::write : access_kind::read;
    mmm::gpu::warp_access const access = mmm::gpu::access_of(
        writes ? mmm::gpu::instruction::store : mmm::gpu::instruction::load, a.bytes);
    auto const plain =
        mmm::gpu::shared_request_cost<mmm::gpu::nvidia>(access, a.library(), a.active);
    auto const merged =
        mmm::gpu::shared_request_cost<mmm::gpu::nvidia_merging>(access, a.library(), a.active);
    request_figures const f =
        shared_request(bank_policy::nvidia, kind, a.bytes, 0, a.address.data(), a.active);
    request_figures const g =
        shared_request(bank_policy::nvidia_merging, kind, a.bytes, 0, a.address.data(), a.active);
    REQUIRE(f.requests == 1);
    REQUIRE(f.transfers == plain.wavefronts);
    REQUIRE(f.ideal == plain.ideal);
    REQUIRE(f.excessive() == plain.excessive());
    REQUIRE(g.transfers == merged.wavefronts);
    REQUIRE(f.serialized == 0);
  }
}

TEST_CASE("matrices cost what the library says") {
  std::mt19937_64 r(12);
  for (int const matrices : {1, 2, 4})
    for (int k = 0; k < 500; ++k) {
      addresses const a = each([&](unsigned) { return r() % 512 * 16; });
      std::vector<index> const list(a.begin(), a.end());
      auto const wanted = mmm::gpu::shared_request_cost<mmm::gpu::nvidia>(
          mmm::gpu::matrix_access_of(mmm::gpu::instruction::load_matrix, matrices), list);
      request_figures const f =
          shared_request(bank_policy::nvidia, access_kind::read, 16, matrices, a.data(), all_lanes);
      REQUIRE(f.transfers == wanted.wavefronts);
      REQUIRE(f.ideal == matrices);
    }
}

TEST_CASE("global requests: sectors and lines by the library, ideal and lanes at one address byte "
          "by byte") {
  std::mt19937_64 r(13);
  for (int k = 0; k < 20000; ++k) {
    random_request const a(r, 0x7f00'0000'0000U);
    mmm::gpu::global_cost const wanted = mmm::gpu::global_request_cost(
        mmm::gpu::access_of(mmm::gpu::instruction::load, a.bytes), a.library(), a.active);
    std::set<std::uint64_t> asked;
    std::map<std::uint64_t, index> at;
    index most = 0;
    a.each_active([&](unsigned, std::uint64_t address) {
      for (int b = 0; b < a.bytes; ++b) asked.insert(address + static_cast<unsigned>(b));
      most = std::max(most, ++at[address]);
    });
    request_figures const f =
        global_request(access_kind::update, a.bytes, a.address.data(), a.active);
    REQUIRE(f.requests == 1);
    REQUIRE(f.transfers == wanted.sectors);
    REQUIRE(f.lines == wanted.lines);
    REQUIRE(f.ideal == (std::ssize(asked) + 31) / 32);
    REQUIRE(f.serialized == most);
    REQUIRE(f.ideal <= f.transfers);
    request_figures const load =
        global_request(access_kind::read, a.bytes, a.address.data(), a.active);
    REQUIRE(load.serialized == 0);
    REQUIRE(load.transfers == f.transfers);
  }
}

TEST_CASE("local memory: sectors at the places where words of neighbours lie beside each other, "
          "byte by byte") {
  std::mt19937_64 r(14);
  for (int k = 0; k < 20000; ++k) {
    random_request const a(r);
    std::vector<std::uint64_t> touched;
    a.each_active([&](unsigned t, std::uint64_t address) {
      for (std::uint64_t b = address; b < address + static_cast<unsigned>(a.bytes); ++b)
        touched.push_back((b / 4 * 32 + t) * 4 + b % 4);
    });
    request_figures const f = local_request(a.bytes, a.address.data(), a.active);
    REQUIRE(f.transfers == units(touched, 32));
    REQUIRE(f.lines == units(touched, 128));
    REQUIRE(f.ideal == (std::ssize(touched) + 31) / 32);
  }
}

TEST_CASE("shared atomics: a bank makes one lane's update at a time") {
  std::mt19937_64 r(15);
  for (int k = 0; k < 5000; ++k) {
    random_request const a(r);
    if (a.bytes > 4) continue;
    std::map<std::uint64_t, index> in_bank;
    std::map<std::uint64_t, index> at;
    index most = 0;
    index max_at_address = 0;
    a.each_active([&](unsigned, std::uint64_t address) {
      most = std::max(most, ++in_bank[address / 4 % 32]);
      max_at_address = std::max(max_at_address, ++at[address]);
    });
    request_figures const f = shared_request(bank_policy::nvidia, access_kind::update, a.bytes, 0,
                                             a.address.data(), a.active);
    REQUIRE(f.transfers == most);
    REQUIRE(f.ideal == 1);
    REQUIRE(f.serialized == max_at_address);
  }
  // 64-bit operations are served in half-warps; 16 lanes at one address take 16 turns in each.
  addresses const one = each([](unsigned) { return 8; });
  request_figures const f =
      shared_request(bank_policy::nvidia, access_kind::update, 8, 0, one.data(), all_lanes);
  CHECK(f.transfers == 32);
  CHECK(f.ideal == 2);
  CHECK(f.serialized == 32);
}

TEST_CASE("figures by hand") {
  auto const shared = [](int bytes, auto address, lane_mask active = all_lanes,
                         access_kind kind = access_kind::read) {
    return shared_request(bank_policy::nvidia, kind, bytes, 0, each(address).data(), active);
  };
  auto const global = [](int bytes, auto address, lane_mask active = all_lanes,
                         access_kind kind = access_kind::read) {
    return global_request(kind, bytes, each(address).data(), active);
  };
  CHECK(shared(4, [](unsigned t) { return 4 * t; }) == request_figures{1, 1, 1, 0, 0});
  CHECK(shared(4, [](unsigned t) { return 128 * t; }) == request_figures{1, 32, 1, 0, 0});
  CHECK(shared(4, [](unsigned t) { return 132 * t; }) == request_figures{1, 1, 1, 0, 0});
  CHECK(shared(16, [](unsigned t) { return 16 * t; }) == request_figures{1, 4, 4, 0, 0});
  CHECK(shared(16, [](unsigned t) { return 16 * t; }, 0xff) == request_figures{1, 1, 1, 0, 0});
  CHECK(shared(4, [](unsigned) { return 64; }) == request_figures{1, 1, 1, 0, 0});
  CHECK(shared(
            4, [](unsigned) { return 64; }, all_lanes, access_kind::update) ==
        request_figures{1, 32, 1, 0, 32});
  CHECK(shared(
            4, [](unsigned t) { return 4 * (t / 4); }, all_lanes, access_kind::update) ==
        request_figures{1, 4, 1, 0, 4});
  CHECK(global(4, [](unsigned t) { return 4096 + 4 * t; }) == request_figures{1, 4, 4, 1, 0});
  CHECK(global(4, [](unsigned t) { return 4100 + 4 * t; }) == request_figures{1, 5, 4, 2, 0});
  CHECK(global(4, [](unsigned t) { return 4096 + 128 * t; }) == request_figures{1, 32, 4, 32, 0});
  CHECK(global(4, [](unsigned) { return 4096; }) == request_figures{1, 1, 1, 1, 0});
  CHECK(global(1, [](unsigned t) { return 4096 + t; }, 1) == request_figures{1, 1, 1, 1, 0});
  CHECK(global(
            4, [](unsigned t) { return 4096 + 4 * (t % 2); }, all_lanes, access_kind::update) ==
        request_figures{1, 1, 1, 1, 16});
  CHECK(global(32, [](unsigned t) { return 4096 + 32 * t; }) == request_figures{1, 32, 32, 8, 0});
  CHECK(local_request(4, each([](unsigned) { return 20; }).data(), all_lanes) ==
        request_figures{1, 4, 4, 1, 0});
  CHECK(local_request(16, each([](unsigned) { return 16; }).data(), all_lanes) ==
        request_figures{1, 16, 16, 4, 0});
  CHECK(local_request(4, each([](unsigned t) { return 4 * t; }).data(), all_lanes) ==
        request_figures{1, 32, 4, 32, 0});
}

TEST_CASE("a GPU's policy is the one that was measured on it") {
  CHECK(policy_of(75) == bank_policy::nvidia_merging);
  CHECK(policy_of(80) == bank_policy::nvidia_merging);
  CHECK(policy_of(61) == bank_policy::nvidia);
  CHECK(policy_of(89) == bank_policy::nvidia);
  CHECK(policy_of(90) == bank_policy::nvidia);
  CHECK(policy_of(86) == bank_policy::nvidia);
  CHECK(policy_of(100) == bank_policy::nvidia);
  CHECK(name_of(bank_policy::nvidia_merging) == "nvidia_merging");
  addresses const one = each([](unsigned) { return 0; });
  CHECK(shared_request(bank_policy::nvidia, access_kind::read, 16, 0, one.data(), all_lanes)
            .transfers == 4);
  CHECK(shared_request(bank_policy::nvidia_merging, access_kind::read, 16, 0, one.data(), all_lanes)
            .transfers == 2);
  CHECK(
      shared_request(bank_policy::nvidia_merging, access_kind::write, 16, 0, one.data(), all_lanes)
          .transfers == 4);
}
