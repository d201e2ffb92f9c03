// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/module.hpp>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace device::ptx {

//! The names that a body declares, by nested scopes `{ }`: an inner one hides an outer one.
class names {
 public:
  struct found {
    enum class kind_type : std::uint8_t {
      nothing,
      reg,
      reg_vector,
      variable
    } kind = kind_type::nothing;
    //! into body::registers (of a vector: its first component) or body::variables
    std::uint32_t index = none;
    std::uint32_t count = 1;  //!< components of a vector
  };

  void enter() { marks_.push_back({entries_.size(), ranges_.size()}); }
  void leave();
  [[nodiscard]] bool is_outermost() const { return marks_.empty(); }

  //! One name; false if the innermost scope has it already.
  [[nodiscard]] bool add(std::string_view name, found meaning);
  //! `%r<count>`: `%r0` to `%r(count-1)`, from `first` on.
  void add_range(std::string_view base, std::uint32_t first, std::uint32_t count);

  [[nodiscard]] found find(std::string_view name) const;

 private:
  struct entry {
    std::string_view name;
    found meaning;
    std::uint32_t depth;
    std::uint32_t hidden;  //!< the outer entry of the same name, or none
  };
  struct range {
    std::string_view base;
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t depth;
  };
  struct mark {
    std::size_t entries;
    std::size_t ranges;
  };

  std::vector<entry> entries_;
  std::vector<range> ranges_;
  std::vector<mark> marks_;
  //! name -> index into entries_, or none
  std::unordered_map<std::string_view, std::uint32_t> latest_;
  //! entries that look like members of a range: `%r7`
  std::uint32_t numbered_ = 0;

  [[nodiscard]] std::uint32_t depth() const { return static_cast<std::uint32_t>(marks_.size()); }
  [[nodiscard]] entry const* find_entry(std::string_view name) const;
};

}  // namespace device::ptx
