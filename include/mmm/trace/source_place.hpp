// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/trace/location.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

//! Places in the source of a traced kernel.
namespace mmm::gpu {

//! The place of an access in the source.
struct source_place {
  char const* file = "";
  char const* function = "";
  int line = 0;
  int column = 0;
};

namespace detail {

//! A table of the places in the source that have accesses: their numbers, and their order:
//! functions of other files first, then by line and column.
class place_table {
 public:
  //! \param kernel the file of the kernel itself.
  explicit place_table(char const* kernel) : kernel_(kernel) {}

  [[nodiscard]] std::uint32_t number(location const& site) {
    if (!places_.empty() && is(last_, site)) return last_;
    key const k{site.file_name(), site.line(), site.column()};
    auto const [found, inserted] =
        numbers_.try_emplace(k, static_cast<std::uint32_t>(places_.size()));
    if (inserted) {
      places_.push_back({site.file_name(), site.function_name(), static_cast<int>(site.line()),
                         static_cast<int>(site.column())});
      lines_.push_back(first_of_line_.try_emplace({site.file_name(), site.line(), 0}, found->second)
                           .first->second);
    }
    return last_ = found->second;
  }
  [[nodiscard]] source_place const& operator[](std::uint32_t number) const {
    return places_[number];
  }
  //! The first recorded place in the same line of the source.
  [[nodiscard]] std::uint32_t line_of(std::uint32_t place) const { return lines_[place]; }
  [[nodiscard]] std::size_t size() const { return places_.size(); }

  //! True if place `a` comes before place `b`.
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const {
    source_place const& p = places_[a];
    source_place const& q = places_[b];
    if (p.file != q.file) {
      bool const p_own = kernel_ == p.file;
      bool const q_own = kernel_ == q.file;
      if (p_own != q_own) return q_own;
      if (int const order = std::strcmp(p.file, q.file); order != 0) return order < 0;
    }
    if (p.line != q.line) return p.line < q.line;
    if (p.column != q.column) return p.column < q.column;
    return a < b;
  }

 private:
  struct key {
    char const* file;
    std::uint32_t line;
    std::uint32_t column;
    friend bool operator==(key const&, key const&) = default;
  };
  struct hash {
    std::size_t operator()(key const& k) const {
      return std::hash<char const*>{}(k.file) ^
             (std::size_t{k.line} << 12 ^ k.column) * 0x9E3779B97F4A7C15U;
    }
  };
  [[nodiscard]] bool is(std::uint32_t number, location const& site) const {
    source_place const& p = places_[number];
    return p.file == site.file_name() && p.line == static_cast<int>(site.line()) &&
           p.column == static_cast<int>(site.column());
  }

  std::string_view kernel_;
  std::vector<source_place> places_;
  std::vector<std::uint32_t> lines_;
  std::unordered_map<key, std::uint32_t, hash> numbers_;
  std::unordered_map<key, std::uint32_t, hash> first_of_line_;
  std::uint32_t last_ = 0;
};

}  // namespace detail
}  // namespace mmm::gpu
