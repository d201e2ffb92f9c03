// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/constant.hpp>
#include <device/ptx/declaration.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

namespace device::ptx {

namespace {

//! `.align 8 .v2 .b8` and the attributes, in any order.
struct type_words {
  scalar type = scalar::none;
  int vector = 1;
  std::uint32_t align = 0;  //!< 0: not given
  bool is_managed = false;
};

bool read_attribute_is_managed(lexer& text) {
  auto const begin = text.where();
  text.expect('(');
  bool const managed = text.accept_dotted("managed");
  text.go_back(begin);
  text.skip_parentheses();
  return managed;
}

//! `.ptr .global .align 16`: what a pointer points to. It says nothing about the parameter itself.
void skip_pointer(lexer& text) {
  while (text.peek() == '.')
    if (text.dotted() == "align") static_cast<void>(text.small_number());
}

type_words read_type(lexer& text) {
  type_words words;
  while (text.peek() == '.') {
    std::string_view const word = text.dotted();
    if (word == "align") {
      words.align = text.small_number();
      if (!std::has_single_bit(words.align))
        text.fail("an alignment that is no power of two", word);
    } else if (word == "v2" || word == "v4" || word == "v8") {
      words.vector = word[1] - '0';
    } else if (word == "attribute") {
      words.is_managed = read_attribute_is_managed(text);
    } else if (word == "ptr") {
      skip_pointer(text);
    } else {
      words.type = scalar_of(word);
      if (bytes_of(words.type) == 0 && words.type != scalar::pred)
        text.fail("a variable of this type", word);
    }
  }
  if (words.type == scalar::none) text.fail("expected a type");
  return words;
}

//! `[2][3]`, `[]`: the first may be 0, unknown.
std::vector<std::uint64_t> read_extents(lexer& text) {
  std::vector<std::uint64_t> extents;
  while (text.accept('[')) {
    if (text.accept(']')) {
      if (!extents.empty()) text.fail("an inner array of unknown size");
      extents.push_back(0);
      continue;
    }
    literal const extent = read_constant(text);
    if (extent.float_bits != 0) text.fail("a floating-point number as the size of an array");
    extents.push_back(extent.bits);
    text.expect(']');
  }
  return extents;
}

//! The product; fails where it cannot be a size in memory.
std::uint64_t checked_size(lexer const& text, std::vector<std::uint64_t> const& extents,
                           std::uint64_t element) {
  std::uint64_t size = element;
  for (std::uint64_t const extent : extents) {
    if (extent != 0 && size > (std::uint64_t{1} << 48) / extent)
      text.fail("an array above 2^48 bytes");
    size *= extent;
  }
  return size;
}

}  // namespace

linkage read_linkage(lexer& text) {
  linkage found;
  for (;;) {
    if (text.accept_dotted("extern"))
      found.is_extern = true;
    else if (text.accept_dotted("visible"))
      found.is_visible = true;
    else if (text.accept_dotted("weak") || text.accept_dotted("common"))
      found.is_weak = true;
    else
      return found;
  }
}

state_space accept_space(lexer& text) {
  constexpr std::pair<std::string_view, state_space> spaces[] = {
      {"param", state_space::param},    {"local", state_space::local},
      {"shared", state_space::shared},  {"global", state_space::global},
      {"const", state_space::constant},
  };
  for (auto const& [name, space] : spaces)
    if (text.accept_dotted(name)) return space;
  return state_space::none;
}

void read_variables(lexer& text, linkage const& link, state_space space,
                    std::deque<variable>& into) {
  type_words const words = read_type(text);
  if (words.type == scalar::pred) text.fail("a predicate in memory", "pred");
  auto const unit = static_cast<std::uint64_t>(bytes_of(words.type) * words.vector);
  do {
    variable& v = into.emplace_back();
    v.name = text.word();
    v.space = space;
    v.type = words.type;
    v.vector = words.vector;
    v.align = words.align != 0 ? words.align : static_cast<std::uint32_t>(unit);
    v.is_extern = link.is_extern;
    v.is_visible = link.is_visible;
    v.is_weak = link.is_weak;
    v.is_managed = words.is_managed;
    std::vector<std::uint64_t> const extents = read_extents(text);
    v.bytes = checked_size(text, extents, unit);
    v.elements = v.bytes / unit;
    if (text.accept('=')) read_initializer(text, v, extents);
  } while (text.accept(','));
  text.expect(';');
}

std::vector<parameter> read_parameters(lexer& text) {
  std::vector<parameter> parameters;
  if (!text.accept('(')) return parameters;
  if (text.accept(')')) return parameters;
  std::uint64_t offset = 0;
  do {
    if (!text.accept_dotted("param") && !text.accept_dotted("reg"))
      text.fail("expected a parameter");
    type_words const words = read_type(text);
    auto const unit = static_cast<std::uint64_t>(bytes_of(words.type) * words.vector);
    parameter& p = parameters.emplace_back();
    p.name = text.word();
    p.type = words.type;
    p.bytes = checked_size(text, read_extents(text), unit);
    p.align = words.align != 0 ? words.align
                               : std::max<std::uint32_t>(1, static_cast<std::uint32_t>(unit));
    offset = (offset + p.align - 1) / p.align * p.align;
    p.offset = offset;
    offset += p.bytes;
  } while (text.accept(','));
  text.expect(')');
  return parameters;
}

}  // namespace device::ptx
