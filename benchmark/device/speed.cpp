// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Speed of the device in software: thread instructions per second on one core, without observers,
// with counts, with counts and the race check, and with counts and all checks. The kernels are
// written in PTX, so that no nvcc is needed. The rows _on_host are the same programs in C++, with a
// loop over the threads between two barriers, by this processor's own instructions; their rate is
// that of the PTX instructions that they stand for.
#include <benchmark/benchmark.h>
#include <device/check/checking.hpp>
#include <device/compose/compose.hpp>
#include <device/count/counter.hpp>
#include <device/decode/linked_module.hpp>
#include <device/execute/launch.hpp>
#include <device/memory/memory.hpp>
#include <device/runtime/settings.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

enum class watching : std::uint8_t { nothing, counts, races, checks };

//! A compute-bound kernel: 32 multiply-adds, four integer operations and a branch in a loop, with
//! one store at the end as its only memory access.
std::string arithmetic() {
  std::string text = R"(
.visible .entry arithmetic(.param .u64 out, .param .u32 trips)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [trips];
  mov.u32 %r2, %tid.x;
  cvt.rn.f32.u32 %f1, %r2;
  mov.f32 %f2, 0f3F7FFFFE;
  mov.f32 %f3, %f1;
  mov.f32 %f4, %f1;
  mov.f32 %f5, %f1;
AGAIN:
)";
  for (int k = 0; k < 8; ++k)
    text += "  fma.rn.f32 %f1, %f1, %f2, %f2;\n  fma.rn.f32 %f3, %f3, %f2, %f2;\n"
            "  fma.rn.f32 %f4, %f4, %f2, %f2;\n  fma.rn.f32 %f5, %f5, %f2, %f2;\n";
  return text + R"(
  xor.b32 %r3, %r2, %r1;
  and.b32 %r4, %r3, 255;
  add.u32 %r2, %r2, %r4;
  add.s32 %r1, %r1, -1;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  add.f32 %f1, %f1, %f3;
  add.f32 %f4, %f4, %f5;
  add.f32 %f1, %f1, %f4;
  mov.u32 %r5, %tid.x;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd2, %rd1, %rd2;
  st.global.f32 [%rd2], %f1;
  ret;
}
)";
}

//! A memory-bound kernel: each warp copies a tile of 32 words from global to shared memory, reads
//! it in reversed order, and writes it back; four of the loop's ten instructions access memory.
std::string exchange() {
  return R"(
.visible .entry exchange(.param .u64 out, .param .u32 trips)
{
  .reg .pred %p<2>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 words[4096];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [trips];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r9, %ntid.x;
  mad.lo.u32 %r4, %r3, %r9, %r2;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd2, %rd1, %rd2;
  shl.b32 %r5, %r2, 2;
  mov.u32 %r6, words;
  add.u32 %r5, %r6, %r5;
  xor.b32 %r7, %r2, 31;
  shl.b32 %r7, %r7, 2;
  add.u32 %r7, %r6, %r7;
AGAIN:
  ld.global.u32 %r8, [%rd2];
  st.shared.u32 [%r5], %r8;
  bar.sync 0;
  ld.shared.u32 %r8, [%r7];
  add.u32 %r8, %r8, 1;
  bar.sync 0;
  st.global.u32 [%rd2], %r8;
  add.s32 %r1, %r1, -1;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  ret;
}
)";
}

//! A kernel whose warps all read the same words of shared memory, as the product of two tiles does:
//! a row of 32 words and one that all lanes share, 16 times between two barriers.
std::string product() {
  std::string text = R"(
.visible .entry product(.param .u64 out, .param .u32 trips)
{
  .reg .pred %p<2>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 words[4096];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [trips];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd2, %rd1, %rd2;
  shl.b32 %r5, %r2, 2;
  mov.u32 %r6, words;
  add.u32 %r7, %r6, %r5;
  and.b32 %r5, %r5, 127;
  add.u32 %r5, %r6, %r5;
  mov.u32 %r4, 0;
AGAIN:
  st.shared.u32 [%r7], %r2;
  st.shared.u32 [%r7+1024], %r2;
  st.shared.u32 [%r7+2048], %r2;
  bar.sync 0;
)";
  for (int k = 0; k < 16; ++k)
    text += "  ld.shared.u32 %r8, [%r5+" + std::to_string(128 * k) +
            "];\n  ld.shared.u32 %r9, [%r6+" + std::to_string(2048 + 4 * k) +
            "];\n  mad.lo.u32 %r4, %r8, %r9, %r4;\n";
  return text + R"(
  bar.sync 0;
  add.s32 %r1, %r1, -1;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  mov.u32 %r3, %ctaid.x;
  setp.ne.s32 %p1, %r3, 0;
  @%p1 bra END;
  st.global.u32 [%rd2], %r4;
END:
  ret;
}
)";
}

constexpr std::uint32_t blocks = 16;
constexpr std::uint32_t threads = 256;
constexpr std::uint32_t trips = 100;

//! One of the kernels, and launches of it.
class kernel {
 public:
  kernel(std::string const& text, char const* name, device::runtime::instruments* checking)
      : checking_(checking), name_(name) {
    if (checking_ != nullptr) checking_->attach(memory_, [](device::finding const&) {});
    code_ = std::make_unique<device::linked_module>(
        std::vector{".version 9.0\n.target sm_90\n.address_size 64\n" + text}, memory_, 0,
        device::composed().execution);
    out_ = memory_.allocate(blocks * threads * 4, device::allocation_kind::device, 0);
    std::memset(reinterpret_cast<void*>(out_), 0, blocks * threads * 4);
    if (checking_ != nullptr) checking_->host_wrote(out_, blocks * threads * 4);
  }
  //! Runs it once. \return the instructions of its threads.
  std::uint64_t run(device::observer* counter) {
    device::launch l;
    l.code = code_.get();
    l.kernel = code_->find(name_);
    l.grid = {blocks, 1, 1};
    l.block = {threads, 1, 1};
    l.memory = &memory_;
    l.number = number_++;
    l.params.resize(12);
    std::memcpy(l.params.data(), &out_, 8);
    std::memcpy(l.params.data() + 8, &trips, 4);
    std::vector<device::observer*> observers;
    if (counter != nullptr) observers.push_back(counter);
    if (checking_ != nullptr)
      for (device::observer* const o : checking_->for_worker(l, 0)) observers.push_back(o);
    l.observers = {observers};
    device::launch_result const result = device::run(l);
    if (checking_ != nullptr) checking_->finished(l, result);
    std::uint64_t instructions = 0;
    for (auto const& [program, counts] : result.counts)
      for (device::operation_count const& c : counts) instructions += c.lanes;
    return instructions;
  }
  [[nodiscard]] std::vector<std::uint32_t> output() const {
    std::vector<std::uint32_t> words(blocks * threads);
    std::memcpy(words.data(), reinterpret_cast<void const*>(out_), words.size() * 4);
    return words;
  }

 private:
  device::global_memory memory_{std::uint64_t{1} << 30, 1};
  device::runtime::instruments* checking_;
  char const* name_;
  std::unique_ptr<device::linked_module> code_;
  std::uint64_t out_ = 0;
  std::uint64_t number_ = 0;
};

void set_rate(benchmark::State& state, std::uint64_t instructions) {
  state.counters["thread instructions/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void run(benchmark::State& state, std::string const& text, char const* name, watching what) {
  device::runtime::settings settings;
  settings.checks.fill(what == watching::checks);
  bool const checks = what >= watching::races;
  settings.checks[static_cast<std::size_t>(device::check_kind::race)] = checks;
  std::unique_ptr<device::runtime::instruments> const checking =
      checks ? device::check::make_checking(settings) : nullptr;
  kernel k(text, name, checking.get());
  device::count::counter counter{device::count::bank_policy{}};
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    instructions += k.run(what == watching::nothing ? nullptr : &counter);
    std::vector<device::count::program_accesses> sum;
    counter.move_into(sum);
  }
  set_rate(state, instructions);
}

//! Runs a kernel's program for the host; an error if it computes something else.
void run_on_host(benchmark::State& state, std::string const& text, char const* name,
                 void (*program)(std::uint32_t* out)) {
  kernel k(text, name, nullptr);
  std::uint64_t const instructions = k.run(nullptr);
  std::vector<std::uint32_t> out(blocks * threads);
  program(out.data());
  if (out != k.output()) return state.SkipWithError("the host computes something else");
  for (auto _ : state) program(out.data());
  set_rate(state, instructions * static_cast<std::uint64_t>(state.iterations()));
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_HOST \
  [[gnu::target_clones("default", "arch=haswell")]] void  // as the device has handlers
#else
#define FOR_HOST void
#endif

FOR_HOST arithmetic_for_host(std::uint32_t* out) {
  for (std::uint32_t b = 0; b < blocks; ++b)
    for (std::uint32_t t = 0; t < threads; ++t) {
      float const factor = std::bit_cast<float>(0x3F7F'FFFEU);
      float f1 = static_cast<float>(t), f3 = f1, f4 = f1, f5 = f1;
      std::uint32_t sum = t;
      for (std::uint32_t left = trips; left != 0; --left) {
        for (int k = 0; k < 8; ++k) {
          f1 = std::fma(f1, factor, factor);
          f3 = std::fma(f3, factor, factor);
          f4 = std::fma(f4, factor, factor);
          f5 = std::fma(f5, factor, factor);
        }
        sum += (sum ^ left) & 255U;
      }
      benchmark::DoNotOptimize(sum);
      out[t] = std::bit_cast<std::uint32_t>((f1 + f3) + (f4 + f5));
    }
}

FOR_HOST exchange_for_host(std::uint32_t* out) {
  for (std::uint32_t b = 0; b < blocks; ++b)
    for (std::uint32_t trip = 0; trip < trips; ++trip) {
      std::uint32_t words[threads];
      for (std::uint32_t t = 0; t < threads; ++t) words[t] = out[b * threads + t];
      benchmark::DoNotOptimize(words);  // the barriers: what was stored is read from memory
      for (std::uint32_t t = 0; t < threads; ++t) out[b * threads + t] = words[t ^ 31U] + 1;
      benchmark::ClobberMemory();
    }
}

FOR_HOST product_for_host(std::uint32_t* out) {
  for (std::uint32_t b = 0; b < blocks; ++b) {
    std::uint32_t words[1024] = {};
    std::uint32_t sum[threads] = {};
    for (std::uint32_t trip = 0; trip < trips; ++trip) {
      for (std::uint32_t t = 0; t < threads; ++t) words[t] = words[256 + t] = words[512 + t] = t;
      benchmark::DoNotOptimize(words);
      for (std::uint32_t t = 0; t < threads; ++t)
        for (std::uint32_t k = 0; k < 16; ++k) sum[t] += words[32 * k + t % 32] * words[512 + k];
      benchmark::DoNotOptimize(sum);
    }
    if (b == 0) std::memcpy(out, sum, sizeof sum);
  }
}

void arithmetic_alone(benchmark::State& s) {
  run(s, arithmetic(), "arithmetic", watching::nothing);
}
void arithmetic_with_counts(benchmark::State& s) {
  run(s, arithmetic(), "arithmetic", watching::counts);
}
void arithmetic_with_checks(benchmark::State& s) {
  run(s, arithmetic(), "arithmetic", watching::checks);
}
void exchange_alone(benchmark::State& s) { run(s, exchange(), "exchange", watching::nothing); }
void exchange_with_counts(benchmark::State& s) { run(s, exchange(), "exchange", watching::counts); }
void exchange_with_races(benchmark::State& s) { run(s, exchange(), "exchange", watching::races); }
void exchange_with_checks(benchmark::State& s) { run(s, exchange(), "exchange", watching::checks); }
void product_alone(benchmark::State& s) { run(s, product(), "product", watching::nothing); }
void product_with_counts(benchmark::State& s) { run(s, product(), "product", watching::counts); }
void product_with_races(benchmark::State& s) { run(s, product(), "product", watching::races); }
void product_with_checks(benchmark::State& s) { run(s, product(), "product", watching::checks); }
void arithmetic_on_host(benchmark::State& s) {
  run_on_host(s, arithmetic(), "arithmetic", &arithmetic_for_host);
}
void exchange_on_host(benchmark::State& s) {
  run_on_host(s, exchange(), "exchange", &exchange_for_host);
}
void product_on_host(benchmark::State& s) {
  run_on_host(s, product(), "product", &product_for_host);
}
BENCHMARK(arithmetic_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(arithmetic_with_counts)->Unit(benchmark::kMillisecond);
BENCHMARK(arithmetic_with_checks)->Unit(benchmark::kMillisecond);
BENCHMARK(arithmetic_on_host)->Unit(benchmark::kMillisecond);
BENCHMARK(exchange_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(exchange_with_counts)->Unit(benchmark::kMillisecond);
BENCHMARK(exchange_with_races)->Unit(benchmark::kMillisecond);
BENCHMARK(exchange_with_checks)->Unit(benchmark::kMillisecond);
BENCHMARK(exchange_on_host)->Unit(benchmark::kMillisecond);
BENCHMARK(product_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(product_with_counts)->Unit(benchmark::kMillisecond);
BENCHMARK(product_with_races)->Unit(benchmark::kMillisecond);
BENCHMARK(product_with_checks)->Unit(benchmark::kMillisecond);
BENCHMARK(product_on_host)->Unit(benchmark::kMillisecond);

}  // namespace
