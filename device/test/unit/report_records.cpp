// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "count_made.hpp"

#include <device/report/json.hpp>
#include <device/report/launch_record.hpp>
#include <device/report/table.hpp>
#include <nlohmann/json.hpp>

using namespace device;
using namespace device::report;
using Catch::Matchers::Contains;
using checks::made_kernel;
using json = nlohmann::json;

namespace {

//! A kernel with five lines in two files: a function of view.hpp is inlined at two lines of a.cu,
//! at one of them through a third place.
struct example {
  made_kernel k{"void transpose<float>(float const*, float*, int)"};
  std::uint32_t user = k.file("/home/here/a.cu");
  std::uint32_t header = k.file("/usr/include/view.hpp");
  std::uint32_t line_5 = k.place(user, 5);
  std::uint32_t line_6 = k.place(user, 6);
  std::uint32_t in_5 = k.place(header, 31, line_5);
  std::uint32_t in_6 = k.place(header, 31, k.place(header, 40, line_6));
  std::uint32_t load = k.operation(instruction_kind::load, in_5);
  std::uint32_t address = k.operation(instruction_kind::move, in_6);
  std::uint32_t store = k.operation(instruction_kind::store, in_6, true);
  std::uint32_t fma = k.operation(instruction_kind::fma32, line_6);
  std::uint32_t atomic = k.operation(instruction_kind::atomic, line_6);
  std::uint32_t barrier = k.operation(instruction_kind::barrier, line_5);
  std::uint32_t unknown = k.operation(instruction_kind::load);
  place_table places{"/home/here"};

  launch_record record() {
    count::counter c(count::bank_policy::nvidia);
    auto const row = [](unsigned t) { return 4096 + 4 * t; };
    auto const column = [](unsigned t) { return 128 * t; };
    k.access(c, load, space::global, access_kind::read, 4, row);
    k.access(c, store, space::shared, access_kind::write, 4, column);
    k.access(c, store, space::shared, access_kind::write, 4, row);
    k.access(c, atomic, space::global, access_kind::update, 4, [](unsigned) { return 64; });
    k.access(c, unknown, space::local, access_kind::read, 4, [](unsigned) { return 8; });
    k.arrive(c, barrier);
    std::vector<count::program_accesses> accesses;
    c.move_into(accesses);
    launch_result result;
    result.counts.emplace_back(&k.code(), operation_counts(k.code().operations.size()));
    auto const ran = [&](std::uint32_t op, std::uint64_t executed, std::uint64_t lanes) {
      result.counts[0].second[op].executed = executed;
      result.counts[0].second[op].lanes = lanes;
    };
    ran(load, 1, 32);
    ran(address, 2, 64);
    ran(store, 2, 64);
    ran(fma, 5, 80);
    ran(atomic, 1, 32);
    ran(barrier, 1, 32);
    ran(unknown, 1, 32);
    k.launch().grid = {4, 2, 1};
    k.launch().block = {32, 1, 1};
    k.launch().number = 3;
    return record_of(k.launch(), result, accesses, places);
  }
};

}  // namespace

TEST_CASE("a launch's record has each instruction once, at its line") {
  example e;
  launch_record const r = e.record();
  CHECK(r.kernel == "void transpose<float>(float const*, float*, int)");
  // an operation that computes an address belongs to its instruction
  CHECK(r.all.executed() == 11);
  CHECK(r.all.instructions[static_cast<std::size_t>(instruction_kind::store)] == 2);
  CHECK(r.all.instructions[static_cast<std::size_t>(instruction_kind::move)] == 0);
  CHECK(r.all.average_lanes() == Approx((32 + 64 + 80 + 32 + 32 + 32) / 11.0));
  CHECK(r.all.barriers == 1);
  CHECK(r.all.figures(space::shared, access_kind::write) == count::request_figures{2, 33, 2, 0, 0});
  CHECK(r.all.figures(space::shared) == count::request_figures{2, 33, 2, 0, 0});
  CHECK(r.all.waste() == 4 * 31);
  CHECK(r.all.worst(space::shared).worst.cost.transfers == 32);
  CHECK_FALSE(r.all.worst(space::global).worst.cost.excessive() != 0);
}

TEST_CASE("lines count their own instructions, or those inlined there, too") {
  example e;
  launch_record const r = e.record();
  std::map<std::string, sum> own;
  std::map<std::string, sum> inlined;
  for (auto const& [where, s] : lines_of(r.sites, e.places, attribution::own))
    own[e.places.text(where)] = s;
  for (auto const& [where, s] : lines_of(r.sites, e.places, attribution::with_inlined))
    inlined[e.places.text(where)] = s;
  CHECK(own.size() == 4);
  CHECK(own.at("/usr/include/view.hpp:31").figures(space::shared).transfers == 33);
  CHECK(own.at("/usr/include/view.hpp:31").figures(space::global).transfers == 4);
  CHECK(own.at("/usr/include/view.hpp:31").executed() == 3);
  CHECK(own.at("a.cu:5").executed() == 1);
  CHECK(own.at("a.cu:5").barriers == 1);
  CHECK(own.at("a.cu:6").executed() == 6);
  CHECK(own.at("no line").figures(space::local).transfers == 4);
  CHECK(inlined.at("a.cu:5").figures(space::global).transfers == 4);
  CHECK(inlined.at("a.cu:5").executed() == 2);
  CHECK(inlined.at("a.cu:6").figures(space::shared).transfers == 33);
  CHECK(inlined.at("a.cu:6").executed() == 8);
  CHECK(inlined.at("/usr/include/view.hpp:40").figures(space::shared).transfers == 33);
  CHECK(inlined.at("/usr/include/view.hpp:31").executed() == 3);
}

TEST_CASE("a kernel's record sums its launches") {
  example e;
  kernel_record k;
  k.add(e.record());
  launch_record second = e.record();
  second.failure = "out of bounds";
  k.add(second);
  CHECK(k.launches == 2);
  CHECK(k.failures == 1);
  CHECK(k.all.executed() == 22);
  CHECK(k.all.figures(space::shared).transfers == 66);
  auto const worst = wasteful_lines({&k});
  REQUIRE(worst.size() == 1);
  CHECK(e.places.text(e.places.at(worst[0].site).front()) == "/usr/include/view.hpp:31");
  CHECK(e.places.text(e.places.at(worst[0].site).back()) == "a.cu:6");
  CHECK(worst[0].waste() == 2 * 4 * 31);
  k.name = "void transpose<float>(float const*, float*, int)";
  std::string const text = table_text({&k}, e.places);
  CHECK_THAT(text, Contains("transpose<float>") && Contains("66") && Contains("shared store") &&
                       Contains("a.cu:6"));
  CHECK_THAT(text, Contains("view.hpp:31") && Contains("failed") && Contains("local sectors"));
}

TEST_CASE("a library's line counts at the author's, with the path, and arrays are told apart") {
  made_kernel k{"f(float*, float*)"};
  std::uint32_t const user = k.file("/home/here/a.cu");
  std::uint32_t const toolkit = k.file("/usr/local/cuda-13.0/include/atomics.hpp");
  std::uint32_t const author = k.place(user, 12, k.place(user, 40));
  std::uint32_t const first = k.operation(instruction_kind::load, k.place(toolkit, 7, author));
  std::uint32_t const second = k.operation(instruction_kind::load, k.place(toolkit, 7, author));
  std::uint32_t const store = k.operation(instruction_kind::store, author);
  k.set_arguments({2, 1, 0});
  count::counter c(count::bank_policy::nvidia);
  auto const strided = [](unsigned t) { return 64 * t; };
  k.access(c, first, space::global, access_kind::read, 4, strided);
  k.access(c, second, space::global, access_kind::read, 4, strided);
  k.access(c, second, space::global, access_kind::read, 4, strided);
  k.access(c, store, space::global, access_kind::write, 4, strided);
  std::vector<count::program_accesses> accesses;
  c.move_into(accesses);
  place_table places{"/home/here"};
  launch_record const r = record_of(k.launch(), {}, accesses, places);
  CHECK(r.all.figures(space::global, access_kind::read).requests == 3);
  auto const lines = lines_of(r.sites, places, attribution::with_libraries);
  REQUIRE(lines.size() == 1);
  CHECK(places.text(lines.begin()->first) == "a.cu:12");
  CHECK(lines.begin()->second.figures(space::global).requests == 4);
  kernel_record of_kernel;
  of_kernel.add(r);
  auto const worst = wasteful_lines({&of_kernel});
  REQUIRE(worst.size() == 3);
  CHECK(worst[0].access == "global load of argument 1");
  CHECK(worst[0].memory.figures.requests == 2);
  CHECK(worst[1].access == "global load of argument 2");
  CHECK(worst[2].access == "global store");
  CHECK_THAT(table_text({&of_kernel}, places),
             Contains("a.cu:12") && Contains("/include/atomics.hpp:7, called at a.cu:40"));
}

TEST_CASE("many kernels: those without excess are one row") {
  std::vector<kernel_record> all(60);
  std::vector<kernel_record const*> pointers;
  for (std::size_t n = 0; n < all.size(); ++n) {
    all[n].name = "kernel_" + std::to_string(n) + "()";
    all[n].launches = 1;
    if (n == 30) all[n].all.add({space::shared, access_kind::read, {1, 2, 1, 0, 0}, {}});
    pointers.push_back(&all[n]);
  }
  std::string const text = table_text(pointers, place_table{""});
  CHECK_THAT(text, Contains("kernel_30()") && Contains("59 others, without excess") &&
                       !Contains("kernel_29()"));
  CHECK(table_text({}, place_table{""}).empty());
}

TEST_CASE("a launch as JSON has every member of its contract") {
  example e;
  launch_record r = e.record();
  r.findings.add({check_kind::race, r.kernel, "a.cu", 6, "thread 1 \xff", 3});
  r.findings.add({check_kind::race, r.kernel, "a.cu", 6, "thread 2", 3});
  std::string const text = json_text(r, e.places);
  CHECK(text.find('\n') == std::string::npos);
  json const all = json::parse(text);
  CHECK(all["kernel"] == r.kernel);
  CHECK(all["launch"] == 3);
  CHECK(all["grid"] == json({4, 2, 1}));
  CHECK(all["block"] == json({32, 1, 1}));
  CHECK(all["shared"]["store"] ==
        json({{"requests", 2}, {"wavefronts", 33}, {"ideal", 2}, {"excessive", 31}}));
  CHECK(all["shared"]["load"] ==
        json({{"requests", 0}, {"wavefronts", 0}, {"ideal", 0}, {"excessive", 0}}));
  CHECK(all["shared"]["atomic"]["excessive"] == 0);
  CHECK(all["global"]["load"] == json({{"requests", 1}, {"sectors", 4}, {"ideal", 4}}));
  CHECK(all["global"]["atomic"] ==
        json({{"requests", 1}, {"sectors", 1}, {"ideal", 1}, {"serialized", 32}}));
  CHECK(all["local"]["load"] == json({{"requests", 1}, {"sectors", 4}, {"ideal", 4}}));
  CHECK(all["local"].size() == 2);
  CHECK(all["instructions"]["all"] == 11);
  CHECK(all["instructions"]["fma"] == 5);
  CHECK(all["instructions"].size() == 1 + instruction_kinds);
  CHECK(all["average_lanes"].get<double>() == Approx(272 / 11.0).margin(1e-4));
  CHECK(all["barriers"] == 1);
  CHECK(!all.contains("failed"));
  REQUIRE(all["lines"].size() == 5);
  std::uint64_t executed = 0;
  std::uint64_t wavefronts = 0;
  for (json const& line : all["lines"]) {
    executed += line["instructions"]["all"].get<std::uint64_t>();
    wavefronts += line["shared"]["store"]["wavefronts"].get<std::uint64_t>();
    CHECK(line["global"].size() == 3);
  }
  CHECK(executed == 11);
  CHECK(wavefronts == 33);
  std::vector<json> callers;
  for (json const& line : all["lines"])
    if (line.contains("called_at")) callers.push_back(line["called_at"]);
  CHECK(callers ==
        std::vector<json>{{{"file", "a.cu"}, {"line", 5}}, {{"file", "a.cu"}, {"line", 6}}});
  REQUIRE(all["findings"].size() == 1);
  CHECK(all["findings"][0]["check"] == "race");
  CHECK(all["findings"][0]["file"] == "a.cu");
  CHECK(all["findings"][0]["line"] == 6);
  CHECK(all["findings"][0]["count"] == 2);
  CHECK_THAT(all["findings"][0]["message"].get<std::string>(), Contains("thread 1"));
}
