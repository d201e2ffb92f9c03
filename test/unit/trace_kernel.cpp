// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels' bodies run by simulated threads: figures by line, values, errors that are found.
#include <mmm/cost/gpu.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/report/page.hpp>
#include <mmm/trace_kernel.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
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
using gpu::memory_space;

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
    return l.space == memory_space::shared && l.use == gpu::access_use::atomic;
  });
  CHECK(shared.requests == 6);
  CHECK(shared.transfers == 6 * 8);
  CHECK(shared.turns == 6 * 8);

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
    CHECK_THAT(race.what, Catch::Contains("of a shared array, without an order"));
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
             Contains("trace_kernel.cpp:") &&
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
  CHECK_THAT(says([&](gpu::thread&) {
               while (data[0] == 0) {
               }
             }),
             Contains("accesses without a barrier"));
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
