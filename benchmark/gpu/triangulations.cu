// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/fast.hpp>
#include <mmm/mmm.cuh>

#include "groups.cuh"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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

namespace {

//! Weights for the chords of an n-gon.
std::vector<std::int32_t> weights_of(index n) {
  std::vector<std::int32_t> weights(static_cast<std::size_t>(n * n));
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<std::int32_t>((scattered{9}(static_cast<index>(i)) + 1) * 500);
  return weights;
}
[[nodiscard]] problem triangulation_of(index n, char const* name, std::function<void()> poison) {
  auto const sums =
      static_cast<double>(n) * static_cast<double>(n - 1) * static_cast<double>(n - 2) / 6;
  return {name,     "n = " + std::to_string(n) + ", 32-bit integers",
          n,        8.0 * static_cast<double>(n * n),
          2 * sums, std::move(poison)};
}

//! With the chords, which the host gets.
void to_the_host(session& s) {
  hmm const gpu = s.device.hmm();
  hmm const halves = s.device.split(2);
  umm const global = s.device.umm();
  mmm::threads const p(gpu.dmms() * 1024);
  mmm::threads const fewer(halves.dmms() * 256);  // so that each thread has enough registers
  auto const on_hmm = mmm::cuda::on(gpu, p, s.stream());
  auto const on_halves = mmm::cuda::on(halves, fewer, s.stream());
  auto const on_umm = mmm::cuda::on(global, p, s.stream());
  for (index const n : {512, 1024, 2048}) {
    auto const host = weights_of(n);
    buffer<std::int32_t> weights(n * n);
    weights.assign(host);
    std::int32_t const least = least_weight(host, n);
    std::int32_t found = -1;
    auto const right = [&] { return found == least; };
    auto const one = [&, n = n](char const* name, char const* kind, char const* machine,
                                auto const& on, auto const& algorithm, auto const& model,
                                mmm::threads threads) {
      return contender{
          name,    kind,
          machine, [&, n, algorithm] { found = algorithm(on, weights.begin(), n).weight; },
          right,   modelled(model, algorithm, mmm::size(n), threads)};
    };
    std::vector<contender> who{
        one("mmm::triangulation_in_registers", "fast", "hmm, 2 blocks", on_halves,
            mmm::triangulation_in_registers, halves, fewer),
        one("mmm::triangulation_blocked", "literal", "hmm", on_hmm, mmm::triangulation_blocked, gpu,
            p),
        one("mmm::triangulation", "literal", "umm", on_umm, mmm::triangulation, global, p)};
    if (n <= 1024)  // takes seconds for larger polygons
      who.push_back(
          one("mmm::triangulation_dp", "literal", "umm", on_umm, mmm::triangulation_dp, global, p));
    s.compare(triangulation_of(n, "triangulation, to the host", [&] { found = -1; }), who);
  }
}

//! The least weight alone, which stays on the device.
void on_the_device(session& s) {
  hmm const halves = s.device.split(2);
  mmm::threads const p(halves.dmms() * 256);
  auto const on = mmm::cuda::on(halves, p, s.stream());
  for (index const n : {2048, 4096, 8192}) {
    auto const host = weights_of(n);
    buffer<std::int32_t> weights(n * n);
    weights.assign(host);
    buffer<std::int32_t> out(1);
    // Larger polygons take the host minutes: there, two ways find the same.
    std::int32_t least = 0;
    if (n <= 4096) {
      least = least_weight(host, n);
    } else {
      mmm::triangulation_blocked(
          mmm::cuda::on(s.device.hmm(), mmm::threads(s.device.hmm().dmms() * 1024), s.stream()),
          weights.begin(), n, out.begin());
      least = out.word(0);
    }
    auto const right = [&] { return out.word(0) == least; };
    s.compare(
        triangulation_of(n, "triangulation, least weight", [&] { out.poison(); }),
        {{"mmm::triangulation_in_registers", "fast", "hmm, 2 blocks",
          [&, n = n] { mmm::triangulation_in_registers(on, weights.begin(), n, out.begin()); },
          right, modelled(halves, mmm::triangulation_in_registers, mmm::size(n), p)}});
  }
}

}  // namespace

void triangulations(session& s) {
  to_the_host(s);
  on_the_device(s);
}

}  // namespace bench
