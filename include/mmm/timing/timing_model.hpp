// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/execution/look_back.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/timing/demand.hpp>
#include <mmm/timing/kernel_code.hpp>

//! The account of a predicted time: what a program asks of each part of a GPU, step by step
//! (docs/prediction.md).
namespace mmm::detail {

//! The part of a level-2 cache that keeps what was accessed before; of the lines of one that others
//! have overwritten, those that have to be moved to the memory.
inline constexpr double written_share = 0.65;

//! Watches an estimate. A first one finds the demand, a second one with the demand the time.
class timing_model {
 public:
  constexpr timing_model(gpu::device_facts const& facts, gpu::timing_facts const& timing,
                         launched_blocks const& launch, kernel_code const& code, index value_bytes,
                         bool written_cache)
      : facts_(facts),
        timing_(timing),
        launch_(launch),
        code_(code),
        value_bytes_(value_bytes),
        written_cache_(written_cache) {
    index const used = smaller(launch.blocks, facts.sms);
    // The warps of one multiprocessor work in step where there are no DMMs.
    groups_ = launch.one_memory ? used : launch.blocks;
    warps_ = ceil_divide(
        launch.one_memory ? ceil_divide(launch.blocks, used) * launch.threads : launch.threads, 32);
    demand_.warps = as_double(groups_ * warps_);
  }

  //! Begins the account of the time, with the demand that was found.
  constexpr void begin_time() {
    timed_ = true;
    double const footprint =
        (demand_.words_global + demand_.words_copied) * as_double(value_bytes_);
    double const cache = written_share * as_double(facts_.l2_bytes);
    double const first = smaller_of(footprint, demand_.traffic_bytes);
    double const again = demand_.traffic_bytes - first;
    double const kept = footprint <= cache ? 1 : cache / footprint;
    double from_memory = first + again * (1 - kept);
    // Tiles side by side read the same words at about the same time.
    if (demand_.only_tiles && demand_.tile_passes > 0)
      from_memory = smaller_of(from_memory, larger_of(first, demand_.tile_passes * footprint));
    missed_ = demand_.traffic_bytes > 0 ? from_memory / demand_.traffic_bytes : 1;
    // Of the lines that leave the cache when the program's come, others have written a share. What
    // the program has written last is still there at its end: of its writes that were taken to be
    // moved.
    double const written = demand_.traffic_bytes - demand_.read_bytes;
    double const moved = missed_ * written;
    if (written_cache_)
      from_memory += written_share * smaller_of(footprint, as_double(facts_.l2_bytes));
    from_memory = larger_of(0, from_memory - smaller_of(smaller_of(moved, footprint), cache));
    memory_share_ = demand_.traffic_bytes > 0 ? from_memory / demand_.traffic_bytes : 1;
    resident_ = larger(index{1}, blocks_per_sm());
    due_ = false;
    spent_ = {};
    now_ = {};
  }

  [[nodiscard]] constexpr program_demand const& demand() const { return demand_; }
  [[nodiscard]] constexpr gpu::device_facts const& facts() const { return facts_; }
  [[nodiscard]] constexpr gpu::timing_facts const& timing() const { return timing_; }
  //! An account of the same kernel with another launch, whose demand is that of this one but for
  //! the passes over the tiles.
  [[nodiscard]] constexpr timing_model of_launch(launched_blocks const& launch) const {
    timing_model model(facts_, timing_, launch, code_, value_bytes_, written_cache_);
    model.demand_ = demand_;
    model.demand_.tile_passes =
        as_double(ceil_divide(static_cast<index>(demand_.tiles), launch.blocks));
    return model;
  }

  constexpr void begin_step(watched_step const& s) {
    step_ = s;
    if (launch_.one_memory) step_.machine_wide = true;
    loads_global_ = loads_shared_ = stores_global_ = false;
    looks_back_ = look_back_follows_;
    look_back_follows_ = 0;
    globals_ = shareds_ = words_ = 0;
    shared_stages_ = global_bytes_ = read_bytes_ = 0;
    if (!timed_) return;
    if (of_last_tiles_ > 0 && !in_last_tiles_ && s.dmms == of_last_tiles_ && !s.machine_wide) {
      in_last_tiles_ = true;
      meanwhile_ = now_;
      now_ = {};
    }
    if (in_last_tiles_ && (s.dmms != of_last_tiles_ || s.machine_wide)) end_last_tiles();
    if (step_.machine_wide) machine_wide_step_begins();
  }

  constexpr void access(watched_access a) {
    a.shared = a.shared || (launch_.shared_only && !copying_);
    (a.shared ? loads_shared_ : loads_global_) |= a.kind != access_kind::write;
    ++(a.shared ? shareds_ : globals_);
    words_ += as_double(a.words);
    if (a.shared) {
      shared_stages_ += as_double(a.stages) * larger_of(1, as_double(value_bytes_) / 4);
      return;
    }
    stores_global_ = stores_global_ || a.kind != access_kind::read;
    // A request's stages are groups of 32 words, of which sectors of 32 bytes are moved.
    double const groups = as_double(a.stages);
    double const asked = as_double(bodies_of_all()) * as_double(32 * a.words * value_bytes_);
    double const moved =
        smaller_of(larger_of(groups * 32, asked), groups * as_double(32 * value_bytes_));
    global_bytes_ += moved;
    if (a.kind != access_kind::write) read_bytes_ += moved;
  }

  //! The stages of an access by the rule of mmm::gpu::nvidia_merging: loads of 8 and 16 bytes from
  //! the shared memory take half, if each lane has the address of its neighbour or each that of the
  //! lane after that. The first warp's addresses stand for all.
  template <class Address>
  [[nodiscard]] constexpr index served(watched_access const& a, Address const& address) const {
    index const bytes = a.words * value_bytes_;
    bool const merges = gpu::merges_by_measurement(facts_.compute_capability) ||
                        facts_.compute_capability == 90;  // docs/gpu-results.md
    if constexpr (!Address::in_trapezoid)
      if (merges && a.shared && a.kind == access_kind::read && bytes > 4 && bytes <= 16 &&
          a.words > 1 && step_.items >= 32) {
        bool neighbours = true;
        bool next_ones = true;
        for (index lane = 0; lane < 32; ++lane) {
          neighbours = neighbours && address(lane) == address(lane ^ 1);
          next_ones = next_ones && address(lane) == address(lane ^ 2);
        }
        if (neighbours || next_ones) return ceil_divide(a.stages, 2);
      }
    return a.stages;
  }

  constexpr void end_step() {
    index const chunks = ceil_divide(step_.items, lanes_of_step());
    index const group_bodies = bodies_of_group();
    double const times = as_double(step_.times);
    double const all = as_double(bodies_of_all());
    demand_.steps +=
        times * as_double(step_.machine_wide ? groups_ : step_.dmms) * as_double(warps_);
    demand_.items += all;
    demand_.global_requests += all * globals_;
    demand_.shared_requests += all * shareds_;
    demand_.request_words += all * words_;
    demand_.traffic_bytes += global_bytes_;
    demand_.read_bytes += read_bytes_;
    if (step_.machine_wide && !copying_ && globals_ > 0 && all > 0) demand_.only_tiles = false;
    if (!timed_) return;
    double const of_item = code_.per_item + globals_ * code_.per_global +
                           shareds_ * code_.per_shared + words_ * code_.per_word;
    index const active = smaller(groups_of_step(), facts_.sms);
    index const busy = smaller(warps_, larger(index{1}, ceil_divide(step_.items, 32)));
    resource_clocks s;
    s.issue = times * clocks_of_issue() *
              (as_double(warps_) * code_.per_step / schedulers_of(warps_) +
               as_double(group_bodies) * of_item / schedulers_of(busy));
    s.shared = shared_stages_ / as_double(groups_of_step());
    double const together = as_double(active) / as_double(groups_of_step());  // of the bytes
    s.global = global_bytes_ * together * memory_share_ / bytes_per_clock();
    s.cache = larger_of(global_bytes_ * together / timing_.l2_bytes,
                        global_bytes_ * together / as_double(active) / timing_.sm_bytes);
    s.waiting = times * (code_.per_step + as_double(chunks) * of_item) * clocks_of_chain();
    if (loads_shared_) s.waiting += times * as_double(chunks) * as_double(facts_.shared_latency);
    if (loads_global_)
      s.waiting_global = times * as_double(chunks) *
                         (missed_ * timing_.global_latency + (1 - missed_) * timing_.l2_latency);
    if (looks_back_ > 0) {
      now_.in_step = now_.in_step || looks_back_ == look_back_step::at_once;
      s.waiting_global = times * (1 + rounds_of_look_back()) * timing_.l2_latency;
    }
    if (step_.barrier && !step_.machine_wide)
      s.barriers = times * (timing_.barrier_clocks + timing_.barrier_of_warp * as_double(warps_));
    now_.phase += s;
    now_.bodies += times * as_double(larger(chunks, index{1}));
    // A pass that few blocks take has multiprocessors for itself.
    index const of_one = ceil_divide(groups_of_step(), facts_.sms);
    index const beside = larger(index{1}, smaller(resident_, of_one));
    now_.in_all += s.of_blocks(as_double(beside), as_double(ceil_divide(of_one, beside)));
    now_.side_by_side = larger(now_.side_by_side, beside);
    now_.rounds = larger(now_.rounds, of_one);
    if (step_.barrier) {
      now_.phases += times;
      end_phase();
    }
    if (!step_.machine_wide) return;
    due_ = step_.barrier;
    if (due_) grid_barriers_ += step_.times;
    if (due_ && stores_global_) await_stores(times);
  }

  //! Tiles are dealt, from number `first` on. DMMs that have had none since the last barrier of the
  //! grid work at the same time as those that had. Tiles whose numbers go on where the last ones
  //! ended are dealt on: those of a last, partial pass that the first DMM is not among are for DMMs
  //! that have had one less than others.
  constexpr void deal_tiles(dmm_range const& dmms, index first, index tiles, index times) {
    if (!timed_) {
      demand_.tiles += as_double(tiles) * as_double(times);
      demand_.tile_passes += as_double(ceil_divide(tiles, dmms.count)) * as_double(times);
      return;
    }
    end_last_tiles();
    if (dmms.first >= dealt_to_ && dealt_to_ > 0) end_branch();
    dealt_to_ = larger(dealt_to_, dmms.first + dmms.count);
    index const end = first + tiles;
    index const of_first_dmm = ceil_divide(end, dmms.count) - ceil_divide(first, dmms.count);
    if (first == next_tile_ && of_first_dmm == tiles / dmms.count && !now_.in_step)
      of_last_tiles_ = tiles % dmms.count;
    next_tile_ = end;
  }
  constexpr void machine_wide_barrier() {
    if (!timed_) return;
    end_last_tiles();
    if (stores_global_) await_stores(1);
    end_section();
    due_ = true;
    ++grid_barriers_;
  }
  //! Instead of the grid's barrier that is due, one access of each block to a counter.
  constexpr void first_alone() {
    if (!timed_ || !due_) return;
    --grid_barriers_;
    due_ = false;
    end_section();
    await(timing_.l2_latency + arrivals(launch_.blocks));
  }
  //! The states of so many tiles are cleared before the first of them, by all blocks.
  constexpr void look_back_states(index tiles) {
    copying_ = true;
    begin_step({tiles, launch_.threads, launch_.blocks, true, 1, true});
    access({false, access_kind::write, 2, ceil_divide(2 * tiles, 32)});
    end_step();
    copying_ = false;
  }
  //! The next step tells the tiles after a block's what the tiles up to it add up to.
  //! \param at_once states that it reads at once
  constexpr void look_back(index at_once) { look_back_follows_ = at_once; }
  constexpr void allocated(bool shared, index words) {
    double& most = shared || launch_.shared_only ? demand_.words_shared : demand_.words_global;
    most = larger_of(most, as_double(words));
  }
  //! The copies of arguments that a kernel makes and the model does not charge.
  constexpr void argument(argument_use use, index given, index words, bool in_place) {
    bool const stays = use == argument_use::read || in_place;
    if (launch_.shared_only) {
      if (given > 0) copy(given, false, true);
      if (use == argument_use::write || use == argument_use::update) copied_out_ += words;
      demand_.words_global += as_double(timed_ ? 0 : larger(given, words));
    } else if (given > 0 && !stays) {
      demand_.words_copied += as_double(timed_ ? 0 : given);
      copy(given, false, false);
    }
  }
  //! After the program.
  constexpr void end() {
    if (copied_out_ > 0) copy(copied_out_, true, true);
    copied_out_ = 0;
    if (!timed_) return;
    if (due_) --grid_barriers_;  // the last one is the kernel's end
    end_last_tiles();
    resource_clocks once;
    once.waiting = code_.per_warp * clocks_of_chain();
    now_.phase += once;
    now_.in_all += once.of_blocks(1, rounds_of_blocks());
    end_section();
  }

  //! Microseconds of the kernel, without the launch.
  [[nodiscard]] constexpr double microseconds() const {
    return clocks_ / as_double(facts_.clock_mhz) + barrier_microseconds();
  }
  //! Microseconds at the grid's barriers: the blocks arrive one after the other.
  [[nodiscard]] constexpr double barrier_microseconds() const {
    return as_double(grid_barriers_) *
           (timing_.grid_barrier_us + arrivals(launch_.blocks) / as_double(facts_.clock_mhz));
  }
  [[nodiscard]] constexpr resource_clocks const& spent() const { return spent_; }
  [[nodiscard]] constexpr index grid_barriers() const { return grid_barriers_; }
  //! Blocks that a multiprocessor has at once.
  [[nodiscard]] constexpr index blocks_per_sm() const {
    index const reserved = facts_.compute_capability >= 80 ? 1024 : 0;
    auto const bytes = static_cast<index>(demand_.words_shared) * value_bytes_ + reserved;
    index const registers = ceil_divide(code_.registers, 8) * 8;
    index most = smaller(timing_.blocks_per_sm, facts_.max_threads_per_sm / launch_.threads);
    most = smaller(most,
                   timing_.registers_per_sm / (registers * ceil_divide(launch_.threads, 32) * 32));
    if (bytes > 0) most = smaller(most, timing_.shared_bytes_per_sm / bytes);
    return most;
  }

 private:
  [[nodiscard]] constexpr index lanes_of_step() const {
    return step_.machine_wide ? step_.threads * step_.dmms : step_.threads;
  }
  [[nodiscard]] constexpr index groups_of_step() const {
    if (!step_.machine_wide) return step_.dmms;
    return larger(index{1}, smaller(groups_, ceil_divide(step_.items, 32 * warps_)));
  }
  //! Warps' bodies of the parallel-for, of all DMMs, in all trips.
  [[nodiscard]] constexpr index bodies_of_all() const {
    index const lanes = lanes_of_step();
    index const full = step_.items / lanes;
    index const bodies = full * ceil_divide(lanes, 32) + ceil_divide(step_.items % lanes, 32);
    return step_.times * bodies * (step_.machine_wide ? 1 : step_.dmms);
  }
  //! Of one DMM, in one trip.
  [[nodiscard]] constexpr index bodies_of_group() const {
    index const lanes = lanes_of_step();
    index const rest = ceil_divide(step_.items % lanes, 32);
    return step_.items / lanes * warps_ + smaller(rest, warps_);
  }
  //! Clocks of a multiprocessor's schedulers for an instruction of each: those of the units that
  //! have the most to do.
  [[nodiscard]] constexpr double clocks_of_issue() const {
    double const lanes = 32 * timing_.schedulers;
    double const products =
        code_.floats / timing_.float_lanes +
        (code_.multiplies - code_.floats) / smaller_of(timing_.integer_lanes, timing_.float_lanes);
    return larger_of(1,
                     lanes * larger_of(larger_of(code_.integers / timing_.integer_lanes, products),
                                       code_.special / timing_.special_lanes));
  }
  //! Clocks from an instruction of a warp to its next: the assembler's stalls, and what it does not
  //! know when it assembles.
  [[nodiscard]] constexpr double clocks_of_chain() const {
    return code_.clocks + code_.special * timing_.special_clocks;
  }
  //! The schedulers that have one of these warps.
  [[nodiscard]] constexpr double schedulers_of(index warps) const {
    return smaller_of(timing_.schedulers, as_double(warps));
  }
  [[nodiscard]] constexpr double bytes_per_clock() const {
    return as_double(facts_.bandwidth_gb) * 1000 / as_double(facts_.clock_mhz) * timing_.copy_share;
  }
  //! Clocks in which so many blocks arrive at one counter.
  [[nodiscard]] constexpr double arrivals(index blocks) const {
    return as_double(blocks) * timing_.arrival_clocks;
  }
  //! The warps wait until what they have written is in the level-2 cache.
  constexpr void await_stores(double times) { await(times * timing_.l2_latency); }
  //! One warp waits.
  constexpr void await(double clocks) {
    now_.phase.waiting_global += clocks;
    now_.in_all.waiting_global += clocks;
  }
  //! In which the last of all blocks' tiles learns what is before it, if all tell their totals at
  //! once: in round r a tile reads k tiles further back, and those up to the k r (r + 1)/2-th find
  //! one that knows what is before it.
  [[nodiscard]] constexpr double rounds_of_look_back() const {
    double rounds = 1;
    while (as_double(looks_back_) * rounds * (rounds + 1) / 2 < as_double(launch_.blocks)) ++rounds;
    return rounds;
  }
  constexpr void copy(index words, bool from_shared, bool shared) {
    copying_ = true;
    begin_step({words, launch_.one_memory ? launch_.blocks * launch_.threads : launch_.threads,
                launch_.one_memory || shared ? 1 : launch_.blocks, !shared, 1, true});
    index const lines = ceil_divide(words, 32);
    access({shared && from_shared, access_kind::read, 1, lines});
    access({shared && !from_shared, access_kind::write, 1, lines});
    end_step();
    copying_ = false;
  }

  constexpr void machine_wide_step_begins() {
    if (due_) end_section();
    due_ = false;
  }
  //! Between two barriers of a block each warp executes some bodies one after the other, and waits
  //! at the end for the last warp.
  constexpr void end_phase() {
    double const bodies = larger_of(1, now_.bodies / larger_of(1, now_.phases));
    double const phases = larger_of(1, now_.phases);
    double const chain = now_.phase.chain() / bodies / phases;
    double const busy = now_.phase.busy() / bodies / phases;
    double const others = 1 - 1 / as_double(warps_);
    now_.alone += phases * ((bodies - 1) * overlapped(chain, busy) + chain + busy * others);
    now_.section += now_.phase;
    now_.phase = {};
    now_.bodies = now_.phases = 0;
  }
  //! In which the blocks of a multiprocessor follow each other.
  [[nodiscard]] constexpr double rounds_of_blocks() const {
    return as_double(
        ceil_divide(larger(index{1}, now_.rounds), larger(index{1}, now_.side_by_side)));
  }
  //! Ends what some DMMs do while others do something else. Blocks side by side hide each other's
  //! waiting.
  constexpr void end_branch() {
    end_phase();
    double const blocks = as_double(larger(index{1}, now_.side_by_side));
    double const rounds = rounds_of_blocks();
    // Tiles that wait for each other read, wait and write together.
    resource_clocks const& s = now_.in_all;
    double const together = now_.in_step ? s.chain() + s.busy() : overlapped(s.chain(), s.busy());
    double const alone = overlapped(now_.section.chain(), now_.section.busy());
    double const clocks = together + rounds * larger_of(0, now_.alone - alone) / blocks;
    of_memory_.global += s.global;
    of_memory_.cache += s.cache;
    if (clocks >= longest_) {
      longest_ = clocks;
      longest_spent_ = s;
    }
    now_ = {};
  }
  //! Ends what DMMs do that have one tile less than others.
  constexpr void end_last_tiles() {
    of_last_tiles_ = 0;
    if (!in_last_tiles_) return;
    end_branch();
    now_ = meanwhile_;
    in_last_tiles_ = false;
  }
  //! Between two barriers of the grid: all branches together need the memory.
  constexpr void end_section() {
    end_last_tiles();
    end_branch();
    clocks_ += larger_of(longest_, larger_of(of_memory_.global, of_memory_.cache));
    longest_spent_.global = larger_of(longest_spent_.global, of_memory_.global);
    longest_spent_.cache = larger_of(longest_spent_.cache, of_memory_.cache);
    spent_ += longest_spent_;
    longest_ = 0;
    longest_spent_ = {};
    of_memory_ = {};
    dealt_to_ = 0;
    next_tile_ = -1;
  }

  gpu::device_facts facts_;
  gpu::timing_facts timing_;
  launched_blocks launch_;
  kernel_code code_;
  index value_bytes_;
  bool written_cache_;
  index groups_ = 1;  //!< of warps that work in step: blocks, or multiprocessors
  index warps_ = 1;   //!< of a group
  program_demand demand_{};
  bool timed_ = false;

  watched_step step_{};
  bool copying_ = false;  //!< an argument, beside the program
  bool loads_global_ = false;
  bool loads_shared_ = false;
  bool stores_global_ = false;
  index look_back_follows_ = 0;
  index looks_back_ = 0;  //!< states that a tile reads at once in this step
  double globals_ = 0;
  double shareds_ = 0;
  double words_ = 0;
  double shared_stages_ = 0;
  double global_bytes_ = 0;
  double read_bytes_ = 0;

  double missed_ = 1;
  double memory_share_ = 1;
  index resident_ = 1;
  index copied_out_ = 0;
  bool due_ = false;
  dmm_branch now_{};
  dmm_branch meanwhile_{};      //!< of DMMs with more tiles, while now_ is of the last ones
  index of_last_tiles_ = 0;     //!< DMMs that work in the last, partial pass over the tiles
  bool in_last_tiles_ = false;  //!< now_ is of these
  index next_tile_ = -1;        //!< the number of the one after those that were dealt
  resource_clocks spent_{};
  double longest_ = 0;  //!< of the section's branches
  resource_clocks longest_spent_{};
  resource_clocks of_memory_{};  //!< of all branches
  index dealt_to_ = 0;           //!< DMMs that had tiles in the section, those before it among them
  double clocks_ = 0;
  index grid_barriers_ = 0;
};

}  // namespace mmm::detail
