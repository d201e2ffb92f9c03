// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

//! Values, distributions and arrays over MPI's processes, each of which has its own part.
namespace mmm::detail {

[[noreturn]] inline void reject_other_node(index own, index node) {
  throw_logic_error(failure_text("mmm: node ", own, " accesses the memory of node ", node));
}

//! A value of each node, of which a process has its own.
template <class T>
class process_value {
 public:
  using value_type = T;
  process_value(index rank, T const& x) : rank_(rank), value_(x) {}
  [[nodiscard]] T operator[](index r) const {
    if (r != rank_) reject_other_node(rank_, r);
    return value_;
  }
  [[nodiscard]] index rank() const { return rank_; }
  [[nodiscard]] T const& own() const { return value_; }

 private:
  index rank_;
  T value_;
};

//! The values of all nodes, known everywhere.
template <class T>
class gathered_values {
 public:
  using value_type = T;
  explicit gathered_values(std::vector<T> values)
      : values_(std::make_shared<std::vector<T> const>(std::move(values))) {}
  [[nodiscard]] T operator[](index r) const { return (*values_)[static_cast<std::size_t>(r)]; }

 private:
  std::shared_ptr<std::vector<T> const> values_;
};

//! A process's words of an array as they were, 0 for those of other processes.
template <class T>
class inspected_part {
 public:
  inspected_part(index rank, std::shared_ptr<T const[]> words)
      : rank_(rank), words_(std::move(words)) {}
  [[nodiscard]] T operator()(index r, index i) const { return r == rank_ ? words_[i] : T{}; }

 private:
  index rank_;
  std::shared_ptr<T const[]> words_;
};

//! So many words on each process: sequences that all processes have.
struct same_words {
  index count;
  [[nodiscard]] index words(index) const { return count; }
};

//! Blocks of given sizes, one for each process, one after the other: how the parts of a caller's
//! sequence lie. Laws: as of block_distribution, whose sizes are almost equal.
class process_distribution {
 public:
  //! \param sizes the number of words of each process. std::overflow_error if their sum is over 64
  //! bits.
  explicit process_distribution(std::vector<index> const& sizes) {
    std::vector<index> first{0};
    first.reserve(sizes.size() + 1);
    for (index const n : sizes) first.push_back(checked_add(first.back(), n));
    first_ = std::make_shared<std::vector<index> const>(std::move(first));
  }
  [[nodiscard]] index total() const { return first_->back(); }
  [[nodiscard]] index words(index r) const { return first(r + 1) - first(r); }
  [[nodiscard]] index first(index r) const { return (*first_)[static_cast<std::size_t>(r)]; }
  [[nodiscard]] index place(index r, index i) const { return first(r) + i; }
  //! The process that has item i, for `0 <= i < total()`.
  [[nodiscard]] index block_of(index i) const {
    return static_cast<index>(std::upper_bound(first_->begin(), first_->end(), i) -
                              first_->begin()) -
           1;
  }

 private:
  std::shared_ptr<std::vector<index> const> first_;
};

//! An array over the processes, each of which has the memory of its own part. Copies name the same
//! array.
//! \tparam Word the type of its words; const where they are only read.
template <class Word, class Distribution>
class process_array {
 public:
  using value_type = std::remove_const_t<Word>;
  //! \param memory that the array has, or null if it is the caller's.
  process_array(index rank, Distribution const& distribution, Word* first,
                std::shared_ptr<value_type> memory)
      : rank_(rank), distribution_(distribution), first_(first), memory_(std::move(memory)) {}
  [[nodiscard]] index words(index r) const { return distribution_.words(r); }
  [[nodiscard]] Word* part(index r) const {
    if (r != rank_) reject_other_node(rank_, r);
    return first_;
  }
  [[nodiscard]] index rank() const { return rank_; }
  [[nodiscard]] Word* own() const { return first_; }
  [[nodiscard]] index own_words() const { return distribution_.words(rank_); }

 private:
  index rank_;
  Distribution distribution_;
  Word* first_;
  std::shared_ptr<value_type> memory_;
};

}  // namespace mmm::detail
