// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/launch.hpp>
#include <mmm/fast.hpp>

#include "demand.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

//! A handle that predicts kernels. Where mmm::cuda::on launches a kernel, this handle simulates the
//! same program on the same arguments; the trace of the simulation gives the kernel's requests to
//! the memories.
namespace prediction {

//! The predicted counts of one launch, by the parts of a kernel's code that docs/gpu.md names.
struct launch_prediction {
  std::string program;  //!< the program's type, as in the kernel's name
  mmm::launch_shape shape;
  std::map<std::string, demand> parts;
};

namespace detail {

//! The offset of a pointer from a multiple of 256 bytes, at which cudaMalloc's memory begins.
template <class Iterator>
[[nodiscard]] index offset_of(Iterator const& it) {
  if constexpr (std::is_pointer_v<Iterator>)
    return static_cast<index>(reinterpret_cast<std::uintptr_t>(it) % 256);
  else if constexpr (requires { it.first; })
    return offset_of(it.first);  // polygon_weights
  else
    return 0;  // host_memory: the device's copy is allocated for the launch
}

template <class Program>
inline constexpr bool keeps_sums = false;
template <class Access>
inline constexpr bool keeps_sums<mmm::detail::access_program<Access>> = true;

//! True for programs whose result is in a register, so that it is stored without a load.
template <class Program>
inline constexpr bool returns_register = false;
template <index V, index Vecs, class Operator>
inline constexpr bool
    returns_register<mmm::detail::first_word_of<mmm::detail::one_block_sum<V, Vecs, Operator>>> =
        true;

//! True for a program whose tiles look back, with the number of tiles of a sequence.
template <class Program>
struct tiles_of {
  static constexpr bool looks_back = false;
};
template <index V, index Vecs, class Operator>
struct tiles_of<mmm::one_pass_scan<V, Vecs, Operator>> {
  static constexpr bool looks_back = true;
  static constexpr index whole(index n, index block_threads) {
    return n / (block_threads * V * Vecs);
  }
  static constexpr index all(index n, index block_threads) {
    return mmm::detail::ceil_divide(n, block_threads * V * Vecs);
  }
};
template <index V, index Vecs, index Rows>
struct tiles_of<mmm::one_pass_summed_area<V, Vecs, Rows>> {
  static constexpr bool looks_back = true;
};

}  // namespace detail

template <mmm::machine M>
class launcher {
  static constexpr bool one_dmm = mmm::detail::is_one_dmm<M>;
  static constexpr auto shared = mmm::memory_space::shared;
  static constexpr auto global = mmm::memory_space::global;
  static constexpr auto own_memory = one_dmm ? shared : global;

 public:
  using machine_type = M;
  using launches_programs = void;
  using device_memory = void;

  //! \param word_bytes the size of the words that programs allocate.
  launcher(M const& m, index p, index word_bytes, std::vector<launch_prediction>& predictions)
      : machine_(m),
        shape_(mmm::detail::shape_of(m, p)),
        word_bytes_(word_bytes),
        predictions_(&predictions) {}

  [[nodiscard]] M const& machine() const { return machine_; }
  [[nodiscard]] index threads() const { return shape_.threads; }
  [[nodiscard]] index dmms() const
  requires mmm::hierarchical_machine<M>
  {
    return machine_.dmms();
  }
  [[nodiscard]] index threads_per_dmm() const
  requires mmm::hierarchical_machine<M>
  {
    return shape_.block_threads;
  }

  //! Launches as a call does: the program by words where arrays are not aligned.
  template <class Program, class... Arguments>
  void launch(Program const& program, Arguments const&... arguments) const {
    if constexpr (mmm::detail::wants_alignment<Program>)
      if (!(mmm::detail::is_aligned<Program::words>(arguments) && ...))
        return predict(program.by_words(), arguments...);
    predict(program, arguments...);
  }

 private:
  template <class Program, class... Arguments>
  void predict(Program const& program, Arguments const&... arguments) const {
    auto const run = mmm::simulate(machine_, mmm::threads(shape_.threads), [&](auto on) {
      mmm::detail::run_here(on, program, arguments...);
    });
    std::map<std::string, demand> parts;
    if constexpr (detail::tiles_of<Program>::looks_back) note_states<Program>(parts, arguments...);
    auto const plan = mmm::detail::plan_of(machine_, shape_, program, arguments...);
    if (plan.arrivals && plan.blocks > 1)  // a single block is the last one
      parts["last block"] = {{}, {}, {}, {1, 1}, {plan.blocks, plan.blocks}};
    mmm::launch_shape launched = shape_;
    launched.blocks = mmm::detail::larger(1, plan.blocks);
    note<Program>(run.trace, launched, parts, arguments...);
  }

  template <class Program, class... Arguments>
  void note(mmm::trace const& trace, mmm::launch_shape const& launched,
            std::map<std::string, demand> parts, Arguments const&... arguments) const {
    placement places{{}, word_bytes_};
    index callers_end = 0;
    (..., note_argument(arguments, places, callers_end, parts));
    (..., note_table(arguments, parts));
    demand program;
    demand of_model;  // the model's accesses to the states of tiles
    add_trace(trace, places, [&](mmm::trace_entry const& e) -> demand& {
      bool const of_state =
          detail::tiles_of<Program>::looks_back && e.space == global && e.address >= callers_end;
      return of_state ? of_model : program;
    });
    parts["program"] = program;
    if constexpr (detail::tiles_of<Program>::looks_back)
      // a lower bound: a kernel reads a state again until it is there
      parts["look-back"].global_load = of_model.global_load;
    if constexpr (detail::returns_register<Program>)
      parts["kept"].of(own_memory, mmm::access_kind::read) = {};
    if constexpr (detail::keeps_sums<Program>)
      add_copy(shape_.threads, {}, {own_memory, 0}, word_bytes_, parts["kept"]);
    predictions_->push_back({mmm_type_name(typeid(Program)), launched, parts});
  }

  //! Notes an argument's position in memory, and the copies that a kernel makes of it.
  template <class Value, mmm::detail::argument_use Use, class In, class Out>
  void note_argument(mmm::detail::array_argument<Value, Use, In, Out> const& x, placement& places,
                     index& callers_end, std::map<std::string, demand>& parts) const {
    using argument = mmm::detail::array_argument<Value, Use, In, Out>;
    using mmm::detail::argument_use;
    if constexpr (Use == argument_use::result) {
      parts["kept"].of(own_memory, mmm::access_kind::read) = {1, 1};
      parts["kept"].global_store = {1, 1};
      return;
    }
    constexpr index bytes = sizeof(Value);
    constexpr bool has_input = !std::is_same_v<In, mmm::detail::no_sequence>;
    constexpr bool where_it_is =
        !one_dmm && (Use == argument_use::read || Use == argument_use::write ||
                     mmm::detail::changed_where_it_is<argument>);
    index offset = 0;
    if constexpr (where_it_is) {
      if constexpr (Use == argument_use::read)
        offset = detail::offset_of(x.in);
      else
        offset = detail::offset_of(x.out);
    }
    constexpr index width = recorder_width();
    index const first = mmm::detail::ceil_divide(callers_end, width) * width;
    callers_end = first + x.words;
    if constexpr (!one_dmm) places.arrays.push_back({first, x.words, offset, bytes});
    demand& copies = parts["copies"];
    if constexpr (has_input)
      if (!where_it_is || (Use == argument_use::update && !x.in_place))
        add_copy(x.given, {global, detail::offset_of(x.in)}, {own_memory, offset}, bytes, copies);
    if constexpr (one_dmm && (Use == argument_use::write || Use == argument_use::update))
      add_copy(x.words, {own_memory, 0}, {global, detail::offset_of(x.out)}, bytes, copies);
  }
  template <class Other>
  void note_argument(Other const&, placement&, index&, std::map<std::string, demand>&) const {}

  //! Notes the states of a look-back. Each state is cleared by one store. A tile publishes its own
  //! total first and then the total of all tiles up to itself; the first tile publishes only the
  //! latter. A state has the words of a value and one word for its kind; if both fit into 8 bytes,
  //! one store writes them.
  template <class Program, class Value, mmm::detail::argument_use Use, class In, class Out,
            class... Other>
  void note_states(std::map<std::string, demand>& parts,
                   mmm::detail::array_argument<Value, Use, In, Out> const& x,
                   Other const&...) const {
    using tiles = detail::tiles_of<Program>;
    using state = mmm::detail::tile_state<Value>;
    index const cleared = tiles::whole(x.words, shape_.block_threads) + 1;
    constexpr bool at_once = state::words == 1;
    add_copy(cleared, {}, {global, 0, sizeof(state)}, at_once ? 8 : 4, parts["cleared states"]);
    index const all = tiles::all(x.words, shape_.block_threads);
    index const stores = (2 * all - 1) * (at_once ? 1 : state::words + 1);
    parts["look-back"].global_store = {stores, stores};
  }

  //! Notes the states of the sums of an image's tiles, as above: those of the rows of tiles, and
  //! those of the columns of tiles.
  template <class Program, class Value, mmm::detail::argument_use Use, class In, class Out>
  void note_states(std::map<std::string, demand>& parts,
                   mmm::detail::array_argument<Value, Use, In, Out> const&,
                   mmm::shape const& image) const {
    using state = mmm::detail::tile_state<Value>;
    static_assert(state::words == 1);
    index const t = shape_.block_threads;
    typename Program::grid const tiles(image, t, 32);
    index const all = tiles.down * tiles.across;
    auto const note = [&](index sums, index sequences) {
      add_copy(all * sums, {}, {global, 0, sizeof(state)}, 8, parts["cleared states"]);
      auto const warps = [](index threads) { return mmm::detail::ceil_divide(threads, 32); };
      index const times = 2 * all - sequences;
      demand& d = parts["look-back"];
      d.global_store.requests += times * (sums / t * warps(t) + warps(sums % t));
      d.global_store.transfers += times * (sums / 4);  // whole sectors
    };
    note(tiles.rows, tiles.down);
    note(tiles.columns, tiles.across);
  }

  //! Notes a table of addresses: the model's threads know theirs, and thread i of a kernel loads
  //! item i.
  void note_table(mmm::detail::known_table const& table,
                  std::map<std::string, demand>& parts) const {
    add_copy(table.count, {global, 0}, {}, sizeof(index), parts["addresses"]);
  }
  template <class Other>
  void note_table(Other const&, std::map<std::string, demand>&) const {}

  struct end_of_copy {
    mmm::memory_space space = global;
    index offset = -1;  //!< in bytes; -1: not in memory
    index stride = 0;   //!< bytes from word to word; 0: consecutive words
  };

  //! Adds the accesses of a parallel-for in which item i is copied from one array to another.
  void add_copy(index n, end_of_copy from, end_of_copy to, index word_bytes, demand& d) const {
    index const t = shape_.block_threads;
    for (index chunk = 0; chunk < n; chunk += shape_.threads)
      for (index warp = 0; warp < shape_.blocks * mmm::detail::ceil_divide(t, 32); ++warp) {
        index const block = warp / mmm::detail::ceil_divide(t, 32);
        index const first = warp % mmm::detail::ceil_divide(t, 32) * 32;
        for (end_of_copy const* end : {&from, &to}) {
          warp_request request;
          for (index lane = 0; lane < 32 && first + lane < t; ++lane) {
            index const thread = block * t + first + lane;
            if (thread >= shape_.threads || chunk + thread >= n) continue;
            request.active |= mmm::gpu::lane_mask{1} << lane;
            request.address[lane] =
                end->offset + (chunk + thread) * (end->stride > 0 ? end->stride : word_bytes);
          }
          if (end->offset >= 0 && request.active != 0)
            add(d, end->space, end == &from ? mmm::access_kind::read : mmm::access_kind::write,
                word_bytes, request);
        }
      }
  }

  [[nodiscard]] static constexpr index recorder_width() {
    return mmm::detail::simulated_machine<M, mmm::observe_all_t>::recorder_type::width;
  }
  [[nodiscard]] static std::string mmm_type_name(std::type_info const&);

  M machine_;
  mmm::launch_shape shape_;
  index word_bytes_;
  std::vector<launch_prediction>* predictions_;
};

//! The name of a type in the form of a kernel's demangled name.
[[nodiscard]] std::string readable(std::type_info const&);

template <mmm::machine M>
std::string launcher<M>::mmm_type_name(std::type_info const& type) {
  return readable(type);
}

}  // namespace prediction
