// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruction traces of Accel-Sim (accel-sim.github.io), as its tracer writes them and as its
// simulator reads them:
//   [block x y z, warp] [source line] PC mask destinations [register ...] opcode
//   sources [register ...] width [addresses]
// where the addresses of the active lanes are `0` and all of them, `1` with the first and the
// stride to the next, or `2` with the first and the difference of each to the one before.
#include "number_list.hpp"
#include "numbers.hpp"
#include "source.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace replay {

namespace {

constexpr index warp_lanes = 32;
constexpr mmm::gpu::lane_mask all_active = mmm::gpu::all_lanes(warp_lanes);

//! Splits a line at spaces and tabs.
class words {
 public:
  explicit words(std::string_view line) : rest_(line) {}
  //! The next word; empty after the last.
  std::string_view next() {
    std::size_t begin = 0;
    while (begin < rest_.size() && (rest_[begin] == ' ' || rest_[begin] == '\t')) ++begin;
    std::size_t end = begin;
    while (end < rest_.size() && rest_[end] != ' ' && rest_[end] != '\t') ++end;
    std::string_view const word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }
  template <class Number>
  Number number(char const* what, int base) {
    std::string_view const word = next();
    Number value = 0;
    if (!tool::read_whole(word, value, base))
      refuse(what, word,
             std::string("a whole number, ") + (base == 16 ? "hexadecimal" : "decimal"));
    return value;
  }
  //! The next word, a decimal number that may be negative.
  index difference(char const* what) {
    std::string_view const word = next();
    bool const negative = word.starts_with('-');
    index value = 0;
    if (!tool::read_whole(word.substr(negative ? 1 : 0), value) || (negative && value == 0))
      refuse(what, word, "a whole number, decimal, with - if it is negative");
    return negative ? -value : value;
  }

 private:
  [[noreturn]] static void refuse(char const* what, std::string_view word,
                                  std::string const& accepted) {
    throw malformed(std::string(what) + (word.empty() ? " is missing" : " is " + in_quotes(word)) +
                    "; accepted: " + accepted);
  }
  std::string_view rest_;
};

bool is_name(std::string_view word) { return !word.empty() && word[0] >= 'A' && word[0] <= 'Z'; }

//! The memory access of an instruction.
struct operation {
  bool counted = false;  //!< shared or global memory
  memory_space space = memory_space::shared;
  mmm::gpu::warp_access access;
};

//! The bits of an element that a part of an opcode states, as 64, U8, S16 or F32 do; 0 for other
//! parts.
index bits_of(std::string_view part) {
  if (part.size() > 1 && (part[0] == 'U' || part[0] == 'S' || part[0] == 'F'))
    part.remove_prefix(1);
  index bits = 0;
  return tool::read_whole(part, bits) ? bits : 0;
}

operation operation_of(std::string_view opcode) {
  std::size_t dot = opcode.find('.');
  std::string_view const name = opcode.substr(0, dot);
  auto const is = [name](auto const&... names) { return ((name == names) || ...); };
  bool const matrices = is("LDSM", "STSM");
  bool const shared = matrices || is("LDS", "STS", "ATOMS");
  operation result;
  result.counted = shared || is("LDG", "STG", "LD", "ST", "LDGSTS", "ATOM", "ATOMG", "RED", "REDG");
  if (!result.counted) return result;
  result.space = shared ? memory_space::shared : memory_space::global;
  bool const writes = is("STS", "STSM", "STG", "ST", "RED", "REDG", "ATOM", "ATOMG", "ATOMS");
  index width = 0;
  index count = 1;
  while (dot != std::string_view::npos) {
    std::size_t const next = opcode.find('.', dot + 1);
    std::string_view const part = opcode.substr(dot + 1, next - dot - 1);
    if (index const bits = bits_of(part); bits > 0) {
      if (width == 0) width = bits / 8;
      count = bits;  // LDSM.16.M88.4: four matrices of elements of 16 bits
    } else if (part == "M88" || part == "MT88") {
      count = 1;
    }
    dot = next;
  }
  using mmm::gpu::instruction;
  if (matrices)
    result.access = mmm::gpu::matrix_access_of(
        writes ? instruction::store_matrix : instruction::load_matrix, count);
  else
    result.access = lane_access(result.space, writes, width == 0 ? 4 : width);
  return result;
}

//! Operations by opcode: those that were looked up before.
class known_operations {
 public:
  operation const& of(std::string_view opcode) {
    std::size_t hash = opcode.size();
    for (char const c : opcode) hash = hash * 31 + static_cast<unsigned char>(c);
    known& k = known_[hash % known_.size()];
    if (k.opcode != opcode) {
      k.does = operation_of(opcode);
      k.opcode = opcode;
    }
    return k.does;
  }

 private:
  struct known {
    std::string opcode;
    operation does;
  };
  std::array<known, 256> known_;
};

//! The words of a line with one space between them, and no space before the first.
class quick_words {
 public:
  //! Reads up to 64 bytes after the line.
  explicit quick_words(std::string_view line)
      : next_(line.data()), end_(line.data() + line.size()), searched_(line.data()) {
    search();
  }
  //! The next word; empty after the last one, and where there is more than one space.
  std::string_view next() {
    while (marks_ == 0 && searched_ + 64 < end_) {
      searched_ += 64;
      search();
    }
    char const* const begin = next_;
    char const* end = end_;
    if (marks_ != 0) {
      end = searched_ + std::countr_zero(marks_);
      marks_ &= marks_ - 1;
    }
    next_ = end == end_ ? end : end + 1;
    return {begin, static_cast<std::size_t>(end - begin)};
  }
  //! A number of one digit; -1 if the next word is not one.
  int digit() {
    std::string_view const word = next();
    return word.size() == 1 && word[0] >= '0' && word[0] <= '9' ? word[0] - '0' : -1;
  }
  [[nodiscard]] char const* rest() const { return next_; }
  [[nodiscard]] char const* end() const { return end_; }

 private:
  void search() {
    marks_ = bytes_equal(searched_, ' ');
    if (end_ - searched_ < 64) marks_ &= (std::uint64_t{1} << (end_ - searched_)) - 1;
  }
  char const* next_;
  char const* end_;
  char const* searched_;  //!< the 64 bytes whose spaces are marked
  std::uint64_t marks_ = 0;
};

//! The result of a quick reading of a line.
enum class reading : std::uint8_t {
  request,  //!< it is one
  skipped,  //!< it is an instruction that does not access memory
  other_memory,
  unsure  //!< it needs a closer look: nothing is known
};

class accel_sim : public source {
 public:
  accel_sim(line_reader& lines, tool::processor by, std::string_view first_line)
      : lines_(lines), by_(by), pending_(first_line) {}

  bool next(request& to) override {
    std::string_view line;
    while (has_pending_ || lines_.next(line)) {
      std::string const first = has_pending_ ? std::move(pending_) : std::string();
      if (has_pending_) line = first;
      has_pending_ = false;
      if (!is_instruction(line)) {
        constexpr std::string_view header = "thread block = ";
        if (line.starts_with(header)) enter_block(line.substr(header.size()));
        continue;
      }
      to.line = lines_.number();
      reading const read_as = first.empty() ? read_quickly(line, to) : reading::unsure;
      if (read_as == reading::request || (read_as == reading::unsure && read(line, to))) {
        if (before_ >= 4) enter_block(block_words(line));
        to.block = block_;
        return true;
      }
      passed_over_ += read_as == reading::other_memory ? 1 : 0;
    }
    return false;
  }
  [[nodiscard]] std::size_t passed_over() const override { return passed_over_; }

 private:
  //! False for an empty line, a comment, and a header of the kernel, a block or a warp.
  static bool is_instruction(std::string_view line) {
    if (line.empty() || line[0] == '-' || line[0] == '#') return false;
    return !line.starts_with("thread block") && !line.starts_with("warp =") &&
           !line.starts_with("insts =");
  }

  //! Blocks are numbered in the order of their first instructions.
  void enter_block(std::string_view name) {
    if (name == block_name_) return;
    block_name_ = name;
    block_ = blocks_.try_emplace(block_name_, blocks_.size()).first->second;
  }
  //! The first three words of an instruction's line, its block where there are four or more before
  //! the PC.
  static std::string_view block_words(std::string_view line) {
    words in(line);
    std::string_view last;
    for (int k = 0; k < 3; ++k) last = in.next();
    return line.substr(0, static_cast<std::size_t>(last.data() + last.size() - line.data()));
  }

  //! True if the line is an instruction whose PC comes after `before` words: the block and the warp
  //! in some versions of the format, the line of the source in others.
  bool starts_at(std::string_view line, int before) const {
    words in(line);
    std::uint64_t number = 0;
    for (int k = 0; k < before; ++k)
      if (!tool::read_whole(in.next(), number)) return false;
    if (!tool::read_whole(in.next(), number, 16)) return false;
    std::uint32_t mask = 0;
    int registers = 0;
    if (!tool::read_whole(in.next(), mask, 16) || !tool::read_whole(in.next(), registers) ||
        registers > 8)
      return false;
    for (int k = 0; k < registers; ++k)
      if (!is_name(in.next())) return false;
    return is_name(in.next());
  }

  //! The number of words before the PC; that of the previous line is tried first.
  int words_before(std::string_view line) {
    if (starts_at(line, before_)) return before_;
    for (int const before : {0, 1, 4, 5})
      if (starts_at(line, before)) return before_ = before;
    throw malformed(
        in_quotes(line) +
        " is no instruction; accepted: [block x y z, warp] PC mask destinations [registers] " +
        "opcode sources [registers] width [addresses]");
  }

  //! Reads the lines that most traces are made of: one space between words, numbers without
  //! leading zeros or signs beyond need, addresses with 0x. Whatever else there may be, and every
  //! error, is left to `read`.
  reading read_quickly(std::string_view line, request& to) {
    quick_words in(line);
    for (int k = before_; k > 0; --k) {
      std::string_view const word = in.next();
      if (word.empty() || word.size() > 18) return reading::unsure;
      for (char const c : word)
        if (c < '0' || c > '9') return reading::unsure;
    }
    std::string_view const counter = in.next();
    std::string_view const mask = in.next();
    if (counter.empty() || counter.size() > 16 || mask.empty() || mask.size() > 8)
      return reading::unsure;
    digits const texts[2] = {{counter.data() + counter.size(), counter.size()},
                             {mask.data() + mask.size(), mask.size()}};
    index numbers[2];
    if (!read_hexadecimal(texts, 2, numbers)) return reading::unsure;
    int const destinations = in.digit();
    if (destinations < 0 || destinations > 8) return reading::unsure;
    for (int k = destinations; k > 0; --k)
      if (!is_name(in.next())) return reading::unsure;
    std::string_view const opcode = in.next();
    int const sources = in.digit();
    if (!is_name(opcode) || sources < 0) return reading::unsure;
    for (int k = sources; k > 0; --k)
      if (in.next().empty()) return reading::unsure;
    std::string_view const width = in.next();
    if (std::memchr(line.data(), '\t', static_cast<std::size_t>(in.rest() - line.data())) !=
        nullptr)
      return reading::unsure;
    if (width == "0") return reading::skipped;
    if (width.empty() || width.size() > 2 || width[0] < '1' || width[0] > '9' ||
        width.back() < '0' || width.back() > '9')
      return reading::unsure;
    operation const& does = operations_.of(opcode);
    if (!does.counted) return reading::other_memory;
    to.counter = static_cast<std::uint64_t>(numbers[0]);
    to.space = does.space;
    to.access = does.access;
    to.active = static_cast<mmm::gpu::lane_mask>(numbers[1]);
    switch (in.digit()) {
      case 0:
        return read_all_addresses(in, to);
      case 1:
        return read_base_and_stride(in, to);
      case 2:
        return read_differences(in, to);
      default:
        return reading::unsure;
    }
  }

  //! The greatest address to which 31 numbers of 16 digits can be added without an overflow.
  static constexpr index max_quick = INT64_MAX / 2;

  //! Reads the address that others are relative to; false if sums with it might overflow, too.
  static bool read_first(quick_words& in, index& address) {
    std::string_view const first = in.next();
    digits texts[2] = {{first.data() + first.size(), first.size()}, {first.data(), 0}};
    index numbers[2];
    if (first.empty() || !read_prefixed_hexadecimal(texts, 2, numbers) || numbers[0] > max_quick)
      return false;
    address = numbers[0];
    return true;
  }

  static reading read_base_and_stride(quick_words& in, request& to) {
    if (to.active == 0) return reading::request;
    index first = 0;
    if (!read_first(in, first)) return reading::unsure;
    std::string_view stride = in.next();
    bool const negative = stride.starts_with('-');
    if (negative) stride.remove_prefix(1);
    if (stride.empty() || stride.size() > 8) return reading::unsure;
    digits texts[4] = {{stride.data() + stride.size(), stride.size()}};
    for (int k = 1; k < 4; ++k) texts[k] = {stride.data(), 0};
    index by[4];
    if (!read_digits(texts, 4, by) || (negative && by[0] == 0)) return reading::unsure;
    index const step = negative ? -by[0] : by[0];
    if (first + step * (warp_lanes - 1) < 0) return reading::unsure;
    index next = first;
    if (to.active == all_active) {
      for (index& address : to.address) {
        address = next;
        next += step;
      }
    } else {
      for (auto left = to.active; left != 0; left &= left - 1, next += step)
        to.address[static_cast<std::size_t>(std::countr_zero(left))] = next;
    }
    return reading::request;
  }

  //! Reads the numbers in the rest of a line; false unless there are `wanted` or more.
  bool read_list(quick_words const& in, spelling how, int wanted,
                 number_list::numbers& numbers) const {
    char const* end = in.end();
    while (end != in.rest() && end[-1] == ' ') --end;
    number_list list;
    return list.read(by_, {in.rest(), static_cast<std::size_t>(end - in.rest())}, ' ', how,
                     numbers) &&
           list.empty == 0 && list.count >= static_cast<std::size_t>(wanted);
  }
  reading read_all_addresses(quick_words const& in, request& to) const {
    if (to.active == 0) return reading::request;
    if (to.active == all_active)
      return read_list(in, spelling::hexadecimal, warp_lanes, to.address) ? reading::request
                                                                          : reading::unsure;
    number_list::numbers addresses;
    if (!read_list(in, spelling::hexadecimal, std::popcount(to.active), addresses))
      return reading::unsure;
    std::size_t k = 0;
    for (auto left = to.active; left != 0; left &= left - 1)
      to.address[static_cast<std::size_t>(std::countr_zero(left))] = addresses[k++];
    return reading::request;
  }

  reading read_differences(quick_words& in, request& to) const {
    if (to.active == 0) return reading::request;
    index address = 0;
    if (!read_first(in, address)) return reading::unsure;
    int const further = std::popcount(to.active) - 1;
    number_list::numbers differences{};
    if (further > 0 && !read_list(in, spelling::decimal_or_negative, further, differences))
      return reading::unsure;
    index bits = 0;  // negative once an address is
    if (to.active == all_active) {
      for (std::size_t lane = 0; lane < to.address.size(); ++lane) {
        bits |= address;
        to.address[lane] = address;
        address += differences[lane];
      }
      return bits < 0 ? reading::unsure : reading::request;
    }
    std::size_t k = 0;
    for (auto left = to.active; left != 0; left &= left - 1) {
      bits |= address;
      to.address[static_cast<std::size_t>(std::countr_zero(left))] = address;
      address += differences[k++];
    }
    return bits < 0 ? reading::unsure : reading::request;
  }

  //! False if the instruction does not access shared or global memory.
  bool read(std::string_view line, request& to) {
    words in(line);
    for (int k = words_before(line); k > 0; --k) static_cast<void>(in.next());
    to.counter = in.number<std::uint64_t>("the PC", 16);
    auto const mask = in.number<std::uint32_t>("the mask", 16);
    for (int k = in.number<int>("the number of destinations", 10); k > 0; --k)
      static_cast<void>(in.next());
    std::string_view const opcode = in.next();
    auto const sources = in.number<int>("the number of sources", 10);
    for (int k = 0; k < sources; ++k)
      if (in.next().empty())
        throw malformed("source registers are missing; accepted: " + std::to_string(sources) +
                        " of them");
    if (in.number<unsigned>("the width", 10) == 0) return false;
    operation const does = operation_of(opcode);
    if (!does.counted) {
      ++passed_over_;
      return false;
    }
    to.space = does.space;
    to.access = does.access;
    to.active = mask;
    read_addresses(in, to);
    return true;
  }

  static void read_addresses(words& in, request& to) {
    auto const mode = in.number<int>("the form of the addresses", 10);
    if (mode > 2)
      throw malformed("the form of the addresses is " + std::to_string(mode) +
                      "; accepted: 0 all of them, 1 base and stride, 2 base and differences");
    index address = 0;
    index const stride = [&]() -> index {
      if (to.active == 0 || mode == 0) return 0;
      address = in.number<index>("the first address", 16);
      return mode == 1 ? in.difference("the stride") : 0;
    }();
    bool first = true;
    for (auto left = to.active; left != 0; left &= left - 1) {
      if (mode == 0)
        address = in.number<index>("an address", 16);
      else if (!first)
        address = further(address, mode == 1 ? stride : in.difference("a difference of addresses"));
      first = false;
      to.address[static_cast<std::size_t>(std::countr_zero(left))] = address;
    }
  }

  [[nodiscard]] static index further(index address, index by) {
    if (by > 0 ? address > INT64_MAX - by : address < -by)
      throw malformed("an address is " + std::to_string(address) + " + " + std::to_string(by) +
                      "; accepted: bytes from 0 to " + std::to_string(INT64_MAX));
    return address + by;
  }

  line_reader& lines_;
  tool::processor by_;
  std::string pending_;  //!< the file's first line, which was read to recognise its format
  bool has_pending_ = true;
  int before_ = 0;
  std::map<std::string, std::size_t, std::less<>> blocks_;  //!< their numbers
  std::string block_name_;
  std::size_t block_ = 0;
  std::size_t passed_over_ = 0;
  known_operations operations_;
};

}  // namespace

std::unique_ptr<source> accel_sim_source(line_reader& lines, tool::processor by,
                                         std::string_view first_line) {
  return std::make_unique<accel_sim>(lines, by, first_line);
}

}  // namespace replay
