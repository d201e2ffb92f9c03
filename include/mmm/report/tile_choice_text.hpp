// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/choose_layout.hpp>
#include <mmm/gpu/choose_operand_layout.hpp>
#include <mmm/gpu/choose_record_layout.hpp>
#include <mmm/layout/record_layout.hpp>
#include <mmm/layout/tile_layout.hpp>
#include <mmm/report/drawing.hpp>

#include <string>

namespace mmm::report {

//! Chosen layouts as text.
[[nodiscard]] inline std::string text(tile_layout const& l) {
  std::string const shape = std::to_string(l.rows()) + " x " + std::to_string(l.columns());
  if (l.through.bits > 0)
    return shape + " through Swizzle<" + std::to_string(l.through.bits) + ", " +
           std::to_string(l.through.base) + ", " + std::to_string(l.through.shift) + ">";
  if (l.padding > 0)
    return shape + " with " + detail::counted(l.padding, "element") + " of padding per row";
  return shape + ", row by row";
}

//! The chosen layout, its cost and its price beside the bound and the plain layout: two sentences.
[[nodiscard]] inline std::string text(gpu::tile_choice const& c) {
  std::string result = text(c.layout) + ": " + detail::counted(c.wavefronts, "wavefront");
  if (c.plain >= 0 && c.plain != c.wavefronts) result += " instead of " + std::to_string(c.plain);
  result += ", at the price of ";
  if (c.layout.through.bits > 0)
    result += "up to four integer instructions per address";
  else if (c.price > 0)
    result += detail::counted(c.price, "unused byte");
  else
    result += "nothing";
  result += c.optimal() ? ". No layout at all takes fewer"
                        : ". The best of its family; no layout at all takes fewer than " +
                              std::to_string(c.bound);
  return result + " (" + std::to_string(c.tried) + " of " + std::to_string(c.family) +
         " layouts tried fit, " + std::to_string(c.bytes) + " bytes).";
}

//! A layout in panels in words.
[[nodiscard]] inline std::string text(panel_layout const& l) {
  std::string result = std::to_string(l.rows()) + " x " + std::to_string(l.columns());
  if (l.panel != l.columns()) result += " in panels of " + detail::counted(l.panel, "column");
  if (l.through.bits > 0)
    return result + " through Swizzle<" + std::to_string(l.through.bits) + ", " +
           std::to_string(l.through.base) + ", " + std::to_string(l.through.shift) + ">";
  return result + ", row by row";
}

namespace detail {
[[nodiscard]] inline std::string swizzle_text(gpu::tensor_swizzle s) {
  return s == gpu::tensor_swizzle::none
             ? "no swizzle"
             : "the swizzle of " + std::to_string(gpu::span_of(s)) + " bytes";
}
}  // namespace detail

//! The chosen layout and its cost, and what the other layouts cost or which rule they break.
[[nodiscard]] inline std::string text(gpu::operand_choice const& c) {
  std::string result = text(c.layout) + ": " + detail::counted(c.wavefronts, "wavefront") +
                       ", with " + detail::swizzle_text(c.swizzle) + ", from a multiple of " +
                       detail::counted(c.alignment, "byte") + " on";
  result += c.optimal() ? ". No layout at all takes fewer."
                        : ". No layout at all takes fewer than " + std::to_string(c.bound) + ".";
  for (gpu::operand_candidate const& other : c.candidates) {
    if (other.swizzle == c.swizzle && other.panel == c.layout.panel) continue;
    result += " Panels of " + detail::counted(other.panel, "column") + " with " +
              detail::swizzle_text(other.swizzle);
    if (other.wavefronts >= 0)
      result += ": " + detail::counted(other.wavefronts, "wavefront") + ".";
    else if (other.broken)
      result += std::string(": no, ") + gpu::text_of(other.broken.field) + " is " +
                std::to_string(other.broken.value) +
                "; accepted: " + gpu::text_of(other.broken.accepted) + ".";
    else
      result += ": no, an access is not aligned.";
  }
  return result;
}

//! A layout of records in words.
[[nodiscard]] inline std::string text(record_layout const& l) {
  std::string const shape =
      detail::counted(l.rows(), "record") + " of " + detail::counted(l.columns(), "field");
  if (l.group == 1 && l.padding == 0) return shape + " as an array of structures";
  if (l.group == 1)
    return shape + " as an array of structures with " + detail::counted(l.padding, "element") +
           " of padding";
  if (l.group >= l.rows()) return shape + " as a structure of arrays";
  return shape + " in groups of " + std::to_string(l.group) + ", field by field";
}

//! The chosen layout of records and its cost beside the bound and an array of structures.
[[nodiscard]] inline std::string text(gpu::record_choice const& c) {
  std::string result = text(c.layout) + ": " + detail::counted(c.sectors, "sector");
  if (c.plain >= 0 && c.plain != c.sectors)
    result += " instead of " + std::to_string(c.plain) + " as an array of structures";
  if (c.price > 0) result += ", at the price of " + detail::counted(c.price, "unused byte");
  return result +
         (c.optimal() ? ". No layout at all takes fewer"
                      : ". The best of its family; no layout at all takes fewer than " +
                            std::to_string(c.bound)) +
         " (" + detail::counted(c.tried, "layout") + " tried fit).";
}

//! Adds a choice to a page (report/page.hpp).
template <class Page>
void add_to(Page& to, gpu::tile_choice const& c) {
  to.paragraph(text(c));
}
template <class Page>
void add_to(Page& to, gpu::operand_choice const& c) {
  to.paragraph(text(c));
}
template <class Page>
void add_to(Page& to, gpu::record_choice const& c) {
  to.paragraph(text(c));
}

}  // namespace mmm::report
