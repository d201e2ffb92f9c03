// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/trace/kernel_trace.hpp>
#include <mmm/trace/location.hpp>
#include <mmm/trace/pointer.hpp>
#include <mmm/trace/run.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

//! The thread object of a traced kernel, the argument of its body.
namespace mmm::gpu {

//! A thread of a traced kernel. All threads of a block must request the same shared arrays in the
//! same order.
class thread {
 public:
  int x, y, z;                        //!< index in the block: threadIdx
  int block, block_y, block_z;        //!< index of the block in the grid: blockIdx
  int threads, threads_y, threads_z;  //!< sizes of a block: blockDim
  int blocks, blocks_y, blocks_z;     //!< sizes of the grid: gridDim

  explicit thread(detail::traced_run& run)
      : x(narrow(run.self().x)),
        y(narrow(run.self().y)),
        z(narrow(run.self().z)),
        block(narrow(run.block_index().x)),
        block_y(narrow(run.block_index().y)),
        block_z(narrow(run.block_index().z)),
        threads(narrow(run.block().x)),
        threads_y(narrow(run.block().y)),
        threads_z(narrow(run.block().z)),
        blocks(narrow(run.grid().x)),
        blocks_y(narrow(run.grid().y)),
        blocks_z(narrow(run.grid().z)),
        run_(&run) {}

  //! The thread's number in its block, by which threads form warps; its lane and its warp.
  [[nodiscard]] int number() const { return narrow(run_->self().number); }
  [[nodiscard]] int lane() const { return number() % 32; }
  [[nodiscard]] int warp() const { return number() / 32; }

  //! The block's shared array of `size` elements, or of type T[R][C]: `shared<float[32][33]>()`.
  //! std::runtime_error if the block's shared memory is too small.
  template <class T>
  requires(!std::is_array_v<T>)
  [[nodiscard]] pointer<T> shared(index size, location site = location::current()) const {
    return {run_->shared_array(size * index{sizeof(T)}, index{sizeof(T)}, site), 0};
  }
  template <class T>
  requires std::is_array_v<T>
  [[nodiscard]] auto shared(location site = location::current()) const {
    using element_type = std::remove_all_extents_t<T>;
    detail::region& array = run_->shared_array(index{sizeof(T)}, index{sizeof(element_type)}, site);
    if constexpr (std::rank_v<T> == 1)
      return pointer<element_type>(array, 0);
    else
      return shared_rows<std::remove_extent_t<T>>(array, 0);
  }

  //! A barrier of the block's threads that have not ended: __syncthreads.
  void sync(location site = location::current()) const { run_->barrier(site); }
  //! A barrier of lanes of the warp, which orders their accesses: __syncwarp.
  void sync_warp(lane_mask lanes = all_lanes_, location site = location::current()) const {
    run_->sync_lanes(lanes, true, site);
  }

  //! A reconvergence point: lanes of the warp that took other paths meet here, once in each round
  //! of the loop around it, as in compiled code. It costs nothing and orders nothing. Write it at
  //! the end of a loop whose rounds cannot be told from its accesses (docs/trace-a-kernel.md).
  void converge(location site = location::current()) const { run_->converge(site); }

  //! The value of another lane of the warp, as __shfl_sync: of lane `source_lane`, of the lane
  //! `distance` above or below, or of `lane ^ mask`, within groups of `width` lanes (a power of
  //! two). A lane whose source is outside its group gets its own value.
  template <class T>
  [[nodiscard]] T shuffle(T value, int source_lane, int width = 32, lane_mask lanes = all_lanes_,
                          location site = location::current()) const {
    int const base = lane() / width * width;
    return exchange(value, base + (source_lane & (width - 1)), lanes, site);
  }
  template <class T>
  [[nodiscard]] T shuffle_down(T value, int distance, int width = 32, lane_mask lanes = all_lanes_,
                               location site = location::current()) const {
    bool const inside = lane() % width + distance < width;
    return exchange(value, inside ? lane() + distance : lane(), lanes, site);
  }
  template <class T>
  [[nodiscard]] T shuffle_up(T value, int distance, int width = 32, lane_mask lanes = all_lanes_,
                             location site = location::current()) const {
    bool const inside = lane() % width >= distance;
    return exchange(value, inside ? lane() - distance : lane(), lanes, site);
  }
  template <class T>
  [[nodiscard]] T shuffle_xor(T value, int mask, int width = 32, lane_mask lanes = all_lanes_,
                              location site = location::current()) const {
    int const source = lane() ^ mask;
    // A source in a later group is outside, one in an earlier group is not.
    return exchange(value, source / width <= lane() / width ? source : lane(), lanes, site);
  }
  //! The lanes for which the condition holds, as a set of bits: __ballot_sync.
  [[nodiscard]] unsigned ballot(bool condition, lane_mask lanes = all_lanes_,
                                location site = location::current()) const {
    run_->post(&condition, sizeof condition, lanes, site);
    unsigned result = 0;
    for (int other = 0; other < 32; ++other) {
      std::byte const* const posted = run_->posted(other);
      if (posted != nullptr && *posted != std::byte{0}) result |= 1U << other;
    }
    return result;
  }
  [[nodiscard]] bool any(bool condition, lane_mask lanes = all_lanes_,
                         location site = location::current()) const {
    return ballot(condition, lanes, site) != 0;
  }
  [[nodiscard]] bool all(bool condition, lane_mask lanes = all_lanes_,
                         location site = location::current()) const {
    return ballot(!condition, lanes, site) == 0;
  }

 private:
  static constexpr lane_mask all_lanes_ = 0xFFFFFFFFU;

  [[nodiscard]] static int narrow(index i) { return static_cast<int>(i); }
  template <class T>
  [[nodiscard]] T exchange(T value, int source, lane_mask lanes, location const& site) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16,
                  "mmm: lanes exchange trivially copyable values of 16 bytes at most");
    run_->post(&value, sizeof value, lanes, site);
    std::byte const* const posted = run_->posted(source);
    if (posted == nullptr) {
      run_->found_shuffle(source, site);
      return value;
    }
    std::memcpy(&value, posted, sizeof value);
    return value;
  }

  detail::traced_run* run_;
};

//! Atomic updates of an element of a shared or global array, as CUDA's atomicAdd and its like. Each
//! returns the old value.
template <class T>
std::remove_cv_t<T> atomic_add(element<T>&& target, std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T old) { return static_cast<T>(old + value); });
}
template <class T>
std::remove_cv_t<T> atomic_sub(element<T>&& target, std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T old) { return static_cast<T>(old - value); });
}
template <class T>
std::remove_cv_t<T> atomic_min(element<T>&& target, std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T old) { return value < old ? value : old; });
}
template <class T>
std::remove_cv_t<T> atomic_max(element<T>&& target, std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T old) { return old < value ? value : old; });
}
template <class T>
std::remove_cv_t<T> atomic_and(element<T>&& target, std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T old) { return static_cast<T>(old & value); });
}
template <class T>
std::remove_cv_t<T> atomic_or(element<T>&& target, std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T old) { return static_cast<T>(old | value); });
}
template <class T>
std::remove_cv_t<T> atomic_xor(element<T>&& target, std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T old) { return static_cast<T>(old ^ value); });
}
template <class T>
std::remove_cv_t<T> atomic_exchange(element<T>&& target, std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T) { return value; });
}
//! Stores the old value plus 1, or 0 if the old value is `last` or more: atomicInc.
template <class T>
std::remove_cv_t<T> atomic_increment(element<T>&& target, std::type_identity_t<T> last) {
  return std::move(target).update_at_once(
      [&](T old) { return old >= last ? T{0} : static_cast<T>(old + 1); });
}
//! Stores `value` if the old value is `expected`: atomicCAS.
template <class T>
std::remove_cv_t<T> atomic_compare_exchange(element<T>&& target, std::type_identity_t<T> expected,
                                            std::type_identity_t<T> value) {
  return std::move(target).update_at_once([&](T old) { return old == expected ? value : old; });
}

}  // namespace mmm::gpu
