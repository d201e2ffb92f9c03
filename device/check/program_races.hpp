// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/host_pages.hpp>
#include <device/check/page_uses.hpp>
#include <device/check/sites.hpp>
#include <device/core/finding.hpp>
#include <device/execute/observer.hpp>
#include <device/memory/memory.hpp>
#include <device/runtime/ordered_operation.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace device::check {

//! Finds races between operations of streams, and between them and the host's code: two use one
//! byte, at least one writes it, not both by strong accesses, and the program leaves their order
//! open, whatever the order in which they are executed here.
//!
//! Bytes that operations used are remembered page by page, as bits, until all that follows happens
//! after them. An operation that reads by a strong access what another one wrote so, both with a
//! fence, has waited for all of it. Accesses of the host are seen in managed, pinned and registered
//! memory, while no operation runs; there, a word that a kernel wrote by a strong access of the
//! system's scope lets the host know of all that the kernel did.
class program_races final : public observer, public host_access_judge {
 public:
  using report = std::function<void(finding const&)>;
  program_races(global_memory& memory, report r)
      : memory_(memory), report_(std::move(r)), pages_(*new host_pages(*this)) {}

  void operation_begins(runtime::operation_pointer const&);
  void operation_accesses(std::uint64_t begin, std::uint64_t bytes, bool writes);
  void operation_ends(runtime::operation_pointer const&, bool over);
  void host_knows(runtime::order_clock const&);
  void allocated(allocation const&);
  void freed(allocation const&);
  //! True while an operation runs whose accesses are to be noted.
  [[nodiscard]] bool is_running() const { return running_ != nullptr; }

  void begin(launch const&) override;
  void access(memory_access const&) override;
  void fence(warp&, operation const&, strength, scope) override;
  void grid_control(warp&, bool waits) override;
  bool host_accesses(std::uint64_t address, bool writes, void const* code) override;

 private:
  //! An operation as this check knows it.
  struct actor {
    runtime::operation_pointer op;
    std::string kernel{};  //!< empty if it is no launch
    std::uint64_t launch = 0;
    bool fences = false;
    bool before_wait = false;  //!< the part of a launch before griddepcontrol.wait
    [[nodiscard]] runtime::order_clock const& before() const {
      return before_wait ? *op->before_wait : op->before;
    }
  };
  using actor_pointer = std::shared_ptr<actor>;
  //! An operation that runs, or will go on.
  struct operation_at_work {
    actor_pointer by, early{};  //!< early: its part before griddepcontrol.wait
    use_map used{}, used_early{};
    std::set<std::pair<std::uint64_t, std::uint32_t>> waited{};  //!< blocks' warps
    std::set<std::uint64_t> triggered{};  //!< blocks that let dependents begin
    std::thread::id on{};                 //!< a host function's thread
  };
  struct record {
    actor_pointer by;
    page_uses uses;
  };
  struct side {
    actor const* by = nullptr;  //!< null: the host's code
    site_id site = 0;
    use how = use::read;
    void const* code = nullptr;
  };

  global_memory& memory_;
  report report_;
  host_pages& pages_;
  std::unique_ptr<operation_at_work> running_;
  std::vector<std::unique_ptr<operation_at_work>> paused_;
  site_table sites_;
  std::unordered_map<std::uint64_t, std::vector<record>> pages_used_;  //!< by number of the page
  runtime::order_clock host_;
  std::map<std::uint64_t, std::uint64_t> host_memory_;  //!< begin -> end of what the host reaches
  std::set<std::uint64_t> open_pages_;  //!< of the host's, with uses that it has not waited for
  std::deque<finding> later_;           //!< found in a signal's handler
  std::set<std::pair<std::uint64_t, std::uint64_t>> reported_;

  void add(actor_pointer const&, use_map&);
  void acquire(actor&, use_map&);
  void compare(actor const&, page_uses const&, std::uint64_t page);
  void report_race(side const& earlier, side const& later, std::uint64_t address, bool in_handler);
  void report_later();
  void watch_host();
  [[nodiscard]] bool of_host(std::uint64_t address) const;
  [[nodiscard]] std::string text(side const&) const;
  [[nodiscard]] static bool ordered(actor const& earlier, actor const& later) {
    return later.before().knows(earlier.op->lane, earlier.op->number);
  }
};

}  // namespace device::check
