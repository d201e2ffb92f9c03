// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html_source.hpp"

#include "html_text.hpp"
#include "names.hpp"

#include <algorithm>
#include <set>

namespace device::report::html {

namespace {

constexpr std::uint32_t context_lines = 3;  //!< that are shown around lines with figures
constexpr std::size_t max_callers = 4;

//! A line in both attributions.
struct line_sums {
  sum own{};
  sum inlined{};
};

//! The figures of a kernel in one file.
struct file_lines {
  place any{};
  std::map<std::uint32_t, line_sums> lines{};
  index waste = 0;
  std::uint64_t executed = 0;
};

std::string transfers(count::request_figures const& f) {
  if (f.requests == 0) return {};
  std::string text = number(f.transfers);
  if (f.excessive() != 0) text += " <span class=x>×" + ratio(f.transfers, f.ideal) + "</span>";
  if (f.serialized > f.requests)
    text += " <span class=x>↻" + ratio(f.serialized, f.requests) + "</span>";
  return text;
}

//! A cell with what holds in each attribution; once if that is the same.
std::string cell(char const* label, std::string const& own, std::string const& inlined) {
  std::string const begin =
      std::string("<span class=\"f") + (own.empty() && !inlined.empty() ? " only-i" : "") +
      (inlined.empty() && !own.empty() ? " only-o" : "") + "\" data-k=\"" + label + "\">";
  if (own == inlined) return own.empty() ? "<span class=f></span>" : begin + own + "</span>";
  return begin + "<span class=o>" + own + "</span><span class=i>" + inlined + "</span></span>";
}

std::string executed(sum const& s) { return s.executed() == 0 ? "" : number(s.executed()); }
std::string average(sum const& s) { return s.executed() == 0 ? "" : decimal(s.average_lanes()); }

std::string cells(line_sums const& l) {
  auto const memory = [&](char const* label, space where) {
    return cell(label, transfers(l.own.figures(where)), transfers(l.inlined.figures(where)));
  };
  return memory("shared", space::shared) + memory("global", space::global) +
         memory("local", space::local) + cell("instr", executed(l.own), executed(l.inlined)) +
         cell("lanes", average(l.own), average(l.inlined));
}

std::string heat(char const* name, index part, index max) {
  if (part == 0 || max == 0) return {};
  double const shade = 0.15 + 0.85 * static_cast<double>(part) / static_cast<double>(max);
  return std::string("--") + name + ':' + mmm::report::detail::decimal(shade, 2) + ';';
}

//! Writes one file's lines.
class file_writer {
 public:
  file_writer(std::size_t kernel, kernel_record const& k, place_table const& places,
              source_text& text)
      : kernel_(kernel), k_(k), places_(places), text_(text) {
    for (auto const& [number, s] : k.sites) {
      site const& chain = places.at(number);
      if (chain.size() > 1)
        callers_[chain.front()].insert(std::vector<place>(chain.begin() + 1, chain.end()));
    }
  }

  [[nodiscard]] std::string write(file_lines const& f) {
    std::string out = "<div class=src><div class=\"row head\"><span class=l>line</span><span "
                      "class=c>source</span>"
                      "<span class=f>shared wavefronts</span><span class=f>global "
                      "sectors</span><span class=f>local sectors</span>"
                      "<span class=f>instructions</span><span class=f>lanes</span></div>";
    std::string const& path = places_.path(f.any);
    std::uint32_t const last = text_.lines(path);
    for (auto const& [number, l] : f.lines) {
      max_own_ = std::max(max_own_, l.own.waste());
      max_inlined_ = std::max(max_inlined_, l.inlined.waste());
    }
    std::uint32_t next = 1;
    for (auto entry = f.lines.begin(); entry != f.lines.end(); ++entry) {
      std::uint32_t const line = entry->first;
      std::uint32_t const begin =
          last == 0 ? line : std::max(next, line > context_lines ? line - context_lines : 1);
      if (begin > next) out += gap(begin - next, last);
      for (std::uint32_t n = begin; n < line; ++n) out += row(f.any.file, n, path, nullptr);
      out += row(f.any.file, line, path, &entry->second);
      next = line + 1;
      auto const after = std::next(entry);
      std::uint32_t const until =
          std::min(last, after == f.lines.end() ? line + context_lines
                                                : std::min(line + context_lines, after->first - 1));
      for (; next <= until; ++next) out += row(f.any.file, next, path, nullptr);
    }
    if (next <= last) out += gap(last - next + 1, last);
    return out + "</div>\n";
  }

 private:
  [[nodiscard]] static std::string gap(std::uint32_t lines, std::uint32_t last) {
    return last == 0 ? std::string{}
                     : "<div class=gap>⋯ " + std::to_string(lines) +
                           (lines == 1 ? " line" : " lines") + "</div>\n";
  }

  [[nodiscard]] std::string row(std::uint32_t file, std::uint32_t number, std::string const& path,
                                line_sums const* sums) {
    place const here{file, number};
    std::string const code = "<span class=l>" + std::to_string(number) + "</span><span class=c>" +
                             escaped(text_.line(path, number)) + notes(here, sums != nullptr) +
                             "</span>";
    if (sums == nullptr) return "<div class=row>" + code + "</div>\n";
    std::string const style =
        heat("ho", sums->own.waste(), max_own_) + heat("hi", sums->inlined.waste(), max_inlined_);
    return "<div class=row id=\"" + line_id(kernel_, here) + '"' +
           (style.empty() ? "" : " style=\"" + style + '"') + '>' + code + cells(*sums) +
           "</div>\n";
  }

  //! The places where the line is inlined, and the findings there.
  [[nodiscard]] std::string notes(place here, bool has_figures) const {
    std::string out;
    for (repeated_finding const& r : k_.findings.all())
      if (r.shown.line == here.line && r.shown.file == places_.file(here))
        out += "<span class=note>" + std::string(name_of(r.shown.check)) + ", " +
               std::to_string(r.count) + (r.count == 1 ? " time" : " times") + "</span>";
    auto const found = callers_.find(here);
    if (!has_figures || found == callers_.end()) return out;
    out += "<span class=from>inlined at ";
    std::size_t shown = 0;
    for (std::vector<place> const& chain : found->second) {
      if (shown++ == max_callers)
        return out + "; and " + std::to_string(found->second.size() - max_callers) + " more</span>";
      out += shown == 1 ? "" : "; ";
      for (std::size_t k = 0; k < chain.size(); ++k)
        out += (k == 0 ? "" : " ← ") + line_link(kernel_, chain[k], places_);
    }
    return out + "</span>";
  }

  std::size_t kernel_;
  kernel_record const& k_;
  place_table const& places_;
  source_text& text_;
  std::map<place, std::set<std::vector<place>>> callers_;
  index max_own_ = 0;
  index max_inlined_ = 0;
};

}  // namespace

std::string line_id(std::size_t kernel, place p) {
  return 'k' + std::to_string(kernel) + 'f' + std::to_string(p.file) + 'l' + std::to_string(p.line);
}

std::string line_link(std::size_t kernel, place p, place_table const& places) {
  if (!p.known()) return "no line";
  std::string const& path = places.file(p);
  std::size_t const slash = path.rfind('/');
  return "<a href=\"#" + line_id(kernel, p) + "\" title=\"" + escaped(path) + "\">" +
         escaped(slash == std::string::npos ? path : path.substr(slash + 1)) + ':' +
         std::to_string(p.line) + "</a>";
}

std::string source_pages(std::size_t kernel_number, kernel_record const& k,
                         place_table const& places, source_text& text) {
  std::map<std::uint32_t, file_lines> files;
  auto const add = [&](attribution how) {
    for (auto const& [where, s] : lines_of(k.sites, places, how)) {
      if (!where.known()) continue;
      file_lines& f = files[where.file];
      f.any = where;
      line_sums& l = f.lines[where.line];
      (how == attribution::own ? l.own : l.inlined) = s;
      if (how == attribution::own) f.executed += s.executed();
      f.waste += s.waste();
    }
  };
  add(attribution::own);
  add(attribution::with_inlined);
  sum nowhere;
  for (auto const& [number, sums] : k.sites)
    if (!places.at(number).front().known()) nowhere += sums;
  std::vector<file_lines const*> order;
  for (auto const& [number, f] : files) order.push_back(&f);
  // Files below the folder that the program ran in are its own: those come first.
  auto const is_foreign = [&](file_lines const* f) { return places.file(f->any).starts_with('/'); };
  std::stable_sort(order.begin(), order.end(), [&](file_lines const* a, file_lines const* b) {
    if (is_foreign(a) != is_foreign(b)) return is_foreign(b);
    return a->waste != b->waste ? a->waste > b->waste : a->executed > b->executed;
  });
  std::string out;
  for (file_lines const* const f : order) {
    file_writer writer(kernel_number, k, places, text);
    out += std::string("<details") + (f == order.front() ? " open" : "") + "><summary><code>" +
           escaped(places.file(f->any)) + "</code> <span class=quiet>" +
           std::to_string(f->lines.size()) + (f->lines.size() == 1 ? " line" : " lines") +
           " with figures" +
           (text.lines(places.path(f->any)) == 0 ? "; the file cannot be read" : "") +
           "</span></summary>\n" + writer.write(*f) + "</details>\n";
  }
  if (!out.empty() && nowhere.executed() != 0)
    out += "<p class=quiet>Of no line, as the compiler has merged several: " +
           number(nowhere.executed()) + " instructions, " +
           number(nowhere.figures(space::shared).transfers) + " shared wavefronts, " +
           number(nowhere.figures(space::global).transfers) + " global and " +
           number(nowhere.figures(space::local).transfers) + " local sectors.</p>\n";
  return out;
}

}  // namespace device::report::html
