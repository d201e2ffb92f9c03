// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picture.hpp"

#include <mmm/gpu/devices.hpp>
#include <mmm/report/gpu_request.hpp>
#include <mmm/report/page.hpp>
#include <mmm/report/request.hpp>
#include <mmm/report/request_svg.hpp>
#include <mmm/report/request_text.hpp>
#include <mmm/report/table.hpp>

namespace explore::pattern {

namespace {

using mmm::report::detail::counted;
using std::to_string;

std::string long_name(std::string const& gpu) {
  std::string name;
  mmm::gpu::for_each_device([&](char const* own, auto const& device) {
    if (gpu == own) name = std::remove_cvref_t<decltype(device)>::name;
  });
  return name;
}

//! "0, 1, 2", cut where there are many.
std::string list(std::vector<index> const& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k == 32) return text + ", …";
    text += (k == 0 ? "" : ", ") + to_string(numbers[k]);
  }
  return text;
}

//! The request of the warp that takes longest: words in banks or groups; of a GPU's global memory,
//! groups are sectors of eight 4-byte words.
mmm::report::request request_of(options const& o, figures const& f) {
  bool const banks = o.has_banks();
  index const width = o.where == memory::gpu_global ? 8 : o.on_gpu() ? 32 : o.width;
  mmm::report::request result{"warp " + to_string(f.worst.warp) + " of " + title_of(o),
                              banks ? mmm::conflict::banks : mmm::conflict::groups,
                              width,
                              1,
                              {},
                              0};
  for (std::size_t k = 0; k < f.worst.lane.size(); ++k) {
    index const first = o.on_gpu() ? f.worst.address[k] / 4 : f.worst.address[k];
    index const words = o.on_gpu() ? std::max(1, o.bytes / 4) : 1;
    for (index word = first; word < first + words; ++word)
      result.lanes.push_back(
          {f.worst.lane[k], word, o.store ? mmm::access_kind::write : mmm::access_kind::read});
  }
  return result;
}

//! The addresses of a warp's lanes, and which of them are active.
struct lane_addresses {
  std::vector<index> all = std::vector<index>(32, 0);
  mmm::gpu::lane_mask active = 0;
};
lane_addresses lanes_of(warp_request const& r) {
  lane_addresses result;
  for (std::size_t k = 0; k < r.lane.size(); ++k) {
    result.all[static_cast<std::size_t>(r.lane[k])] = r.address[k];
    result.active |= mmm::gpu::lane_mask{1} << r.lane[k];
  }
  return result;
}

//! The same of a GPU's shared memory, with the phases in which it is served.
mmm::report::explanation explained(options const& o, figures const& f) {
  auto const [all, active] = lanes_of(f.worst);
  std::string const title = "warp " + to_string(f.worst.warp) + " of " + title_of(o);
  return merges_pairs(o)
             ? mmm::report::explain<mmm::gpu::nvidia_merging>(access_of(o), all, active, title)
             : mmm::report::explain<mmm::gpu::nvidia>(access_of(o), all, active, title);
}

}  // namespace

std::string title_of(options const& o) {
  std::string const items = counted(o.items, "item");
  if (!o.on_gpu())
    return o.text + ": words of a " +
           (o.where == memory::dmm ? "DMM with " + counted(o.width, "bank")
                                   : "UMM with address groups of " + counted(o.width, "word")) +
           ", " + items;
  return o.text + ": " + to_string(o.bytes) + "-byte " + (o.store ? "stores to " : "loads from ") +
         (o.where == memory::gpu_shared ? "shared" : "global") + " memory of " + long_name(o.gpu) +
         ", " + items;
}

std::vector<std::pair<std::string, std::string>> rows_of(options const& o, figures const& f) {
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("requests", to_string(f.requests));
  std::string const unit = o.where == memory::gpu_shared   ? "wavefront"
                           : o.where == memory::gpu_global ? "sector"
                                                           : "stage";
  rows.emplace_back(unit + "s", to_string(f.takes));
  rows.emplace_back(std::string("fewest possible"), to_string(f.least));
  if (o.where == memory::gpu_global) rows.emplace_back("lines", to_string(f.lines));
  if (f.worst.lane.empty()) return rows;
  rows.emplace_back("longest",
                    "warp " + to_string(f.worst.warp) + ", " + counted(f.worst.takes, unit));
  if (!f.colliding.empty() && o.has_banks())
    rows.emplace_back("its worst bank", to_string(f.worst_bank) + ": lanes " + list(f.colliding));
  if (!f.colliding.empty() && o.where == memory::umm)
    rows.emplace_back("its groups", "first asked for by lanes " + list(f.colliding));
  if (!f.better.how.empty()) {
    rows.emplace_back("better", f.better.text);
    rows.emplace_back(
        "",
        f.better.how + ": " + counted(f.better.takes, unit) + " instead of " +
            to_string(f.better.instead_of) +
            (f.better.over == o.items ? "" : " for the first " + counted(f.better.over, "item")));
  }
  return rows;
}

std::vector<mmm::report::request> requests_of(options const& o, figures const& f) {
  if (o.where != memory::gpu_shared) return {request_of(o, f)};
  auto const [all, active] = lanes_of(f.worst);
  mmm::gpu::shared_request const served =
      merges_pairs(o)
          ? mmm::gpu::explain_shared<mmm::gpu::nvidia_merging>(access_of(o), all, active)
          : mmm::gpu::explain_shared<mmm::gpu::nvidia>(access_of(o), all, active);
  std::vector<mmm::report::request> phases;
  for (int k = 0; k < served.phases; ++k)
    phases.push_back(mmm::report::detail::phase_request(
        access_of(o), all, mmm::gpu::nvidia::banks, served.phase[k].lanes,
        "phase " + to_string(k + 1) + " of " + to_string(served.phases)));
  return phases;
}

std::string drawn_text(options const& o, figures const& f) {
  if (o.where == memory::gpu_shared) return explained(o, f).text;
  return mmm::report::text(request_of(o, f));
}

std::string drawn_svg(options const& o, figures const& f) {
  if (o.where == memory::gpu_shared) return explained(o, f).svg;
  return mmm::report::svg(std::vector<mmm::report::request>{request_of(o, f)}, title_of(o));
}

std::string page(options const& o, figures const& f) {
  mmm::report::table rows({"figure", "value"});
  for (auto const& [name, value] : rows_of(o, f)) rows.add({name, value});
  return mmm::report::page(title_of(o)).add(rows).picture(drawn_svg(o, f)).html();
}

}  // namespace explore::pattern
