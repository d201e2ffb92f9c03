// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers.hpp"
#include "source.hpp"

#include <array>
#include <bit>

namespace replay {

namespace {

constexpr int lanes = 32;

//! Takes the text before the next comma off a line; malformed if there is none.
std::string_view field(std::string_view& line, char const* name) {
  std::size_t const comma = line.find(',');
  if (comma == std::string_view::npos)
    throw malformed(std::string("the field after ") + name +
                    " is missing; accepted: space,op,bytes,addresses");
  std::string_view const text = line.substr(0, comma);
  line.remove_prefix(comma + 1);
  return text;
}

class requests : public source {
 public:
  explicit requests(line_reader& lines) : lines_(lines) {}

  bool next(request& to) override {
    std::string_view line;
    if (!lines_.next(line)) return false;
    to.line = lines_.number();
    read_access(line, to);
    if (!read_decimal_addresses(line, to)) read_addresses(line, to);
    return true;
  }

 private:
  //! The first three fields; most lines have those of one of the lines before.
  void read_access(std::string_view& line, request& to) {
    for (known const& k : known_) {
      if (k.text.empty() || !line.starts_with(k.text)) continue;
      to.space = k.space;
      to.access = k.access;
      line.remove_prefix(k.text.size());
      return;
    }
    std::string_view rest = line;
    std::string_view const space = field(rest, "space");
    std::string_view const op = field(rest, "op");
    std::string_view const bytes = field(rest, "bytes");
    index width = 0;
    if (!tool::read_whole(bytes, width))
      throw malformed("bytes is " + in_quotes(bytes) + "; accepted: 1, 2, 4, 8 or 16");
    bool const writes = op == "store" || op == "w";
    if (!writes && op != "load" && op != "r")
      throw malformed("op is " + in_quotes(op) + "; accepted: load or store, or r or w");
    if (space == "ldmatrix") {
      if (width != 4 && width != 8 && width != 16)
        throw malformed(
            "bytes is " + in_quotes(bytes) +
            "; accepted with ldmatrix: 4, 8 or 16, which a lane receives of 1, 2 or 4 matrices");
      using mmm::gpu::instruction;
      to.access = mmm::gpu::matrix_access_of(
          writes ? instruction::store_matrix : instruction::load_matrix, width / 4);
    } else {
      to.access = lane_access(writes, width);
    }
    if (space != "shared" && space != "global" && space != "ldmatrix")
      throw malformed("space is " + in_quotes(space) + "; accepted: shared, global or ldmatrix");
    to.space = space == "global" ? space::global : space::shared;
    known_[oldest_] = {std::string(line.data(), rest.data()), to.space, to.access};
    oldest_ = (oldest_ + 1) % known_.size();
    line = rest;
  }

  //! Lists of decimal numbers of up to 8 digits, as fast as they come; false if it is not one,
  //! whatever the reason.
  static bool read_decimal_addresses(std::string_view list, request& to) {
    char const* const end = list.data() + list.size();
    std::array<digits, lanes + 64> texts;
    digits* last = texts.data();
    char const* begin = list.data();
    std::ptrdiff_t too_long = 0;  // negative once a text is longer than 8 bytes
    std::ptrdiff_t empty = 0;     // negative once a text is empty
    auto const add = [&](char const* until) {
      std::ptrdiff_t const length = until - begin;
      *last++ = {until, static_cast<std::size_t>(length)};
      too_long |= 8 - length;
      empty |= length - 1;
      begin = until + 1;
    };
    for (char const* from = list.data(); from < end; from += 64) {
      std::uint64_t marks = bytes_equal(from, ';');  // reads into the slack behind the line
      if (end - from < 64) marks &= (std::uint64_t{1} << (end - from)) - 1;
      for (; marks != 0; marks &= marks - 1) add(from + std::countr_zero(marks));
      if (last - texts.data() >= lanes) return false;
    }
    add(end);
    if (too_long < 0) return false;
    std::ptrdiff_t const count = last - texts.data();
    to.active = mmm::gpu::all_lanes(static_cast<int>(count));
    if (empty < 0)
      for (std::ptrdiff_t lane = 0; lane < count; ++lane)
        if (texts[static_cast<std::size_t>(lane)].length == 0)
          to.active &= ~(mmm::gpu::lane_mask{1} << lane);
    while ((last - texts.data()) % 4 != 0) *last++ = {end, 0};
    return read_digits(texts.data(), static_cast<std::size_t>(last - texts.data()),
                       to.address.data());
  }

  static void read_addresses(std::string_view list, request& to) {
    to.active = 0;
    for (int lane = 0;; ++lane) {
      if (lane == lanes)
        throw malformed("there are more than 32 addresses; accepted: one per lane");
      std::size_t const mark = list.find(';');
      std::string_view const text = list.substr(0, mark);
      if (!text.empty()) {
        index& address = to.address[static_cast<std::size_t>(lane)];
        bool const hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        if (!tool::read_whole(text, address, hexadecimal ? 16 : 10))
          throw malformed("the address of lane " + std::to_string(lane) + " is " + in_quotes(text) +
                          "; accepted: bytes from 0 to " + std::to_string(INT64_MAX) +
                          ", decimal or hexadecimal with 0x, or nothing for an inactive lane");
        to.active |= mmm::gpu::lane_mask{1} << lane;
      }
      if (mark == std::string_view::npos) return;
      list.remove_prefix(mark + 1);
    }
  }

  //! The first three fields of a line, with their commas, and what they mean.
  struct known {
    std::string text;
    replay::space space = space::shared;
    mmm::gpu::warp_access access;
  };
  line_reader& lines_;
  std::array<known, 8> known_;
  std::size_t oldest_ = 0;
};

}  // namespace

std::unique_ptr<source> requests_source(line_reader& lines) {
  return std::make_unique<requests>(lines);
}

}  // namespace replay
