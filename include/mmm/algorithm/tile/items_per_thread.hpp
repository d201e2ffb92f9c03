// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

//! The number of items per thread for which a kernel has registers. The kernel's type contains it,
//! and it is chosen before the kernel starts: a call compiles a kernel for each of 2, 4, 16 and 32
//! items, or for those of them that make a difference. A program may define MMM_ITEMS_PER_THREAD as
//! the ascending list of the numbers, before it includes the library, in all of its files alike:
//! `4, 16` for fewer kernels to compile (`-DMMM_ITEMS_PER_THREAD=4\,16` for nvcc).
namespace mmm::detail {

//! The parameters of a kernel whose threads hold `Max` items each in registers, in blocks of up to
//! `BlockThreads` threads.
template <index Max, index BlockThreads>
struct items_per_thread {
  static constexpr index count = Max;
  static constexpr index block_threads = BlockThreads;
};
//! The parameters for simulations and estimates, where the number does not matter, and for programs
//! that hold no items in registers.
using one_item_per_thread = items_per_thread<1, 1024>;

//! The largest block whose threads can hold `bytes` bytes each in registers and have enough
//! registers left for everything else: a multiprocessor has 64 Ki registers, and a thread at most
//! 255. 0 for too many bytes.
[[nodiscard]] constexpr index max_block_threads_for(index bytes) {
  return bytes <= 32 ? 1024 : bytes <= 256 ? 512 : bytes <= 512 ? 256 : 0;
}

//! The threads per DMM of `on` for a program whose blocks have at most `max_threads` threads.
template <class On>
[[nodiscard]] constexpr index threads_per_dmm_within(On const& on, index max_threads) {
  if constexpr (requires { on.threads_per_dmm_within(max_threads); })
    return on.threads_per_dmm_within(max_threads);
  else
    return on.threads_per_dmm();
}

template <index Bytes, index Max, index... More, class On, class Run>
constexpr void run_with_first_fitting(On const& on, index items, index available, Run const& run) {
  constexpr index block_threads = max_block_threads_for(Max * Bytes);
  if constexpr (block_threads > 0) {
    index const t = threads_per_dmm_within(on, block_threads);
    if (t <= block_threads) {
      if (ceil_divide(items, t) <= Max) return run(items_per_thread<Max, block_threads>{});
      available = Max;
    }
  }
  if constexpr (sizeof...(More) > 0)
    run_with_first_fitting<Bytes, More...>(on, items, available, run);
  else
    reject_length("items of a thread that keeps something of them in registers",
                  ceil_divide(items, on.threads_per_dmm()), available);
}

//! The set of kernels that a call compiles, each for another number of items per thread.
enum class items_per_thread_choices {
  all,          //!< the fewest registers for every number of threads
  without_two,  //!< a kernel for 4 items replaces the one for 2
  two_kernels   //!< one for 4 items and one for 32
};

//! The largest of the ascending numbers of items per thread for which kernels are compiled; 0 if
//! they do not ascend.
template <index... Numbers>
[[nodiscard]] constexpr index last_of_ascending() {
  index last = 0;
  return ((Numbers > last && (last = Numbers) > 0) && ...) ? last : 0;
}
#ifdef MMM_ITEMS_PER_THREAD
inline constexpr index max_items_per_thread = last_of_ascending<MMM_ITEMS_PER_THREAD>();
static_assert(max_items_per_thread > 0,
              "MMM_ITEMS_PER_THREAD is a list of ascending numbers, each 1 or more");
#else
inline constexpr index max_items_per_thread = 32;
#endif

template <index Bytes, items_per_thread_choices Numbers, class On, class Run>
constexpr void run_kernel_with_items_per_thread(On const& on, index items, Run const& run) {
#ifdef MMM_ITEMS_PER_THREAD
  run_with_first_fitting<Bytes, MMM_ITEMS_PER_THREAD>(on, items, 0, run);
#else
  // A kernel for 4 items can replace the one for 2 if its blocks may be as large.
  constexpr bool fewer = max_block_threads_for(4 * Bytes) == max_block_threads_for(2 * Bytes);
  if constexpr (fewer && Numbers == items_per_thread_choices::two_kernels &&
                max_block_threads_for(32 * Bytes) == max_block_threads_for(16 * Bytes))
    run_with_first_fitting<Bytes, 4, 32>(on, items, 0, run);
  else if constexpr (fewer && Numbers != items_per_thread_choices::all)
    run_with_first_fitting<Bytes, 4, 16, 32>(on, items, 0, run);
  else
    run_with_first_fitting<Bytes, 2, 4, 16, 32>(on, items, 0, run);
#endif
}

//! Calls `run(items_per_thread<Max, …>{})` with a `Max` that is enough for `items` items per DMM of
//! `Bytes` bytes each in registers, if `on` is to launch a kernel; otherwise with
//! one_item_per_thread. Errors: std::length_error if the threads have too few registers, or would
//! hold more than max_items_per_thread items.
template <index Bytes, items_per_thread_choices Numbers = items_per_thread_choices::all, class On,
          class Run>
constexpr void run_with_items_per_thread(On const& on, index items, Run const& run) {
  if constexpr (launches<On> && hierarchical_machine<typename On::machine_type>)
    run_kernel_with_items_per_thread<Bytes, Numbers>(on, items, run);
  else
    run(one_item_per_thread{});
}

}  // namespace mmm::detail
