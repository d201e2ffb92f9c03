// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "groups.cuh"

#include <cstddef>
#include <cstdint>

namespace bench {

namespace {

//! The least weight, by plain loops. The table is stored by rows and by columns, so that the inner
//! loop reads consecutive words.
std::int32_t least_weight(std::vector<std::int32_t> const& weights, index n) {
  auto const at = [n](index i, index j) { return static_cast<std::size_t>(i * n + j); };
  std::vector<std::int32_t> by_row(static_cast<std::size_t>(n * n));
  std::vector<std::int32_t> by_column(static_cast<std::size_t>(n * n));
  for (index apart = 2; apart < n; ++apart)
    for (index i = 0; i + apart < n; ++i) {
      index const j = i + apart;
      std::int32_t const* const left = by_row.data() + i * n;
      std::int32_t const* const right = by_column.data() + j * n;
      std::int32_t least = INT32_MAX;
      for (index k = i + 1; k < j; ++k)
        least = left[k] + right[k] < least ? left[k] + right[k] : least;
      least += apart == n - 1 ? 0 : weights[at(i, j)];
      by_row[at(i, j)] = least;
      by_column[at(j, i)] = least;
    }
  return by_row[at(0, n - 1)];
}

}  // namespace

void triangulations(session& s) {
  hmm const gpu = s.device.hmm();
  umm const global = s.device.umm();
  mmm::threads const p(gpu.dmms() * 1024);
  auto const on_hmm = mmm::cuda::on(gpu, p, s.stream());
  auto const on_umm = mmm::cuda::on(global, p, s.stream());
  for (index const n : {512, 1024, 2048}) {
    std::vector<std::int32_t> host(static_cast<std::size_t>(n * n));
    for (std::size_t i = 0; i < host.size(); ++i)
      host[i] = static_cast<std::int32_t>((scattered{9}(static_cast<index>(i)) + 1) * 500);
    buffer<std::int32_t> weights(n * n);
    weights.assign(host);
    std::int32_t const least = least_weight(host, n);
    std::int32_t found = -1;
    auto const right = [&] { return found == least; };
    auto const sums =
        static_cast<double>(n) * static_cast<double>(n - 1) * static_cast<double>(n - 2) / 6;
    problem const what{"triangulation, to the host",
                       "n = " + std::to_string(n) + ", 32-bit integers",
                       n,
                       8.0 * static_cast<double>(n * n),
                       2 * sums,
                       false,
                       [&] { found = -1; }};
    auto const units = [&, n = n](auto const& machine, auto const& algorithm) {
      return modelled(machine, algorithm, mmm::size(n), p);
    };
    std::vector<contender> who{
        {"mmm::triangulation_blocked", "literal", "hmm",
         [&, n = n] { found = mmm::triangulation_blocked(on_hmm, weights.begin(), n).weight; },
         right, units(gpu, mmm::triangulation_blocked)},
        {"mmm::triangulation", "literal", "umm",
         [&, n = n] { found = mmm::triangulation(on_umm, weights.begin(), n).weight; }, right,
         units(global, mmm::triangulation)}};
    if (n <= 1024)  // takes seconds for larger polygons
      who.push_back(
          {"mmm::triangulation_dp", "literal", "umm",
           [&, n = n] { found = mmm::triangulation_dp(on_umm, weights.begin(), n).weight; }, right,
           units(global, mmm::triangulation_dp)});
    s.compare(what, who);
  }
}

}  // namespace bench
