// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/emit.hpp>
#include <mmm/emit/chosen_kernel.hpp>
#include <mmm/emit/emit.hpp>
#include <mmm/emit/kernel_problem.hpp>
#include <mmm/emit/kernel_text.hpp>
#include <mmm/gpu/devices.hpp>

#include <catch.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>

namespace {

using mmm::kernel_problem;
using mmm::problem_kind;

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("emitted files are whole, and have the choice, the launch and the costs") {
  for (std::size_t k = 0; k < std::size(mmm::problem_names); ++k) {
    kernel_problem problem{static_cast<problem_kind>(k), 0};
    problem.size = problem.has_sides() ? 256 : 20000;
    auto const emitted = mmm::emit<mmm::gpu::h200>(problem, "file.cu");
    std::string const& text = emitted.source;
    INFO(problem.name());
    CHECK_FALSE(contains(text, "$"));
    CHECK(contains(text, "mmm::" + emitted.chosen.algorithm));
    CHECK(contains(text, "using machine = " + emitted.chosen.machine + ";"));
    CHECK(contains(text, "threads(" + std::to_string(emitted.chosen.threads) + ")"));
    CHECK(contains(text, "extern \"C\" int mmm_"));
    CHECK(contains(text, "_strided("));
    CHECK(contains(text, "-DTEST file.cu"));
    CHECK(contains(text, std::to_string(emitted.costs.least.time)));
    CHECK(contains(text, "static_assert(bound == " + std::to_string(emitted.costs.bound) + ")"));
    CHECK(emitted.costs.bound <= emitted.costs.least.time);
    CHECK(emitted.costs.least.time <= emitted.costs.greatest.time);
    for (mmm::rated_candidate const& other : emitted.chosen.rated)
      if (other.found.possible)
        CHECK(other.found.time.microseconds >= emitted.chosen.time.microseconds);
  }
}

TEST_CASE("products smaller than a candidate's tile are by other candidates") {
  for (mmm::index const side : {1, 31, 33}) {
    auto const product = mmm::emit<mmm::gpu::h200>({problem_kind::products, side});
    CHECK(product.costs.bound <= product.costs.least.time);
    mmm::rated_candidate const& largest = product.chosen.rated.back();
    CHECK(largest.name == "matrix_multiply, m = 64, 1 block of 1024");
    CHECK_FALSE(largest.found.possible);
    CHECK(largest.found.unmet.available == side);
  }
}

TEST_CASE("the costs of an emitted kernel are those of the library on the machine of its launch") {
  auto const emitted = mmm::emit<mmm::gpu::h200>({problem_kind::sums, 1 << 20});
  auto const& sum = emitted.chosen;
  REQUIRE(sum.algorithm == "sum_wide");
  mmm::hmm<mmm::dynamic, 32, 29, 479, mmm::dynamic, 19> const machine(
      mmm::gpu::h200::sms * sum.plan.blocks_per_sm, 58112);
  CHECK(emitted.costs.least ==
        mmm::cost_of(machine, mmm::sum_wide, mmm::size(1 << 20), mmm::threads(sum.threads)));
  // Words of 8 bytes: half as many in a shared memory.
  kernel_problem const doubles{problem_kind::sums, 1 << 20, mmm::value_type_of<double>()};
  CHECK(contains(mmm::emit<mmm::gpu::h200>(doubles).chosen.machine, ", 29056, 19>"));
}

TEST_CASE("an emitted file states the sectors of its kernel's loads and stores") {
  auto const transpose = mmm::emit<mmm::gpu::h200>({problem_kind::transposes, 200});
  CHECK(transpose.costs.least_sectors.total() == 10000);
  CHECK(contains(transpose.source, "global memory: 5000 loaded, 5000 stored;"));
  // The sum itself is stored, too, and its cost is that of the library.
  auto const sum = mmm::emit<mmm::gpu::h200>({problem_kind::sums, 20000});
  CHECK(sum.costs.least_sectors.loaded == 2500);
  CHECK(sum.costs.least_sectors.stored == 1);
  auto const sort = mmm::emit<mmm::gpu::h200>({problem_kind::sorts, 20000}).costs;
  CHECK(sort.depends_on_data);
  CHECK(sort.least_sectors.loaded < sort.greatest_sectors.loaded);
}

TEST_CASE("functions have names of C++ that the file does not use") {
  kernel_problem const problem{problem_kind::sums, 1000};
  auto const emitted = mmm::emit<mmm::gpu::h200>(problem, "file.cu", "total");
  CHECK(emitted.entry == "total");
  for (char const* const part :
       {"int total(", "int total_strided(", "* total_error()", "namespace total_file {"})
    CHECK(contains(emitted.source, part));
  CHECK_FALSE(contains(emitted.source, "mmm_sum_float"));
  for (char const* const name :
       {"1a", "a-b", "_a", "a b", "while", "guarded", "int", "values", "abs", "main", "a__b"})
    CHECK_THROWS_WITH(mmm::emit<mmm::gpu::h200>(problem, "file.cu", name),
                      Catch::Matchers::Contains("the name of the function is " + std::string(name) +
                                                "; accepted: a letter"));
}

TEST_CASE("what no kernel is emitted for is refused by name") {
  CHECK_THROWS_AS(mmm::emit<mmm::gpu::h200>({problem_kind::sums, 0}), std::invalid_argument);
  CHECK_THROWS_WITH(mmm::emit<mmm::gpu::h200>({problem_kind::transposes, 32769}),
                    "mmm: the size of a problem is 32769; accepted: 1 to 32768, a side");
  kernel_problem far{problem_kind::image_convolutions, 64};
  far.radius = 5;
  CHECK_THROWS_WITH(mmm::emit<mmm::gpu::h200>(far), "mmm: the radius is 5; accepted: 1 to 4");
  kernel_problem none{problem_kind::convolutions, 64};
  none.taps = 0;
  CHECK_THROWS_WITH(mmm::emit<mmm::gpu::h200>(none),
                    "mmm: the number of taps is 0; accepted: 1 to 4096");
  // No block of any candidate fits a GPU whose blocks have 16 threads.
  mmm::gpu::device_facts small = mmm::gpu::h200::facts;
  small.max_threads_per_block = 16;
  CHECK_THROWS_WITH(mmm::emit_for(small, "small", {problem_kind::sums, 64}),
                    Catch::Matchers::StartsWith("mmm: no candidate for sum can run on this GPU: "
                                                "sum_wide, 1 block of 1024: threads of a block, "
                                                "1024 needed, 16 available; "));
  // With 512 threads some run, and the file names the condition of the others.
  small.max_threads_per_block = 512;
  CHECK(contains(mmm::emit_for(small, "small", {problem_kind::sums, 1 << 20}).source,
                 "cannot run  sum_wide, 1 block of 1024: threads of a block, 1024 needed, 512"));
}

TEST_CASE("a kernel chosen in the wide space is never slower, and some are quicker") {
  int quicker = 0;
  auto const compare = [&](mmm::gpu::device_facts const& facts, kernel_problem problem) {
    auto const known = mmm::emit_for(facts, "known", problem);
    problem.wide = true;
    auto const wide = mmm::emit_for(facts, "wide", problem);
    INFO(problem.name() << ' ' << problem.size << ", " << wide.chosen.candidate);
    CHECK(wide.chosen.rated.size() > known.chosen.rated.size());
    CHECK(wide.chosen.time.microseconds <= known.chosen.time.microseconds);
    CHECK(contains(wide.source, "mmm::" + wide.chosen.algorithm + "("));
    for (std::size_t k = 0; k < known.chosen.rated.size(); ++k)
      CHECK(known.chosen.rated[k].name == wide.chosen.rated[k].name);
    quicker += wide.chosen.time.microseconds < known.chosen.time.microseconds;
  };
  auto const all = [&](mmm::gpu::device_facts const& facts) {
    for (mmm::index const side : {256, 512, 1024, 2048, 4096})
      compare(facts, {problem_kind::transposes, side});
    for (mmm::index const n : {1 << 16, 1 << 20}) compare(facts, {problem_kind::convolutions, n});
  };
  all(mmm::gpu::a100::facts);
  all(mmm::gpu::rtx4090::facts);
  all(mmm::gpu::h200::facts);
  CHECK(quicker > 0);
}

TEST_CASE("types of values by their C++ types") {
  CHECK(mmm::value_type_of<unsigned>().spelling == std::string("unsigned"));
  CHECK(mmm::value_type_of<long>().bytes == 8);
  CHECK(mmm::value_type_of<std::uint64_t>().name == std::string("uint64"));
}

TEST_CASE("GPUs that nvcc does not compile for, and types that are not listed, are refused") {
  CHECK_THROWS_WITH(mmm::emit<mmm::gpu::gtx580>({problem_kind::sums, 64}),
                    Catch::Matchers::Contains("compute capability is 20; accepted: 75 or more"));
  CHECK_THROWS_AS(mmm::emit<mmm::gpu::h200>({problem_kind::sums, 64, {"half", "__half", 2}}),
                  std::invalid_argument);
}
