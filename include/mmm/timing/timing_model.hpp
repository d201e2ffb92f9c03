// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/timing/clocks.hpp>
#include <mmm/timing/cold_code.hpp>
#include <mmm/timing/demand.hpp>
#include <mmm/timing/grid_barriers.hpp>
#include <mmm/timing/grid_section.hpp>
#include <mmm/timing/instruction_issue.hpp>
#include <mmm/timing/kernel_code.hpp>
#include <mmm/timing/l2_misses.hpp>
#include <mmm/timing/look_back_wait.hpp>
#include <mmm/timing/merged_loads.hpp>
#include <mmm/timing/occupancy.hpp>
#include <mmm/timing/partial_sectors.hpp>
#include <mmm/timing/step_clocks.hpp>
#include <mmm/timing/step_work.hpp>
#include <mmm/timing/warpgroup_operands.hpp>

//! The timing model: the time of a kernel from the steps of its program (docs/prediction.md). Each
//! part has a header: instruction issue, occupancy, level-2 cache, look-back, barriers of the grid,
//! and branches of DMMs between these.
namespace mmm::detail {

//! Watches two passes over a program (estimate/watched.hpp): the first one finds the demand, the
//! second one, after begin_timing(), the time.
class timing_model {
 public:
  //! \param overwritten states that the level-2 cache is full of written lines at the start
  constexpr timing_model(gpu::device_facts const& facts, gpu::timing_facts const& timing,
                         launched_blocks const& launch, kernel_code const& code, index value_bytes,
                         bool overwritten)
      : facts_(facts),
        timing_(timing),
        launch_(launch),
        code_(code),
        value_bytes_(value_bytes),
        overwritten_(overwritten),
        groups_(warp_groups_of(launch, facts.sms)),
        section_(groups_.warps) {
    demand_.warps = as_double(groups_.count * groups_.warps);
  }

  //! States that tensor cores read the factors from the shared memory, in place of the program's
  //! loads of fragments.
  constexpr void set_operands(warpgroup_operands const& operands) { operands_ = operands; }
  //! Ends the first pass: the next one is timed, with the demand that was found.
  constexpr void begin_timing() {
    timed_ = true;
    bytes_ = demand_.traffic_bytes;
    misses_ = l2_misses_of(demand_, facts_.l2_bytes, value_bytes_, overwritten_);
    resident_ = larger(index{1}, blocks_per_sm());
  }
  //! A model of the same kernel with another launch. Its demand is this one's but for the passes
  //! over the tiles.
  [[nodiscard]] constexpr timing_model with_launch(launched_blocks const& launch) const {
    timing_model model(facts_, timing_, launch, code_, value_bytes_, overwritten_);
    model.set_operands(operands_);
    model.demand_ = demand_;
    model.demand_.tile_passes =
        as_double(ceil_divide(static_cast<index>(demand_.tiles), launch.blocks));
    return model;
  }

  [[nodiscard]] constexpr program_demand const& demand() const { return demand_; }
  [[nodiscard]] constexpr kernel_code const& code() const { return code_; }
  //! Bytes of all requests to the global memory, in whole sectors, as the first pass counted them.
  [[nodiscard]] constexpr double bytes() const { return bytes_; }
  [[nodiscard]] constexpr index value_bytes() const { return value_bytes_; }
  [[nodiscard]] constexpr bool written_cache() const { return overwritten_; }
  [[nodiscard]] constexpr gpu::device_facts const& facts() const { return facts_; }
  [[nodiscard]] constexpr gpu::timing_facts const& timing() const { return timing_; }
  //! Blocks resident on a multiprocessor side by side; 0 if not one fits.
  [[nodiscard]] constexpr index blocks_per_sm() const {
    return resident_blocks(facts_, timing_, launch_.threads, code_.registers,
                           static_cast<index>(demand_.words_shared) * value_bytes_);
  }
  //! Microseconds of the kernel, without the launch.
  [[nodiscard]] constexpr double microseconds() const {
    return elapsed_ / as_double(facts_.clock_mhz) + barrier_microseconds();
  }
  //! Microseconds at barriers of the grid.
  [[nodiscard]] constexpr double barrier_microseconds() const {
    return barriers_.microseconds(timing_, launch_.blocks, facts_.clock_mhz);
  }
  [[nodiscard]] constexpr index grid_barriers() const { return barriers_.count(); }
  //! The clocks of a multiprocessor by resource: the sum over all sections.
  [[nodiscard]] constexpr resource_clocks const& spent() const { return spent_; }

  constexpr void begin_step(watched_step const& step) {
    bodies_ = {step, groups_};
    if (launch_.one_memory) bodies_.step.machine_wide = true;
    requests_ = {};
    look_back_.begin_step();
    if (!timed_) return;
    section_.begin_step(step.dmms, step.machine_wide);
    if (!bodies_.step.machine_wide) return;
    if (barriers_.pending()) end_section();
    barriers_.settle();
  }
  constexpr void access(watched_access a) {
    a.shared = a.shared || (launch_.shared_only && !copies_);
    if (operands_.in_shared() && a.shared && a.kind == access_kind::read) a.stages = 0;
    requests_.add(a, value_bytes_, bodies_.total());
  }
  template <class Address>
  [[nodiscard]] constexpr index served(watched_access const& a, Address const& address) const {
    return merged_stages(a, address, facts_.compute_capability, value_bytes_, bodies_.step.items);
  }
  template <class Address>
  [[nodiscard]] constexpr index partial_sectors(watched_access const& a,
                                                Address const& address) const {
    return detail::partial_sectors(a, address, value_bytes_, bodies_.step.items, bodies_.total());
  }
  constexpr void end_step() {
    demand_.add(bodies_, requests_, copies_);
    if (!timed_) return;
    watched_step const& step = bodies_.step;
    if (look_back_.in_step()) section_.branch().set_in_step();
    double const look_back_latencies = look_back_.active() ? look_back_.latencies() : 0;
    index const blocks = ceil_divide(bodies_.groups(), facts_.sms);
    section_.branch().add(
        {clocks_of_step(facts_, timing_, code_, misses_, bodies_, requests_, look_back_latencies),
         as_double(step.times), larger(bodies_.per_warp(), index{1}), blocks,
         larger(index{1}, smaller(resident_, blocks)), step.barrier},
        groups_.warps);
    if (!step.machine_wide || !step.barrier) return;
    barriers_.add(step.times);
    if (requests_.stores_global) await_stores(as_double(step.times));
  }

  //! Tiles are assigned to DMMs, from number `first` on, in each of so many trips.
  constexpr void assign_tiles(dmm_range const& dmms, index first, index tiles, index times) {
    if (timed_) return section_.assign_tiles(dmms, first, tiles);
    demand_.tiles += as_double(tiles) * as_double(times);
    demand_.tile_passes += as_double(ceil_divide(tiles, dmms.count)) * as_double(times);
  }
  constexpr void machine_wide_barrier(index times) {
    if (!timed_) return;
    section_.end_last_pass();
    if (requests_.stores_global) await_stores(as_double(times));
    end_section();
    barriers_.add(times);
  }
  //! In place of the pending barrier, each block accesses a counter once.
  constexpr void first_alone() {
    if (!timed_ || !barriers_.pending()) return;
    barriers_.remove_pending();
    end_section();
    section_.branch().stall(timing_.l2_latency + arrival_clocks(timing_, launch_.blocks));
  }
  //! All blocks clear the states of so many tiles before the first tile.
  constexpr void look_back_states(index tiles) {
    copies_ = true;
    begin_step({tiles, launch_.threads, launch_.blocks, true, 1, true});
    access({false, access_kind::write, 2, ceil_divide(2 * tiles, 32)});
    end_step();
    copies_ = false;
  }
  //! The next step looks back at the tiles before a block's, `window` states at once, in a sequence
  //! of `tiles` tiles (or every_tile).
  constexpr void look_back(index window, index tiles) {
    look_back_.announce(window,
                        tiles == every_tile ? launch_.blocks : smaller(tiles, launch_.blocks));
  }
  //! A block's loads of the global memory since its last barrier are asynchronous copies. At the
  //! next one it waits for those of all groups but the `latest` latest ones.
  constexpr void await_copies(index latest) {
    if (timed_) section_.branch().await_copies(latest);
  }
  //! The warps of each of `dmms` DMMs multiply matrices in their registers: so many products of
  //! numbers of so many bits in each of `times` trips. wgmma reads the factors meanwhile.
  constexpr void multiply(int bits, index products, index dmms, index times) {
    if (!timed_ || timing_.tensor_halves <= 0) return;
    index const blocks = ceil_divide(dmms, facts_.sms);
    resource_clocks clocks;
    clocks.tensor_cores =
        as_double(times) * as_double(products) * bits / 16 / timing_.tensor_halves;
    if (operands_.in_shared())
      clocks.shared_banks = as_double(times) * operands_.stages(bits, as_double(products));
    section_.branch().add(
        {clocks, as_double(times), 0, blocks, larger(index{1}, smaller(resident_, blocks)), false},
        groups_.warps);
  }
  constexpr void allocated(bool shared, index words) {
    double& demanded = shared || launch_.shared_only ? demand_.words_shared : demand_.words_global;
    demanded = larger_of(demanded, as_double(words));
  }
  //! The copies of an argument that the kernel makes: the model of the paper does not charge them.
  constexpr void argument(argument_use use, index given, index words, bool in_place) {
    bool const stays = use == argument_use::read || in_place;
    if (launch_.shared_only) {
      if (given > 0) copy_argument(given, false, true);
      if (use == argument_use::write || use == argument_use::update) words_to_copy_out_ += words;
      demand_.words_global += as_double(timed_ ? 0 : larger(given, words));
    } else if (given > 0 && !stays) {
      demand_.words_copied += as_double(timed_ ? 0 : given);
      copy_argument(given, false, false);
    }
  }
  //! Ends a pass over the program. The kernel ends when its last stores are in the level-2 cache.
  constexpr void end() {
    if (words_to_copy_out_ > 0) copy_argument(words_to_copy_out_, true, true);
    words_to_copy_out_ = 0;
    if (!timed_) return;
    // A barrier of the grid in whose place the end is has waited for them.
    bool const ends_with_stores = requests_.stores_global && !barriers_.pending();
    if (barriers_.pending()) barriers_.remove_pending();  // the kernel's end takes its place
    section_.end_last_pass();
    resource_clocks once;
    once.dependency_stall = code_.per_warp * dependency_interval(timing_, code_);
    section_.branch().add_once(once);
    end_section();
    double const cold_code = cold_code_clocks(timing_, code_);
    double const last_stores = ends_with_stores ? timing_.l2_latency : 0;
    elapsed_ += cold_code + last_stores;
    spent_.dependency_stall += cold_code;
    spent_.memory_stall += last_stores;
  }

 private:
  //! The warps wait until their stores are in the level-2 cache.
  constexpr void await_stores(double times) { section_.branch().stall(times * timing_.l2_latency); }
  constexpr void copy_argument(index words, bool from_shared, bool shared) {
    copies_ = true;
    begin_step({words, launch_.one_memory ? launch_.blocks * launch_.threads : launch_.threads,
                launch_.one_memory || shared ? 1 : launch_.blocks, !shared, 1, true});
    index const lines = ceil_divide(words, 32);
    access({shared && from_shared, access_kind::read, 1, lines});
    access({shared && !from_shared, access_kind::write, 1, lines});
    end_step();
    copies_ = false;
  }
  constexpr void end_section() {
    section_clocks const section = section_.end();
    elapsed_ += section.elapsed;
    spent_ += section.spent;
  }

  gpu::device_facts facts_;
  gpu::timing_facts timing_;
  launched_blocks launch_;
  kernel_code code_;
  index value_bytes_;
  bool overwritten_;
  warp_groups groups_;
  warpgroup_operands operands_{};
  program_demand demand_{};
  bool timed_ = false;
  double bytes_ = 0;

  step_bodies bodies_{};
  step_requests requests_{};
  look_back_wait look_back_{};
  bool copies_ = false;  //!< the step is one of the kernel's, beside the program's
  index words_to_copy_out_ = 0;

  l2_misses misses_{};
  index resident_ = 1;
  grid_section section_;
  grid_barrier_counter barriers_{};
  double elapsed_ = 0;  //!< clocks of the sections that have ended
  resource_clocks spent_{};
};

}  // namespace mmm::detail
