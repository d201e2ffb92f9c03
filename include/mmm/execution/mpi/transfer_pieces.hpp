// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/mpi/messages.hpp>
#include <mmm/execution/mpi/process_group.hpp>
#include <mmm/execution/nodes.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

//! The pieces of exchanges that a process sends and receives, which the processes compare before
//! they are under way.
namespace mmm::detail {

using numbered_pieces = std::vector<std::pair<index, piece>>;

//! The pieces of a transfer that a process sends, with their receivers, and those that it receives,
//! with their senders; those to itself are in both.
struct transfer_pieces {
  numbered_pieces sent;
  numbered_pieces received;
};

//! Errors: std::out_of_range for a piece outside the process's part of its array.
template <class Transfer>
[[nodiscard]] transfer_pieces pieces_of_process(index rank, index nodes, Transfer const& x) {
  transfer_pieces pieces;
  rank_range const receivers = receivers_of(x.plan, rank, nodes);
  for (index s = receivers.first; s < receivers.last; s += receivers.stride) {
    piece const p = x.plan(rank, s);
    if (p.total() == 0) continue;
    reject_outside(p.source, p.extent(p.source_pitch), x.source.own_words(), rank, "sent");
    pieces.sent.emplace_back(s, p);
  }
  rank_range const senders = senders_of(x.plan, rank, nodes);
  for (index s = senders.first; s < senders.last; s += senders.stride) {
    piece const p = x.plan(s, rank);
    if (p.total() == 0) continue;
    reject_outside(p.target, p.extent(p.target_pitch), x.target.own_words(), rank, "received");
    pieces.received.emplace_back(s, p);
  }
  return pieces;
}

//! All processes call it with their own pieces of a transfer, and learn the numbers of words that
//! are sent to them. Errors: std::invalid_argument, on all, if one of them expects another number.
inline void reject_difference(process_group& group, transfer_pieces const& own) {
  auto const words_of = [&](numbered_pieces const& pieces) {
    std::vector<index> words(static_cast<std::size_t>(group.size()), 0);
    for (auto const& [other, p] : pieces) words[static_cast<std::size_t>(other)] = p.total();
    words[static_cast<std::size_t>(group.rank())] = 0;
    return words;
  };
  std::vector<index> const expected = words_of(own.received);
  std::vector<index> const arriving = group.all_to_all(words_of(own.sent));
  struct difference {
    index sender, sent, expected;
  };
  difference first{-1, 0, 0};
  for (std::size_t r = 0; r < expected.size() && first.sender < 0; ++r)
    if (arriving[r] != expected[r]) first = {static_cast<index>(r), arriving[r], expected[r]};
  group.agree_with(first);
  for (index r = 0; r < group.size(); ++r) {
    auto const found = group.template value<difference>(r);
    if (found.sender >= 0)
      throw_invalid_argument(failure_text(
          "mmm: the plan of an exchange differs between processes: process ", found.sender,
          " sends ", found.sent, " words to process ", r, ", which expects ", found.expected));
  }
}

//! An agreement before exchanges that take place at the same time, which every process leaves by an
//! exception if one expects other words than are sent to it.
inline void agree_on_plans(process_group& group, std::vector<transfer_pieces> const& own) {
  std::uint64_t balance = 0;
  std::uint64_t factor = 1;  // another odd one for each transfer
  for (auto const& [sent, received] : own) {
    for (auto const& [other, p] : sent)
      if (other != group.rank()) balance += factor * message_hash(group.rank(), other, p.total());
    for (auto const& [other, p] : received)
      if (other != group.rank()) balance -= factor * message_hash(other, group.rank(), p.total());
    factor += 2;
  }
  group.agree_with(balance);
  std::uint64_t of_all = 0;
  for (index r = 0; r < group.size(); ++r) of_all += group.template value<std::uint64_t>(r);
  if (of_all != 0)  // rare
    for (transfer_pieces const& x : own) reject_difference(group, x);
}

}  // namespace mmm::detail
