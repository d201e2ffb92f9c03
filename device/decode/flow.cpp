// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow.hpp"

#include <device/core/failure.hpp>

#include <algorithm>

namespace device::decode {

namespace {

[[nodiscard]] bool ends_block(ptx::instruction const& i) {
  return i.opcode == "bra" || i.opcode == "brx" || i.opcode == "ret" || i.opcode == "exit" ||
         i.opcode == "trap";
}

//! True if a thread may go on with the next instruction.
[[nodiscard]] bool falls_through(ptx::instruction const& i) {
  return !ends_block(i) || i.guard != ptx::none;
}

[[nodiscard]] std::uint32_t instruction_at(ptx::body const& body, std::string_view label) {
  auto const found = body.labels.find(label);
  if (found == body.labels.end())
    throw unsupported("PTX: no label " + std::string(label) + " in its function");
  return found->second;
}

//! The registers that an instruction reads and writes.
struct mentions {
  std::vector<std::uint32_t> read;
  std::vector<std::uint32_t> written;
};

void add_registers(ptx::operand const& o, std::vector<std::uint32_t>& to) {
  if (o.reg != ptx::none) to.push_back(o.reg);
  for (ptx::operand const& part : o.parts) add_registers(part, to);
}

//! True if the first operand is written. Where it is memory nothing is; what is taken for read
//! lives longer than it must.
[[nodiscard]] bool writes_first(ptx::instruction const& i) {
  if (i.opcode == "bar" || i.opcode == "barrier") return i.has("red");
  return i.opcode != "nanosleep" && i.opcode != "bra" && i.opcode != "brx" && i.opcode != "call" &&
         i.opcode != "setmaxnreg" && i.opcode != "mma" && i.opcode != "wmma";
}

[[nodiscard]] mentions mentions_of(ptx::instruction const& i) {
  using kind = ptx::operand::kind_type;
  mentions found;
  if (i.guard != ptx::none) found.read.push_back(i.guard);
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    ptx::operand const& o = i.operands[k];
    bool const written =
        k == 0 && (o.kind == kind::reg || o.kind == kind::vector) && writes_first(i);
    add_registers(o, written ? found.written : found.read);
    if (written && i.guard != ptx::none) add_registers(o, found.read);  // what it was may stay
  }
  for (ptx::operand const& o : i.call_returns) add_registers(o, found.written);
  for (ptx::operand const& o : i.call_arguments) add_registers(o, found.read);
  return found;
}

using register_set = std::vector<std::uint64_t>;
void add(register_set& set, std::uint32_t r) { set[r / 64] |= std::uint64_t{1} << r % 64; }
void remove(register_set& set, std::uint32_t r) { set[r / 64] &= ~(std::uint64_t{1} << r % 64); }
[[nodiscard]] bool contains(register_set const& set, std::uint32_t r) {
  return (set[r / 64] >> r % 64 & 1) != 0;
}

//! The registers alive at the end of each block.
[[nodiscard]] std::vector<register_set> alive_after_blocks(flow_graph const& graph,
                                                           std::vector<mentions> const& all,
                                                           std::size_t registers) {
  std::size_t const words = registers / 64 + 1;
  std::vector<register_set> used(graph.blocks.size(), register_set(words));
  std::vector<register_set> defined(used);
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    for (std::uint32_t i = graph.blocks[b].end; i-- > graph.blocks[b].begin;) {
      for (std::uint32_t const r : all[i].written) {
        add(defined[b], r);
        remove(used[b], r);
      }
      for (std::uint32_t const r : all[i].read) add(used[b], r);
    }
  std::vector<register_set> in(used);
  std::vector<register_set> out(graph.blocks.size(), register_set(words));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = graph.blocks.size(); b-- > 0;) {
      for (std::uint32_t const n : graph.blocks[b].next)
        if (n != graph.exit())
          for (std::size_t k = 0; k < words; ++k) out[b][k] |= in[n][k];
      for (std::size_t k = 0; k < words; ++k) {
        std::uint64_t const now = used[b][k] | (out[b][k] & ~defined[b][k]);
        changed = changed || now != in[b][k];
        in[b][k] = now;
      }
    }
  }
  return out;
}

//! Instructions from the first to the last at which a register is alive.
struct life {
  std::uint32_t reg = 0;
  std::uint32_t begin = ptx::none;
  std::uint32_t end = 0;
  void touch(std::uint32_t position) {
    begin = std::min(begin, position);
    end = std::max(end, position);
  }
};

}  // namespace

int register_bytes_of(ptx::scalar type) {
  if (type == ptx::scalar::pred) return 0;
  return std::max(2, ptx::bytes_of(type));
}

std::vector<std::string_view> targets_of(ptx::instruction const& i, ptx::body const& body) {
  if (i.opcode == "bra") return {i.operands.at(0).name};
  if (i.opcode != "brx") return {};
  auto const table = body.branch_targets.find(i.operands.at(1).name);
  if (table == body.branch_targets.end())
    throw unsupported("PTX: no .branchtargets " + std::string(i.operands[1].name) +
                      " in its function");
  return table->second;
}

flow_graph make_flow_graph(ptx::body const& body) {
  auto const count = static_cast<std::uint32_t>(body.instructions.size());
  std::vector<bool> begins(count + 1);
  begins[0] = true;
  for (auto const& [label, position] : body.labels) begins[position] = true;
  for (std::uint32_t i = 0; i < count; ++i)
    if (ends_block(body.instructions[i])) begins[i + 1] = true;

  flow_graph graph;
  graph.block_of.resize(count + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (begins[i]) graph.blocks.push_back({i, i, {}});
    graph.blocks.back().end = i + 1;
    graph.block_of[i] = static_cast<std::uint32_t>(graph.blocks.size() - 1);
  }
  graph.block_of[count] = graph.exit();
  for (auto& b : graph.blocks) {
    ptx::instruction const& last = body.instructions[b.end - 1];
    for (std::string_view const label : targets_of(last, body))
      b.next.push_back(graph.block_of[instruction_at(body, label)]);
    // No lane returns from a trap: it does not keep other lanes from reconverging, so that it leads
    // nowhere.
    if (last.opcode == "ret" || last.opcode == "exit") b.next.push_back(graph.exit());
    if (falls_through(last)) b.next.push_back(graph.block_of[b.end]);
  }
  graph.post_dominator = post_dominators(graph, std::vector<bool>(graph.exit() + 1));
  return graph;
}

// By the method of Cooper, Harvey and Kennedy on the reversed graph.
std::vector<std::uint32_t> post_dominators(flow_graph const& graph, std::vector<bool> const& ends) {
  std::uint32_t const exit = graph.exit();
  auto const counts = [&](std::uint32_t first, std::uint32_t to) {
    std::vector<std::uint32_t> const& next = graph.blocks[first].next;
    return !ends[to] || std::all_of(next.begin(), next.end(), [&](auto n) { return ends[n]; });
  };
  std::vector<std::vector<std::uint32_t>> before(exit + 1);
  for (std::uint32_t b = 0; b < exit; ++b)
    for (std::uint32_t const n : graph.blocks[b].next)
      if (counts(b, n)) before[n].push_back(b);

  // Blocks in reverse post-order of the reversed graph, which begins at the exit.
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> rank(exit + 1, ptx::none);
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{exit, 0}};
  std::vector<bool> visited(exit + 1);
  visited[exit] = true;
  while (!path.empty()) {
    auto& [b, k] = path.back();
    if (k < before[b].size()) {
      std::uint32_t const p = before[b][k++];
      if (!visited[p]) {
        visited[p] = true;
        path.emplace_back(p, 0);
      }
    } else {
      order.push_back(b);
      path.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  for (std::uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;

  std::vector<std::uint32_t> dominator(exit + 1, ptx::none);
  dominator[exit] = exit;
  auto const meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (rank[a] > rank[b]) a = dominator[a];
      while (rank[b] > rank[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t const b : order) {
      if (b == exit) continue;
      std::uint32_t found = ptx::none;
      for (std::uint32_t const n : graph.blocks[b].next)
        if (counts(b, n) && dominator[n] != ptx::none)
          found = found == ptx::none ? n : meet(n, found);
      if (found != dominator[b]) {
        dominator[b] = found;
        changed = true;
      }
    }
  }
  // an endless loop never reaches the exit: its lanes meet nowhere
  for (std::uint32_t b = 0; b < exit; ++b)
    if (dominator[b] == ptx::none) dominator[b] = exit;
  dominator.resize(exit);
  return dominator;
}

register_places place_registers(ptx::body const& body, flow_graph const& graph) {
  std::size_t const registers = body.registers.size();
  std::vector<mentions> all;
  all.reserve(body.instructions.size());
  for (ptx::instruction const& i : body.instructions) all.push_back(mentions_of(i));
  std::vector<register_set> const after = alive_after_blocks(graph, all, registers);

  auto const words_of = [&](std::uint32_t r) {
    return (register_bytes_of(body.registers[r].type) + 3) / 4;
  };
  std::vector<life> lives(registers);
  register_places places;
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    register_set alive = after[b];
    int words = 0;
    auto const& block = graph.blocks[b];
    for (std::uint32_t r = 0; r < registers; ++r)
      if (contains(alive, r)) {
        lives[r].touch(block.end - 1);
        words += words_of(r);
      }
    for (std::uint32_t i = block.end; i-- > block.begin;) {
      for (std::uint32_t const r : all[i].written) {
        lives[r].touch(i);
        if (contains(alive, r)) words -= words_of(r);
        remove(alive, r);
      }
      for (std::uint32_t const r : all[i].read) {
        lives[r].touch(i);
        if (!contains(alive, r)) words += words_of(r);
        add(alive, r);
      }
      places.max_live = std::max(places.max_live, words);
    }
    for (std::uint32_t r = 0; r < registers; ++r)
      if (contains(alive, r)) lives[r].touch(block.begin);
  }

  places.offset.assign(registers, 0);
  std::vector<life> by_begin;
  for (std::uint32_t r = 0; r < registers; ++r)
    if (lives[r].begin != ptx::none) {
      lives[r].reg = r;
      by_begin.push_back(lives[r]);
    }
  std::sort(by_begin.begin(), by_begin.end(),
            [](life const& x, life const& y) { return x.begin < y.begin; });
  auto const later = [](life const& x, life const& y) { return x.end > y.end; };
  std::vector<life> active;                    // a heap, the first to end in front
  std::vector<std::uint32_t> free_places[17];  // by bytes of a value
  for (life const& now : by_begin) {
    while (!active.empty() && active.front().end < now.begin) {
      std::uint32_t const r = active.front().reg;
      free_places[register_bytes_of(body.registers[r].type)].push_back(places.offset[r]);
      std::pop_heap(active.begin(), active.end(), later);
      active.pop_back();
    }
    int const bytes = register_bytes_of(body.registers[now.reg].type);
    std::vector<std::uint32_t>& free = free_places[bytes];
    if (free.empty()) {
      std::uint32_t const size = bytes == 0 ? 4U : static_cast<std::uint32_t>(bytes) * 32U;
      places.bytes = bytes == 0 ? places.bytes : (places.bytes + 31U) / 32U * 32U;
      places.offset[now.reg] = places.bytes;
      places.bytes += size;
    } else {
      places.offset[now.reg] = free.back();
      free.pop_back();
    }
    active.push_back(now);
    std::push_heap(active.begin(), active.end(), later);
  }
  places.bytes = (places.bytes + 63U) / 64U * 64U;
  return places;
}

}  // namespace device::decode
