// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/failure.hpp>
#include <device/execute/lane/special_register.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/warp.hpp>

#include <chrono>
#include <cstring>
#include <string>
#include <unordered_map>

namespace device {

namespace {

using value_of = std::uint64_t (*)(warp const&, unsigned lane);

//! Writes f(warp, lane) to each active lane.
template <value_of F>
void run(warp& w, operation const& o) {
  switch (o.bytes) {
    case 2:
      return w.each_active([&](int t) {
        w.destination<std::uint16_t>(o.d)[t] =
            static_cast<std::uint16_t>(F(w, static_cast<unsigned>(t)));
      });
    case 4:
      return w.each_active([&](int t) {
        w.destination<std::uint32_t>(o.d)[t] =
            static_cast<std::uint32_t>(F(w, static_cast<unsigned>(t)));
      });
    default:
      return w.each_active(
          [&](int t) { w.destination<std::uint64_t>(o.d)[t] = F(w, static_cast<unsigned>(t)); });
  }
}
//! The same for a value that all lanes share and that is not asked for twice.
template <value_of F>
void run_shared(warp& w, operation const& o) {
  std::uint64_t const value = F(w, 0);
  switch (o.bytes) {
    case 2:
      return w.each_active(
          [&](int t) { w.destination<std::uint16_t>(o.d)[t] = static_cast<std::uint16_t>(value); });
    case 4:
      return w.each_active(
          [&](int t) { w.destination<std::uint32_t>(o.d)[t] = static_cast<std::uint32_t>(value); });
    default:
      return w.each_active([&](int t) { w.destination<std::uint64_t>(o.d)[t] = value; });
  }
}
void run_is_explicit_cluster(warp& w, operation const& o) {
  w.set_predicate(o.d, w.of_block->of_launch->explicit_cluster ? all_lanes : 0);
}

std::uint32_t thread(warp const& w, unsigned lane) { return w.number * lanes + lane; }
launch const& launch_of(warp const& w) { return *w.of_block->of_launch; }

using extent = std::uint32_t dim3::*;
//! Writes a coordinate of each active lane's thread: that of the first lane is found by division,
//! the others by counting.
template <extent D>
void run_thread_index(warp& w, operation const& o) {
  dim3 const& size = launch_of(w).block;
  std::uint32_t const first = thread(w, 0);
  dim3 place{first % size.x, first / size.x % size.y, first / size.x / size.y};
  std::uint32_t values[lanes];
  if (place.x + lanes <= size.x) {  // the warp lies in one row
    std::uint32_t const step = D == &dim3::x ? 1 : 0;
    for (std::uint32_t t = 0; t < lanes; ++t) values[t] = place.*D + t * step;
  } else {
    for (std::uint32_t& value : values) {
      value = place.*D;
      if (++place.x != size.x) continue;
      place.x = 0;
      if (++place.y != size.y) continue;
      place.y = 0;
      ++place.z;
    }
  }
  auto const write = [&]<class T>(T* const d) {
    w.each_active([&](int t) { d[t] = static_cast<T>(values[t]); });
  };
  switch (o.bytes) {
    case 2:
      return write(w.destination<std::uint16_t>(o.d));
    case 4:
      return write(w.destination<std::uint32_t>(o.d));
    default:
      return write(w.destination<std::uint64_t>(o.d));
  }
}
std::uint64_t ntid_x(warp const& w, unsigned) { return launch_of(w).block.x; }
std::uint64_t ntid_y(warp const& w, unsigned) { return launch_of(w).block.y; }
std::uint64_t ntid_z(warp const& w, unsigned) { return launch_of(w).block.z; }
std::uint64_t ctaid_x(warp const& w, unsigned) { return w.of_block->index.x; }
std::uint64_t ctaid_y(warp const& w, unsigned) { return w.of_block->index.y; }
std::uint64_t ctaid_z(warp const& w, unsigned) { return w.of_block->index.z; }
std::uint64_t nctaid_x(warp const& w, unsigned) { return launch_of(w).grid.x; }
std::uint64_t nctaid_y(warp const& w, unsigned) { return launch_of(w).grid.y; }
std::uint64_t nctaid_z(warp const& w, unsigned) { return launch_of(w).grid.z; }
std::uint64_t lane_number(warp const&, unsigned t) { return t; }
std::uint64_t warp_number(warp const& w, unsigned) { return w.number; }
std::uint64_t warps(warp const& w, unsigned) { return w.of_block->warps.size(); }
std::uint64_t multiprocessor(warp const& w, unsigned) {
  return static_cast<std::uint64_t>(w.of_block->multiprocessor);
}
std::uint64_t all_multiprocessors(warp const& w, unsigned) {
  return unsigned(launch_of(w).multiprocessors);
}
std::uint64_t grid_number(warp const& w, unsigned) { return launch_of(w).number + 1; }
std::uint64_t mask_equal(warp const&, unsigned t) { return 1U << t; }
std::uint64_t mask_less(warp const&, unsigned t) { return (1U << t) - 1; }
std::uint64_t mask_less_or_equal(warp const&, unsigned t) { return (2U << t) - 1; }
std::uint64_t mask_greater(warp const&, unsigned t) { return ~((2U << t) - 1); }
std::uint64_t mask_greater_or_equal(warp const&, unsigned t) { return ~((1U << t) - 1); }
std::uint64_t dynamic_shared(warp const& w, unsigned) { return launch_of(w).dynamic_shared; }
std::uint64_t all_shared(warp const& w, unsigned) { return w.of_block->shared.size(); }
// Cooperative groups keep what groups of several warps share there.
std::uint64_t reserved_shared(warp const& w, unsigned) {
  if (w.of_block->reserved_shared == 0)
    throw unsupported("%reserved_smem_offset_1: this launch reserves no shared memory");
  return w.of_block->reserved_shared;
}
template <extent D>
std::uint64_t cluster_ctaid(warp const& w, unsigned) {
  return w.of_block->index.*D % (launch_of(w).cluster.*D);
}
template <extent D>
std::uint64_t cluster_nctaid(warp const& w, unsigned) {
  return launch_of(w).cluster.*D;
}
template <extent D>
std::uint64_t cluster_number(warp const& w, unsigned) {
  return w.of_block->index.*D / (launch_of(w).cluster.*D);
}
template <extent D>
std::uint64_t clusters(warp const& w, unsigned) {
  return launch_of(w).grid.*D / (launch_of(w).cluster.*D);
}
std::uint64_t cluster_rank(warp const& w, unsigned) { return w.of_block->rank; }
std::uint64_t cluster_blocks(warp const& w, unsigned) { return w.of_block->cluster_size(); }
// The block's clock counts its operations: it advances, and the same run gives the same values.
std::uint64_t clock(warp const& w, unsigned) { return w.of_block->executed; }
std::uint64_t clock_high(warp const& w, unsigned) { return w.of_block->executed >> 32; }
// Blocks and launches compare this one and wait for it: it is the host's.
std::uint64_t global_timer(warp const&, unsigned) {
  auto const now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}
std::uint64_t global_timer_high(warp const& w, unsigned t) { return global_timer(w, t) >> 32; }
// The place of the counters of a grid's barrier, which cooperative groups use.
std::uint64_t workspace_high(warp const& w, unsigned) { return launch_of(w).grid_workspace >> 32; }
std::uint64_t workspace_low(warp const& w, unsigned) {
  return launch_of(w).grid_workspace & 0xffff'ffffU;
}

std::uint64_t current_graph(warp const& w, unsigned) { return launch_of(w).graph; }

std::unordered_map<std::string_view, handler> const& handlers() {
  static std::unordered_map<std::string_view, handler> const all{
      {"tid.x", run_thread_index<&dim3::x>},
      {"tid.y", run_thread_index<&dim3::y>},
      {"tid.z", run_thread_index<&dim3::z>},
      {"ntid.x", run_shared<ntid_x>},
      {"ntid.y", run_shared<ntid_y>},
      {"ntid.z", run_shared<ntid_z>},
      {"ctaid.x", run_shared<ctaid_x>},
      {"ctaid.y", run_shared<ctaid_y>},
      {"ctaid.z", run_shared<ctaid_z>},
      {"nctaid.x", run_shared<nctaid_x>},
      {"nctaid.y", run_shared<nctaid_y>},
      {"nctaid.z", run_shared<nctaid_z>},
      {"laneid", run<lane_number>},
      {"warpid", run_shared<warp_number>},
      {"nwarpid", run_shared<warps>},
      {"smid", run_shared<multiprocessor>},
      {"nsmid", run_shared<all_multiprocessors>},
      {"gridid", run_shared<grid_number>},
      {"lanemask_eq", run<mask_equal>},
      {"lanemask_lt", run<mask_less>},
      {"lanemask_le", run<mask_less_or_equal>},
      {"lanemask_gt", run<mask_greater>},
      {"lanemask_ge", run<mask_greater_or_equal>},
      {"clock", run_shared<clock>},
      {"clock_hi", run_shared<clock_high>},
      {"clock64", run_shared<clock>},
      {"globaltimer", run_shared<global_timer>},
      {"globaltimer_lo", run_shared<global_timer>},
      {"globaltimer_hi", run_shared<global_timer_high>},
      {"envreg1", run_shared<workspace_high>},
      {"envreg2", run_shared<workspace_low>},
      {"current_graph_exec", run_shared<current_graph>},
      {"dynamic_smem_size", run_shared<dynamic_shared>},
      {"total_smem_size", run_shared<all_shared>},
      {"aggr_smem_size", run_shared<all_shared>},
      {"reserved_smem_offset_1", run_shared<reserved_shared>},
      {"is_explicit_cluster", run_is_explicit_cluster},
      {"cluster_ctaid.x", run_shared<cluster_ctaid<&dim3::x>>},
      {"cluster_ctaid.y", run_shared<cluster_ctaid<&dim3::y>>},
      {"cluster_ctaid.z", run_shared<cluster_ctaid<&dim3::z>>},
      {"cluster_ctarank", run_shared<cluster_rank>},
      {"cluster_nctaid.x", run_shared<cluster_nctaid<&dim3::x>>},
      {"cluster_nctaid.y", run_shared<cluster_nctaid<&dim3::y>>},
      {"cluster_nctaid.z", run_shared<cluster_nctaid<&dim3::z>>},
      {"cluster_nctarank", run_shared<cluster_blocks>},
      {"clusterid.x", run_shared<cluster_number<&dim3::x>>},
      {"clusterid.y", run_shared<cluster_number<&dim3::y>>},
      {"clusterid.z", run_shared<cluster_number<&dim3::z>>},
      {"nclusterid.x", run_shared<clusters<&dim3::x>>},
      {"nclusterid.y", run_shared<clusters<&dim3::y>>},
      {"nclusterid.z", run_shared<clusters<&dim3::z>>},
  };
  return all;
}

}  // namespace

void emit_special(decode::context& c, std::string_view name, slot d, int bytes) {
  if (name.starts_with('%')) name.remove_prefix(1);
  auto const found = handlers().find(name);
  if (found == handlers().end() || (bytes == 0) != (name == "is_explicit_cluster"))
    throw unsupported("special register %" + std::string(name) + " is not supported");
  operation o;
  o.run = found->second;
  o.kind = instruction_kind::move;
  o.d = d;
  o.bytes = static_cast<std::uint8_t>(bytes);
  o.simple = !name.starts_with("clock");
  c.emit(o);
}

}  // namespace device
