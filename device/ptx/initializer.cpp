// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/constant.hpp>
#include <device/ptx/declaration.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

namespace device::ptx {

namespace {

//! Writes what stands between the braces of one variable.
class initializer {
 public:
  initializer(lexer& text, variable& into, std::vector<std::uint64_t> extents)
      : text_(text),
        into_(into),
        extents_(std::move(extents)),
        width_(static_cast<std::uint64_t>(bytes_of(into.type))) {
    if (into_.vector > 1) extents_.push_back(static_cast<std::uint64_t>(into_.vector));
    strides_.assign(extents_.size(), width_);
    for (std::size_t i = extents_.size(); i-- > 1;) strides_[i - 1] = strides_[i] * extents_[i];
  }

  void read() {
    if (extents_.empty()) {
      bool const braces = text_.accept('{');
      element(0);
      if (braces) text_.expect('}');
    } else {
      array(0, 0);
    }
    // Not all bytes of an address may be given one by one and the rest left out: it would not be an
    // address then.
    for (variable::address const& a : into_.addresses)
      if (a.width != 8 && a.width != 4)
        text_.fail("an initial value that is a part of an address", a.symbol);
  }

 private:
  lexer& text_;
  variable& into_;
  std::vector<std::uint64_t> extents_;
  std::vector<std::uint64_t> strides_;
  std::uint64_t width_;

  void array(std::size_t depth, std::uint64_t begin) {
    text_.expect('{');
    bool const unsized = depth == 0 && extents_[0] == 0;
    std::uint64_t index = 0;
    if (text_.peek() != '}') do {
        if (!unsized && index == extents_[depth])
          text_.fail("more initial values than the array has elements");
        std::uint64_t const offset = begin + index * strides_[depth];
        if (depth + 1 < extents_.size())
          array(depth + 1, offset);
        else
          element(offset);
        ++index;
      } while (text_.accept(','));
    text_.expect('}');
    if (unsized) {
      into_.bytes = index * strides_[0];
      into_.elements = into_.bytes / (width_ * static_cast<std::uint64_t>(into_.vector));
    }
  }

  void element(std::uint64_t offset) {
    char const c = text_.peek();
    if (is(c, digit)) {
      auto const begin = text_.where();
      literal const value = text_.number();
      char const next = text_.peek();
      if (next == '(') {
        masked_address(offset, value);
        return;
      }
      if (next == ',' || next == '}' || next == ';') {
        number(offset, value);
        return;
      }
      text_.go_back(begin);
    } else if (is(c, word_start)) {
      auto const begin = text_.where();
      if (text_.word() != "WARP_SZ") {
        text_.go_back(begin);
        variable::address a = address();
        a.offset = offset;
        a.width = static_cast<int>(width_);
        into_.addresses.push_back(a);
        reserve(offset);
        return;
      }
      text_.go_back(begin);
    }
    number(offset, read_constant(text_));
  }

  void reserve(std::uint64_t offset) {
    if (into_.initial.size() < offset + width_) into_.initial.resize(offset + width_);
  }

  void number(std::uint64_t offset, literal const& value) {
    std::uint64_t bits = value.bits;
    bool const is_float = into_.type == scalar::f32 || into_.type == scalar::f64;
    if (value.float_bits == 0 && is_float) {
      double const number = value.is_unsigned
                                ? static_cast<double>(bits)
                                : static_cast<double>(static_cast<std::int64_t>(bits));
      bits = float_bits(number);
    } else if (value.float_bits == 32 && into_.type == scalar::f64) {
      bits =
          float_bits(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    } else if (value.float_bits == 64 && into_.type == scalar::f32) {
      bits = float_bits(std::bit_cast<double>(bits));
    } else if (value.float_bits != 0 && value.float_bits != 8 * bytes_of(into_.type)) {
      text_.fail("a floating-point initial value of a variable of another type");
    }
    reserve(offset);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(width_, 8); ++i)
      into_.initial[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }

  [[nodiscard]] std::uint64_t float_bits(double value) const {
    if (into_.type == scalar::f64) return std::bit_cast<std::uint64_t>(value);
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }

  //! `symbol`, `symbol+8`, `generic(symbol)+8`, `generic(symbol+8)`.
  variable::address address() {
    variable::address a{};
    a.symbol = text_.word();
    std::uint64_t addend = 0;
    if (a.symbol == "generic" && text_.accept('(')) {
      a.generic = true;
      a.symbol = text_.word();
      addend = read_addend(text_);
      text_.expect(')');
    }
    addend += read_addend(text_);
    a.addend = static_cast<std::int64_t>(addend);
    return a;
  }

  //! `0xFF00(symbol)`: the bits of the address under the mask, moved down. Addresses in packed
  //! structures come so, byte by byte, and are put together again here.
  void masked_address(std::uint64_t offset, literal const& mask) {
    text_.expect('(');
    variable::address a = address();
    text_.expect(')');
    a.offset = offset;
    int const shift = std::countr_zero(mask.bits);
    int const bits = std::popcount(mask.bits);
    bool const contiguous = bits == std::countr_one(shift == 64 ? 0 : mask.bits >> shift);
    if (mask.float_bits != 0 || !contiguous || shift % 8 != 0 ||
        bits != 8 * static_cast<int>(width_))
      text_.fail("a mask of an address that is not as wide as the variable's type");
    a.width = static_cast<int>(width_);
    reserve(offset);
    if (shift == 0) {
      into_.addresses.push_back(a);
      return;
    }
    variable::address* const last = into_.addresses.empty() ? nullptr : &into_.addresses.back();
    if (last == nullptr || last->symbol != a.symbol || last->addend != a.addend ||
        last->generic != a.generic || last->width != shift / 8 ||
        last->offset + static_cast<std::uint64_t>(last->width) != offset)
      text_.fail("a byte of an address without those before it", a.symbol);
    last->width += a.width;
  }
};

}  // namespace

void read_initializer(lexer& text, variable& into, std::vector<std::uint64_t> const& extents) {
  initializer{text, into, extents}.read();
}

}  // namespace device::ptx
