// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "for_all.hpp"

#include <mmm/cost/for_all.hpp>
#include <mmm/gpu/for_all.hpp>

#include "figures.hpp"

#include <common/failure.hpp>
#include <common/text.hpp>
#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace explore::pattern {

namespace {

using tool::failure;

constexpr char const* forms =
    "NAME=VALUES with values odd, even, every, multiples-of-K, or FIRST..LAST with whole numbers";

[[noreturn]] void reject(std::string const& given) {
  throw failure("--for-all is " + tool::in_quotes(tool::shortened(given)) + "; accepted: " + forms);
}

//! A symbol of the statement.
struct named_values {
  std::string name;
  std::string values_text;
  mmm::symbol_values values;
};

named_values read(std::string const& given, names const& known) {
  named_values s;
  std::size_t const equal = given.find('=');
  if (equal == std::string::npos || !is_name(given.substr(0, equal))) reject(given);
  s.name = given.substr(0, equal);
  s.values_text = given.substr(equal + 1);
  if (known.count(s.name) != 0)
    throw failure("--for-all and --let both give " + tool::in_quotes(s.name));
  constexpr std::string_view multiples = "multiples-of-";
  std::size_t const dots = s.values_text.find("..");
  if (s.values_text == "odd") {
    s.values = mmm::odd;
  } else if (s.values_text == "even") {
    s.values = mmm::even;
  } else if (s.values_text == "every") {
    s.values = mmm::every;
  } else if (s.values_text.starts_with(multiples)) {
    index divisor = 0;
    if (!tool::read_whole(s.values_text.substr(multiples.size()), divisor) || divisor < 1)
      reject(given);
    s.values = mmm::multiples_of(divisor);
  } else if (dots == std::string::npos ||
             !tool::read_whole(s.values_text.substr(0, dots), s.values.first) ||
             !tool::read_whole(s.values_text.substr(dots + 2), s.values.last) ||
             s.values.last < s.values.first) {
    reject(given);
  }
  return s;
}

std::vector<named_values> read_all(options const& o) {
  if (o.for_all.size() > mmm::max_symbols)
    throw failure("--for-all is given " + std::to_string(o.for_all.size()) +
                  " times; accepted: up to " + std::to_string(mmm::max_symbols));
  std::vector<named_values> all;
  for (std::string const& given : o.for_all) {
    named_values const one = read(given, o.known);
    for (named_values const& other : all)
      if (other.name == one.name) throw failure("--for-all gives " + one.name + " twice");
    all.push_back(one);
  }
  return all;
}

mmm::quantified quantified_by(std::vector<named_values> const& s) {
  auto const& [first, second, third] = mmm::symbols;
  if (s.size() == 1) return mmm::for_all(first, s[0].values);
  if (s.size() == 2) return mmm::for_all(first, s[0].values, second, s[1].values);
  return mmm::for_all(first, s[0].values, second, s[1].values, third, s[2].values);
}

mmm::worst_value worst_of(options const& o, tool::tree const& e, mmm::quantified const& all) {
  if (o.where == memory::dmm) return mmm::max_stages(mmm::dmm<mmm::dynamic, 1>(o.width), e, all);
  if (o.where == memory::umm) return mmm::max_stages(mmm::umm<mmm::dynamic, 1>(o.width), e, all);
  switch (o.bytes) {  // stores cost as loads do
    case 1:
      return mmm::gpu::max_wavefronts<mmm::gpu::load<1>>(e, all);
    case 2:
      return mmm::gpu::max_wavefronts<mmm::gpu::load<2>>(e, all);
    case 4:
      return mmm::gpu::max_wavefronts<mmm::gpu::load<4>>(e, all);
    case 8:
      return mmm::gpu::max_wavefronts<mmm::gpu::load<8>>(e, all);
    default:
      return mmm::gpu::max_wavefronts<mmm::gpu::load<16>>(e, all);
  }
}

}  // namespace

std::string decided_for_all(options const& o) {
  std::vector<named_values> const all = read_all(o);
  if (o.where == memory::gpu_global)
    throw failure("--for-all is given with --space global; accepted: --space shared");
  if (o.on_gpu() && merges_pairs(o))
    throw failure("--for-all is given for loads of " + std::to_string(o.bytes) + " bytes on " +
                  o.gpu + ", which serves pairs of lanes together; accepted: up to 4 bytes there");
  index const lanes = o.on_gpu() ? 32 : o.width;
  if (o.items != lanes || o.threads_given)
    throw failure("--for-all is about one warp; accepted: neither --size nor --threads");
  std::vector<std::string> own_names;
  for (named_values const& s : all) own_names.push_back(s.name);
  addresses const of = parse(o.text, o.known, true, own_names);
  if (of.active)
    throw failure(
        "--for-all is given for a pattern with none; accepted: an address for every lane");
  mmm::worst_value const worst = worst_of(o, of.of_item, quantified_by(all));
  index const least = o.on_gpu() && o.bytes > 4 ? o.bytes / 4 : 1;
  bool const holds = worst.cost == least;
  char const* const unit = o.on_gpu() ? "wavefronts" : "stages";
  char const* const good = o.where == memory::umm ? "coalesced" : "conflict_free";
  if (o.json) {
    nlohmann::ordered_json object{{"pattern", o.text}, {"symbols", nlohmann::json::array()}};
    for (std::size_t k = 0; k < all.size(); ++k)
      object["symbols"].push_back(nlohmann::ordered_json{
          {"name", all[k].name}, {"values", all[k].values_text}, {"value", worst.values[k]}});
    if (o.on_gpu())
      object.update({{"gpu", o.gpu}, {"bytes", o.bytes}});
    else
      object["machine"] = {{"kind", o.where == memory::dmm ? "dmm" : "umm"}, {"width", o.width}};
    object.update(
        {{std::string("max_") + unit, worst.cost}, {good, holds}, {"examined", worst.examined}});
    return object.dump() + "\n";
  }
  std::string values, counterexample;
  bool periods = false;
  for (std::size_t k = 0; k < all.size(); ++k) {
    char const* const before = k == 0 ? "" : k + 1 == all.size() ? " and " : ", ";
    values += before + all[k].values_text + " of " + all[k].name;
    counterexample += before + all[k].name + " = " + std::to_string(worst.values[k]);
    periods = periods || all[k].values.last == mmm::unlimited;
  }
  std::string out = "for all values " + values + ", the maximum of " + unit + " is " +
                    std::to_string(worst.cost) + '\n';
  if (holds)
    out += std::string(o.where == memory::umm ? "coalesced" : "free of bank conflicts") +
           " for all of them\n";
  else
    out += "counterexample: " + counterexample + '\n';
  return out + "decided by " + std::to_string(worst.examined) +
         (all.size() == 1 ? " values" : " combinations of values") +
         (periods ? " and the period of the addresses\n" : "\n");
}

}  // namespace explore::pattern
