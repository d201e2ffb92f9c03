// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json.hpp"

namespace explore::pattern {

namespace {

json better_object(better_layout const& b) {
  if (b.how.empty()) return nullptr;
  return {{"pattern", b.text},
          {"how", b.how},
          {"takes", b.takes},
          {"instead_of", b.instead_of},
          {"items", b.over}};
}

}  // namespace

json json_object(options const& o, figures const& f) {
  json object{{"pattern", o.text}};
  if (!o.on_gpu()) {
    object["machine"] = {{"kind", o.where == memory::dmm ? "dmm" : "umm"}, {"width", o.width}};
  } else {
    object["gpu"] = o.gpu;
    object["space"] = o.where == memory::gpu_shared ? "shared" : "global";
    object["op"] = o.store ? "store" : "load";
    object["bytes"] = o.bytes;
    if (o.where == memory::gpu_shared)
      object["rules"] = merges_pairs(o) ? "nvidia_merging" : "nvidia";
  }
  object["items"] = o.items;
  if (o.threads_given) object["threads"] = o.threads;
  object["requests"] = f.requests;
  switch (o.where) {
    case memory::gpu_shared:
      object["wavefronts"] = f.takes;
      object["ideal"] = f.least;
      object["excessive"] = f.takes - f.least;
      break;
    case memory::gpu_global:
      object["sectors"] = f.takes;
      object["lines"] = f.lines;
      object["ideal_sectors"] = f.least;
      break;
    default:
      object["stages"] = f.takes;
      object["least_stages"] = f.least;
  }
  if (o.has_banks()) {
    object["conflict_free"] = f.takes == f.least;
    object["worst_bank"] = f.worst_bank;
    object["colliding_lanes"] = f.colliding;
  } else if (o.where == memory::umm) {
    object["coalesced"] = f.takes == f.least;
    object["first_lanes"] = f.colliding;
  }
  object["warp"] = f.worst.warp;
  if (!o.on_gpu()) object["closed_form"] = f.closed_form;
  if (o.has_banks()) object["better"] = better_object(f.better);
  return object;
}

}  // namespace explore::pattern
