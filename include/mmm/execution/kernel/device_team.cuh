// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/bulk_copies.cuh>
#include <mmm/execution/kernel/grid_barrier.cuh>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/look_back.hpp>
#include <mmm/execution/kernel/matrix_instructions.cuh>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/kernel/registers.hpp>

#include <cstddef>
#include <cstdint>

namespace mmm::detail {

//! A CUDA thread among those of its block and its grid.
class device_team {
 public:
  static constexpr bool refuses = false;
  static constexpr bool plans = false;
  static constexpr int kernel = every_kernel;
  using memory = kernel_memory;
  using register_file = kernel_register_file;

  //! \param arrivals a counter of blocks, zero before the kernel and after it, for first_alone.
  __device__ device_team(std::byte* shared, std::byte* scratch, unsigned* arrivals)
      : shared_(shared), scratch_(scratch), arrivals_(arrivals) {}
  [[nodiscard]] __device__ index thread() const { return threadIdx.x; }
  [[nodiscard]] __device__ index thread_anew() const {
    std::uint32_t number = threadIdx.x;
    forget(number);
    return number;
  }
  [[nodiscard]] __device__ index block() const {
    return standing_ == standing::of_grid ? index{blockIdx.x}
           : standing_ == standing::first ? index{0}
                                          : index{INT32_MAX};
  }
  template <class Body>
  __device__ void in_phase(int, index, Body const& body) const {
    body();
  }
  __device__ void block_barrier() { __syncthreads(); }
  __device__ void grid_barrier() { synchronize_grid(); }
  //! The shared memories of the blocks of a cluster.
  struct distributed_memory {
    template <class T>
    [[nodiscard]] __device__ T* at(T* first, index rank) const {
#if __CUDA_ARCH__ >= 900
      T* there;
      asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(first), "r"(static_cast<unsigned>(rank)));
      return there;
#else
      return first;
#endif
    }
  };
  [[nodiscard]] __device__ distributed_memory peers() const { return {}; }
  //! Waits until all blocks of the cluster have begun, before one of them uses another's memory.
  __device__ void use_clusters(index) { cluster_barrier(); }
  __device__ void cluster_barrier() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.aligned;\n"
                 "barrier.cluster.wait.aligned;" ::
                     : "memory");
#else
    __syncthreads();  // a launch refuses clusters of several blocks
#endif
  }
  //! Makes the last block to arrive the first one of the grid; the others leave the grid.
  __device__ void first_alone() {
    __syncthreads();
    if (gridDim.x == 1) {
      standing_ = standing::first;
      return;
    }
    bool last = false;
    if (threadIdx.x == 0) {
      __threadfence();
      last = atomicAdd(arrivals_, 1U) == gridDim.x - 1;
      if (last) {
        *arrivals_ = 0;
        __threadfence();
      }
    }
    standing_ = __syncthreads_or(last) ? standing::first : standing::none;
  }
  [[nodiscard]] static __device__ index blocks_for(index, index) {
    __builtin_assume(gridDim.x > 0);  // so that a single tile needs no loop
    return gridDim.x;
  }
  __device__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  }
  template <index Latest>
  __device__ void await_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(static_cast<int>(Latest)) : "memory");
#endif
  }
  __device__ void begin_transactions(std::uint64_t* word) const {
    if (threadIdx.x == 0) begin_transaction_barrier(word);
  }
  //! Copies words by the copy engine, if both begin at a multiple of 16 bytes; else, or on an older
  //! GPU, false.
  template <class T>
  [[nodiscard]] __device__ bool copy_bulk(std::uint64_t* word, T* target, T const* source,
                                          index n) const {
    return copy_in_bulk(word, target, source, n * index{sizeof(T)}, threadIdx.x == 0);
  }
  __device__ void await_bulk(std::uint64_t* word) const {
    await_transactions(word, threadIdx.x == 0);
  }
  template <class... Number>
  __device__ void forget(Number&... x) const {
    (..., [](std::uint32_t& number) { asm volatile("" : "+r"(number)); }(x));
  }
  [[nodiscard]] __device__ std::byte* shared() const { return shared_; }
  [[nodiscard]] __device__ std::byte* scratch() const { return scratch_; }

  //! The look-back of a block: by its first warp, 32 tiles at a time, or by one thread if the block
  //! has no whole warp.
  template <class States, class Word, class Operator>
  __device__ void look_back(States const& states, index tile, Word word, Operator const& op) {
    using value = typename States::value_type;
    if (blockDim.x < 32) {
      if (threadIdx.x != 0) return;
      value const own = word[0];
      value const before = look_back_alone(
          states, tile, own, op, [](auto const& state) { return inspect(state); },
          [](auto& state, tile_flag flag, value const& x) { publish(state, flag, x); });
      if (tile > 0) word[0] = before;
    } else if (threadIdx.x < 32) {
      value const own = threadIdx.x == 0 ? word[0] : value{};  // only thread 0 uses its value
      value const before = look_back_by_warp(states, tile, own, op);
      if (tile > 0 && threadIdx.x == 0) word[0] = before;
    }
  }

  __device__ void publish(index& word, index x) const {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(&word), "l"(x) : "memory");
  }
  [[nodiscard]] __device__ index inspect(index const& word) const {
    index x;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(x) : "l"(&word) : "memory");
    return x;
  }
  //! Publishes a tile's value: one of 4 bytes or less together with its flag in one store, a larger
  //! one before its flag.
  template <class T>
  static __device__ void publish(tile_state<T>& state, tile_flag flag, T const& x) {
    if constexpr (tile_state<T>::words == 1)
      asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(&state.packed), "l"(packed_state(flag, x))
                   : "memory");
    else
      publish_in_pieces(state, flag, x, device_fence{});
  }
  template <class T>
  [[nodiscard]] static __device__ tile_status<T> inspect(tile_state<T> const& state) {
    if constexpr (tile_state<T>::words == 1) {
      std::uint64_t packed;
      asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(packed) : "l"(&state.packed) : "memory");
      return unpacked_state<T>(packed);
    } else {
      return inspect_in_pieces(state, device_fence{});
    }
  }
  //! Counts digits: among lanes with the same digit, the last one updates the counter for all.
  template <index Lanes, int Bits, index N, class Digit, class Counter, class Use>
  __device__ void count_in_order(Digit const& digit_at, Counter* counters, index, Use const& use) {
    auto const lane = threadIdx.x % 32;
    unsigned const there = Lanes == 32 ? all_lanes : lanes_there();  // a block has whole groups
    unsigned group = there;
    if constexpr (Lanes < 32) group &= ((1U << Lanes) - 1) << (lane / Lanes * Lanes);
    unsigned const earlier = (1U << lane) - 1;
    Counter* const own = counters + (threadIdx.x / static_cast<unsigned>(Lanes) << Bits);
    unroll<N>([&](auto k) {
      auto const digit = static_cast<std::uint32_t>(digit_at(k));
      unsigned const same = lanes_with<Bits>(digit, there, group);
      int const last = 31 - __clz(static_cast<int>(same));
      int const before = __popc(same & earlier);
      Counter found = 0;
      if (static_cast<int>(lane) == last)
        found = atomicAdd(own + digit, static_cast<Counter>(before + 1));
      found = __shfl_sync(there, found, last);
      use(k, found + static_cast<Counter>(before));
    });
  }

  //! A scan over the lanes of a group. The shuffle that passes each lane the prefix before it also
  //! passes a row's total to the first lane. Lanes beyond the block's last thread count as ended:
  //! no shuffle waits for them.
  template <index Lanes, index N, class T, class Operator>
  __device__ void scan_lanes(T* upto, T* before, index threads, Operator const& op) {
    constexpr auto lanes = static_cast<unsigned>(Lanes);
    auto const thread = static_cast<unsigned>(thread_anew());
    auto const there = static_cast<unsigned>(threads);
    unsigned const lane = thread % lanes;
    // A shuffle counts lanes modulo 32: the last one of a whole warp is the one before its first.
    unsigned const end = Lanes == 32 && there % lanes == 0 ? thread
                         : thread + lanes < there          ? thread + lanes
                                                           : there;
    int const source = static_cast<int>(lane > 0 ? thread : end) - 1;
    T rows{};  // in a group's first lane: the fold of the rows before
    unroll<N>([&](auto k) {
      constexpr bool follows = decltype(k)::value > 0;
      T sum = upto[k];
      if constexpr (follows)
        if (lane == 0) sum = static_cast<T>(op(rows, sum));
      for (unsigned apart = 1; apart < Lanes; apart *= 2) {
        T const earlier = moved(sum, [&](auto w) { return __shfl_up_sync(all_lanes, w, apart); });
        if (lane >= apart) sum = static_cast<T>(op(earlier, sum));
      }
      T const last = moved(sum, [&](auto w) {
        return N == 1 ? __shfl_up_sync(all_lanes, w, 1) : __shfl_sync(all_lanes, w, source);
      });
      upto[k] = sum;
      if constexpr (follows)
        before[k] = lane > 0 ? last : rows;
      else if (lane > 0)
        before[k] = last;
      rows = last;
    });
  }
  //! A reduction over the lanes of a group. No shuffle waits for lanes beyond the block's last
  //! thread, as in scan_lanes.
  template <index Lanes, class T, class Operator>
  __device__ void fold_lanes(T& r, index n, Operator const& op) {
    auto const lane = threadIdx.x % static_cast<unsigned>(Lanes);
    auto const rest =
        static_cast<int>(n) - static_cast<int>(threadIdx.x - lane);  // group's threads among the n
    T fold = r;
    for (unsigned apart = 1; apart < Lanes; apart *= 2) {
      T const later = moved(fold, [&](auto w) { return __shfl_down_sync(all_lanes, w, apart); });
      if (static_cast<int>(lane + apart) < rest) fold = static_cast<T>(op(fold, later));
    }
    if (lane == 0 && rest > 0) r = fold;
  }

  //! Loads of matrices by ldmatrix, from compute capability 7.5 on.
  template <fragment_order Order, index N, class T, class Rows, class Place>
  __device__ void load_fragments(T* r, Rows const& rows, index n, Place const& place) {
    if (threadIdx.x < n)
      unroll<N>([&](index k) { load_matrices<Order>(r + 4 * k, &rows[place(thread(), k)]); });
  }
  //! Products of matrices by mma.sync, from compute capability 8.0 on; rows of fragments to and
  //! fro, so that neighbours share a factor.
  template <class Shape, index Down, index Across, class Sum, class Left, class Right>
  __device__ void multiply_lanes(Sum* c, Left const* a, Right const* b, index n) {
    if (threadIdx.x < n)
      unroll<Down>([&](index m) {
        unroll<Across>([&](index k) {
          index const q = m % 2 == 0 ? k : Across - 1 - k;
          multiply_matrices<Shape::a_type, Shape::b_type>(c + (m * Across + q) * 4, a + m * 4,
                                                          b + q * 2);
        });
      });
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;
  struct device_fence {
    __device__ void operator()() const { __threadfence(); }
  };

  //! The lanes of this thread's warp that exist in the block.
  [[nodiscard]] static __device__ unsigned lanes_there() {
    unsigned const rest = blockDim.x - (threadIdx.x & ~31U);
    return rest >= 32 ? all_lanes : (1U << rest) - 1;
  }
  //! The lanes whose number has the same bit as this lane's.
  template <int Bit>
  [[nodiscard]] static __device__ unsigned equivalent_lanes(std::uint32_t x, unsigned there) {
    unsigned equivalent;
    asm volatile("{ .reg .pred set; .reg .b32 ones;\n"
                 "  and.b32 ones, %1, %2;\n"
                 "  setp.ne.u32 set, ones, 0;\n"
                 "  vote.sync.ballot.b32 %0, set, %3;\n"
                 "  @!set not.b32 %0, %0; }"
                 : "=r"(equivalent)
                 : "r"(x), "n"(1 << Bit), "r"(there));
    return equivalent;
  }
  //! The lanes among `among` whose number of `Bits` bits equals this lane's: one vote for each bit.
  template <int Bits>
  [[nodiscard]] static __device__ unsigned lanes_with(std::uint32_t x, unsigned there,
                                                      unsigned among) {
    unroll<Bits / 2>([&](auto pair) {
      constexpr auto bit = 2 * static_cast<int>(decltype(pair)::value);
      unsigned const low = equivalent_lanes<bit>(x, there);
      unsigned const high = equivalent_lanes<bit + 1>(x, there);
      asm("lop3.b32 %0, %0, %1, %2, 0x80;" : "+r"(among) : "r"(low), "r"(high));
    });
    if constexpr (Bits % 2 != 0) among &= equivalent_lanes<Bits - 1>(x, there);
    return among;
  }
  //! The value of another lane, by a shuffle of its words.
  template <class T, class Shuffle>
  [[nodiscard]] static __device__ T moved(T const& x, Shuffle const& shuffle) {
    std::uint32_t words[tile_state<T>::words];
    to_words(x, words);
    for (std::uint32_t& w : words) w = shuffle(w);
    return from_words<T>(words);
  }
  template <class T>
  [[nodiscard]] static __device__ T from_lane(T const& x, int lane) {
    return moved(x, [&](auto w) { return __shfl_sync(all_lanes, w, lane); });
  }

  //! The look-back of a warp: lane k inspects the k-th tile before; the nearest tile with a prefix
  //! ends the search.
  template <class States, class T, class Operator>
  [[nodiscard]] static __device__ T look_back_by_warp(States const& states, index tile,
                                                      T const& own, Operator const& op) {
    int const lane = static_cast<int>(threadIdx.x);
    if (tile == 0) {
      if (lane == 0) publish(states[0], tile_flag::prefix, own);
      return own;
    }
    if (lane == 0) publish(states[tile], tile_flag::aggregate, own);
    T before = own;
    bool first = true;
    for (index nearest = tile - 1;; nearest -= 32) {
      index const mine = nearest - lane;
      tile_status<T> x{tile_flag::prefix, own};  // tiles before tile 0 have a prefix
      if (mine >= 0) x = inspect(states[mine]);
      while (__any_sync(all_lanes, x.flag == tile_flag::invalid))
        if (x.flag == tile_flag::invalid) x = inspect(states[mine]);
      unsigned const known = __ballot_sync(all_lanes, x.flag == tile_flag::prefix);
      int const last = known == 0 ? 31 : __ffs(static_cast<int>(known)) - 1;
      // lane k combines the tiles of the lanes k … k + 2 apart - 1
      for (int apart = 1; apart < 32; apart *= 2) {
        T const earlier = from_lane(x.value, (lane + apart) & 31);
        if (lane + apart <= last) x.value = static_cast<T>(op(earlier, x.value));
      }
      T const window = from_lane(x.value, 0);
      before = first ? window : static_cast<T>(op(window, before));
      first = false;
      if (known != 0) break;
    }
    if (lane == 0) publish(states[tile], tile_flag::prefix, static_cast<T>(op(before, own)));
    return before;
  }

  enum class standing { of_grid, first, none };

  std::byte* shared_;
  std::byte* scratch_;
  unsigned* arrivals_;
  standing standing_ = standing::of_grid;
};

//! A CUDA thread of a kernel that is one phase of a program: kernel number `Kernel` of it.
template <int Kernel>
class phase_team : public device_team {
 public:
  static constexpr int kernel = Kernel;
  __device__ phase_team(std::byte* shared, std::byte* scratch, index phase)
      : device_team(shared, scratch, nullptr), phase_(phase) {}
  [[nodiscard]] __device__ index phase() const { return phase_; }

 private:
  index phase_;
};

}  // namespace mmm::detail
