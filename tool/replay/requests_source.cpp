// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "number_list.hpp"
#include "source.hpp"

#include <array>

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
  requests(line_reader& lines, tool::processor by) : lines_(lines), by_(by) {}

  bool next(request& to) override {
    std::string_view line;
    if (!lines_.next(line)) return false;
    to.line = lines_.number();
    read_access(line, to);
    if (!read_quickly(line, to)) read_addresses(line, to);
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
      throw malformed("bytes is " + in_quotes(bytes) + "; accepted: " + bytes_accepted);
    if (space != "shared" && space != "global" && space != "ldmatrix")
      throw malformed("space is " + in_quotes(space) + "; accepted: shared, global or ldmatrix");
    to.space = space == "global" ? memory_space::global : memory_space::shared;
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
      to.access = lane_access(to.space, writes, width);
    }
    known_[oldest_] = {std::string(line.data(), rest.data()), to.space, to.access};
    oldest_ = (oldest_ + 1) % known_.size();
    line = rest;
  }

  //! Lists of decimal numbers of up to 16 digits, or of numbers with 0x, as fast as they come;
  //! false if it is not one, whatever the reason.
  bool read_quickly(std::string_view list, request& to) const {
    std::size_t const first = list.find_first_not_of(';');
    bool const prefixed = first < list.size() - 1 && (list[first + 1] | 0x20) == 'x';
    number_list found;
    if (!found.read(by_, list, ';', prefixed ? spelling::hexadecimal : spelling::decimal,
                    to.address))
      return false;
    to.active =
        mmm::gpu::all_lanes(static_cast<int>(found.count)) & ~mmm::gpu::lane_mask{found.empty};
    return true;
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
    memory_space space = memory_space::shared;
    mmm::gpu::warp_access access;
  };
  line_reader& lines_;
  tool::processor by_;
  std::array<known, 8> known_;
  std::size_t oldest_ = 0;
};

}  // namespace

std::unique_ptr<source> requests_source(line_reader& lines, tool::processor by) {
  return std::make_unique<requests>(lines, by);
}

}  // namespace replay
