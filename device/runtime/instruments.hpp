// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/finding.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>
#include <device/runtime/ordered_operation.hpp>
#include <device/runtime/settings.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace device::runtime {

//! Watches launches and reports about them: counts, checks. One object for the life of the
//! process, never destroyed. Calls come one at a time, but for those to the observers that it hands
//! out.
struct instruments {
  instruments() = default;
  virtual ~instruments() = default;
  instruments(instruments const&) = delete;
  instruments& operator=(instruments const&) = delete;

  //! The memory of all devices, and what takes findings that belong to no launch: once, before the
  //! first launch and before any allocation.
  virtual void attach(global_memory&, std::function<void(finding const&)> /*report*/) {}
  //! Before a launch: the observers of worker `worker` (0 to launch::workers - 1) for it. They
  //! belong to the instrument and live until finished or failed was called.
  [[nodiscard]] virtual std::vector<observer*> for_worker(launch const&, int /*worker*/) {
    return {};
  }
  //! After a launch that ran to its end.
  virtual void finished(launch const&, launch_result const&) {}
  //! After a launch that a fault ended; the counts are those of what was executed until then.
  virtual void failed(launch const&, launch_result const&, std::string const& /*message*/) {}
  //! After a launch by the host and all that its kernel and theirs launched (launch::family) are
  //! complete; also if a fault ended them.
  virtual void completed(std::uint64_t /*family*/) {}
  //! A finding of any source: of execution, of an instrument that passed it to launch::report, of
  //! the leak check. May come from any worker, one at a time.
  virtual void found(finding const&) {}
  //! Memory of the device that a call of the host wrote, [begin, begin + bytes), or reads next:
  //! cudaMemcpy, cudaMemset.
  virtual void host_wrote(std::uint64_t /*begin*/, std::uint64_t /*bytes*/) {}
  virtual void host_reads(std::uint64_t /*begin*/, std::uint64_t /*bytes*/) {}
  //! A call of the host copied [source, source + bytes) to [destination, destination + bytes), both
  //! in memory of the device.
  virtual void host_copied(std::uint64_t destination, std::uint64_t /*source*/,
                           std::uint64_t bytes) {
    host_wrote(destination, bytes);
  }
  //! Memory was allocated or freed, but for modules' variables.
  virtual void allocated(allocation const&) {}
  virtual void freed(allocation const&) {}
  //! All that follows until operation_ends is of this operation, which is compared with others that
  //! the order of the program leaves beside it; operations that begin while a host function runs
  //! are not part of it. Operations that no other may meet are not told.
  virtual void operation_begins(operation_pointer const&) {}
  //! The operation, which is no launch, reads or writes [begin, begin + bytes).
  virtual void operation_accesses(std::uint64_t /*begin*/, std::uint64_t /*bytes*/,
                                  bool /*writes*/) {}
  //! \param over false: it waits for memory, and goes on later: operation_begins is called again.
  virtual void operation_ends(operation_pointer const&, bool /*over*/) {}
  //! The host has waited: all of this has happened before what it does from now on.
  virtual void host_knows(order_clock const&) {}
  //! At the end of the process, once: reports are written. The number of limits (--limits) that
  //! were exceeded, and of figures greater than in the baseline (--baseline).
  [[nodiscard]] virtual std::uint64_t at_exit() { return 0; }
};

}  // namespace device::runtime
