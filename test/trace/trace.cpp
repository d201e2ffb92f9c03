// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels' bodies run by simulated threads: figures by line, values, errors that are found.
#include <mmm/gpu/cost.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/report/page.hpp>
#include <mmm/trace_kernel.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace gpu = mmm::gpu;
using gpu::dim;
using gpu::finding_kind;
using gpu::h200;
using gpu::kernel_trace;
using mmm::memory_space;

std::string message_of(auto const& call) {
  try {
    call();
  } catch (std::exception const& e) {
    return e.what();
  }
  return "no exception";
}

std::vector<float> numbers(std::size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

}  // namespace

TEST_CASE("a traced block: values, and figures of each line") {
  std::vector<float> const in = numbers(512);
  std::vector<float> out(2);
  auto const from = gpu::global(in);
  auto const to = gpu::global(out);
  kernel_trace const trace = gpu::trace_grid<h200>(2, 256, [&](gpu::thread& t) {
    auto s = t.shared<float>(256);
    s[t.x] = from[t.block * 256 + t.x];
    t.sync();
    for (int h = 1; h < 256; h *= 2) {
      int const i = 2 * h * t.x;
      if (i < 256) s[i] += s[i + h];
      t.sync();
    }
    if (t.x == 0) to[t.block] = s[0];
  });
  CHECK(out[0] == 255 * 128);
  CHECK(out[1] == 255 * 128 + 256 * 256);
  CHECK(trace.findings.empty());
  CHECK(trace.barriers == 2 * 9);
  CHECK(trace.shared_bytes == 1024);
  CHECK(trace.sectors() == 2 * (256 * 4 / 32 + 1));
  CHECK(trace.sectors() == trace.ideal_sectors());
  // The rounds of Harris' second kernel: 4, 4, 2, 1, ... warps whose lanes are 2 h words apart.
  mmm::index wavefronts = 0;
  mmm::index requests = 0;
  for (int h = 1; h < 256; h *= 2) {
    auto const stride = [&](mmm::index first, mmm::index lanes) {
      return gpu::shared_cost_of<gpu::load<4>>((mmm::item * (2 * h) + first) * 4, mmm::size(lanes));
    };
    for (mmm::index first = 0; first < 256; first += 2 * h * 32) {
      auto const cost = stride(first, std::min<mmm::index>(32, (256 - first) / (2 * h)));
      wavefronts += 3 * cost.wavefronts;  // two loads and a store
      requests += 3 * cost.requests;
    }
  }
  CHECK(trace.wavefronts() == 2 * (8 + wavefronts + 1));
  CHECK(trace.ideal_wavefronts() == 2 * (8 + requests + 1));
}

TEST_CASE("a traced access costs what the expression of its address costs") {
  auto const stride = GENERATE(range(0, 34));
  auto const offset = GENERATE(0, 1, 7);
  int const threads = GENERATE(1, 31, 33, 64);
  std::vector<float> in(34 * 64 + 8);
  auto const from = gpu::global(std::as_const(in));
  kernel_trace const trace = gpu::trace_block<h200>(threads, [&](gpu::thread& t) {
    auto s = t.shared<float>(34 * 64 + 8);
    s[t.x * stride + offset] = from[t.x * stride + offset];
  });
  auto const bytes = (mmm::item * stride + offset) * 4;
  auto const shared = gpu::shared_cost_of<gpu::store<4>>(bytes, mmm::size(threads));
  auto const global = gpu::global_cost_of<gpu::load<4>>(bytes, mmm::size(threads));
  REQUIRE(trace.lines.size() == 2);
  CHECK(trace.wavefronts() == shared.wavefronts);
  CHECK(trace.ideal_wavefronts() == shared.ideal);
  CHECK(trace.sectors() == global.sectors);
  CHECK(trace.sum(memory_space::global, &gpu::traced_line::lines) == global.lines);
  CHECK(trace.sum(memory_space::global, &gpu::traced_line::requests) == global.requests);
  CHECK(trace.sum(memory_space::global, &gpu::traced_line::lanes) == threads);
}

TEST_CASE("traced accesses of every width") {
  struct alignas(16) four {
    float x, y, z, w;
  };
  struct three {
    float x, y, z;
  };
  std::vector<float> values = numbers(32 * 4);
  auto const data = gpu::global(values);
  auto const bytes_of = [](kernel_trace const& t) { return t.lines.at(0).bytes; };
  SECTION("16 bytes: four phases") {
    kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
      auto s = t.shared<four>(32);
      s[t.x] = data.data().as<four const>()[t.x];
    });
    CHECK(bytes_of(trace) == 16);
    CHECK(trace.wavefronts() == 4);
    CHECK(trace.sectors() == 16);
  }
  SECTION("three words: three requests, 12 bytes apart") {
    kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
      three const v = data.data().as<three const>()[t.x];
      CHECK(v.y == static_cast<float>(3 * t.x + 1));
    });
    CHECK(bytes_of(trace) == 4);
    CHECK(trace.sum(memory_space::global, &gpu::traced_line::requests) == 3);
    CHECK(trace.sectors() == 3 * 12);
  }
  SECTION("one member of a structure") {
    kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
      float const z = data.data().as<three const>()[t.x]->*&three::z;
      CHECK(z == static_cast<float>(3 * t.x + 2));
    });
    CHECK(trace.sum(memory_space::global, &gpu::traced_line::requests) == 1);
    CHECK(trace.sectors() == 12);
  }
  SECTION("1, 2 and 8 bytes") {
    kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
      t.shared<std::uint8_t>(32)[t.x] = std::uint8_t{1};
      t.shared<std::uint16_t>(32)[t.x] = std::uint16_t{1};
      t.shared<double>(32)[t.x] = 1.0;
    });
    REQUIRE(trace.lines.size() == 3);
    CHECK(trace.lines[0].bytes == 1);
    CHECK(trace.lines[1].bytes == 2);
    CHECK(trace.lines[2].bytes == 8);
    CHECK(trace.wavefronts() == 1 + 1 + 2);
  }
  SECTION("a tile of two dimensions, with and without padding") {
    auto const column = [](auto tile_of) {
      return gpu::trace_block<h200>(dim(32, 32),
                                    [&](gpu::thread& t) {
                                      auto tile = tile_of(t);
                                      tile[t.y][t.x] = static_cast<float>(t.number());
                                      t.sync();
                                      float const value = tile[t.x][t.y];
                                      CHECK(value == static_cast<float>(32 * t.x + t.y));
                                    })
          .excessive_wavefronts();
    };
    CHECK(column([](gpu::thread& t) { return t.shared<float[32][32]>(); }) == 32 * 31);
    CHECK(column([](gpu::thread& t) { return t.shared<float[32][33]>(); }) == 0);
  }
}

TEST_CASE("lanes of a warp that part") {
  std::vector<int> const lengths = {0, 3, 1, 7, 2, 0, 5, 4};
  std::vector<int> values(8 * 8);
  auto const data = gpu::global(values);
  SECTION("loops of different lengths: as many requests as the longest") {
    kernel_trace const trace = gpu::trace_block<h200>(8, [&](gpu::thread& t) {
      for (int i = 0; i < lengths[static_cast<std::size_t>(t.x)]; ++i) data[t.x * 8 + i] = i;
    });
    REQUIRE(trace.lines.size() == 1);
    CHECK(trace.lines[0].requests == 7);
    CHECK(trace.lines[0].lanes == 22);
    CHECK(trace.lines[0].idle_lanes() == 7 * 32 - 22);
  }
  SECTION("both sides of a condition, and together behind it") {
    kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
      if (t.x % 2 == 0)
        data[t.x] = 1;
      else
        data[t.x + 1] = 2;
      data[t.x] = 3;
    });
    REQUIRE(trace.lines.size() == 3);
    for (gpu::traced_line const& l : trace.lines) CHECK(l.requests == 1);
    CHECK(trace.lines[2].lanes == 32);
  }
  SECTION("threads that return early") {
    kernel_trace const trace = gpu::trace_block<h200>(64, [&](gpu::thread& t) {
      if (t.x >= 40) return;
      t.sync();
      data[t.x] = 1;
    });
    CHECK(trace.lines.at(0).requests == 2);
    CHECK(trace.lines.at(0).lanes == 40);
  }
  SECTION("an inner loop: lanes meet behind it where the source says so") {
    auto const requests = [&](bool converge) {
      kernel_trace const trace = gpu::trace_block<h200>(2, [&](gpu::thread& t) {
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < (t.x == 0 ? 1 : 2); ++j) data[t.x * 8 + j] = i;
          if (converge) t.converge();
        }
      });
      return trace.lines.at(0).requests;
    };
    CHECK(requests(true) == 3 * 2);
    CHECK(requests(false) == 6);
  }
}

namespace {

// The requests of each place, in the order of the source, of a block of 32 threads.
std::vector<mmm::index> requests_of(auto const& body) {
  std::vector<mmm::index> requests;
  for (gpu::traced_line const& l : gpu::trace_block<h200>(32, body).lines)
    requests.push_back(l.requests);
  return requests;
}

}  // namespace

TEST_CASE("lanes of a warp wait for each other where a round of a loop ends") {
  using requests = std::vector<mmm::index>;
  std::vector<int> in(33 * 32);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * i / 3 % 4);
  std::vector<int> out(33 * 32);
  auto const from = gpu::global(std::as_const(in));
  auto const to = gpu::global(out);
  // The bodies stand outside of CHECK, which would give all places one line.
  SECTION("an if that ends the body") {
    auto const found = requests_of([&](gpu::thread& t) {
      for (int i = 0; i < 5; ++i)
        if (from[i * 32 + t.x] != 0) to[i * 32 + t.x] = 1;
    });
    CHECK(found == requests{5, 5});
    auto const sides = requests_of([&](gpu::thread& t) {
      for (int i = 0; i < 5; ++i) {
        int const v = from[i * 32 + t.x];
        if (v == 0) continue;
        if (v == 1)
          to[i * 32 + t.x] = 1;
        else
          to[i * 32 + t.x] = 2;
      }
    });
    CHECK(sides == requests{5, 5, 5});
  }
  SECTION("an if that begins it") {
    int const first = GENERATE(0, 2);
    auto const two_lines = requests_of([&](gpu::thread& t) {
      for (int i = first; i < 5; ++i) {
        int v = 0;
        if ((t.x + i) % 4 > 1) v = from[i * 32 + t.x];
        to[i * 32 + t.x] = v;
      }
    });
    CHECK(two_lines == requests{5 - first, 5 - first});
    auto const choice = requests_of([&](gpu::thread& t) {
      for (int i = first; i < 5; ++i) to[i * 32 + t.x] = i * 32 + t.x < 100 ? from[t.x] : 0;
    });
    CHECK(choice == requests{5 - first, 4 - first});
    auto const update = requests_of([&](gpu::thread& t) {
      for (int i = first; i < 5; ++i) to[i * 32 + t.x] += (t.x + i) % 3 == 0 ? 1 : from[t.x];
    });
    CHECK(update == requests{5 - first, 5 - first, 5 - first});
  }
  SECTION("loops that lanes leave at different times, in a loop") {
    auto const inner = requests_of([&](gpu::thread& t) {
      for (int i = 0; i < 3; ++i) {
        int const end = from[i * 32 + t.x];
        for (int j = 0; j < end; ++j)
          if (from[j + 2] != 3) to[j * 32 + t.x] = 1;
      }
    });
    CHECK(inner == requests{3, 9, 6});
    auto const left = requests_of([&](gpu::thread& t) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; from[1024] != 0; ++j)
          if (j == t.x % 4) break;
        to[32 + t.x] = 1;
      }
    });
    CHECK(left == requests{12, 3});
  }
  SECTION("a function of its own") {
    auto const put = [&](int i, int v) {
      if (v % 2 == 0) to[i] = v;
    };
    auto const found = requests_of([&](gpu::thread& t) {
      for (int i = 0; i < 5; ++i) put(i * 32 + t.x, from[i * 32 + t.x]);
    });
    CHECK(found == requests{5, 5});
  }
  SECTION("lanes that meet in part go on together behind it") {
    CHECK(requests_of([&](gpu::thread& t) {
            int v = t.x;
            if (t.x < 16) v += t.shuffle_xor(v, 1, 32, 0xFFFFU);
            to[t.x] = v;
          }) == requests{1});
  }
}

namespace {

gpu::location here(gpu::location at = gpu::location::current()) { return at; }

// A random program of accesses, conditions and loops, executed by a warp in lock step: which lanes
// access memory together, and what each lane's list of accesses is.
class lock_step {
 public:
  explicit lock_step(unsigned seed) : random_(seed), places_("kernel.cu") {
    for (gpu::location const& at : {
             here(),
             here(),
             here(),
             here(),
             here(),
             here(),
             here(),
             here(),
             here(),
             here(),
             here(),
             here(),
         })
      place_.push_back(places_.number(at));
    next_place_ = 0;
    auto const program = statements(3);
    execute(program, 0xFFFFFFFFU, {});
  }

  void check() const {
    std::vector<gpu::detail::traced_access> const* lists[32];
    for (std::size_t t = 0; t < 32; ++t) lists[t] = &lists_[t];
    std::vector<gpu::lane_mask> found(expected_.size());
    std::size_t count = 0;
    bool together = true;
    gpu::detail::lane_flow(places_).for_each_request(
        lists, 32, [&](auto const& a, mmm::index const* address, gpu::lane_mask active) {
          ++count;
          found.at(static_cast<std::size_t>(a.address)) |= active;
          for (int t = 0; t < 32; ++t)
            together &= (active >> t & 1) == 0 || address[t] == a.address;
        });
    CHECK(together);
    CHECK(count == expected_.size());
    CHECK(found == expected_);
  }

 private:
  enum class kind { access, condition, loop, leave, next, end };
  struct statement {
    kind what;
    std::uint32_t place;
    std::vector<statement> body, otherwise;
  };
  // The lanes that leave a round or a loop.
  struct leaving {
    gpu::lane_mask* round = nullptr;
    gpu::lane_mask* loop = nullptr;
    std::vector<std::uint32_t> loops;  // that a lane leaves with its function
  };

  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  gpu::lane_mask some(gpu::lane_mask of) {
    return below(4) == 0 ? of : below(4) == 0 ? 0 : of & random_();
  }
  std::vector<statement> statements(int depth) {
    std::vector<statement> list;
    for (unsigned n = below(4); n > 0 && next_place_ < place_.size(); --n) {
      auto what = static_cast<kind>(below(depth > 0 ? 12 : 8) % 6);
      if (depth == 0 && (what == kind::condition || what == kind::loop)) what = kind::access;
      list.push_back({what, place_[next_place_], {}, {}});
      if (what == kind::access || what == kind::loop) ++next_place_;
      if (what == kind::condition || what == kind::loop) list.back().body = statements(depth - 1);
      if (what == kind::condition) list.back().otherwise = statements(depth - 1);
    }
    return list;
  }
  void note(gpu::lane_mask lanes, std::uint32_t place, gpu::detail::flow_mark mark, mmm::index n) {
    for (std::size_t t = 0; t < 32; ++t)
      if ((lanes >> t & 1) != 0)
        lists_[t].push_back({n, place, static_cast<std::uint8_t>(mark == no_mark ? 4 : 0),
                             mmm::access_kind::write, memory_space::global, mark});
  }
  // Returns the lanes that go on behind the statements.
  gpu::lane_mask execute(std::vector<statement> const& list, gpu::lane_mask lanes,
                         leaving const& out) {
    for (statement const& s : list) {
      if (lanes == 0) return 0;
      if (s.what == kind::access) {
        note(lanes, s.place, no_mark, static_cast<mmm::index>(expected_.size()));
        expected_.push_back(lanes);
      } else if (s.what == kind::condition) {
        gpu::lane_mask const yes = some(lanes);
        lanes = execute(s.body, yes, out) | execute(s.otherwise, lanes & ~yes, out);
      } else if (s.what == kind::loop) {
        gpu::lane_mask in = lanes;
        gpu::lane_mask left = 0;
        leaving inner = out;
        inner.loop = &left;
        inner.loops.push_back(s.place);
        for (int round = 0; in != 0 && round < 6; ++round) {
          gpu::lane_mask const go_on = some(in);
          left |= in & ~go_on;
          note(go_on, s.place, gpu::detail::flow_mark::round, 1);
          gpu::lane_mask next = 0;
          inner.round = &next;
          in = execute(s.body, go_on, inner) | next;
        }
        lanes = left | in;
        note(lanes, s.place, gpu::detail::flow_mark::loop_end, 1);
      } else {
        gpu::lane_mask const go = some(lanes) & some(lanes);
        lanes &= ~go;
        if (s.what == kind::end)
          for (std::size_t k = out.loops.size(); k-- > 0;)
            note(go, out.loops[k], gpu::detail::flow_mark::loop_end, 1);
        else if (out.loop == nullptr)
          lanes |= go;
        else
          *(s.what == kind::leave ? out.loop : out.round) |= go;
      }
    }
    return lanes;
  }

  static constexpr auto no_mark = gpu::detail::flow_mark::none;
  std::mt19937 random_;
  gpu::detail::place_table places_;
  std::vector<std::uint32_t> place_;
  std::size_t next_place_;
  std::vector<gpu::detail::traced_access> lists_[32];
  std::vector<gpu::lane_mask> expected_;  // the lanes of each request
};

}  // namespace

TEST_CASE("lanes that tell their loops make the requests of a warp in lock step") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    lock_step(seed).check();
  }
}

TEST_CASE("exchanges between lanes") {
  std::vector<int> out(64 * 6);
  auto const to = gpu::global(out);
  kernel_trace const trace = gpu::trace_block<h200>(64, [&](gpu::thread& t) {
    to[t.x] = t.shuffle(t.x, 3);
    to[64 + t.x] = t.shuffle_down(t.x, 5, 8);
    to[128 + t.x] = t.shuffle_up(t.x, 5, 8);
    to[192 + t.x] = t.shuffle_xor(t.x, 9, 16);
    to[256 + t.x] = static_cast<int>(t.ballot(t.x % 3 == 0));
    to[320 + t.x] = (t.any(t.x == 40) ? 1 : 0) + (t.all(t.x < 32) ? 2 : 0);
  });
  for (int i = 0; i < 64; ++i) {
    auto const at = static_cast<std::size_t>(i);
    CHECK(out[at] == i / 32 * 32 + 3);
    CHECK(out[64 + at] == (i % 8 + 5 < 8 ? i + 5 : i));
    CHECK(out[128 + at] == (i % 8 >= 5 ? i - 5 : i));
    CHECK(out[192 + at] == (i ^ 9));
    unsigned votes = 0;
    for (int lane = 0; lane < 32; ++lane)
      votes |= static_cast<unsigned>((i / 32 * 32 + lane) % 3 == 0) << lane;
    CHECK(out[256 + at] == static_cast<int>(votes));
    CHECK(out[320 + at] == (i < 32 ? 2 : 1));
  }
  CHECK(trace.exchanges == 2 * 7);
  CHECK(trace.findings.empty());
}

TEST_CASE("atomic updates") {
  std::vector<unsigned> bins(4);
  auto const global_bins = gpu::global(bins);
  kernel_trace const trace = gpu::trace_grid<h200>(3, 64, [&](gpu::thread& t) {
    auto own = t.shared<unsigned>(4);
    if (t.x < 4) own[t.x] = 0U;
    t.sync();
    atomic_add(own[t.x % 4], 1U);
    t.sync();
    if (t.x < 4) atomic_add(global_bins[t.x], own[t.x]);
  });
  CHECK(bins == std::vector<unsigned>(4, 48));
  CHECK(trace.findings.empty());
  // Eight lanes take turns at each of four addresses of four banks.
  auto const& shared = *std::find_if(trace.lines.begin(), trace.lines.end(), [](auto const& l) {
    return l.space == memory_space::shared && l.use == mmm::access_kind::update;
  });
  CHECK(shared.requests == 6);
  CHECK(shared.transfers == 6 * 8);
  CHECK(shared.serialized == 6 * 8);

  std::vector<int> values = {5, 5, 5, 5, 5, 5, 5, 5, 5};
  auto const v = gpu::global(values);
  std::vector<int> old(9);
  gpu::trace_block<h200>(1, [&](gpu::thread&) {
    old = {atomic_add(v[0], 2), atomic_sub(v[1], 2),      atomic_min(v[2], 3),
           atomic_max(v[3], 9), atomic_and(v[4], 6),      atomic_or(v[5], 8),
           atomic_xor(v[6], 1), atomic_exchange(v[7], 1), atomic_compare_exchange(v[8], 5, 0)};
  });
  CHECK(values == std::vector<int>{7, 3, 3, 9, 4, 13, 4, 1, 0});
  CHECK(old == std::vector<int>(9, 5));
}

TEST_CASE("errors that a trace finds") {
  std::vector<int> values(256);
  auto const data = gpu::global(values);
  auto const race_count = [](kernel_trace const& t) { return t.count(finding_kind::race); };
  SECTION("a missing barrier") {
    kernel_trace const trace = gpu::trace_block<h200>(64, [&](gpu::thread& t) {
      auto s = t.shared<int>(64);
      s[t.x] = t.x;
      data[t.x] = s[63 - t.x];
    });
    CHECK(race_count(trace) == 1);
    auto const& race = *std::find_if(trace.findings.begin(), trace.findings.end(),
                                     [](auto const& f) { return f.kind == finding_kind::race; });
    CHECK_THAT(race.message, Catch::Contains("of a shared array, without an order"));
  }
  SECTION("a barrier of the warp orders a warp only") {
    auto const races = [&](int distance) {
      return race_count(gpu::trace_block<h200>(64, [&](gpu::thread& t) {
        auto s = t.shared<int>(64);
        s[t.x] = t.x;
        t.sync_warp();
        data[t.x] = s[t.x ^ distance];
      }));
    };
    CHECK(races(1) == 0);
    CHECK(races(32) == 1);
  }
  SECTION("a write after another thread's read") {
    kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
      int const next = data[(t.x + 1) % 32];
      data[t.x] = next;
    });
    CHECK(race_count(trace) == 1);
  }
  SECTION("blocks that write the same element; blocks that hand it over by an atomic update") {
    CHECK(race_count(gpu::trace_grid<h200>(2, 1, [&](gpu::thread&) { data[0] = 1; })) == 1);
    values[0] = 0;
    int last = -1;
    CHECK(race_count(gpu::trace_grid<h200>(3, 1, [&](gpu::thread& t) {
            data[t.block + 1] = t.block;
            if (atomic_add(data[0], 1) < 2) return;
            last = data[1] + data[2] + data[3];
          })) == 0);
    CHECK(last == 3);
  }
  SECTION("atomic updates beside a plain read") {
    CHECK(race_count(gpu::trace_block<h200>(32, [&](gpu::thread&) { atomic_add(data[0], 1); })) ==
          0);
    CHECK(race_count(gpu::trace_block<h200>(32, [&](gpu::thread& t) {
            if (t.x == 0)
              atomic_add(data[0], 1);
            else if (t.x == 1)
              data[1] = static_cast<int>(data[0]);
          })) == 1);
  }
  SECTION("bytes of one word are not a race") {
    std::vector<std::uint8_t> bytes(64);
    auto const b = gpu::global(bytes);
    CHECK(race_count(gpu::trace_block<h200>(
              64, [&](gpu::thread& t) { b[t.x] = static_cast<std::uint8_t>(t.x); })) == 0);
    CHECK(race_count(gpu::trace_block<h200>(64, [&](gpu::thread& t) {
            data.data().as<std::uint8_t>()[t.x] = static_cast<std::uint8_t>(t.x);
          })) == 0);
  }
  SECTION("shared memory that nobody has written") {
    kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
      auto s = t.shared<int>(64);
      s[t.x] = 1;
      t.sync();
      data[t.x] = s[2 * t.x];
    });
    CHECK(trace.count(finding_kind::uninitialized) == 1);
    CHECK(trace.findings.at(0).count == 16);
  }
  SECTION("barriers at different lines, shuffles from lanes that have ended") {
    kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
      if (t.x < 16)
        t.sync();
      else
        t.sync();
    });
    CHECK(trace.count(finding_kind::barrier) == 1);
    CHECK(gpu::trace_block<h200>(20, [&](gpu::thread& t) {
            data[t.x] = t.shuffle_down(t.x, 1);
          }).count(finding_kind::shuffle) == 1);
  }
  SECTION("none is looked for where the settings say so") {
    gpu::trace_settings settings = gpu::trace_settings_of<h200>();
    settings.checks = false;
    CHECK(
        gpu::trace_block<h200>(32, [&](gpu::thread&) { data[0] = 1; }, settings).findings.empty());
  }
}

TEST_CASE("a traced launch that cannot go on says where and why") {
  std::vector<int> values(64);
  auto const data = gpu::global(values);
  auto const says = [](auto const& body, dim block = 64) {
    return message_of([&] { gpu::trace_block<h200>(block, body); });
  };
  using Catch::Contains;
  CHECK_THAT(says([&](gpu::thread& t) { data[t.x + 1] = 0; }),
             Contains("trace.cpp:") &&
                 Contains("a store of 4 bytes at offset 256 of an array of 256 bytes") &&
                 Contains("thread (63, 0, 0) of block (0, 0, 0)"));
  CHECK_THAT(says([&](gpu::thread& t) { data[t.x - 1] = 0; }), Contains("at offset -4"));
  CHECK_THAT(says([&](gpu::thread&) { gpu::pointer<int>()[0] = 1; }), Contains("a null pointer"));
  CHECK_THAT(says([&](gpu::thread&) { (data.data().as<char>() + 2).as<int>()[0] = 1; }),
             Contains("no multiple of 4"));
  CHECK_THAT(says([&](gpu::thread& t) { static_cast<void>(t.shared<double>(1 << 20)); }),
             Contains("a shared array of 8388608 bytes") && Contains("232448"));
  CHECK_THAT(says([&](gpu::thread& t) {
               static_cast<void>(t.x == 0 ? t.shared<int>(4) : t.shared<int>(8));
             }),
             Contains("the threads of a block ask for shared arrays of 16 and 32 bytes"));
  CHECK_THAT(says([&](gpu::thread& t) {
               if (t.x == 3)
                 t.sync();
               else
                 t.sync_warp();
             }),
             Contains("deadlock") && Contains("thread (3, 0, 0) waits at"));
  CHECK_THAT(says([&](gpu::thread& t) { t.sync_warp(1U << 5); }), Contains("lane 0 is not among"));
  CHECK_THAT(message_of([&] {
               gpu::trace_settings settings = gpu::trace_settings_of<h200>();
               settings.accesses_without_barrier = 5000;
               gpu::trace_block<h200>(
                   64,
                   [&](gpu::thread&) {
                     while (data[0] == 0) {
                     }
                   },
                   settings);
             }),
             Contains("made 5000 accesses without a barrier"));
  CHECK_THAT(says([&](gpu::thread&) { throw std::runtime_error("of the body"); }),
             Contains("of the body"));
  CHECK_THAT(says([](gpu::thread&) {}, dim(1025)), Contains("is 1025; accepted: 1 to 1024"));
  CHECK_THAT(says([](gpu::thread&) {}, dim(0)), Contains("is 0"));
  CHECK_THAT(message_of([&] { static_cast<void>(int(data[0])); }),
             Contains("outside of a traced kernel"));
  // All threads have left their bodies, so that what these hold is given back.
  int alive = 0;
  struct counted {
    int* of;
    explicit counted(int& count) : of(&count) { ++*of; }
    ~counted() { --*of; }
    counted(counted const&) = delete;
    counted& operator=(counted const&) = delete;
  };
  CHECK_THAT(says([&](gpu::thread& t) {
               counted const one(alive);
               t.sync();
               data[t.x + 64] = 0;
             }),
             Contains("a store"));
  CHECK(alive == 0);
}

TEST_CASE("a trace in words") {
  std::vector<float> const in = numbers(64);
  auto const from = gpu::global(in);
  kernel_trace const trace = gpu::trace_block<h200>(32, [&](gpu::thread& t) {
    auto s = t.shared<float>(64);
    s[2 * t.x] = from[2 * t.x];
  });
  std::string const words = mmm::report::text(trace);
  using Catch::Contains;
  CHECK_THAT(words, Contains("1 block of 32 threads: 2 wavefronts of shared memory (ideal 1), 8 "
                             "sectors of global memory (ideal 4), 0 barriers, 0 findings"));
  CHECK_THAT(words, Contains("4-byte shared store      2      1       1   32.0"));
  CHECK_THAT(mmm::report::page("a kernel").add(trace).html(),
             Contains("1 block of 32 threads") && Contains("<td>4-byte shared store</td>"));
}

// Behind this line `for` is a macro.
#include <mmm/cuda_on_host.hpp>

namespace {

constexpr int rounds_until(int n) {
  int count = 0;
  for (; n > 1; n /= 2) ++count;
  return count;
}
static_assert(rounds_until(8) == 3);

__device__ void add_first(gpu::device_pointer<int> to, int n) {
  for (int i = 0; i < n; ++i) to[i * 32 + static_cast<int>(threadIdx.x)] += 1;
}

}  // namespace

TEST_CASE("loops of a kernel's source tell their rounds and their ends") {
  using requests = std::vector<mmm::index>;
  std::vector<int> out(33 * 32);
  auto const to = gpu::global(out);
  auto const not_all_rounds = requests_of([&](gpu::thread& t) {
    for (int i = 0; i < 5; ++i)
      if (t.x % 2 == i % 2) to[i * 32 + t.x] = 1;
  });
  CHECK(not_all_rounds == requests{5});
  auto const inner_only = requests_of([&](gpu::thread& t) {
    if (t.x < 16)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < t.x % 3; ++j) {
          if (j == 1 && i == 1) break;
          if (i == 2 && t.x == 2) return;
          to[i * 32 + t.x] = j;
        }
    else
      to[t.x] = 1;
  });
  CHECK(inner_only == requests{5, 1});
  auto const functions = requests_of([&](gpu::thread& t) {
    for (int i = 0; i < 3; ++i) {
      if (t.x % 2 == 0) add_first(to, t.x % 4);
      add_first(to, i);
    }
  });
  CHECK(functions == requests{3 * 2 + 3, 3 * 2 + 3});
}

TEST_CASE("CUDA's types on the host") {
  static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && alignof(ushort2) == 4);
  static_assert(alignof(int4) == 16 && alignof(double2) == 16 && alignof(longlong4) == 16);
  static_assert(make_uchar3(1, 2, 3).z == 3 && dim3(2).y == 1 && dim3(uint3{2, 3, 4}).z == 4);
  dim3 const size(8, 4);
  kernel_trace const trace = gpu::trace_grid<h200>(dim3(2), size, [&](gpu::thread& t) {
    uint3 const at = threadIdx;
    dim3 const block = blockDim;
    CHECK(static_cast<int>(at.y * block.x + at.x) == t.number());
    CHECK((gridDim.x == 2 && block.y == 4 && block.z == 1));
  });
  CHECK(trace.block == dim(8, 4));
}
