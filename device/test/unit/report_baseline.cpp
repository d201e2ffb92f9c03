// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/core/failure.hpp>
#include <device/report/baseline.hpp>

using namespace device;
using namespace device::report;
using Catch::Matchers::Contains;

namespace {

figure_values figures(std::uint64_t wavefronts, std::uint64_t sectors = 0,
                      std::uint64_t instructions = 0) {
  figure_values f{};
  f[static_cast<std::size_t>(limited_figure::shared_wavefronts)] = wavefronts;
  f[static_cast<std::size_t>(limited_figure::global_sectors)] = sectors;
  f[static_cast<std::size_t>(limited_figure::instructions)] = instructions;
  return f;
}

//! A transposition: 8 wavefronts to store, 8 to load, 32 sectors to and fro, 100 instructions.
baseline transposition() {
  return {{{"transpose(float const*, float*, int)",
            1,
            figures(16, 64, 100),
            {{"a.cu", 5, "tile[threadIdx.y][threadIdx.x] = in[row * n + column];", figures(8, 32)},
             {"a.cu", 8, "out[r * n + c] = tile[threadIdx.x][threadIdx.y];", figures(8, 32)},
             {"a.cu", 7, "int const r = blockIdx.x * 32 + threadIdx.y;", figures(0, 0, 9)}}}}};
}

std::vector<growth> grown(baseline const& before, baseline const& now,
                          tolerances const& t = default_tolerances()) {
  return compare(before, now, t).grown;
}

std::string refusal(std::string const& text) {
  try {
    static_cast<void>(parse_baseline(text, "b.json"));
  } catch (unsupported const& e) {
    return e.what();
  }
  return "accepted";
}

std::string refused_tolerance(std::string const& text) {
  try {
    static_cast<void>(parse_tolerances(text));
  } catch (unsupported const& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a baseline is read as it was written") {
  baseline b = transposition();
  b.kernels[0].lines[0].text = "a \"quoted\" \\ text";
  baseline const read = parse_baseline(json_text(b), "b.json");
  REQUIRE(read.kernels.size() == 1);
  CHECK(read.kernels[0].name == b.kernels[0].name);
  CHECK(read.kernels[0].launches == 1);
  CHECK(read.kernels[0].figures == b.kernels[0].figures);
  REQUIRE(read.kernels[0].lines.size() == 3);
  CHECK(read.kernels[0].lines[0].text == b.kernels[0].lines[0].text);
  CHECK(read.kernels[0].lines[1].file == "a.cu");
  CHECK(read.kernels[0].lines[1].line == 8);
  CHECK(read.kernels[0].lines[2].figures == b.kernels[0].lines[2].figures);
  CHECK(parse_baseline(json_text(baseline{}), "b.json").kernels.empty());
}

TEST_CASE("a file that is no baseline is refused by name") {
  for (char const* const text :
       {"", "{", "[]", "{}", R"({"mmm_run_baseline": 2, "kernels": []})",
        R"({"mmm_run_baseline": 1})", R"({"mmm_run_baseline": 1, "kernels": {}})",
        R"({"mmm_run_baseline": 1, "kernels": [3]})",
        R"({"mmm_run_baseline": 1, "kernels": [{"name": 3}]})",
        R"({"mmm_run_baseline": 1, "kernels": [{"name": "k", "launches": -1}]})",
        R"({"kernel": "f", "launch": 0})"})
    CHECK_THAT(refusal(text), Contains("baseline b.json: ") && Contains("--write-baseline"));
  CHECK_THAT(refusal(R"({"mmm_run_baseline": 1, "kernels": [{"name": "k", "launches": 1, )"
                     R"("figures": {"wavefront": 1}, "lines": []}]})"),
             Contains("\"wavefront\""));
  CHECK_THROWS_WITH(read_baseline("/no/such/file"), Contains("cannot be read"));
}

TEST_CASE("tolerances are percent, of all figures or of those named") {
  auto const at = [](tolerances const& t, limited_figure f) {
    return t[static_cast<std::size_t>(f)];
  };
  CHECK(at(default_tolerances(), limited_figure::instructions) == 5);
  CHECK(at(default_tolerances(), limited_figure::global_sectors) == 0);
  CHECK(at(parse_tolerances("3%"), limited_figure::global_sectors) == 3);
  CHECK(at(parse_tolerances("lanes=7.5"), limited_figure::lanes) == 7.5);
  CHECK(at(parse_tolerances("lanes=7.5"), limited_figure::instructions) == 5);
  CHECK(at(parse_tolerances("1,lanes=2%"), limited_figure::lanes) == 2);
  CHECK(at(parse_tolerances("1,lanes=2%"), limited_figure::findings) == 1);
  for (char const* const text :
       {"", "x", "-1", "1001", "1e2", "nan", "3,", "lane=3", "lanes=", "1.2.3", ".", "%", " 3"})
    CHECK_THAT(refused_tolerance(text), Contains("accepted: percent from 0 to 1000"));
}

TEST_CASE("lines that differ in names, spaces and comments have one shape") {
  CHECK(shape_of("a[i] = b[i];") == shape_of("  out [ k ]=in[k];  // copy"));
  CHECK(shape_of("a[i] = b[i];") != shape_of("a[i] = b[j];"));
  CHECK(shape_of("int x = t.x;") == shape_of("int r = t.x;"));
  CHECK(shape_of("a[i + 1]") != shape_of("a[i + 2]"));
  CHECK(shape_of("f(/* here */ x)") == shape_of("g(y)"));
  CHECK(shape_of("f(x /* to the end") == shape_of("f(x"));
  CHECK(shape_of("").empty());
}

TEST_CASE("what has not grown is not told") {
  baseline const before = transposition();
  CHECK(grown(before, before).empty());
  CHECK(table_text(compare(before, before, default_tolerances())).empty());
  baseline less = before;
  less.kernels[0].figures = figures(16, 32, 100);
  less.kernels[0].lines[0].figures = figures(8, 0);
  CHECK(grown(before, less).empty());
}

TEST_CASE("a kernel whose figure grew is told, with the lines that did it") {
  baseline const before = transposition();
  baseline now = before;
  now.kernels[0].figures = figures(264, 64, 100);
  now.kernels[0].lines[1].figures = figures(256, 32);
  auto const g = grown(before, now);
  REQUIRE(g.size() == 2);
  CHECK(g[0].line == 0);
  CHECK(g[0].figure == limited_figure::shared_wavefronts);
  CHECK(g[0].before == 16);
  CHECK(g[0].now == 264);
  CHECK(g[1].file == "a.cu");
  CHECK(g[1].line == 8);
  CHECK(g[1].before == 8);
  CHECK(g[1].now == 256);
  CHECK_THAT(table_text(compare(before, now, default_tolerances())),
             Contains("shared_wavefronts      16  264  transpose(float const*, float*, int)") &&
                 Contains("a.cu:8"));
}

TEST_CASE("growth of a line is told though another line has become better by as much") {
  baseline const before = transposition();
  baseline now = before;
  now.kernels[0].lines[0].figures = figures(0, 32);
  now.kernels[0].lines[1].figures = figures(16, 32);
  auto const g = grown(before, now);
  REQUIRE(g.size() == 1);
  CHECK(g[0].line == 8);
}

TEST_CASE("a load that moves to another line of the same kernel is not told") {
  auto const line = [](baseline& b, std::size_t n, std::uint64_t requests, std::uint64_t sectors) {
    figure_values& f = b.kernels[0].lines[n].figures;
    f[static_cast<std::size_t>(limited_figure::global_requests)] = requests;
    f[static_cast<std::size_t>(limited_figure::global_sectors)] = sectors;
  };
  baseline before = transposition();
  line(before, 0, 2, 32);
  line(before, 1, 1, 16);
  baseline moved = before;
  line(moved, 0, 1, 16);
  line(moved, 1, 2, 32);
  CHECK(grown(before, moved).empty());
  line(moved, 1, 1, 32);  // as many requests, more sectors
  auto const g = grown(before, moved);
  REQUIRE(g.size() == 1);
  CHECK(g[0].figure == limited_figure::global_sectors);
  CHECK(g[0].line == 8);
}

TEST_CASE("a tolerance is the greatest growth that is not told") {
  baseline const before = transposition();
  baseline now = before;
  now.kernels[0].figures = figures(16, 64, 105);
  CHECK(grown(before, now).empty());
  now.kernels[0].figures = figures(16, 64, 106);
  CHECK(grown(before, now).size() == 1);
  CHECK(grown(before, now, parse_tolerances("instructions=6")).empty());
  now.kernels[0].figures = figures(16, 65, 100);
  CHECK(grown(before, now).size() == 1);
  CHECK(grown(before, now, parse_tolerances("2")).empty());
  baseline none = before;
  none.kernels[0].figures = figures(0, 64, 100);
  none.kernels[0].lines[0].figures = none.kernels[0].lines[1].figures = figures(0, 32);
  CHECK(grown(none, before, parse_tolerances("1000")).size() == 3);  // from nothing: any growth
}

TEST_CASE("refactorings that change no figure are not told") {
  baseline const before = transposition();
  SECTION("another name, other variables, another file, other line numbers, another order") {
    baseline now = before;
    auto& k = now.kernels[0];
    k.name = "void flip<float>(float const*, float*, int)";
    k.lines = {{"b.cuh", 70, "int const x = blockIdx.x * 32 + threadIdx.y;", figures(0, 0, 9)},
               {"b.cuh", 71, "to[x * m + y] = t[threadIdx.x][threadIdx.y];", figures(8, 32)},
               {"b.cuh", 40, "t[threadIdx.y][threadIdx.x] = from[y * m + x];", figures(8, 32)}};
    auto const c = compare(before, now, default_tolerances());
    CHECK(c.grown.empty());
    CHECK(c.gone.empty());
    CHECK(c.unknown.empty());
    k.lines[1].figures = figures(256, 32);  // and a regression in it is found
    k.figures = figures(264, 64, 100);
    auto const g = grown(before, now);
    REQUIRE(g.size() == 2);
    CHECK(g[1].line == 71);
    CHECK(g[1].before == 8);
  }
  SECTION("two lines become one") {
    baseline now = before;
    auto& lines = now.kernels[0].lines;
    lines[1].figures = figures(16, 64);
    lines.erase(lines.begin());
    CHECK(grown(before, now).empty());
  }
  SECTION("a line becomes two") {
    baseline now = before;
    auto& lines = now.kernels[0].lines;
    lines[0].figures = figures(8, 0);
    lines.push_back({"a.cu", 4, "float const x = in[row * n + column];", figures(0, 32)});
    CHECK(grown(before, now).empty());
  }
  SECTION("equal lines are paired in their order") {
    baseline twice = before;
    auto& lines = twice.kernels[0].lines;
    lines[1].text = lines[0].text;
    lines[1].figures = figures(8, 30);
    CHECK(grown(twice, twice).empty());
  }
}

TEST_CASE("kernels without a partner are named, and do not count as grown") {
  baseline const before = transposition();
  baseline now = before;
  now.kernels.push_back({"copy(float*)", 1, figures(9), {{"a.cu", 30, "a[i] = 0;", figures(9)}}});
  auto const more = compare(before, now, default_tolerances());
  CHECK(more.grown.empty());
  CHECK(more.unknown == std::vector<std::string>{"copy(float*)"});
  auto const fewer = compare(now, before, default_tolerances());
  CHECK(fewer.grown.empty());
  CHECK(fewer.gone == std::vector<std::string>{"copy(float*)"});
}

TEST_CASE("without source text lines are the same by number, kernels by their figures") {
  baseline before = transposition();
  for (auto& l : before.kernels[0].lines) l.text.clear();
  baseline now = before;
  now.kernels[0].name = "other(int)";
  CHECK(compare(before, now, default_tolerances()).unknown.empty());
  now.kernels[0].name = before.kernels[0].name;
  now.kernels[0].lines[0].figures = figures(9, 32);
  CHECK(grown(before, now).size() == 1);
}

TEST_CASE("registers and stack are compared where both runs have machine code") {
  auto const with = [](std::uint64_t registers, std::uint64_t stack) {
    baseline b = transposition();
    b.kernels[0].figures[static_cast<std::size_t>(limited_figure::registers)] = registers;
    b.kernels[0].figures[static_cast<std::size_t>(limited_figure::stack_bytes)] = stack;
    return b;
  };
  CHECK(grown(with(30, 0), with(33, 0)).empty());
  CHECK(grown(with(30, 8), with(20, 8)).empty());
  auto const more = grown(with(30, 0), with(34, 8));
  REQUIRE(more.size() == 2);
  CHECK((more[0].figure == limited_figure::registers && more[0].now == 34));
  CHECK((more[1].figure == limited_figure::stack_bytes && more[1].line == 0));
  for (auto const& [before, now] :
       {std::pair{with(0, 0), with(40, 8)}, {with(40, 0), with(0, 0)}}) {
    comparison const c = compare(before, now, default_tolerances());
    CHECK(c.grown.empty());
    CHECK(c.without_resources.size() == 1);
  }
  CHECK(compare(with(0, 0), with(0, 0), default_tolerances()).without_resources.empty());
}
