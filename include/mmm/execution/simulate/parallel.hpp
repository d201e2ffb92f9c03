// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/executor.hpp>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace mmm {

//! The executor that runs a simulation's DMMs on all cores:
//! `mmm::simulate(machine, threads, program, mmm::observe_cost, mmm::parallel)`. Results and costs
//! are those of mmm::sequential, for programs without races. If several DMMs throw, the exception
//! of the one with the least number is passed on; later DMMs may have run or not. On one core
//! everything runs on the caller's thread.
struct parallel_t {
  operator detail::executor_function() const {
    return [](index count, void* context, void (*task)(void*, index)) {
      std::atomic<index> next{0};
      std::mutex mutex;
      std::exception_ptr failure;
      index failed = count;
      auto const work = [&] {
        for (index k = next++; k < count; k = next++) {
          try {
            task(context, k);
          } catch (...) {
            std::lock_guard const lock(mutex);
            if (k < failed) {
              failed = k;
              failure = std::current_exception();
            }
            next = count;
          }
        }
      };
      auto const cores = static_cast<index>(std::thread::hardware_concurrency());
      std::vector<std::thread> helpers;
      for (index k = 1; k < cores && k < count; ++k) {
        try {
          helpers.emplace_back(work);
        } catch (std::exception const&) {
          break;  // runs with fewer threads
        }
      }
      work();
      for (std::thread& t : helpers) t.join();
      if (failure) std::rethrow_exception(failure);
    };
  }
};
inline constexpr parallel_t parallel{};

}  // namespace mmm
