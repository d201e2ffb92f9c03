// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random small programs, and two machines implemented from the model's text without the library:
// one advances in lock step, the other in single time units.
#pragma once

#include <mmm/execution/simulate/simulate.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace random_program {

using mmm::index;

// One access of a body: an address per item, or -1 for an inactive item.
struct access {
  bool global;
  bool write;
  std::vector<index> address;
};
struct step {
  index items = 0;
  std::vector<access> accesses{};
};
// The parallel-fors between two machine-wide barriers: those of every DMM, or one of the whole
// machine.
struct phase {
  bool machine_wide = false;
  step whole{};
  std::vector<std::vector<step>> of_dmm{};
};
using program = std::vector<phase>;

struct machine {
  index width;
  bool global_only;  // one memory, a UMM
  bool shared_only;  // one memory, a DMM
  index dmms;
  index shared_latency;
  index global_latency;
  index ports;
  index threads_per_dmm;
};

struct shape {
  bool masked = true;
  index max_items = 30;
  index max_accesses = 3;
};

constexpr index words = 64;

inline step random_step(std::mt19937& bits, machine const& m, shape const& s, index threads) {
  auto const below = [&](index n) { return static_cast<index>(bits() % static_cast<unsigned>(n)); };
  step result;
  result.items = below(s.max_items + 1);
  if (below(4) == 0) result.items = threads * below(4);
  index const accesses = below(s.max_accesses + 1);
  for (index a = 0; a < accesses; ++a) {
    access x{m.shared_only ? false : m.global_only || below(2) == 0, below(2) == 0, {}};
    index const kind = below(4);
    index const stride = below(5);
    index const base = below(8);
    index const shown = s.masked ? below(4) : 3;
    for (index i = 0; i < result.items; ++i) {
      index const e = kind == 0   ? below(words)
                      : kind == 1 ? (base + i * stride) % words
                      : kind == 2 ? i % words
                                  : below(4);
      bool const active = shown == 0   ? below(2) == 0
                          : shown == 1 ? (i / m.width) % 2 == a % 2
                                       : shown != 2 || below(8) != 0;
      x.address.push_back(active ? e : -1);
    }
    result.accesses.push_back(x);
  }
  return result;
}

inline program random(std::mt19937& bits, machine const& m, shape const& s) {
  program result;
  auto const phases = 1 + bits() % 3;
  for (unsigned f = 0; f < phases; ++f) {
    phase p;
    p.machine_wide = m.global_only || m.shared_only || bits() % 3 == 0;
    if (p.machine_wide) {
      p.whole = random_step(bits, m, s, m.threads_per_dmm * m.dmms);
      // A parallel-for of the whole machine can only use global arrays.
      if (!m.shared_only)
        for (access& a : p.whole.accesses) a.global = true;
    } else {
      for (index d = 0; d < m.dmms; ++d) {
        p.of_dmm.emplace_back();
        auto const steps = bits() % 4;
        for (unsigned k = 0; k < steps; ++k)
          p.of_dmm.back().push_back(random_step(bits, m, s, m.threads_per_dmm));
      }
    }
    result.push_back(p);
  }
  return result;
}

// --- the same program on the library -------------------------------------------------------------

template <class Handle, class Global, class Shared>
void run_step(Handle& on, step const& s, Global global, Shared shared) {
  on.each(s.items, [&](auto i) {
    using lanes = decltype(i);
    for (access const& a : s.accesses) {
      auto const at = [&](int t) {
        return i[t] < s.items ? a.address[static_cast<std::size_t>(i[t])] : -1;
      };
      auto const e = lanes::by_lane([&](int t) { return std::max<index>(at(t), 0); });
      auto const active = mmm::warp_mask<lanes::width>::by_lane([&](int t) { return at(t) >= 0; });
      auto const array = a.global ? global : shared;
      bool const everybody = std::count(a.address.begin(), a.address.end(), -1) == 0;
      if (a.write && everybody)
        array[e] = 1;
      else if (a.write)
        mmm::store_if(active, array[e], 1);
      else if (everybody)
        static_cast<void>(mmm::load(array[e]));
      else
        static_cast<void>(mmm::load_if(active, array[e], 0));
    }
  });
}

template <class On>
void run(On on, program const& whole) {
  auto const global = on.template allocate<int>(words);
  for (phase const& p : whole) {
    if (p.machine_wide) {
      run_step(on, p.whole, global, global);
    } else if constexpr (requires { on.dmms(); }) {
      on.each_dmm([&](auto block, index d) {
        auto const shared = block.template allocate<int>(words);
        for (step const& s : p.of_dmm[static_cast<std::size_t>(d)])
          run_step(block, s, global, shared);
      });
    }
  }
}

// --- requests, from the definition ---------------------------------------------------------------

struct request {
  bool global;
  index stages;
};
// indexed by [chunk][access][warp]
using requests = std::vector<std::vector<std::vector<request>>>;

inline index stages_of(machine const& m, bool global, std::set<index> const& addresses) {
  std::map<index, index> in_bank;
  std::set<index> groups;
  for (index a : addresses) {
    ++in_bank[a % m.width];
    groups.insert(a / m.width);
  }
  index most = 0;
  for (auto const& [bank, count] : in_bank) most = std::max(most, count);
  return global ? static_cast<index>(groups.size()) : most;
}

inline requests requests_of(machine const& m, step const& s, index first_thread,
                            index all_threads) {
  requests result;
  for (index c = 0; c * all_threads + first_thread < s.items; ++c) {
    result.emplace_back();
    for (access const& a : s.accesses) {
      result.back().emplace_back();
      for (index j = 0; j * m.width < m.threads_per_dmm; ++j) {
        std::set<index> addresses;
        for (index t = j * m.width; t < std::min((j + 1) * m.width, m.threads_per_dmm); ++t) {
          index const item = c * all_threads + first_thread + t;
          if (item < s.items && a.address[static_cast<std::size_t>(item)] >= 0)
            addresses.insert(a.address[static_cast<std::size_t>(item)]);
        }
        result.back().back().push_back({a.global, stages_of(m, a.global, addresses)});
      }
    }
  }
  return result;
}

// indexed by [phase][dmm][step]
inline std::vector<std::vector<std::vector<requests>>> all_requests(machine const& m,
                                                                    program const& whole) {
  std::vector<std::vector<std::vector<requests>>> result;
  for (phase const& p : whole) {
    result.emplace_back(static_cast<std::size_t>(m.dmms));
    for (index d = 0; d < m.dmms; ++d) {
      auto& list = result.back()[static_cast<std::size_t>(d)];
      if (p.machine_wide)
        list.push_back(requests_of(m, p.whole, d * m.threads_per_dmm, m.dmms * m.threads_per_dmm));
      else
        for (step const& s : p.of_dmm[static_cast<std::size_t>(d)])
          list.push_back(requests_of(m, s, 0, m.threads_per_dmm));
    }
  }
  return result;
}

// --- in lock step --------------------------------------------------------------------------------

struct figures {
  index rounds = 0;
  index stages = 0;
  index time = 0;
};

inline figures lock_step(machine const& m, program const& whole) {
  figures sum;
  for (auto const& dmms : all_requests(m, whole)) {
    for (std::size_t k = 0; k < 8; ++k)
      for (std::size_t c = 0; c < 256; ++c)
        for (std::size_t a = 0; a < 8; ++a) {
          index global = 0;
          index shared_time = 0;
          for (auto const& steps : dmms) {
            if (k >= steps.size() || c >= steps[k].size() || a >= steps[k][c].size()) continue;
            index shared = 0;
            for (request const& r : steps[k][c][a]) {
              (r.global ? global : shared) += r.stages;
              sum.stages += r.stages;
            }
            if (shared > 0) shared_time = std::max(shared_time, shared + m.shared_latency - 1);
          }
          index const global_time =
              global == 0 ? 0 : (global + m.ports - 1) / m.ports + m.global_latency - 1;
          sum.time += std::max(global_time, shared_time);
          sum.rounds += global + shared_time > 0 ? 1 : 0;
        }
  }
  return sum;
}

// --- unit by unit --------------------------------------------------------------------------------

inline index ticking(machine const& m, program const& whole) {
  struct warp {
    std::vector<request> left{};
    index complete = 0;  // at the end of this time unit
  };
  struct port {
    index per_unit = 1;
    index latency = 1;
    std::size_t last = SIZE_MAX;
    std::size_t serving = 0;
    index stages_left = 0;
  };
  auto const per_dmm = static_cast<std::size_t>((m.threads_per_dmm + m.width - 1) / m.width);
  auto const dmms = static_cast<std::size_t>(m.dmms);
  std::vector<warp> warps(dmms * per_dmm);
  std::vector<port> ports(1 + dmms);
  ports[0].per_unit = m.ports;
  ports[0].latency = m.global_latency;
  for (std::size_t d = 0; d < dmms; ++d) ports[1 + d].latency = m.shared_latency;
  index unit = 0;  // the last completed time unit
  index end = 0;
  for (auto const& phase : all_requests(m, whole)) {
    std::vector<std::size_t> next_step(dmms, 0);
    for (;;) {
      // Passes the barriers that are complete before the next time unit.
      bool over = true;
      for (std::size_t d = 0; d < dmms; ++d) {
        auto const waiting = [&] {
          for (std::size_t j = 0; j < per_dmm; ++j) {
            warp const& w = warps[d * per_dmm + j];
            if (!w.left.empty() || w.complete > unit) return false;
          }
          return ports[0].stages_left == 0 || ports[0].serving / per_dmm != d;
        };
        while (waiting() && ports[1 + d].stages_left == 0 && next_step[d] < phase[d].size()) {
          for (auto const& chunk : phase[d][next_step[d]])
            for (auto const& access : chunk)
              for (std::size_t j = 0; j < per_dmm; ++j)
                if (access[j].stages > 0) warps[d * per_dmm + j].left.push_back(access[j]);
          ++next_step[d];
        }
        over =
            over && next_step[d] == phase[d].size() && waiting() && ports[1 + d].stages_left == 0;
      }
      if (over) break;
      ++unit;
      for (std::size_t p = 0; p < ports.size(); ++p) {
        port& here = ports[p];
        for (index slot = 0; slot < here.per_unit; ++slot) {
          if (here.stages_left == 0) {
            // Takes the first ready warp, cyclically from the warp after the one served last.
            for (std::size_t k = 1; k <= warps.size() && here.stages_left == 0; ++k) {
              std::size_t const w = here.last == SIZE_MAX ? k - 1 : (here.last + k) % warps.size();
              bool const mine = p == 0 || w / per_dmm == p - 1;
              if (!mine || warps[w].left.empty() || warps[w].left.front().global != (p == 0) ||
                  warps[w].complete >= unit)
                continue;
              here.serving = here.last = w;
              here.stages_left = warps[w].left.front().stages;
              warps[w].left.erase(warps[w].left.begin());
              warps[w].complete = INT64_MAX;
            }
            if (here.stages_left == 0) break;
          }
          if (--here.stages_left == 0) {
            warps[here.serving].complete = unit + here.latency - 1;
            end = std::max(end, unit + here.latency - 1);
          }
        }
      }
    }
  }
  return end;
}

}  // namespace random_program
