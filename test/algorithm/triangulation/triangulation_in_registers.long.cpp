// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>
#include <mmm/algorithm/triangulation/triangulation_in_registers.hpp>
#include <mmm/choose/fastest.hpp>
#include <mmm/gpu/devices.hpp>

#include "support/polygon_checks.hpp"

#include <algorithm>

namespace {

template <class Tiles>
constexpr mmm::detail::register_triangulation_algorithm<Tiles> with{};

}  // namespace

TEST_CASE("tiles in registers of further shapes, on fixed machines") {
  mmm::hmm<3, 4, 2, 9, mmm::unlimited, 2> const fixed;
  for (mmm::index const n : {3, 8, 21, 40})
    checks::triangulate(fixed, with<mmm::polygon_tiles<8, 8, 8, 4>>, n, 2 * fixed.dmms());
  mmm::hmm<2, 8, 1, 5> const wider;
  for (mmm::index const n : {9, 30})
    checks::triangulate(wider, with<mmm::polygon_tiles<8, 4, 4, 4>>, n, 10);
}

// Predictions of triangulations take a compiler a minute.
namespace {

// A handle that is asked for its machine and its threads only.
template <class M>
struct handle {
  using machine_type = M;
  mmm::index threads_per_dmm;
  [[nodiscard]] static constexpr machine_type machine() { return {}; }
  [[nodiscard]] mmm::index threads() const { return threads_per_dmm * machine().dmms(); }
  [[nodiscard]] mmm::index threads_per_dmm_within(mmm::index most) const {
    return std::min(threads_per_dmm, most);
  }
};

template <class G>
double predicted(auto const& algorithm, mmm::index n, mmm::index threads_per_dmm) {
  mmm::detail::any_blocks<32> const m(G::facts.sms, G::facts.shared_latency,
                                      G::facts.global_latency, mmm::unlimited, G::facts.ports());
  return mmm::detail::predict_facts(G::facts, {}, m, algorithm, m.dmms() * threads_per_dmm,
                                    mmm::size(n))
      .microseconds;
}

}  // namespace

TEST_CASE("on a GPU the triangulation of the least predicted time is taken") {
  constexpr mmm::detail::fastest_triangulation fastest{};
  mmm::gpu::for_each_device([&](char const* name, auto device) {
    using G = decltype(device);
    CAPTURE(name);
    mmm::index const t = std::min(mmm::index{1024}, G::facts.max_threads_per_block);
    handle<G> const on{t};
    bool const fits = fastest.fits(on.machine(), on.threads());
    for (mmm::index const n : {3, 32, 33, 65, 200, 256, 700, 2000}) {
      CAPTURE(n);
      bool const in_registers = fits && predicted<G>(mmm::triangulation_in_registers, n, 256) <=
                                            predicted<G>(mmm::triangulation_blocked, n, t);
      for (int k = 0; k < 2; ++k)  // found, and kept
        CHECK(fastest.chosen(on, 4, n) == (in_registers ? 0 : 1));
    }
    CHECK(fastest.chosen(handle<G>{128}, 4, 700) == 1);  // too few threads for the tiles
  });
}
