// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/count/figures.hpp>
#include <device/count/rules.hpp>
#include <device/execute/observer.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <unordered_map>
#include <vector>

namespace device::count {

//! The matrices that ldmatrix or stmatrix moves; 0 of another access.
[[nodiscard]] inline int matrices_of(memory_access const& a) {
  // of operation::flags, as <device/execute/memory/request.hpp> says
  constexpr unsigned of_matrices = 128;
  return a.where == space::shared && (a.op->flags & of_matrices) != 0 ? a.op->list_size : 0;
}

//! True if it is a piece of a bulk copy, which the tensor memory accelerator makes: no request of a
//! warp.
[[nodiscard]] inline bool is_bulk(memory_access const& a) { return a.issuer >= 0; }

//! Counts of the memory accesses and barriers of one program, by operation.
struct program_accesses {
  program const* code = nullptr;
  std::vector<operation_accesses> accesses;  //!< in order of operation, memory, kind
  //! of each operation: times that a warp arrived at a barrier; empty: never
  std::vector<std::uint64_t> barriers;
};

//! Counts the requests of one worker, operation by operation, launch after launch.
class counter final : public observer {
 public:
  explicit counter(bank_policy policy) : policy_(policy) {}

  void access(memory_access const&) override;
  void barrier_arrive(warp&, operation const&, int barrier, lane_mask) override;

  //! Adds what was counted to `sum`, program by program, and forgets it.
  void move_into(std::vector<program_accesses>& sum);

 private:
  //! The latest request of an operation to a memory. Most requests differ from the one before by
  //! one distance for all lanes. In global memory, a multiple of 128 bytes leaves sectors and lines
  //! as they were; in shared memory, a multiple of a word turns the banks round, and those lanes
  //! that shared one still do; in local memory, a word lies a line behind the word before it. Then
  //! the cost is the same.
  struct latest_request {
    // The first fields are all that a request of the same cost reads: they share a cache line.
    space where = space::global;
    access_kind kind = access_kind::read;
    lane_pattern pattern = lane_pattern::any;
    lane_mask active = 0;
    int bytes = 0;
    std::uint32_t next = nothing;  //!< of the operation's other memories and kinds
    mmm::index times = 0;          //!< requests of this cost that are not in the sum yet
    mmm::index badness = 0;
    //! The badness, block and warp of the worst request; the least number if there is none.
    mmm::index worst = std::numeric_limits<mmm::index>::min();
    std::uint64_t worst_block = 0;
    std::uint32_t worst_warp = 0;
    alignas(64) std::array<std::uint64_t, lanes> address;
    request_figures cost{};
    [[nodiscard]] bool costs_the_same(memory_access const&) const;
    [[nodiscard]] bool is_worst(memory_access const&) const;
    void add_to(request_figures& sum);
  };
  static constexpr std::uint32_t nothing = 0xffffffffU;
  //! The figures of one program.
  struct table {
    program_accesses figures{};
    std::vector<latest_request> latest{};  //!< of each of figures.accesses
    std::vector<std::uint32_t> first{};    //!< of each operation: its first one of these
  };

  [[nodiscard]] table& table_of(program const* code) {
    return latest_ != nullptr && latest_->figures.code == code ? *latest_ : other_table(code);
  }
  [[nodiscard]] table& other_table(program const*);
  //! The number of an access among the table's.
  [[nodiscard]] static std::uint32_t find(table&, memory_access const&);
  //! Adds an operation's first access to a memory; `to`: where its number belongs. Not inlined: g++
  //! would read kind and memory, written byte by byte, as one number in find() as well.
  [[nodiscard, gnu::noinline]] static std::uint32_t add(table&, memory_access const&,
                                                        std::uint32_t& to);
  [[nodiscard]] request_figures cost_of(memory_access const&) const;
  //! Makes it the latest request of its kind.
  void replace(latest_request&, operation_accesses& own, memory_access const&) const;

  bank_policy policy_;
  std::deque<table> tables_;
  std::unordered_map<program const*, table*> known_;
  table* latest_ = nullptr;
};

}  // namespace device::count
