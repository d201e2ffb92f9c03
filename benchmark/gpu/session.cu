// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.cuh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

namespace bench {

namespace {

cudaDeviceProp properties() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice", "asking for the device");
  cudaDeviceProp found{};
  check(cudaGetDeviceProperties(&found, device), "cudaGetDeviceProperties",
        "asking for the device's properties");
  return found;
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute",
        "asking for the device's properties");
  return value;
}

cudaMemPool_t pool() {
  cudaMemPool_t found = nullptr;
  check(cudaDeviceGetDefaultMemPool(&found, 0), "cudaDeviceGetDefaultMemPool",
        "asking for the pool of memory");
  return found;
}

summary summary_of(std::vector<double> times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  auto const at = [&](double share) {
    double const place = share * static_cast<double>(times.size() - 1);
    auto const below = static_cast<std::size_t>(place);
    auto const above = std::min(below + 1, times.size() - 1);
    return times[below] + (times[above] - times[below]) * (place - static_cast<double>(below));
  };
  return {at(0.5), at(0.25), at(0.75), static_cast<index>(times.size())};
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

index calibration::ports() const {
  return std::max(index{1}, std::lround(copy_bytes_per_s / (128 * clock_hz)));
}
hmm calibration::hmm(index dmms) const {
  return bench::hmm(dmms, std::max(1L, std::lround(shared_latency)),
                    std::max(1L, std::lround(global_latency)), shared_words, ports());
}
hmm calibration::split(index parts) const {
  index const reserved = 256;  // words that a block takes for itself
  index const words = (shared_words + reserved) / parts - reserved;
  bench::hmm const one = hmm();
  return bench::hmm(multiprocessors * parts, one.shared().latency(), one.global().latency(),
                    words / 32 * 32, ports());
}
umm calibration::umm() const {
  return bench::umm(std::max(1L, std::lround(global_latency)), ports());
}
dmm calibration::dmm() const { return bench::dmm(std::max(1L, std::lround(shared_latency))); }

std::string number(index n) {
  int power = 0;
  while (power < 62 && (index{1} << power) < n) ++power;
  return n >= 1024 && index{1} << power == n ? "2^" + std::to_string(power) : std::to_string(n);
}

session::session(double seconds, double per_comparison)
    : end_(std::chrono::steady_clock::now() +
           std::chrono::milliseconds(static_cast<long long>(seconds * 1000))),
      per_comparison_(per_comparison) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags",
        "a stream");
  flush_bytes_ =
      std::max(std::size_t{2} * static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize)),
               std::size_t{128} << 20);
  check(cudaMalloc(&flushed_, flush_bytes_), "cudaMalloc", "a buffer twice the level-2 cache");
  std::uint64_t keep = UINT64_MAX;  // the pool keeps freed memory from one run to the next
  check(cudaMemPoolSetAttribute(pool(), cudaMemPoolAttrReleaseThreshold, &keep),
        "cudaMemPoolSetAttribute", "keeping memory in the pool");
  device.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  // One kilobyte below the device's limit, because arrays start at multiples of 256 bytes.
  device.shared_words = (attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - 1024) / 4;
}

session::~session() {
  static_cast<void>(cudaFree(flushed_));
  static_cast<void>(cudaStreamDestroy(stream_));
}

bool session::out_of_time() const { return std::chrono::steady_clock::now() > end_; }

void session::note_wrong(std::string const& what) {
  std::printf("WRONG  %s\n", what.c_str());
  wrong_.push_back(what);
}

void session::flush() const {
  check(cudaMemsetAsync(flushed_, 1, flush_bytes_, stream_), "cudaMemsetAsync",
        "overwriting the level-2 cache");
}

double session::one_run(std::function<void()> const& run, std::function<void()> const& renew) {
  renew();
  flush();
  begin_.record(stream_);
  run();
  finish_.record(stream_);
  return finish_.since(begin_);
}

summary session::time(std::function<void()> const& run, double seconds, index least) {
  std::vector<double> times;
  auto const begin = std::chrono::steady_clock::now();
  static_cast<void>(one_run(run));  // the first run also loads the code and is not timed
  while (static_cast<index>(times.size()) < least ||
         (seconds_since(begin) < seconds && times.size() < 50)) {
    times.push_back(one_run(run));
    if (seconds_since(begin) > 4 * seconds) break;
  }
  return summary_of(times);
}

json_object session::row(problem const& what, contender const& who) const {
  json_object out;
  out.add("group", what.group)
      .add("parameters", what.parameters)
      .add("size", what.size)
      .add("contender", who.name);
  out.add("kind", who.kind).add("machine", who.machine);
  return out;
}

void session::compare(problem const& what, std::vector<contender> const& contenders) {
  struct entrant {
    contender const* who;
    std::vector<double> times{};
    std::int64_t peak = 0;
    std::int64_t taken = 0;
  };
  std::vector<entrant> entrants;
  for (contender const& who : contenders) {
    std::string const title =
        what.group + ", " + what.parameters + ": " + who.name + " on " + who.machine;
    auto const left_out = [&](std::string const& why) {
      std::printf("       %-70s left out: %s\n", title.c_str(), why.c_str());
      rows_.push_back(row(what, who).add("left_out", why));
    };
    if (out_of_time()) {
      left_out("the benchmark's time was over");
      continue;
    }
    try {
      what.prepare();
      std::size_t free_before = 0;
      std::size_t free_after = 0;
      std::size_t total = 0;
      std::uint64_t none = 0;
      check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "before a first run");
      check(cudaMemPoolSetAttribute(pool(), cudaMemPoolAttrUsedMemHigh, &none),
            "cudaMemPoolSetAttribute", "forgetting the pool's peak");
      check(cudaMemGetInfo(&free_before, &total), "cudaMemGetInfo", "before a first run");
      who.run();
      check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", title);
      check(cudaMemGetInfo(&free_after, &total), "cudaMemGetInfo", "after a first run");
      std::uint64_t high = 0;
      check(cudaMemPoolGetAttribute(pool(), cudaMemPoolAttrUsedMemHigh, &high),
            "cudaMemPoolGetAttribute", "asking for the pool's peak");
      if (!who.right()) {
        note_wrong(title);
        rows_.push_back(row(what, who).add("verified", false));
        continue;
      }
      entrants.push_back(
          {&who,
           {},
           static_cast<std::int64_t>(high),
           static_cast<std::int64_t>(free_before) - static_cast<std::int64_t>(free_after)});
    } catch (mmm::cuda::error const& e) {
      if (cudaDeviceSynchronize() != cudaSuccess) throw;  // the device is unusable from here on
      left_out(e.what());
    } catch (std::exception const& e) {
      left_out(e.what());
    }
  }
  // Contenders take turns, so that a change of the clock affects all of them.
  auto const begin = std::chrono::steady_clock::now();
  double const seconds = per_comparison_ * static_cast<double>(entrants.size());
  for (int turn = 0; turn < 100; ++turn) {
    if (turn >= 20 && seconds_since(begin) > seconds) break;
    if (turn >= 3 && (seconds_since(begin) > 2 * seconds || out_of_time())) break;
    for (entrant& e : entrants) e.times.push_back(one_run(e.who->run, what.renew));
  }
  for (entrant const& e : entrants) {
    summary const s = summary_of(e.times);
    json_object out = row(what, *e.who);
    out.add("verified", true).add("median_us", s.median);
    out.add("lower_quartile_us", s.lower_quartile)
        .add("upper_quartile_us", s.upper_quartile)
        .add("runs", s.runs);
    out.add("bytes_per_s", what.bytes / s.median * 1e6)
        .add("flop_per_s", what.flops / s.median * 1e6);
    out.add("pool_peak_bytes", e.peak).add("device_memory_taken_bytes", e.taken);
    if (e.who->time_units > 0) {
      double const predicted = device.microseconds(e.who->time_units) + device.launch_us;
      out.add("modelled_time_units", e.who->time_units).add("modelled_us", predicted);
      out.add("model_error", std::abs(predicted - s.median) / s.median);
    }
    std::printf("%-70s %12.2f us  [%.2f, %.2f] x %lld\n",
                (what.group + ", " + what.parameters + ": " + e.who->name + " on " + e.who->machine)
                    .c_str(),
                s.median, s.lower_quartile, s.upper_quartile, static_cast<long long>(s.runs));
    rows_.push_back(out);
  }
  std::fflush(stdout);
}

json_object session::device_properties() const {
  cudaDeviceProp const p = properties();
  int runtime = 0;
  int driver = 0;
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion", "asking for versions");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion", "asking for versions");
  json_object out;
  out.add("name", p.name)
      .add("compute_capability", std::to_string(p.major) + "." + std::to_string(p.minor));
  out.add("multiprocessors", p.multiProcessorCount).add("l2_bytes", p.l2CacheSize);
  out.add("memory_bytes", static_cast<std::int64_t>(p.totalGlobalMem));
  out.add("cuda_runtime", runtime).add("cuda_driver", driver);
  // Clock times width of the bus, and two operations for each of 128 floats and clock.
  // benchmark/results_page.py derives the limits of problems from these.
  out.add("limit_copy_bytes_per_s", 2.0 * 1000 * attribute(cudaDevAttrMemoryClockRate) *
                                        attribute(cudaDevAttrGlobalMemoryBusWidth) / 8);
  out.add("limit_flop_per_s", 2.0 * 128 * p.multiProcessorCount * 1000 *
                                  static_cast<double>(attribute(cudaDevAttrClockRate)));
  out.add("flush_bytes", static_cast<std::int64_t>(flush_bytes_));
  return out;
}

}  // namespace bench
