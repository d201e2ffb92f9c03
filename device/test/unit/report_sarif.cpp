// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/report/sarif.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace device;
using namespace device::report;
using nlohmann::json;

namespace {

//! True if an object has the members that are required, and no others than those named besides.
bool has(json const& j, std::set<std::string> const& required,
         std::set<std::string> const& others = {}) {
  return j.is_object() &&
         std::all_of(required.begin(), required.end(),
                     [&](auto const& key) { return j.contains(key); }) &&
         std::all_of(j.items().begin(), j.items().end(), [&](auto const& member) {
           return required.count(member.key()) + others.count(member.key()) == 1;
         });
}

//! The members that are written, with those that the schema of SARIF 2.1.0 requires.
json required_structure(std::string const& text) {
  json log = json::parse(text);
  REQUIRE(has(log, {"version", "runs"}, {"$schema"}));
  CHECK(log["version"] == "2.1.0");
  REQUIRE((log["runs"].is_array() && log["runs"].size() == 1));
  json const& run = log["runs"][0];
  REQUIRE(has(run, {"tool", "results"}));
  REQUIRE(has(run["tool"], {"driver"}));
  json const& driver = run["tool"]["driver"];
  REQUIRE(has(driver, {"name"}, {"version", "rules"}));
  for (json const& rule : driver["rules"]) {
    REQUIRE(has(rule, {"id"}, {"shortDescription"}));
    CHECK(has(rule["shortDescription"], {"text"}));
  }
  std::set<json> const rules(driver["rules"].begin(), driver["rules"].end());
  CHECK(rules.size() == driver["rules"].size());  // uniqueItems
  for (json const& r : run["results"]) {
    REQUIRE(has(r, {"message"}, {"ruleId", "ruleIndex", "level", "occurrenceCount", "locations"}));
    CHECK((has(r["message"], {"text"}) && r["message"]["text"].is_string()));
    CHECK(driver["rules"].at(r["ruleIndex"].get<std::size_t>())["id"] == r["ruleId"]);
    CHECK((r["level"] == "error" || r["level"] == "warning"));
    CHECK(r["occurrenceCount"] >= 1);
    for (json const& l : r["locations"]) {
      REQUIRE(has(l, {}, {"physicalLocation", "logicalLocations"}));
      if (l.contains("physicalLocation")) {
        json const& p = l["physicalLocation"];
        REQUIRE(has(p, {"artifactLocation", "region"}));
        CHECK(has(p["artifactLocation"], {"uri"}));
        CHECK((has(p["region"], {"startLine"}) && p["region"]["startLine"] >= 1));
      }
      if (l.contains("logicalLocations"))
        for (json const& logical : l["logicalLocations"])
          CHECK(has(logical, {"fullyQualifiedName"}, {"kind"}));
    }
  }
  return log;
}

}  // namespace

TEST_CASE("a SARIF log without results") {
  json const log = required_structure(sarif_text({}, {}));
  CHECK(log["runs"][0]["results"] == json::array());
  CHECK(log["runs"][0]["tool"]["driver"]["name"] == "mmm-run");
}

TEST_CASE("findings and growth are results of a SARIF log, each at its place") {
  finding_list findings;
  findings.add({check_kind::race, "f()", "src/a b.cu", 3, "thread 1 \"writes\"", 0}, 4);
  findings.add({check_kind::race, "f()", "/abs/c%.cu", 9, "thread 2", 0});
  findings.add({check_kind::bounds, "f()", "", 0, "no line \xff", 0});
  finding leak{check_kind::leak, "", "", 0, "16 bytes", 0};
  leak.fails = false;
  findings.add(leak);
  comparison c;
  c.grown = {{"g<int>()", "", 0, limited_figure::global_sectors, 8, 64},
             {"g<int>()", "src/a.cu", 7, limited_figure::global_sectors, 8, 64}};
  json const log = required_structure(sarif_text(findings, c));
  json const& results = log["runs"][0]["results"];
  REQUIRE(results.size() == 6);
  CHECK(log["runs"][0]["tool"]["driver"]["rules"].size() == 4);
  auto const uri = [&](std::size_t k) {
    return results[k]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  };
  CHECK(results[0]["ruleId"] == "race");
  CHECK(results[0]["occurrenceCount"] == 4);
  CHECK(uri(0) == "src/a%20b.cu");
  CHECK(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 3);
  CHECK(uri(1) == "file:///abs/c%25.cu");
  CHECK_FALSE(results[2]["locations"][0].contains("physicalLocation"));
  CHECK(results[2]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "f()");
  CHECK(results[3]["locations"].empty());
  CHECK(results[2]["level"] == "error");
  CHECK(results[3]["level"] == "warning");
  CHECK(results[4]["message"]["text"] == "global_sectors of the kernel g<int>() was 8 and is 64");
  CHECK(results[5]["message"]["text"] == "global_sectors of this line in g<int>() was 8 and is 64");
  CHECK(uri(5) == "src/a.cu");
}
