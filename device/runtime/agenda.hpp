// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/program_order.hpp>
#include <device/runtime/running_kernel.hpp>
#include <device/runtime/work.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

namespace device::runtime {

struct stream;

//! A piece of work that was issued, and what it waits for.
struct task {
  work job{};
  placed_operation place{};  //!< in the program's order
  int device = 0;
  stream* in = nullptr;
  bool is_of_legacy = false, is_blocking = false;
  bool is_node = false;  //!< of a graph
  std::vector<std::shared_ptr<task>> after{};
  std::unique_ptr<long_work> begun{};  //!< a launch or conditional node that has begun
  std::chrono::steady_clock::time_point issued{};
  bool runs = false;  //!< on some thread
  bool done = false;
};
using task_pointer = std::shared_ptr<task>;

//! The work that streams have to do. It is executed by the thread that issues it, at once, if
//! nothing that it waits for is left to do. Otherwise it is left to later calls that wait, or to a
//! thread of the device: what follows a kernel that waits for memory that others change, and host
//! functions, which have a thread of their own since they may wait for the program. With a seed,
//! and more streams than the default one, all work is left to later, and done in an order that the
//! seed draws among what is ready; but where races are looked for.
//!
//! Only the holder of the big lock executes work, but for host functions. Members are called with
//! the lock.
class agenda {
 public:
  explicit agenda(process&);
  ~agenda() = delete;  // its threads end with the program
  agenda(agenda const&) = delete;
  agenda& operator=(agenda const&) = delete;

  //! Adds work of a stream, checked, and does what can be done.
  void issue(stream&, work);
  //! Waits until what was issued is done, with the lock released in between. Fails with the error
  //! of a kernel's fault.
  void wait_for(stream&);
  void wait_for(task_pointer const&);
  void wait_for_device(int device);
  //! Waits for all that is left, at the end of the program.
  void finish();
  //! True if work may be done later than when it is issued.
  [[nodiscard]] bool may_defer() const { return !left_.empty() || draws(); }
  [[nodiscard]] bool is_done(stream&);
  //! Does a piece of what is left, for a program that asks again and again.
  void help();

 private:
  process& process_;
  std::list<task_pointer> left_;  //!< in the order of issue
  std::mt19937_64 random_;
  int waiting_ = 0;  //!< threads of the program that wait here
  bool has_threads_ = false;
  std::condition_variable_any changed_;

  [[nodiscard]] bool draws() const;
  [[nodiscard]] std::vector<task_pointer> before_next(stream&);
  void add(stream&, task_pointer const&);
  void add_graph(stream&, child_work const&);
  [[nodiscard]] static bool is_ready(task const&);
  void run(task_pointer const&);
  void end(task&);
  [[nodiscard]] bool run_one_ready();
  [[nodiscard]] bool retry_stalled();
  void wait_until(std::function<bool()> const&);
  void give_up_one();
  void start_threads();
  void repeat(void (agenda::*step)(std::unique_lock<std::recursive_timed_mutex>&));
  void do_work(std::unique_lock<std::recursive_timed_mutex>&);
  [[nodiscard]] bool program_sleeps();
  void call_functions(std::unique_lock<std::recursive_timed_mutex>&);
};

}  // namespace device::runtime
