// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/gpu.hpp>

#include "catch.hpp"
#include "count_made.hpp"

#include <device/core/failure.hpp>
#include <device/report/counting.hpp>
#include <device/report/trace_writer.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace device;
using namespace device::report;
using Catch::Matchers::Contains;
using checks::made_kernel;
using json = nlohmann::json;

namespace {

//! A temporary folder for each test.
struct folder {
  std::filesystem::path at =
      std::filesystem::temp_directory_path() / ("mmm-report-" + std::to_string(getpid()));
  folder() { std::filesystem::create_directories(at); }
  ~folder() { std::filesystem::remove_all(at); }
  [[nodiscard]] std::string file(std::string const& name) const { return (at / name).string(); }
  [[nodiscard]] std::string text(std::string const& name) const {
    std::ifstream in(at / name);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  [[nodiscard]] std::vector<json> objects(std::string const& name) const {
    std::vector<json> all;
    std::istringstream in(text(name));
    for (std::string line; std::getline(in, line);) all.push_back(json::parse(line));
    return all;
  }
};

//! Captures stderr during its lifetime.
class captured_errors {
 public:
  captured_errors() : file_(std::tmpfile()), before_(dup(2)) {
    std::fflush(stderr);
    dup2(fileno(file_), 2);
  }
  std::string end() {
    std::fflush(stderr);
    dup2(before_, 2);
    close(before_);
    std::string text(
        static_cast<std::size_t>(std::ftell(file_) < 0 ? 0 : lseek(fileno(file_), 0, SEEK_END)),
        '\0');
    std::rewind(file_);
    text.resize(std::fread(text.data(), 1, text.size(), file_));
    std::fclose(file_);
    return text;
  }

 private:
  std::FILE* file_;
  int before_;
};

//! The cost of a trace by the library's rules; the trace is read as mmm-replay reads it.
struct trace_cost {
  mmm::gpu::shared_cost shared;
  mmm::gpu::global_cost global;

  explicit trace_cost(std::string const& text) {
    std::istringstream in(text);
    std::string line;
    std::getline(in, line);
    CHECK(line == "space,op,bytes,addresses");
    while (std::getline(in, line)) add(line);
  }
  void add(std::string const& line) {
    std::istringstream fields(line);
    std::string space, op, bytes, list;
    std::getline(fields, space, ',');
    std::getline(fields, op, ',');
    std::getline(fields, bytes, ',');
    std::getline(fields, list, ',');
    REQUIRE((op == "load" || op == "store"));
    std::vector<mmm::index> addresses;
    mmm::gpu::lane_mask active = 0;
    std::istringstream in(list);
    for (std::string a; std::getline(in, a, ';');
         addresses.push_back(a.empty() ? 0 : std::stoll(a)))
      if (!a.empty()) active |= mmm::gpu::lane_mask{1} << addresses.size();
    using mmm::gpu::instruction;
    auto const access =
        space == "ldmatrix"
            ? mmm::gpu::matrix_access_of(instruction::load_matrix, std::stoi(bytes) / 4)
            : mmm::gpu::access_of(op == "load" ? instruction::load : instruction::store,
                                  std::stoi(bytes));
    if (space == "global") {
      auto const c = mmm::gpu::global_request_cost(access, addresses, active);
      global = {global.requests + c.requests, global.sectors + c.sectors, global.lines + c.lines};
    } else {
      auto const c = mmm::gpu::shared_request_cost(access, addresses, active);
      shared = {shared.requests + c.requests, shared.wavefronts + c.wavefronts,
                shared.ideal + c.ideal};
    }
  }
};

struct one_launch {
  made_kernel k{"histogram(unsigned int*, int)"};
  std::uint32_t file = k.file(std::filesystem::current_path().string() + "/a.cu");
  std::uint32_t load = k.operation(instruction_kind::load, k.place(file, 4));
  std::uint32_t store = k.operation(instruction_kind::store, k.place(file, 5));

  void run(runtime::instruments& by, std::uint64_t number, unsigned stride,
           std::vector<finding> const& findings = {}, bool fails = false) {
    k.launch().number = number;
    k.launch().workers = 2;
    for (int w = 0; w < 2; ++w) {
      auto const observers = by.for_worker(k.launch(), w);
      for (observer* const o : observers) {
        k.access(*o, load, space::global, access_kind::read, 4,
                 [](unsigned t) { return 4096 + 4 * t; });
        k.access(*o, store, space::shared, access_kind::write, 4,
                 [&](unsigned t) { return stride * t; });
      }
    }
    for (finding const& f : findings) by.found(f);
    launch_result result;
    result.counts.emplace_back(&k.code(), operation_counts(2));
    for (auto& c : result.counts[0].second) {
      c.executed = 2;
      c.lanes = 64;
    }
    if (fails)
      by.failed(k.launch(), {}, "an illegal address");
    else
      by.finished(k.launch(), result);
  }
  [[nodiscard]] finding race(std::uint64_t launch) const {
    return {check_kind::race,
            "histogram(unsigned int*, int)",
            std::filesystem::current_path().string() + "/a.cu",
            5,
            "block 0, thread 1",
            launch};
  }
};

}  // namespace

TEST_CASE("a trace costs what was counted") {
  folder const here;
  std::mt19937_64 r(31);
  made_kernel k;
  std::uint32_t const op = k.operation(instruction_kind::load);
  std::uint32_t const matrix = k.operation(instruction_kind::load);
  k.at(matrix).flags = 128;
  k.at(matrix).list_size = 4;
  count::counter c(count::bank_policy::nvidia);
  {
    trace_file file(here.file("t.csv"), true);
    trace_writer w(file);
    for (int n = 0; n < 3000; ++n) {
      int const bytes = 1 << r() % 5;
      auto const kind = static_cast<access_kind>(r() % 3);
      auto const where = r() % 2 == 0 ? space::shared : space::global;
      int const wide = where == space::global && r() % 8 == 0 ? 32 : bytes;
      lane_mask const active = r() % 2 == 0 ? all_lanes : static_cast<lane_mask>(r());
      std::uint64_t const reach = 1 + r() % 64;
      std::array<std::uint64_t, lanes> a{};
      for (auto& x : a) x = r() % reach * static_cast<unsigned>(wide);
      for (observer* const o : {static_cast<observer*>(&c), static_cast<observer*>(&w)})
        k.access(*o, op, where, kind, wide, [&](unsigned t) { return a[t]; }, active);
    }
    for (observer* const o : {static_cast<observer*>(&c), static_cast<observer*>(&w)}) {
      k.access(*o, matrix, space::shared, access_kind::read, 16, [](unsigned t) { return 64 * t; });
      k.access(*o, op, space::local, access_kind::read, 4, [](unsigned) { return 4; });
    }
    w.flush();
  }
  count::request_figures shared;
  count::request_figures global;
  for (count::operation_accesses const& a : checks::counted(c))
    if (a.where != space::local) (a.where == space::shared ? shared : global) += a.sum;
  trace_cost const found(here.text("t.csv"));
  CHECK(found.shared.requests == shared.requests);
  CHECK(found.shared.wavefronts == shared.transfers);
  CHECK(found.shared.ideal == shared.ideal);
  CHECK(found.global.requests == global.requests);
  CHECK(found.global.sectors == global.transfers);
  CHECK(found.global.lines == global.lines);
}

TEST_CASE("the last text of a file can be replaced") {
  folder const here;
  output_file f(here.file("x"));
  f.append_last("one\n");
  CHECK(here.text("x") == "one\n");
  f.append_last("two two\n");
  CHECK(f.replace_last("2\n"));
  CHECK(here.text("x") == "one\n2\n");
  f.append_last("three\n");
  f.finish();
  CHECK(here.text("x") == "one\n2\nthree\n");
  // Another process of the run, which has the file open, too.
  output_file other(here.file("x"), false);
  other.append_last("of another\n");
  CHECK_FALSE(f.replace_last("3\n"));
  f.append_last("four\n");
  CHECK(here.text("x") == "one\n2\nthree\nof another\nfour\n");
  CHECK_THROWS_WITH(output_file(here.file("no/such")), Contains("cannot be written"));
  output_file pipe("/dev/null");
  pipe.append_last("held");
  CHECK(pipe.replace_last("again"));
  pipe.finish();
}

TEST_CASE("launches, findings and limits are reported") {
  folder const here;
  {
    std::ofstream(here.file("limits.json"))
        << R"({"kernels": {"histogram": {"shared_excessive": 61}}})";
  }
  runtime::settings s;
  s.json = here.file("out.json");
  s.html = here.file("out.html");
  s.trace = here.file("out.csv");
  s.limits = here.file("limits.json");
  one_launch l;
  captured_errors errors;
  std::uint64_t exceeded = 0;
  {
    auto const by = report::make_counting(s);
    l.run(*by, 0, 4, {l.race(0), l.race(0)});
    CHECK(here.objects("out.json").size() == 1);
    l.run(*by, 1, 128, {l.race(1)});
    by->found(l.race(1));
    by->found({check_kind::leak, "", "", 0, "64 bytes were not freed", 0});
    exceeded = by->at_exit();
  }
  std::string const printed = errors.end();
  CHECK(exceeded == 1);
  auto const objects = here.objects("out.json");
  REQUIRE(objects.size() == 2);
  CHECK(objects[0]["launch"] == 0);
  CHECK(objects[0]["shared"]["store"]["wavefronts"] == 2);
  CHECK(objects[0]["findings"][0]["count"] == 2);
  // relative to the folder in which the program runs
  CHECK(objects[0]["findings"][0]["file"] == "a.cu");
  CHECK(objects[0]["lines"][0]["file"] == "a.cu");
  CHECK(objects[1]["shared"]["store"]["wavefronts"] == 64);
  REQUIRE(objects[1]["findings"].size() == 2);
  CHECK(objects[1]["findings"][0]["count"] == 2);
  CHECK(objects[1]["findings"][1]["check"] == "leak");
  CHECK_THAT(printed, Contains("race: a.cu:5 in histogram(unsigned int*, int), launch 0 (2 "
                               "times)\n         block 0, thread 1\n"));
  CHECK_THAT(printed, Contains("race: a.cu:5: 4 times in all"));
  CHECK_THAT(printed,
             Contains("limit exceeded: histogram(unsigned int*, int): shared_excessive is 62") &&
                 Contains("61"));
  CHECK_THAT(printed, Contains("64 bytes were not freed"));
  std::string const page = here.text("out.html");
  CHECK_THAT(page, Contains("histogram") && Contains("</html>") && Contains("<svg"));
  for (char const* const outside : {"http://", "https://", "src=", "<link", "@import", "url("}) {
    // the only address in the page is the name of SVG's XML namespace, which no browser fetches
    std::string rest = page;
    for (std::size_t at = 0;
         (at = rest.find("xmlns=\"http://www.w3.org/2000/svg\"")) != std::string::npos;)
      rest.erase(at, 34);
    CHECK_THAT(rest, !Contains(outside));
  }
  trace_cost const found(here.text("out.csv"));
  CHECK(found.shared.wavefronts == 66);
  CHECK(found.global.sectors == 16);
}

TEST_CASE("a launch that failed is reported with what was seen of it") {
  folder const here;
  runtime::settings s;
  s.json = here.file("out.json");
  one_launch l;
  captured_errors errors;
  {
    auto const by = report::make_counting(s);
    l.run(*by, 0, 4, {}, true);
    l.run(*by, 1, 4);
    CHECK(by->at_exit() == 0);
  }
  CHECK_THAT(errors.end(), Contains("failed"));
  auto const objects = here.objects("out.json");
  REQUIRE(objects.size() == 2);
  CHECK(objects[0]["failed"] == "an illegal address");
  CHECK(objects[0]["instructions"]["all"] == 0);
  CHECK(objects[0]["shared"]["store"]["requests"] == 2);
  CHECK(objects[1]["shared"]["store"]["requests"] == 2);
}

TEST_CASE("without a launch there is no object but for findings") {
  folder const here;
  runtime::settings s;
  s.json = here.file("out.json");
  captured_errors errors;
  {
    auto const by = report::make_counting(s);
    by->found({check_kind::leak, "", "", 0, "8 bytes", 0});
    CHECK(by->at_exit() == 0);
  }
  CHECK_THAT(errors.end(), Contains("no kernel was launched") && Contains("8 bytes"));
  auto const objects = here.objects("out.json");
  REQUIRE(objects.size() == 1);
  CHECK(!objects[0].contains("launch"));
  CHECK(objects[0]["findings"][0]["check"] == "leak");
}
