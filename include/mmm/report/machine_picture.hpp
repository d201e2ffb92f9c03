// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! The structure of memory machines as text and as pictures: threads in warps, memory management
//! units with their address lines, banks with their words; the DMMs of an HMM over its global
//! memory. Source: Nakano 2012, figures 1 and 3; Nakano 2013a, figure 2.
namespace mmm::report {

//! A memory by its parameters.
struct drawn_memory {
  conflict conflicts = conflict::banks;
  index width = 1;
  index latency = 1;
  index ports = 1;
};

//! A machine: threads with one memory, or `dmms` DMMs over a global memory.
struct machine_panel {
  std::string caption{};
  index threads = 1;      //!< of each memory or DMM
  drawn_memory memory{};  //!< the one memory, or each shared one
  index dmms = 0;         //!< 0: not hierarchical
  drawn_memory global{};  //!< of an HMM
};

//! Machines side by side under a title.
struct machine_picture {
  std::string title{};
  std::vector<machine_panel> machines{};
  std::string legend{};
};

namespace detail {

template <class Memory>
[[nodiscard]] constexpr drawn_memory drawn_of(Memory const& m) {
  return {Memory::conflicts, m.width(), m.latency(), m.ports()};
}

}  // namespace detail

//! The panel of a machine with p threads in all: a DMM, a UMM, an HMM or a GPU.
template <class M>
requires memory<M> || hierarchical_machine<M>
[[nodiscard]] machine_panel panel_of(M const& machine, threads p, std::string caption) {
  machine_panel panel;
  panel.caption = std::move(caption);
  if constexpr (hierarchical_machine<M>) {
    panel.dmms = machine.dmms();
    panel.threads = p.count / machine.dmms();
    panel.memory = detail::drawn_of(machine.shared());
    panel.global = detail::drawn_of(machine.global());
  } else {
    panel.threads = p.count;
    panel.memory = detail::drawn_of(machine);
  }
  return panel;
}

namespace detail {

//! The numbers from 0 to n - 1 that have `places` >= 3 places; -1 stands for those left out.
[[nodiscard]] inline std::vector<index> shown_of(index n, index places) {
  std::vector<index> shown;
  for (index k = 0; k < n; ++k)
    if (n <= places || k < places - 2 || k == n - 1)
      shown.push_back(k);
    else if (shown.back() >= 0)
      shown.push_back(-1);
  return shown;
}
[[nodiscard]] inline std::string name_of(char const* kind, index k) {
  return k < 0 ? "…" : kind + std::to_string(k);
}
[[nodiscard]] inline std::string parameters_of(drawn_memory const& m) {
  return "width " + std::to_string(m.width) + ", latency " + std::to_string(m.latency) +
         (m.ports == 1 ? "" : ", ports " + std::to_string(m.ports));
}

//! Draws machines; positions are those of upper left corners, sizes in pixels.
class machine_drawing {
 public:
  explicit machine_drawing(drawing& out) : out_(out) {}

  [[nodiscard]] static index width_of(machine_panel const& m) {
    if (m.dmms == 0) return unit_width(m.memory);
    auto const dmms = static_cast<index>(dmms_of(m).size());
    return std::max(unit_width(m.global), dmms * (unit_width(m.memory) + gap) - gap);
  }
  //! Draws the machine; returns the height used.
  index draw(machine_panel const& m, index x, index y) {
    out_.text(x, y + 12, m.caption, {12, palette::ink, "start", true});
    y += 24;
    if (m.dmms == 0) {
      index const used = draw_threads(m.threads, m.memory.width, max_warps, x, y);
      return 24 + used + draw_memory(m.memory, word_rows, x, y + used);
    }
    auto const dmms = dmms_of(m);
    index const step = unit_width(m.memory) + gap;
    index const global_x = x + (width_of(m) - unit_width(m.global)) / 2;
    index height = 0;
    for (std::size_t k = 0; k < dmms.size(); ++k) {
      index const left = x + static_cast<index>(k) * step;
      index const middle = left + unit_width(m.memory) / 2;
      if (dmms[k] < 0) {
        out_.text(middle, y + 80, "…", {20, palette::ink, "middle"});
        continue;
      }
      out_.text(left, y + 12, name_of("DMM ", dmms[k]), {11, palette::quiet});
      index const threads = 18 + draw_threads(m.threads, m.memory.width, 3, left, y + 18);
      height = threads + draw_memory(m.memory, 1, left, y + threads);
    }
    index const bus = y + height + 14;
    for (std::size_t k = 0; k < dmms.size(); ++k) {
      index const middle = x + static_cast<index>(k) * step + unit_width(m.memory) / 2;
      if (dmms[k] >= 0) out_.line(middle, y + height, middle, bus, palette::ink, 2);
    }
    index const first = x + unit_width(m.memory) / 2;
    out_.line(first, bus, first + (static_cast<index>(dmms.size()) - 1) * step, bus, palette::ink,
              2);
    index const middle = global_x + unit_width(m.global) / 2;
    out_.line(middle, bus, middle, bus + 14, palette::ink, 2);
    out_.text(middle + 8, bus + 12, "global memory", {11, palette::quiet});
    return 24 + height + 28 + draw_memory(m.global, 2, global_x, bus + 14);
  }

 private:
  static constexpr index cell = 34;
  static constexpr index row = 22;
  static constexpr index gap = 28;
  static constexpr index max_columns = 8;
  static constexpr index max_warps = 5;
  static constexpr index word_rows = 4;

  [[nodiscard]] static std::vector<index> columns_of(index width) {
    return shown_of(width, width > max_columns ? 4 : max_columns);
  }
  [[nodiscard]] static std::vector<index> dmms_of(machine_panel const& m) {
    return shown_of(m.dmms, 4);
  }
  [[nodiscard]] static index unit_width(drawn_memory const& m) {
    return std::max<index>(static_cast<index>(columns_of(m.width).size()) * cell, 130);
  }

  index draw_threads(index threads, index width, index places, index x, index y) {
    auto const warps = shown_of(mmm::detail::ceil_divide(threads, width), places);
    auto const lanes = columns_of(width);
    for (std::size_t i = 0; i < warps.size(); ++i)
      for (std::size_t j = 0; j < lanes.size(); ++j) {
        bool const left_out = warps[i] < 0 || lanes[j] < 0;
        index const thread = left_out ? -1 : warps[i] * width + lanes[j];
        if (thread >= threads) continue;
        index const left = x + static_cast<index>(j) * cell, top = y + static_cast<index>(i) * row;
        if (!left_out)
          out_.rectangle(left + 1, top + 2, cell - 2, row - 4, palette::pale(warps[i]), "none");
        out_.text(left + cell / 2, top + 15, name_of("T", thread), {10, palette::ink, "middle"});
      }
    return static_cast<index>(warps.size()) * row + 4;
  }

  //! The management unit, the address lines, and `rows` words of each bank.
  index draw_memory(drawn_memory const& m, index rows, index x, index y) {
    auto const banks = columns_of(m.width);
    auto const columns = static_cast<index>(banks.size());
    index const width = unit_width(m);
    bool const one_line = m.conflicts == conflict::groups;
    out_.rectangle(x, y, width, 22, palette::fetched, palette::rule);
    out_.text(x + width / 2, y + 15, one_line ? "MMU, one address line" : "MMU",
              {11, palette::ink, "middle"});
    index const bus = y + 36, top = y + 50;
    if (one_line) {
      out_.line(x + width / 2, y + 22, x + width / 2, bus, palette::bad, 2);
      out_.line(x + cell / 2, bus, x + columns * cell - cell / 2, bus, palette::bad, 2);
    }
    for (index c = 0; c < columns; ++c) {
      index const bank = banks[static_cast<std::size_t>(c)];
      index const left = x + c * cell, middle = left + cell / 2;
      if (bank >= 0)
        out_.line(middle, one_line ? bus : y + 22, middle, top,
                  one_line ? palette::bad : palette::good, 2);
      for (index r = 0; r < rows; ++r) {
        index const word = bank < 0 ? -1 : r * m.width + bank;
        out_.rectangle(left, top + r * row, cell, row, palette::pale(one_line ? r : c),
                       palette::rule);
        out_.text(middle, top + r * row + 15, name_of("", word), {11, palette::ink, "middle"});
      }
      out_.text(middle, top + rows * row + 12, bank < 0 ? "" : name_of("B", bank),
                {10, palette::quiet, "middle"});
    }
    out_.text(x, top + rows * row + 28, parameters_of(m), {11, palette::quiet});
    return 50 + rows * row + 36;
  }

  drawing& out_;
};

}  // namespace detail

//! The machines as text: the parameters, and the words that can be accessed at once.
[[nodiscard]] inline std::string text(machine_picture const& p) {
  std::string out = p.title + '\n';
  auto const add = [&out](std::string const& name, drawn_memory const& m) {
    out += "  " + name + ": " + detail::parameters_of(m) + "; a time unit serves ";
    out += m.conflicts == conflict::groups
               ? "an address group, words of one value of i / " + std::to_string(m.width)
               : "a word of each bank, of each value of i % " + std::to_string(m.width);
    out += '\n';
  };
  for (machine_panel const& m : p.machines) {
    out += '\n' + m.caption + '\n';
    if (m.dmms != 0) out += "  " + detail::counted(m.dmms, "DMM") + '\n';
    out += "  " + detail::counted(m.threads, "thread") + (m.dmms != 0 ? " each" : "") + ", in " +
           detail::counted(mmm::detail::ceil_divide(m.threads, m.memory.width), "warp") + '\n';
    add(m.dmms != 0 ? "shared memories" : "memory", m.memory);
    if (m.dmms != 0) add("global memory", m.global);
  }
  return p.legend.empty() ? out : out + '\n' + p.legend + '\n';
}

//! The machines as a picture, a self-contained SVG document, side by side.
[[nodiscard]] inline std::string svg(machine_picture const& p) {
  using detail::palette;
  index constexpr edge = 16;
  index constexpr gap = 56;
  index width = edge;
  for (machine_panel const& m : p.machines) width += detail::machine_drawing::width_of(m) + gap;
  width = std::max<index>(width - gap + edge, 480);
  detail::drawing out;
  index const top =
      16 + out.paragraph(edge, 28, width - 2 * edge, p.title, {15, palette::ink, "start", true});
  index x = edge;
  index height = 0;
  for (machine_panel const& m : p.machines) {
    height = std::max(height, detail::machine_drawing(out).draw(m, x, top));
    x += detail::machine_drawing::width_of(m) + gap;
  }
  index const y = top + height + 20;
  index const legend = out.paragraph(edge, y, width - 2 * edge, p.legend, {12, palette::quiet});
  return out.svg(width, y + legend + 4, p.title, p.legend);
}

}  // namespace mmm::report
