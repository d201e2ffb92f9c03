// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures and tables say what the library computes, and are well-formed.
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/cost_log.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzled.hpp>
#include <mmm/report.hpp>

#include "catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::index;

//! True if every tag is closed, in order, and no text contains a bare `<` or `&`, as XML requires.
bool well_formed(std::string const& xml) {
  std::vector<std::string> open;
  for (std::size_t k = 0; k < xml.size(); ++k) {
    if (xml[k] == '&') {
      std::size_t const end = xml.find(';', k);
      if (end == std::string::npos || end - k > 6) return false;
    }
    if (xml[k] != '<') continue;
    std::size_t const end = xml.find('>', k);
    if (end == std::string::npos) return false;
    std::string const tag = xml.substr(k + 1, end - k - 1);
    if (tag.find('<') != std::string::npos) return false;
    std::string const name = tag.substr(0, tag.find_first_of(" /\n", 1));
    k = end;
    if (tag.front() == '?') continue;
    if (tag.front() == '/') {
      if (open.empty() || "/" + open.back() != tag) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty();
}

//! Draws and tabulates a run and checks that the rounds add up to its time.
template <class M, class Program>
void check_run(M const& m, index p, Program program) {
  auto const run = mmm::simulate(m, mmm::threads(p), program);
  mmm::report::extent const everything{.rounds = 1 << 20, .columns = 1 << 20};
  std::string const picture = mmm::report::svg(run.trace, m, "a < b & \"c\"", everything);
  CHECK(well_formed(picture));
  CHECK(picture.find("a &lt; b &amp; &quot;c&quot;") != std::string::npos);
  std::string const table = mmm::report::text(run.trace, m, everything);
  std::string const sum = "all " + std::to_string(run.cost.rounds) + " rounds, " +
                          std::to_string(run.cost.time) + " time units\n";
  INFO(table);
  CHECK(table.ends_with(sum));
  index stages = 0;
  for (auto const& round : mmm::report::detail::rounds_of(m, run.trace, 1 << 20))
    for (auto const& part : round.parts) stages += static_cast<index>(part.stages.size());
  CHECK(stages == run.cost.stages);
}

}  // namespace

TEST_CASE("the test's own check of XML sees mistakes") {
  CHECK(well_formed("<?xml?><a b=\"1\"><c/>x &amp; y</a>"));
  CHECK_FALSE(well_formed("<a><b></a></b>"));
  CHECK_FALSE(well_formed("<a>x & y</a>"));
  CHECK_FALSE(well_formed("<a>x < y</a>"));
  CHECK_FALSE(well_formed("<a>"));
}

TEST_CASE("expressions are printed as C++ reads them") {
  constexpr auto i = mmm::item;
  CHECK(mmm::report::text((i % 32) * 33 + i / 32) == "(item % 32) * 33 + item / 32");
  auto const text = [](auto const& e) { return mmm::report::text(e, {.item = "i", .loop = "k"}); };
  CHECK(text(i + mmm::variable(3)) == "i + k1");
  CHECK(text(i * 2 * 3 - (i - 1)) == "i * 2 * 3 - (i - 1)");
  CHECK(text((i + 1) * mmm::literal<-4>) == "(i + 1) * (-4)");
  CHECK(text(mmm::min(i ^ (i / 4), 7)) == "min(i ^ (i / 4), 7)");
  CHECK(text(((i << 2) | 1) & 15) == "((i << 2) | 1) & 15");
  CHECK(text(-i) == "-i");
  CHECK(text(i <= 3 && (i != 1 || i > 5)) == "i <= 3 && (i != 1 || i > 5)");
  CHECK(text(mmm::select(i < 3, i + 1, 0)) == "i < 3 ? i + 1 : 0");
  CHECK(text(i < 3 && i > 1 && !(i == 2 || 3 <= i || i >= 7)) ==
        "i < 3 && i > 1 && !(i == 2 || 3 <= i || i >= 7)");
  CHECK(text(mmm::select(i < mmm::select(i < 1, 2, 3), i, mmm::select(i < 4, i, 5)) * 2) ==
        "(i < (i < 1 ? 2 : 3) ? i : (i < 4 ? i : 5)) * 2");
  CHECK(text(INT64_MIN - i) == "-9223372036854775808 - i");
  CHECK(text(i + -1) == "i + (-1)");
}

TEST_CASE("a request's picture has the stages that the library counts") {
  std::uint32_t state = 1;
  for (int repeat = 0; repeat < 200; ++repeat) {
    index addresses[8];
    std::vector<mmm::report::lane_access> lanes;
    for (index t = 0; t < 8; ++t) {
      state = state * 1664525U + 1013904223U;
      addresses[t] = (state >> 16) % 40;
      lanes.push_back({t, addresses[t]});
    }
    mmm::report::request r{"", mmm::conflict::banks, 8, 3, lanes};
    CHECK(mmm::report::stages(r) == mmm::stages<mmm::dmm<8, 3>>(addresses));
    CHECK(well_formed(mmm::report::svg(r)));
    r.conflicts = mmm::conflict::groups;
    CHECK(mmm::report::stages(r) == mmm::stages<mmm::umm<8, 3>>(addresses));
  }
}

TEST_CASE("requests say their figures in text") {
  auto const r = mmm::report::request_of(mmm::dmm<4, 3>{}, {7, 5, 15, 0}, "<four & lanes>");
  std::string const text = mmm::report::text(r);
  CHECK(text.find("2 stages, 2 + 3 - 1 = 4 time units at latency 3.") != std::string::npos);
  CHECK(mmm::report::svg(r).find("&lt;four &amp; lanes&gt;") != std::string::npos);
  CHECK(mmm::report::caption(mmm::report::request{"", mmm::conflict::banks, 4, 1, {}})
            .starts_with("No lane"));
  CHECK(well_formed(mmm::report::svg(mmm::report::request{"", mmm::conflict::groups, 4, 1, {}})));
  CHECK_THROWS_AS((mmm::report::request_of(mmm::dmm<4, 3>{}, {1, 2, 3, 4, 5})),
                  std::invalid_argument);
  CHECK_THROWS_AS((mmm::report::request_of(mmm::dmm<4, 3>{}, {-1})), std::invalid_argument);
  CHECK_THROWS_AS((mmm::report::request_of<mmm::dmm<4, 3>>(mmm::item - 1)), std::invalid_argument);
  CHECK_THROWS_AS(mmm::report::svg(std::vector<mmm::report::request>{}, "nothing"),
                  std::invalid_argument);
}

TEST_CASE("the rounds of a trace add up to the run's time") {
  std::vector<int> a(100);
  std::iota(a.begin(), a.end(), 0);
  auto const sum = [&](auto on) { return mmm::sum(on, a.begin(), a.end()); };
  check_run(mmm::pram{}, 7, sum);
  check_run(mmm::bpram<4>{}, 7, sum);
  check_run(mmm::dmm<4, 5>{}, 10, sum);
  check_run(mmm::umm<8, 5>{}, 12, sum);
  check_run(mmm::umm<4, 5, 3>{}, 40, sum);
  check_run(mmm::hmm<3, 4, 2, 9>{}, 24, sum);
  std::vector<int> square(64);
  check_run(mmm::dmm<4, 5>{}, 16, [&](auto on) { mmm::transpose_diagonal(on, square.begin(), 8); });
  check_run(mmm::umm<4, 5>{}, 16, [&](auto on) { mmm::transpose_rotating(on, square.begin(), 8); });
}

TEST_CASE("a picture of a part of a trace says so") {
  std::vector<int> a(64, 1);
  auto const run = mmm::simulate<mmm::dmm<4, 5>>(
      mmm::threads(8), [&](auto on) { return mmm::sum(on, a.begin(), a.end()); });
  CHECK(mmm::report::svg(run.trace, mmm::dmm<4, 5>{}, "", {.rounds = 2}).find("The first 2 of") !=
        std::string::npos);
  CHECK(mmm::report::text(run.trace, mmm::dmm<4, 5>{}, {.rounds = 2}).find("the first 2 of") !=
        std::string::npos);
  mmm::trace const empty;
  CHECK(well_formed(mmm::report::svg(empty, mmm::dmm<4, 5>{})));
  CHECK(mmm::report::text(empty, mmm::dmm<4, 5>{}).ends_with("all 0 rounds, 0 time units\n"));
}

TEST_CASE("tables align numbers to the right and escape HTML") {
  mmm::report::table t({"name", "time"});
  t.add({"é<", "7"});
  t.add({"longer", "1234"});
  CHECK(mmm::report::text(t) == "name    time\n------  ----\né<         7\nlonger  1234\n");
  CHECK(mmm::report::html(t).find("é&lt;") != std::string::npos);
  CHECK(well_formed(mmm::report::html(t)));
  CHECK_THROWS_AS((t.add({"a", "b", "c"})), std::invalid_argument);
  CHECK(mmm::report::text(mmm::cost{1, 2, 3, true}) ==
        "1 round, 2 stages, 3 time units (closed form)");
  CHECK(mmm::report::text(mmm::bound{.latency = 7, .shared_latency = 1, .time = 7}) ==
        "at least 7 time units (latency 7, shared-latency 1)");
  CHECK(mmm::report::text(mmm::bound{}) == "at least 0 time units");
}

TEST_CASE("cells have looks in HTML, and their text elsewhere") {
  mmm::report::table t({"name", "bytes"});
  t.add_cells({{"a", {}, "<b>a</b>"}, {"1,234", "1234", {}, "bad"}});
  t.add_cells({{"c<d", "3"}, {"5"}});
  CHECK(t.numeric(1));
  CHECK_FALSE(t.numeric(0));
  CHECK(t.rows() == std::vector<std::vector<std::string>>{{"a", "1,234"}, {"c<d", "5"}});
  CHECK(mmm::report::text(t) == "name  bytes\n----  -----\na     1,234\nc<d       5\n");
  std::string const html = mmm::report::html(t);
  CHECK(well_formed(html));
  for (char const* const part :
       {"<th>name</th><th class=\"n\">bytes</th>", "<tr><td><b>a</b></td>",
        "<td class=\"n bad\" data-v=\"1234\">1,234</td>", "<td data-v=\"3\">c&lt;d</td>",
        "<td class=\"n\" data-v=\"5\">5</td>"})
    CHECK_THAT(html, Catch::Contains(part));
}

TEST_CASE("numbers as reports write them") {
  using mmm::report::detail::decimal, mmm::report::detail::grouped;
  CHECK(decimal(2.345, 1) == "2.3");
  CHECK(decimal(-0.5, 2) == "-0.50");
  CHECK(decimal(1e300, 0).size() == 301);
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1 000");
  CHECK(grouped(-999) == "-999");
  CHECK(grouped(-1234567, ',') == "-1,234,567");
}

TEST_CASE("a log of calls is a table with a sum") {
  mmm::cost_log log;
  log.calls.push_back({"reduce", 1000, {33, 138, 3405, false}, 3341, 0});
  log.calls.push_back({"scatter", 10, {6, 12, 600, false}, 599, 2});
  CHECK(mmm::report::text(log) == "call     items  rounds  stages  time  pipelined  races\n"
                                  "-------  -----  ------  ------  ----  ---------  -----\n"
                                  "reduce    1000      33     138  3405       3341      0\n"
                                  "scatter     10       6      12   600        599      2\n"
                                  "all                 39     150  4005       3940      2\n");
}

TEST_CASE("a layout is drawn as the words of a memory with their elements") {
  auto const rotated = mmm::report::picture_of(mmm::rotated(3, 3), 3, "diagonal");
  CHECK(mmm::report::text(rotated) == "diagonal\n"
                                      "  bank    0    1    2\n"
                                      "word 0  0,0  0,1  0,2\n"
                                      "word 3  1,2  1,0  1,1\n"
                                      "word 6  2,1  2,2  2,0\n");
  auto const padded = mmm::report::picture_of(mmm::padded(2, 1, 2), 2, "padded");
  CHECK(mmm::report::text(padded) == "padded\n"
                                     "  bank    0    1\n"
                                     "word 0  0,0    .\n"
                                     "word 2    .  1,0\n");
  std::string const svg = mmm::report::svg(padded);
  CHECK_THAT(svg, Catch::Contains(">1,0</text>") && Catch::EndsWith("</svg>\n"));
  CHECK(mmm::report::text(mmm::report::picture_of(mmm::row_major(0, 3), 2, "none")) ==
        "none\n  bank  0  1\n");
  CHECK_THROWS_AS(mmm::report::picture_of(mmm::rotated(1, 1), 0, ""), std::invalid_argument);
}

TEST_CASE("a page holds what is added to it, and needs nothing else") {
  mmm::report::table rows({"round", "memory"});
  rows.add({"1 200", "a <b>"});
  rows.add({"", "c"});
  auto const why = mmm::report::explain<mmm::gpu::load<16>>(mmm::item * 32, "a title");
  auto const run = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(4), [](auto on) {
    auto const a = on.template allocate<int>(4);
    on.each(4, [=](auto i) { a[i / 2] = i; });
  });
  mmm::report::page page("A <tile>");
  page.add("x < y").add(rows).add(why).heading("Run").add(run).add(run.cost);
  page.add(mmm::report::request_of<mmm::dmm<4, 2>>(mmm::item * 2));
  page.add(mmm::gpu::choose_layout({32, 32}, {},
                                   mmm::gpu::tile_access<mmm::gpu::load<4>>(mmm::item, 5)));
  std::string const html = page.html();
  for (char const* const part :
       {"<title>A &lt;tile&gt;</title>", "<p>x &lt; y</p>", "prefers-color-scheme: dark",
        "<th class=\"n\">round</th>", "<td>a &lt;b&gt;</td>",
        "<td class=\"n\" data-v=\"1200\">1 200</td>", "<td class=\"n\" data-v=\"1200\"></td>",
        "<h2>a title</h2>", "16-byte load: 8 wavefronts", "<b>2</b><span>races</span>",
        "items 0 and 1 both write word 0",
        "<p class=finding>Race: step 0 (report.cpp:", "through Swizzle", "<h2>Run</h2>"})
    CHECK_THAT(html, Catch::Contains(part));
  for (char const* const part : {"<?xml", "<link", "src=", "@import"})
    CHECK_THAT(html, !Catch::Contains(part));
  auto const file = std::filesystem::temp_directory_path() / "mmm_page_test.html";
  page.write(file.string());
  std::ifstream in(file, std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == html);
  std::filesystem::remove(file);
  CHECK_THROWS_AS(page.write((file / "no" / "folder").string()), std::runtime_error);
  CHECK_THROWS_AS(page.picture("no picture"), std::invalid_argument);

  mmm::report::page own("A title", "A <headline>");
  own.style(".own { color: red; }").script("own();").markup("<i>as it is</i>");
  std::string const made = own.figures({{"bytes", "7", true}, {"lines", "8"}}).html();
  for (char const* const part :
       {"<title>A title</title>", "<h1>A &lt;headline&gt;</h1>", ".own { color: red; }</style>",
        "own();</script>", "<i>as it is</i>", "<b class=bad>7</b><span>bytes</span>",
        "<b>8</b><span>lines</span>"})
    CHECK_THAT(made, Catch::Contains(part));
}
