// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/mpi/call_notes.hpp>
#include <mmm/execution/mpi/failure.hpp>
#include <mmm/execution/nodes.hpp>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

//! The processes of a communicator, and their agreements: small messages by which all processes
//! learn that one has failed, or that they do different things, before any of them waits for it.
namespace mmm::detail {

//! The processes of a communicator, which is duplicated: messages of the caller's do not mix with
//! the library's.
//!
//! Before each operation that communicates, the processes agree: all get a packet of 64 bytes of
//! each, with the signature of what it does and whether it has failed. A small value of an
//! operation is part of the packet. A process that fails in a call sends its packet too, and then
//! its message; so every process leaves the call by an exception.
//!
//! The others may never come to that agreement: they may wait in a call on another communicator, or
//! in a function of MPI, for the process that failed. MPI cannot end their wait. A process that
//! fails therefore waits for their packets for a limited time, and then ends the job by MPI_Abort.
class process_group {
 public:
  //! Errors: std::logic_error before MPI_Init and after MPI_Finalize; std::invalid_argument for
  //! MPI_COMM_NULL and for an intercommunicator.
  explicit process_group(MPI_Comm communicator) {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized == 0 || mpi_has_ended())
      throw std::logic_error("mmm: mmm::mpi::on needs MPI between MPI_Init and MPI_Finalize");
    if (communicator == MPI_COMM_NULL)
      throw std::invalid_argument(
          "mmm: the communicator is MPI_COMM_NULL; accepted: one that this process is in");
    int has_two_groups = 0;
    demand_success("MPI_Comm_test_inter", MPI_Comm_test_inter(communicator, &has_two_groups));
    if (has_two_groups != 0)
      throw std::invalid_argument(
          "mmm: the communicator has two groups; accepted: an intracommunicator");
    demand_success("MPI_Comm_dup", MPI_Comm_dup(communicator, &communicator_));
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
    int number = 0;
    MPI_Comm_rank(communicator_, &number);
    rank_ = number;
    MPI_Comm_size(communicator_, &number);
    packets_.resize(static_cast<std::size_t>(number));
  }
  process_group(process_group const&) = delete;
  process_group& operator=(process_group const&) = delete;
  ~process_group() {
    if (mpi_has_ended()) return;
    for (auto& [groups, communicator] : of_groups_) MPI_Comm_free(&communicator);
    MPI_Comm_free(&communicator_);
  }

  [[nodiscard]] MPI_Comm communicator() const { return communicator_; }
  [[nodiscard]] index rank() const { return rank_; }
  [[nodiscard]] index size() const { return static_cast<index>(packets_.size()); }
  //! This process's actions, for comparison with those of the others.
  [[nodiscard]] call_notes& notes() { return notes_; }

  //! The result of `call()`, on whose outcome the processes agree.
  //! \param checks_all whether code that is not an operation of the handle may fail on one process
  //! only, so that the processes agree at the end in any case.
  //! Errors: mmm::mpi::rank_failure if some processes fail; their own exceptions if all do;
  //! std::invalid_argument if they do different things; std::logic_error after MPI_Finalize.
  template <class Call>
  decltype(auto) agreed(char const* name, bool checks_all, Call const& call) {
    if (depth_ == 0) begin();
    depth const inside(*this, checks_all);
    notes_.begin_call(name);
    undecided_ = true;
    try {
      if constexpr (std::is_void_v<decltype(call())>) {
        call();
        end_of_call();
      } else {
        decltype(auto) result = call();
        end_of_call();
        return static_cast<decltype(result)>(result);
      }
    } catch (...) {
      leave_by_exception();
    }
  }

  //! Rejects an operation outside of a call.
  void demand_call(char const* operation) const {
    if (depth_ == 0)
      throw_logic_error(failure_text("mmm: ", operation,
                                     " outside of a call: programs for MPI's processes run in "
                                     "mmm::mpi::run(on, program)"));
  }
  //! Notes that this process has done something that may fail on it alone.
  void works() { undecided_ = true; }
  //! Sets how long a process that fails waits for the others' packets before it ends the job.
  void end_job_after(std::chrono::milliseconds wait) { wait_ = wait; }

  //! All processes agree to go on. Errors: as of `agreed`.
  void agree() {
    exchange_packets(packet{notes_.signature(), 0, {}});
    examine();
  }
  //! The same; then `value<T>(r)` is process r's value.
  template <class T>
  void agree_with(T const& x) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "mmm: only values of trivially copyable types travel between processes");
    packet own{notes_.signature(), 0, {}};
    if constexpr (fits<T>) std::memcpy(own.value, &x, sizeof(T));
    if constexpr (!fits<T>) values_.resize(packets_.size() * sizeof(T));
    exchange_packets(own);
    examine();
    if constexpr (!fits<T>) {
      demand_success("MPI_Allgather",
                     MPI_Allgather(&x, static_cast<int>(sizeof(T)), MPI_BYTE, values_.data(),
                                   static_cast<int>(sizeof(T)), MPI_BYTE, communicator_));
    }
  }
  template <class T>
  [[nodiscard]] T value(index r) const {
    auto const place = static_cast<std::size_t>(r);
    alignas(T) std::byte room[sizeof(T)];
    std::memcpy(room, fits<T> ? packets_[place].value : values_.data() + place * sizeof(T),
                sizeof(T));
    return *std::launder(reinterpret_cast<T const*>(room));
  }

  //! A number for each process: process r gets `numbers[r]`. The result has the number of each.
  [[nodiscard]] std::vector<index> all_to_all(std::vector<index> const& numbers) const {
    std::vector<index> all(packets_.size());
    demand_success("MPI_Alltoall", MPI_Alltoall(numbers.data(), sizeof(index), MPI_BYTE, all.data(),
                                                sizeof(index), MPI_BYTE, communicator_));
    return all;
  }

  //! The communicator of this process's group, whose ranks are the members' numbers. It is made
  //! when it is first asked for, by all processes.
  [[nodiscard]] MPI_Comm communicator_of(node_groups const& groups) {
    if (groups.size == size()) return communicator_;
    auto const found = of_groups_.find({groups.size, groups.stride});
    if (found != of_groups_.end()) return found->second;
    MPI_Comm made = MPI_COMM_NULL;
    demand_success("MPI_Comm_split",
                   MPI_Comm_split(communicator_, static_cast<int>(groups.rank(rank_, 0)),
                                  static_cast<int>(groups.member(rank_)), &made));
    MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    of_groups_.emplace(std::pair(groups.size, groups.stride), made);
    return made;
  }

  //! Memory of the caller's that is read during this call.
  void reads(void const* first, void const* last) { read_.emplace_back(first, last); }
  [[nodiscard]] bool is_read(void const* first, void const* last) const {
    std::less<> const before;
    for (auto const& [read, end] : read_)
      if (before(first, end) && before(read, last)) return true;
    return false;
  }

 private:
  struct packet {
    std::uint64_t signature;
    std::int32_t failed;
    std::byte value[48];
  };
  static_assert(sizeof(packet) == 64);
  static constexpr int packet_tag = 4;  // the handle's messages have smaller ones
  template <class T>
  static constexpr bool fits = sizeof(T) <= sizeof(packet::value);

  struct depth {
    process_group& group;
    bool before;
    depth(process_group& processes, bool checks_all)
        : group(processes), before(processes.checks_all_) {
      ++group.depth_;
      group.checks_all_ = before || checks_all;
    }
    ~depth() {
      --group.depth_;
      group.checks_all_ = before;
    }
    depth(depth const&) = delete;
    depth& operator=(depth const&) = delete;
  };

  [[nodiscard]] static bool mpi_has_ended() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    return finalized != 0;
  }
  void begin() {
    if (mpi_has_ended())
      throw std::logic_error("mmm: a call on MPI's processes after MPI_Finalize");
    notes_.clear();
    read_.clear();
    agreed_ = nullptr;
  }
  //! Gathers the packets of all processes in ceil(log2 k) rounds (Bruck et al., Efficient
  //! Algorithms for All-to-All Communications in Multiport Message-Passing Systems, 1997): before a
  //! round a process has the packets of the `known` processes from itself on.
  //! \param message the text of this process's failure, or null.
  void exchange_packets(packet const& own, char const* message = nullptr) {
    auto const after = std::chrono::steady_clock::now() + wait_;
    index const k = size();
    packets_[0] = own;
    for (index known = 1; known < k; known *= 2) {
      int const bytes = static_cast<int>(smaller(known, k - known)) * int{sizeof(packet)};
      auto const receiver = static_cast<int>((rank_ + k - known) % k);
      auto const sender = static_cast<int>((rank_ + known) % k);
      packet* const received = packets_.data() + known;
      if (message == nullptr) {
        demand_success("MPI_Sendrecv", MPI_Sendrecv(packets_.data(), bytes, MPI_BYTE, receiver,
                                                    packet_tag, received, bytes, MPI_BYTE, sender,
                                                    packet_tag, communicator_, MPI_STATUS_IGNORE));
        continue;
      }
      MPI_Request requests[2];
      demand_success("MPI_Isend", MPI_Isend(packets_.data(), bytes, MPI_BYTE, receiver, packet_tag,
                                            communicator_, &requests[0]));
      demand_success("MPI_Irecv", MPI_Irecv(received, bytes, MPI_BYTE, sender, packet_tag,
                                            communicator_, &requests[1]));
      wait_until(after, requests, message);
    }
    std::rotate(packets_.begin(), packets_.end() - static_cast<std::ptrdiff_t>(rank_),
                packets_.end());
  }
  //! Waits for both messages of a round; ends the job if they are not complete at a point in time.
  void wait_until(std::chrono::steady_clock::time_point after, MPI_Request (&requests)[2],
                  char const* message) const {
    for (int complete = 0;;) {
      demand_success("MPI_Testall", MPI_Testall(2, requests, &complete, MPI_STATUSES_IGNORE));
      if (complete != 0) return;
      if (std::chrono::steady_clock::now() >= after) {
        std::fprintf(stderr,
                     "%s; the job ends, because other processes have not come to the end of the "
                     "call within %lld ms\n",
                     mpi::rank_failure(rank_, message).what(),
                     static_cast<long long>(wait_.count()));
        std::fflush(stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  void examine() {
    index different = -1;
    for (index r = size() - 1; r >= 0; --r) {
      packet const& p = packets_[static_cast<std::size_t>(r)];
      if (p.failed != 0) {
        index const first = first_failed();
        fail_with(mpi::rank_failure(first, shared_text(first, "")));
      }
      if (p.signature != packets_[0].signature) different = r;
    }
    if (different >= 0) {
      std::string const first = shared_text(0, notes_.text());
      std::string const second = shared_text(different, notes_.text());
      fail_with(std::invalid_argument("mmm: the processes' calls differ: process 0: " + first +
                                      "; process " + std::to_string(different) + ": " + second));
    }
    notes_.clear();
    undecided_ = checks_all_;
  }
  [[nodiscard]] index first_failed() const {
    index r = 0;
    while (r < size() && packets_[static_cast<std::size_t>(r)].failed == 0) ++r;
    return r;
  }
  [[nodiscard]] bool all_failed() const {
    for (packet const& p : packets_)
      if (p.failed == 0) return false;
    return true;
  }
  void end_of_call() {
    if (!undecided_) return;
    notes_.add("the end");
    agree();
  }
  //! In the handler of an exception: throws what all processes throw.
  [[noreturn]] void leave_by_exception() {
    std::exception_ptr const own = std::current_exception();
    if (own == agreed_ || !undecided_) throw;
    std::string const message = message_of(own);
    exchange_packets(packet{notes_.signature(), 1, {}}, message.c_str());
    notes_.clear();
    undecided_ = false;
    if (all_failed()) {
      agreed_ = own;
      throw;
    }
    index const first = first_failed();
    try {
      std::throw_with_nested(mpi::rank_failure(first, shared_text(first, message)));
    } catch (...) {
      agreed_ = std::current_exception();
      throw;
    }
  }
  template <class Exception>
  [[noreturn]] void fail_with(Exception const& x) {
    notes_.clear();
    undecided_ = false;
    agreed_ = std::make_exception_ptr(x);
    std::rethrow_exception(agreed_);
  }
  [[nodiscard]] static std::string message_of(std::exception_ptr const& x) {
    try {
      std::rethrow_exception(x);
    } catch (std::exception const& known) {
      return known.what();
    } catch (...) {
      return "an exception that is no std::exception";
    }
  }
  //! The text of one process, 1000 bytes of it at most.
  [[nodiscard]] std::string shared_text(index sender, std::string const& own) const {
    char text[1001] = {};
    if (sender == rank_) own.copy(text, sizeof(text) - 1);
    demand_success("MPI_Bcast", MPI_Bcast(text, sizeof(text), MPI_CHAR, static_cast<int>(sender),
                                          communicator_));
    return text;
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::map<std::pair<index, index>, MPI_Comm> of_groups_{};
  index rank_ = 0;
  std::vector<packet> packets_{};    //!< of the last agreement
  std::vector<std::byte> values_{};  //!< those too large for packets
  call_notes notes_{};
  std::vector<std::pair<void const*, void const*>> read_{};
  std::exception_ptr agreed_{};  //!< the exception by which all processes leave
  bool undecided_ = false;       //!< this process may have failed alone since the last agreement
  bool checks_all_ = false;
  int depth_ = 0;
  std::chrono::milliseconds wait_ = std::chrono::seconds(60);
};

}  // namespace mmm::detail
