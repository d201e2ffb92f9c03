// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/nodes.hpp>

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

//! The memories of the nodes of a simulated cluster, with what the messages do to them.
namespace mmm {

//! A race between a message and the work of a node, or between two messages.
struct node_race {
  enum class kind {
    arrival,  //!< the node accesses a word while a message for it may arrive
    sending,  //!< the node writes a word while it is sent
    messages  //!< two messages write the word in one exchange
  };
  kind cause;
  index superstep;  //!< counted from 0; works and exchanges that happen at once are one
  index node;       //!< the one whose memory has the word
  index word;       //!< in the node's part of the array
  friend bool operator==(node_race const&, node_race const&) = default;
};

//! The messages that a node sent during a program.
struct node_traffic {
  index messages = 0;     //!< of exchanges, to other nodes
  index words = 0;        //!< in them
  index collectives = 0;  //!< all_reduce, exclusive_scan, all_gather, broadcast and reduce
  friend bool operator==(node_traffic const&, node_traffic const&) = default;
};

namespace detail {

//! A value of each node.
template <class T>
struct node_value {
  using value_type = T;
  std::vector<T> values{};
  [[nodiscard]] T operator[](index r) const { return values[static_cast<std::size_t>(r)]; }
};

class node_memory;

//! The words of one node in an array. `arriving` marks those that a message may be writing.
template <class T>
struct node_part {
  node_memory* memory = nullptr;
  index node = 0;
  std::vector<T> words{};
  std::vector<unsigned char> arriving{};  //!< empty if no message is under way
};

//! An iterator over a node's part of an array.
template <class T>
class node_iterator {
 public:
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using pointer = T*;
  using iterator_category = std::random_access_iterator_tag;

  node_iterator() = default;
  node_iterator(node_part<T>& part, difference_type place) : part_(&part), place_(place) {}
  [[nodiscard]] T& operator*() const { return (*this)[0]; }
  [[nodiscard]] T& operator[](difference_type n) const;
  node_iterator& operator+=(difference_type n) {
    place_ += n;
    return *this;
  }
  node_iterator& operator-=(difference_type n) { return *this += -n; }
  node_iterator& operator++() { return *this += 1; }
  node_iterator& operator--() { return *this -= 1; }
  node_iterator operator++(int) {
    auto const before = *this;
    ++place_;
    return before;
  }
  node_iterator operator--(int) {
    auto const before = *this;
    --place_;
    return before;
  }
  [[nodiscard]] friend node_iterator operator+(node_iterator a, difference_type n) {
    return a += n;
  }
  [[nodiscard]] friend node_iterator operator+(difference_type n, node_iterator a) {
    return a += n;
  }
  [[nodiscard]] friend node_iterator operator-(node_iterator a, difference_type n) {
    return a -= n;
  }
  [[nodiscard]] friend difference_type operator-(node_iterator const& a, node_iterator const& b) {
    return a.place_ - b.place_;
  }
  [[nodiscard]] friend bool operator==(node_iterator const& a, node_iterator const& b) = default;
  [[nodiscard]] friend auto operator<=>(node_iterator const& a, node_iterator const& b) {
    return a.place_ <=> b.place_;
  }

 private:
  node_part<T>* part_ = nullptr;
  difference_type place_ = 0;
};

//! An array over the nodes. Copies name the same array.
template <class T>
class node_array {
 public:
  using value_type = T;
  template <class Distribution>
  node_array(node_memory& memory, index nodes, Distribution const& distribution);
  [[nodiscard]] index words(index r) const { return static_cast<index>((*this)[r].words.size()); }
  [[nodiscard]] node_iterator<T> part(index r) const { return {(*this)[r], 0}; }
  [[nodiscard]] node_part<T>& operator[](index r) const {
    return (*parts_)[static_cast<std::size_t>(r)];
  }

 private:
  std::shared_ptr<std::vector<node_part<T>>> parts_;
};

//! The nodes' memories: which node works, and the races.
class node_memory {
 public:
  //! While it lives, the node's body runs.
  class at_node {
   public:
    at_node(node_memory& memory, index node) : memory_(memory) { memory_.node_ = node; }
    ~at_node() { memory_.node_ = none; }
    at_node(at_node const&) = delete;
    at_node& operator=(at_node const&) = delete;

   private:
    node_memory& memory_;
  };

  void next_superstep() { ++superstep_; }
  [[nodiscard]] std::vector<node_race>& races() { return races_; }
  [[nodiscard]] index race_count() const { return race_count_; }
  void report(node_race::kind cause, index node, index word) {
    ++race_count_;
    if (races_.size() < 1000) races_.push_back({cause, superstep_, node, word});
  }
  //! Checks an access to a word of a node. Outside of bodies the program itself accesses nothing.
  template <class T>
  void access(node_part<T>& part, index word) {
    if (word < 0 || word >= static_cast<index>(part.words.size()))
      throw_out_of_range(failure_text("mmm: word ", word, " of node ", part.node,
                                      "'s part of an array; accepted: below ",
                                      static_cast<index>(part.words.size())));
    if (node_ != part.node)
      throw_logic_error(node_ == none ? failure_text("mmm: the memory of node ", part.node,
                                                     " is accessed outside of each_node")
                                      : failure_text("mmm: node ", node_,
                                                     " accesses the memory of node ", part.node));
    if (!part.arriving.empty()) {
      unsigned char& state = part.arriving[static_cast<std::size_t>(word)];
      if (state == 1) {
        report(node_race::kind::arrival, part.node, word);
        state = 2;  // each word once
      }
    }
  }

  template <class T>
  static void copy(node_array<T> const& source, index sender, node_array<T> const& target,
                   index r) {
    reject_longer(source, sender, target, r);
    std::vector<T> const words = source[sender].words;
    for (std::size_t i = 0; i < words.size(); ++i) target[r].words[i] = words[i];
  }
  template <class T, class Operator>
  static void combine(node_array<T> const& source, index sender, node_array<T> const& target,
                      index r, Operator const& op) {
    reject_longer(source, sender, target, r);
    for (std::size_t i = 0; i < source[sender].words.size(); ++i)
      target[r].words[i] = static_cast<T>(op(target[r].words[i], source[sender].words[i]));
  }

  //! The messages of one exchange. `send` reads the words; `deliver` writes them.
  template <class T>
  class exchange {
   public:
    exchange(node_memory& memory, node_array<T> const& source, node_array<T> const& target)
        : memory_(memory), source_(source), target_(target) {
      reject_same(source, target);
    }
    void send(index r, index s, piece const& p) {
      demand(p.source, p.extent(p.source_pitch), source_[r], "sent");
      demand(p.target, p.extent(p.target_pitch), target_[s], "received");
      std::vector<unsigned char>& arriving = target_[s].arriving;
      if (arriving.empty()) arriving.assign(target_[s].words.size(), 0);
      message m{r, s, p, {}};
      for (index row = 0; row < p.rows; ++row)
        for (index i = 0; i < p.words; ++i) {
          m.words.push_back(word(source_[r], p.source + row * p.source_pitch + i));
          auto& state = arriving[static_cast<std::size_t>(p.target + row * p.target_pitch + i)];
          if (state != 0)
            memory_.report(node_race::kind::messages, s, p.target + row * p.target_pitch + i);
          state = 1;
        }
      messages_.push_back(std::move(m));
    }
    void deliver() {
      for (message const& m : messages_) {
        target_[m.receiver].arriving.clear();
        std::size_t next = 0;
        for (index row = 0; row < m.place.rows; ++row)
          for (index i = 0; i < m.place.words; ++i, ++next) {
            index const source = m.place.source + row * m.place.source_pitch + i;
            if (differ(word(source_[m.sender], source), m.words[next]))
              memory_.report(node_race::kind::sending, m.sender, source);
            word(target_[m.receiver], m.place.target + row * m.place.target_pitch + i) =
                m.words[next];
          }
      }
    }

   private:
    struct message {
      index sender;
      index receiver;
      piece place;
      std::vector<T> words;
    };
    [[nodiscard]] static T& word(node_part<T>& part, index i) {
      return part.words[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] static bool equal(T const& a, T const& b) { return a == b; }
    //! True if a word changed. A NaN, which is not equal to itself, stays a NaN.
    [[nodiscard]] static bool differ(T const& a, T const& b) {
      return !equal(a, b) && (equal(a, a) || equal(b, b));
    }
    static void demand(index first, index count, node_part<T> const& part, char const* verb) {
      reject_outside(first, count, static_cast<index>(part.words.size()), part.node, verb);
    }

    node_memory& memory_;
    node_array<T> const& source_;
    node_array<T> const& target_;
    std::vector<message> messages_{};
  };
  template <class T>
  static void reject_same(node_array<T> const& source, node_array<T> const& target) {
    if (&source[0] == &target[0])
      throw_logic_error(failure_text("mmm: the source and the target of messages are one array"));
  }
  template <class T>
  [[nodiscard]] exchange<T> messages(node_array<T> const& source, node_array<T> const& target) {
    return {*this, source, target};
  }

 private:
  static constexpr index none = -1;
  template <class T>
  static void reject_longer(node_array<T> const& source, index sender, node_array<T> const& target,
                            index r) {
    if (source.words(sender) > target.words(r))
      reject_length("words of a collective's result", source.words(sender), target.words(r));
  }

  index node_ = none;
  index superstep_ = 0;
  std::vector<node_race> races_{};
  index race_count_ = 0;
};

template <class T>
T& node_iterator<T>::operator[](difference_type n) const {
  part_->memory->access(*part_, static_cast<index>(place_ + n));
  return part_->words[static_cast<std::size_t>(place_ + n)];
}

template <class T>
template <class Distribution>
node_array<T>::node_array(node_memory& memory, index nodes, Distribution const& distribution)
    : parts_(std::make_shared<std::vector<node_part<T>>>()) {
  for (index r = 0; r < nodes; ++r) {
    index const n = distribution.words(r);
    if (n < 0) reject("the words of a node's part of an array", n, "0 or more");
    parts_->push_back({&memory, r, std::vector<T>(static_cast<std::size_t>(n)), {}});
  }
}

}  // namespace detail
}  // namespace mmm
