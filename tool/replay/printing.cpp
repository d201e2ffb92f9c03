// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printing.hpp"

#include <mmm/core/arithmetic.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/page.hpp>
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

json traffic_json(mmm::gpu::ordered_traffic const& of, index sector_bytes) {
  mmm::gpu::cache_traffic const& t = of.traffic;
  return {{"order", of.order.text()},
          {"sectors_read", t.reads},
          {"sectors_written", t.writes},
          {"read_misses", t.read_misses},
          {"write_misses", t.write_misses},
          {"write_backs", t.write_backs},
          {"left", t.left},
          {"bytes_moved", t.moved() * sector_bytes}};
}

json cache_json(cache_choice const& cache, cache_figures const& figures) {
  index const sector = cache.units.sector_bytes;
  json result = {{"bytes", cache.bytes},
                 {"line_bytes", cache.units.line_bytes},
                 {"sector_bytes", sector},
                 {"blocks", figures.blocks},
                 {"resident", figures.resident},
                 {"lowest_bytes_moved", figures.interval.lowest().traffic.moved() * sector},
                 {"highest_bytes_moved", figures.interval.highest().traffic.moved() * sector},
                 {"bytes_read_by_every_order", figures.interval.must_read * sector},
                 {"bytes_written_by_every_order", figures.interval.must_write * sector},
                 {"orders", json::array()}};
  for (auto const& one : figures.interval.orders)
    result["orders"].push_back(traffic_json(one, sector));
  return result;
}

std::string microseconds(gpu_choice const& gpu, index time) {
  return mmm::report::detail::decimal(
      static_cast<double>(time) / static_cast<double>(gpu.facts.clock_mhz), 3);
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
  if (t.cache) totals["cache"] = cache_json(*o.cache, *t.cache);
  json result = {{"totals", totals}};
  if (!t.by_counter.empty()) {
    result["by_pc"] = json::array();
    for (auto const& [counter, own] : t.by_counter) {
      json entry = {{"pc", counter}};
      entry.update(costs(own));
      if (t.cache && own.global.requests > 0) {
        sector_misses const& cached = t.cache->by_counter.at(counter);
        entry["cache"] = {{"sectors", cached.sectors}, {"misses", cached.misses}};
      }
      result["by_pc"].push_back(entry);
    }
  }
  return result.dump() + '\n';
}

namespace {

//! The sums as tables, and what is said below them.
struct totals_in_words {
  mmm::report::table shared{{"shared memory", "requests", "wavefronts", "ideal", "excessive"}};
  mmm::report::table global{{"global memory", "requests", "sectors", "lines"}};
  mmm::report::table cache{
      {"order of the blocks", "read misses", "write misses", "written back", "left", "MB moved"}};
  mmm::report::table cache_by_counter{{"cache, as recorded", "sectors", "misses"}};
  std::string passed_over;
  std::string busy_time;
  std::string cache_bounds;
};

std::string megabytes(index bytes) {
  return mmm::report::detail::decimal(static_cast<double>(bytes) / 1e6, 3);
}

void add_cache(totals_in_words& words, cache_choice const& cache, cache_figures const& figures) {
  using std::to_string;
  index const sector = cache.units.sector_bytes;
  for (auto const& [order, traffic] : figures.interval.orders)
    words.cache.add({order.text(), to_string(traffic.read_misses), to_string(traffic.write_misses),
                     to_string(traffic.write_backs), to_string(traffic.left),
                     megabytes(traffic.moved() * sector)});
  for (auto const& [counter, own] : figures.by_counter)
    words.cache_by_counter.add(
        {"PC " + hexadecimal(counter), to_string(own.sectors), to_string(own.misses)});
  words.cache_bounds =
      "a cache of " + to_string(cache.bytes) + " bytes, lines of " +
      to_string(cache.units.line_bytes) + ", sectors of " + to_string(sector) + "; " +
      to_string(figures.blocks) + (figures.blocks == 1 ? " block" : " blocks") +
      "; the memory moves " + megabytes(figures.interval.lowest().traffic.moved() * sector) +
      " to " + megabytes(figures.interval.highest().traffic.moved() * sector) +
      " MB over these orders, and reads " + megabytes(figures.interval.must_read * sector) +
      " MB and is written " + megabytes(figures.interval.must_write * sector) +
      " MB at least in every order";
}

totals_in_words words_of(options const& o, tally const& t, std::size_t passed_over) {
  using std::to_string;
  totals_in_words words;
  auto const add = [&](std::string const& name, totals const& own) {
    if (own.shared.requests > 0 || name == "all")
      words.shared.add({name, to_string(own.shared.requests), to_string(own.shared.wavefronts),
                        to_string(own.shared.ideal), to_string(own.shared.excessive())});
    if (own.global.requests > 0 || name == "all")
      words.global.add({name, to_string(own.global.requests), to_string(own.global.sectors),
                        to_string(own.global.lines)});
  };
  for (auto const& [counter, own] : t.by_counter) add("PC " + hexadecimal(counter), own);
  add("all", t.all);
  if (t.cache) add_cache(words, *o.cache, *t.cache);
  if (passed_over > 0)
    words.passed_over =
        to_string(passed_over) + (passed_over == 1 ? " access to other memories is not counted"
                                                   : " accesses to other memories are not counted");
  if (o.gpu) {
    busy const time = busy_on(*o.gpu, t.all);
    words.busy_time = std::string(o.gpu->name) + ": its shared memories are busy for " +
                      to_string(time.shared) + " cycles at least (" +
                      microseconds(*o.gpu, time.shared) + " us), its global memory for " +
                      to_string(time.global) + " (" + microseconds(*o.gpu, time.global) + " us)";
  }
  return words;
}

}  // namespace

std::string totals_text(options const& o, tally const& t, std::size_t passed_over) {
  totals_in_words const words = words_of(o, t, passed_over);
  std::string result = text(words.shared) + '\n' + text(words.global);
  if (t.cache) {
    result += '\n' + text(words.cache);
    if (!t.cache->by_counter.empty()) result += '\n' + text(words.cache_by_counter);
    result += '\n' + words.cache_bounds + '\n';
  }
  if (!words.passed_over.empty()) result += words.passed_over + '\n';
  if (!words.busy_time.empty()) result += '\n' + words.busy_time + '\n';
  return result;
}

std::string page(options const& o, tally const& t, std::size_t passed_over) {
  totals_in_words const words = words_of(o, t, passed_over);
  auto const figure = [](index value) { return std::to_string(value); };
  mmm::report::page page("Requests of " + o.file);
  page.figures({{"wavefronts of shared memory", figure(t.all.shared.wavefronts)},
                {"ideal", figure(t.all.shared.ideal)},
                {"excessive", figure(t.all.shared.excessive())},
                {"sectors of global memory", figure(t.all.global.sectors)}});
  if (!words.busy_time.empty()) page.paragraph(words.busy_time);
  if (!words.passed_over.empty()) page.paragraph(words.passed_over);
  page.add(words.shared).add(words.global);
  if (t.cache) {
    page.add(words.cache);
    if (!t.cache->by_counter.empty()) page.add(words.cache_by_counter);
    page.paragraph(words.cache_bounds);
  }
  return page.html();
}

}  // namespace replay
