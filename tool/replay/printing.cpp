// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printing.hpp"

#include <mmm/core/arithmetic.hpp>
#include <mmm/report/table.hpp>

#include <common/failure.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <cstring>

namespace replay {

namespace {

using json = nlohmann::ordered_json;

//! A line that is put together where it stands, since there are millions of them.
class json_line {
 public:
  template <std::size_t N>
  void text(char const (&words)[N]) {
    std::memcpy(end_, words, N - 1);
    end_ += N - 1;
  }
  void number(std::uint64_t value) { end_ = std::to_chars(end_, text_ + sizeof text_, value).ptr; }
  void number(index value) { end_ = std::to_chars(end_, text_ + sizeof text_, value).ptr; }
  [[nodiscard]] std::string_view view() const {
    return {text_, static_cast<std::size_t>(end_ - text_)};
  }

 private:
  char text_[256];
  char* end_ = text_;
};

template <std::size_t N>
void begin(json_line& line, request const& r, char const (&space)[N]) {
  line.text("{\"line\":");
  line.number(static_cast<std::uint64_t>(r.line));
  if (r.counter) {
    line.text(",\"pc\":");
    line.number(*r.counter);
  }
  line.text(space);
}

std::string hexadecimal(std::uint64_t counter) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%04llx", static_cast<unsigned long long>(counter));
  return text;
}

json costs(totals const& t) {
  json result;
  result["shared"] = {{"requests", t.shared.requests},
                      {"wavefronts", t.shared.wavefronts},
                      {"ideal", t.shared.ideal},
                      {"excessive", t.shared.excessive()}};
  result["global"] = {
      {"requests", t.global.requests}, {"sectors", t.global.sectors}, {"lines", t.global.lines}};
  return result;
}

//! Time units that a GPU's memories are busy at least: all shared memories alike, and the global
//! one.
struct busy {
  index shared;
  index global;
};
busy busy_on(gpu_choice const& gpu, totals const& t) {
  index const bytes_per_unit = mmm::gpu::line_bytes * gpu.facts.ports();
  return {mmm::detail::ceil_divide(t.shared.wavefronts, gpu.facts.sms),
          mmm::detail::ceil_divide(t.global.sectors * mmm::gpu::sector_bytes, bytes_per_unit)};
}

std::string microseconds(gpu_choice const& gpu, index time) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f",
                static_cast<double>(time) / static_cast<double>(gpu.facts.clock_mhz));
  return text;
}

}  // namespace

void printer::flush() {
  if (std::fwrite(text_.data(), 1, text_.size(), stdout) != text_.size() ||
      std::fflush(stdout) != 0)
    throw tool::failure("the output cannot be written");
  text_.clear();
}

void print_json(printer& out, request const& r, mmm::gpu::shared_cost const& c) {
  json_line line;
  begin(line, r, ",\"space\":\"shared\",\"wavefronts\":");
  line.number(c.wavefronts);
  line.text(",\"ideal\":");
  line.number(c.ideal);
  line.text(",\"excessive\":");
  line.number(c.excessive());
  line.text("}\n");
  out.put(line.view());
}

void print_json(printer& out, request const& r, mmm::gpu::global_cost const& c) {
  json_line line;
  begin(line, r, ",\"space\":\"global\",\"sectors\":");
  line.number(c.sectors);
  line.text(",\"lines\":");
  line.number(c.lines);
  line.text("}\n");
  out.put(line.view());
}

std::string totals_json(options const& o, tally const& t, std::size_t passed_over) {
  json totals = costs(t.all);
  totals["passed_over"] = passed_over;
  totals["pair_merge"] = o.pair_merge;
  if (o.gpu) {
    busy const time = busy_on(*o.gpu, t.all);
    totals["gpu"] = {{"name", o.gpu->name},
                     {"shared_time", time.shared},
                     {"global_time", time.global},
                     {"clock_mhz", o.gpu->facts.clock_mhz}};
  }
  json result = {{"totals", totals}};
  if (!t.by_counter.empty()) {
    result["by_pc"] = json::array();
    for (auto const& [counter, own] : t.by_counter) {
      json entry = {{"pc", counter}};
      entry.update(costs(own));
      result["by_pc"].push_back(entry);
    }
  }
  return result.dump() + '\n';
}

std::string totals_text(options const& o, tally const& t, std::size_t passed_over) {
  using std::to_string;
  mmm::report::table shared({"shared memory", "requests", "wavefronts", "ideal", "excessive"});
  mmm::report::table global({"global memory", "requests", "sectors", "lines"});
  auto const add = [&](std::string const& name, totals const& own) {
    if (own.shared.requests > 0 || name == "all")
      shared.add({name, to_string(own.shared.requests), to_string(own.shared.wavefronts),
                  to_string(own.shared.ideal), to_string(own.shared.excessive())});
    if (own.global.requests > 0 || name == "all")
      global.add({name, to_string(own.global.requests), to_string(own.global.sectors),
                  to_string(own.global.lines)});
  };
  for (auto const& [counter, own] : t.by_counter) add("PC " + hexadecimal(counter), own);
  add("all", t.all);
  std::string result = text(shared) + '\n' + text(global);
  if (passed_over > 0)
    result += to_string(passed_over) + (passed_over == 1
                                            ? " access to other memories is not counted\n"
                                            : " accesses to other memories are not counted\n");
  if (o.gpu) {
    busy const time = busy_on(*o.gpu, t.all);
    result += "\n" + std::string(o.gpu->name) + ": its shared memories are busy for " +
              to_string(time.shared) + " cycles at least (" + microseconds(*o.gpu, time.shared) +
              " us), its global memory for " + to_string(time.global) + " (" +
              microseconds(*o.gpu, time.global) + " us)\n";
  }
  return result;
}

}  // namespace replay
