// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "count_made.hpp"

#include <device/core/failure.hpp>
#include <device/report/limit_check.hpp>

using namespace device;
using namespace device::report;
using Catch::Matchers::Contains;

namespace {

limits parsed(std::string const& text) { return parse_limits(text, "l.json"); }

std::string refusal(std::string const& text) {
  try {
    static_cast<void>(parsed(text));
  } catch (unsupported const& e) {
    return e.what();
  }
  return "accepted";
}

//! Two kernels; the first has a line of a header inlined at a.cu:5.
struct two_kernels {
  place_table places{""};
  kernel_record transpose, copy;
  finding_list findings;
  checks::made_kernel k;

  two_kernels() {
    std::uint32_t const user = k.file("/here/a.cu");
    std::uint32_t const header = k.file("/here/view.hpp");
    k.operation(instruction_kind::load, k.place(header, 31, k.place(user, 5)));
    k.operation(instruction_kind::load, k.place(user, 6));
    std::vector<std::uint32_t> const sites = places.sites_of(k.code());
    transpose.name = "transpose(float*)";
    memory_sum const conflicts{space::shared, access_kind::read, {10, 320, 10, 0, 0}, {}};
    transpose.sites[sites[0]].add(conflicts);
    transpose.all.add(conflicts);
    copy.name = "copy(float*)";
    memory_sum const strided{space::global, access_kind::write, {10, 80, 40, 10, 0}, {}};
    copy.sites[sites[1]].add(strided);
    copy.all.add(strided);
  }
  [[nodiscard]] limit_verdict against(std::string const& text) const {
    return check_limits(parsed(text), {&transpose, &copy}, findings, places);
  }
};

}  // namespace

TEST_CASE("a file of limits that is wrong is refused by name") {
  CHECK_THAT(refusal("{"), Contains("l.json") && Contains("no JSON"));
  CHECK_THAT(refusal("[]"), Contains("array"));
  CHECK_THAT(refusal(R"({"kernel": {}})"),
             Contains("\"kernel\"") && Contains("kernels, lines, default"));
  CHECK_THAT(refusal(R"({"kernels": []})"), Contains("\"kernels\""));
  CHECK_THAT(refusal(R"({"kernels": {"k": 3}})"), Contains("\"k\" is 3"));
  CHECK_THAT(refusal(R"({"kernels": {"k": {"shared_exces": 3}}})"),
             Contains("\"shared_exces\"") && Contains("shared_excessive"));
  CHECK_THAT(refusal(R"({"kernels": {"k": {"shared_excessive": -1}}})"),
             Contains("-1") && Contains("from 0 on"));
  CHECK_THAT(refusal(R"({"default": {"shared_excessive": 1.5}})"), Contains("1.5"));
  CHECK_THAT(refusal(R"({"default": {"findings": "0"}})"), Contains("\"0\""));
  CHECK_THAT(refusal(R"({"lines": {"a.cu": {}}})"), Contains("\"a.cu\"") && Contains("file.cu:12"));
  CHECK_THAT(refusal(R"({"lines": {"a.cu:x": {}}})"), Contains("a.cu:x"));
  CHECK_THAT(refusal(R"({"lines": {"a.cu:0": {}}})"), Contains("a.cu:0"));
  CHECK_THAT(refusal(R"({"lines": {":3": {}}})"), Contains(":3"));
  CHECK_THAT(refusal(R"({"lines": {"a.cu:3": {"registers": 40}}})"),
             Contains("\"registers\" in \"a.cu:3\"") && Contains("accepted for lines"));
  CHECK_THAT(refusal(R"({"default": {}, "default": {}})"), Contains("twice"));
  CHECK_THAT(refusal(R"({"kernels": {"a": {}, "a": {}}})"), Contains("\"a\"") && Contains("twice"));
  CHECK_THROWS_WITH(read_limits("/no/such/file"),
                    Contains("/no/such/file") && Contains("cannot be read"));
  CHECK(refusal("{}") == "accepted");
  limits const l =
      parsed(R"({"kernels": {"a*": {"barriers": 4}}, "lines": {"C:a.cu:12": {"instructions": 0}},)"
             R"( "default": {}})");
  CHECK(l.kernels.at(0).first == "a*");
  CHECK(l.kernels[0].second[static_cast<std::size_t>(limited_figure::barriers)] == 4U);
  CHECK(l.lines.at(0).file == "C:a.cu");
  CHECK(l.lines[0].line == 12);
  CHECK(l.otherwise.has_value());
}

TEST_CASE("kernels are held against the patterns that match, others against the default") {
  two_kernels const r;
  CHECK(r.against("{}").exceeded.empty());
  CHECK(r.against(R"({"kernels": {"*": {"shared_excessive": 310, "global_excess_sectors": 40}}})")
            .exceeded.empty());
  auto const one =
      r.against(R"({"kernels": {"trans*": {"shared_excessive": 309, "shared_wavefronts": 320}}})");
  REQUIRE(one.exceeded.size() == 1);
  CHECK_THAT(one.exceeded[0], Contains("transpose(float*)") &&
                                  Contains("shared_excessive is 310") && Contains("309"));
  CHECK(one.unused.empty());
  auto const rest =
      r.against(R"({"kernels": {"transpose": {}}, "default": {"global_excess_sectors": 39}})");
  REQUIRE(rest.exceeded.size() == 1);
  CHECK_THAT(rest.exceeded[0], Contains("copy(float*)") && Contains("default"));
  auto const two =
      r.against(R"({"kernels": {"t*": {"shared_requests": 9}, "*e": {"shared_requests": 8}}})");
  CHECK(two.exceeded.size() == 2);
  auto const nothing = r.against(R"({"kernels": {"transpoes": {"shared_excessive": 0}}})");
  CHECK(nothing.exceeded.empty());
  REQUIRE(nothing.unused.size() == 1);
  CHECK_THAT(nothing.unused[0], Contains("transpoes"));
}

TEST_CASE("lines count what is inlined there") {
  two_kernels const r;
  auto const header = r.against(R"({"lines": {"view.hpp:31": {"shared_excessive": 0}}})");
  REQUIRE(header.exceeded.size() == 1);
  CHECK_THAT(header.exceeded[0], Contains("view.hpp:31") && Contains("310"));
  auto const user =
      r.against(R"({"lines": {"here/a.cu:5": {"shared_wavefronts": 319, "shared_requests": 10}}})");
  REQUIRE(user.exceeded.size() == 1);
  CHECK_THAT(user.exceeded[0], Contains("shared_wavefronts is 320"));
  auto const other = r.against(R"({"lines": {"a.cu:7": {"shared_wavefronts": 0}}})");
  CHECK(other.exceeded.empty());
  REQUIRE(other.unused.size() == 1);
  CHECK_THAT(other.unused[0], Contains("a.cu:7"));
}

TEST_CASE("limits of registers hold where there is machine code, and say where not") {
  two_kernels r;
  r.transpose.resources = ptx::machine_resources{40, 8};
  auto const v = r.against(R"({"default": {"registers": 32, "stack_bytes": 8}})");
  REQUIRE(v.exceeded.size() == 1);
  CHECK_THAT(v.exceeded[0], Contains("transpose") && Contains("registers is 40"));
  REQUIRE(v.unused.size() == 2);
  CHECK_THAT(v.unused[0], Contains("registers of copy(float*) are not known"));
  CHECK(r.against(R"({"kernels": {"transpose": {"stack_bytes": 7}}})").exceeded.size() == 1);
}

TEST_CASE("findings have limits, too") {
  two_kernels r;
  finding const f{check_kind::race, "copy(float*)", "/here/a.cu", 6, "…", 0};
  r.findings.add(f);
  r.findings.add(f);
  r.copy.findings.add(f);
  r.copy.findings.add(f);
  CHECK(r.against(R"({"default": {"findings": 2}})").exceeded.empty());
  CHECK(r.against(R"({"default": {"findings": 1}})").exceeded.size() == 1);
  CHECK(r.against(R"({"lines": {"a.cu:6": {"findings": 0}}})").exceeded.size() == 1);
}
