// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time from a kernel's name to its machine code, without a GPU: a line for each kernel with its
// name, microseconds, those of the processor, and whether the cache had it; then whether NVRTC was
// loaded (jit_times.py). With -DQUICK one kernel.
#include <mmm/jit/launcher.hpp>
#include <mmm/jit/programs.hpp>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <string>

namespace {

using gpu = mmm::hmm<132, 32, 30, 500, 29184>;

//! A handle that compiles a program's kernel and runs nothing.
class compiling : public mmm::detail::shaped_for<gpu> {
 public:
  using device_memory = void;
  explicit compiling(char const* name)
      : mmm::detail::shaped_for<gpu>(gpu{}, mmm::threads(132 * 256)), name_(name) {}

  template <class Program>
  [[nodiscard]] bool can_run() const {
    return true;
  }
  template <class Program, class... Arguments>
  void launch(Program const& program, Arguments const&... arguments) const {
    mmm::detail::run_by_alignment(
        [&](auto const& fitting, auto const&... converted) { compile(fitting, converted...); },
        program, arguments...);
  }

 private:
  template <class Program, class... Arguments>
  void compile(Program const&, Arguments const&...) const {
    using clock = std::chrono::steady_clock;
    std::string const kernel = mmm::jit::detail::kernel_name<Program, Arguments...>(
        "program_kernel<", mmm::jit::detail::type_name<gpu>());
    auto const start = clock::now();
    std::clock_t const processor = std::clock();
    mmm::jit::compiled_kernel const made = mmm::jit::compile(kernel, 90, false);
    std::chrono::duration<double, std::micro> const time = clock::now() - start;
    double const of_processor =
        1e6 * static_cast<double>(std::clock() - processor) / double{CLOCKS_PER_SEC};
    if (!made.cache_failure.empty()) throw mmm::jit::error(made.cache_failure);
    std::printf("%s,%.0f,%.0f,%s\n", name_, time.count(), of_processor,
                made.from_cache ? "cache" : "compiled");
  }
  char const* name_;
};

}  // namespace

int main() {
  try {
    alignas(16) static float a[4096], b[4096];
    mmm::sum(compiling("sum"), a, a + 4096, b);
#ifndef QUICK
    mmm::sum_wide(compiling("sum_wide"), a, a + 4096, b);
    mmm::prefix_sums(compiling("prefix_sums"), a, a + 4096, b);
    mmm::transpose_swizzled(compiling("transpose_swizzled"), a, mmm::shape(64, 64), b);
    mmm::matrix_multiply(compiling("matrix_multiply"), a, a, mmm::product_shape(64, 64, 64), b,
                         mmm::tile(16));
#endif
    std::printf("NVRTC loaded,%d\n",
                mmm::jit::detail::is_loaded(mmm::jit::detail::compiler_functions::names()) ? 1 : 0);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
