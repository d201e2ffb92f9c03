// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/integer_list.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/expression_text.hpp>

//! The compile error of an assertion on a cost: the reason, the pattern and the figures, in the
//! line with "error:".
//!
//! An assertion that holds is `true`. One that fails is an object of a class whose template
//! arguments are the reason and the figures, and its use as a `bool` is the error: a deleted
//! function for g++ and nvcc, which name the class in the first line; for clang, which does not, a
//! failed static_assert, with a sentence where a compiler has C++26's messages.

//! The compiler takes an object as the message of a static_assert.
#if defined(__cpp_static_assert) && __cpp_static_assert >= 202306L
#define MMM_DETAIL_SENTENCES
//! The compiler prints a text in a template argument as numbers or as single characters.
#elif defined(__NVCC__) || (defined(__clang__) && __clang_major__ < 16)
#define MMM_DETAIL_WORDS
#endif

namespace mmm {

//! The address expression of a request, as it reads: its text, or word by word for compilers that
//! print no texts.
template <auto... Words>
struct pattern {};

#if defined(MMM_DETAIL_WORDS)

namespace words {
//! The words in the text of an expression; the rest of the text is numbers.
enum word {
  item,
  dmm,
  row,
  column,
  loop,
  always,
  min,
  max,
  shift_left,
  shift_right,
  at_most,
  at_least,
  equal,
  unequal,
  both,
  either,
  plus,
  minus,
  times,
  divided_by,
  modulo,
  bit_and,
  bit_or,
  bit_xor,
  less,
  greater,
  no,
  open,
  close,
  comma,
  then,
  otherwise,
  and_so_on  //!< the text is longer
};
}  // namespace words

#endif

namespace detail {

#if defined(MMM_DETAIL_WORDS)

//! How a words::word is written; longer symbols come before those that they begin with.
inline constexpr char const* symbol_of_word[] = {
    "item", "dmm", "row", "column", "loop", "true", "min", "max", "<<", ">>", "<=",
    ">=",   "==",  "!=",  "&&",     "||",   "+",    "-",   "*",   "/",  "%",  "&",
    "|",    "^",   "<",   ">",      "!",    "(",    ")",   ",",   "?",  ":"};

//! A number or a symbol of a text.
struct text_word {
  bool is_number = false;
  index value = 0;  //!< the number, or the symbol's among words::word
};

//! Reads the word that begins at `at`, and moves there to the next one or the text's end.
constexpr text_word read_word(char const*& text) {
  auto const is_decimal = [](char c) { return c >= '0' && c <= '9'; };
  text_word found{is_decimal(*text)};
  if (found.is_number) {
    for (; is_decimal(*text); ++text) found.value = found.value * 10 + (*text - '0');
  } else {
    auto const length_here = [&] {
      int n = 0;
      for (char const* symbol = symbol_of_word[found.value]; symbol[n] != 0; ++n)
        if (symbol[n] != text[n]) return 0;
      return n;
    };
    while (length_here() == 0) ++found.value;
    text += length_here();
  }
  while (*text == ' ') ++text;
  return found;
}

template <auto Expression>
inline constexpr auto text_of_expression = text_of<Expression>();

//! Words of an expression's text that are shown; of a longer one also words::and_so_on.
inline constexpr int max_pattern_words = 60;

template <auto Expression>
[[nodiscard]] constexpr int count_pattern_words() {
  int count = 0;
  for (char const* text = text_of_expression<Expression>.c_str();
       *text != 0 && count <= max_pattern_words; ++count)
    read_word(text);
  return count;
}
template <auto Expression, int K>
[[nodiscard]] constexpr auto pattern_word() {
  constexpr text_word found = [] {
    char const* text = text_of_expression<Expression>.c_str();
    for (int k = 0; k < K; ++k) read_word(text);
    return read_word(text);
  }();
  if constexpr (K == max_pattern_words)
    return words::and_so_on;
  else if constexpr (found.is_number)
    return found.value;
  else
    return static_cast<words::word>(found.value);
}

#else

//! Characters of an expression's text that a compiler prints of one template argument.
#if defined(__clang__)
inline constexpr int printed_characters = 32;
#else
inline constexpr int printed_characters = INT32_MAX;
#endif

//! Characters of an expression's text that are shown; a longer one ends in "...".
inline constexpr int max_pattern_characters = 256;
template <auto Expression>
inline constexpr int shown_characters =
    static_cast<int>(smaller(text_length(Expression), max_pattern_characters));

template <auto Expression>
[[nodiscard]] constexpr int count_pattern_words() {
  return (shown_characters<Expression> - 1) / printed_characters + 1;
}
template <auto Expression, int K>
[[nodiscard]] constexpr auto pattern_word() {
  constexpr auto whole = text_of<Expression>();
  constexpr int first = K * printed_characters;
  constexpr auto count = smaller(shown_characters<Expression> - first, printed_characters);
  expression_text<static_cast<int>(count)> result;
  for (int k = 0; k < count; ++k) {
    bool const cut = text_length(Expression) > shown_characters<Expression> &&
                     first + k >= shown_characters<Expression> - 3;
    result.characters[k] = cut ? '.' : whole.characters[first + k];
  }
  result.characters[count] = 0;  // clang 19 prints no text whose end is not written
  return result;
}

#endif

template <auto Expression, int... K>
auto pattern_in_words(integer_list<int, K...>) -> pattern<pattern_word<Expression, K>()...>;
template <auto Expression>
using pattern_of = decltype(pattern_in_words<Expression>(
    make_integer_list<int, count_pattern_words<Expression>()>()));

#if defined(MMM_DETAIL_SENTENCES)

//! The message of a failed assertion, from the compiler's names of its reason and figures: `_` and
//! `<` become blanks, namespaces and `>` are left out.
template <class Why, class... Figures>
class sentence {
 public:
  constexpr sentence() {
    add("mmm: ");
    add_words<Why>();
    (add_figure(Figures()), ...);
  }
  [[nodiscard]] constexpr size_type size() const { return length_; }
  [[nodiscard]] constexpr char const* data() const { return text_; }

 private:
  size_type length_ = 0;
  char text_[4096] = {};

  constexpr void add(char c) {
    if (length_ < sizeof(text_)) text_[length_++] = c;
  }
  constexpr void add(char const* string) {
    while (*string != 0) add(*string++);
  }
  template <class T>
  constexpr void add_words() {
    char const* name_text = __PRETTY_FUNCTION__;  // … T = mmm::found_stages<8>]
    while (name_text[0] != 'T' || name_text[1] != ' ' || name_text[2] != '=') ++name_text;
    size_type name = length_;  // where the last one begins
    for (name_text += 4; *name_text != ']' && *name_text != ';'; ++name_text) {
      if (*name_text == ':')
        length_ = name;
      else if (*name_text != '>')
        add(*name_text == '_' || *name_text == '<' ? ' ' : *name_text);
      if (*name_text == '<' || *name_text == ' ') name = length_;
    }
  }
  template <auto... Words>
  constexpr void add_figure(pattern<Words...>) {
    add(": ");
    (add(Words.characters), ...);
  }
  template <class Figure>
  constexpr void add_figure(Figure const&) {
    add("; ");
    add_words<Figure>();
  }
};

#endif
}  // namespace detail

//! An assertion that does not hold; its use as a `bool` is the compile error. \tparam Why the
//! reason, as bank_conflict. \tparam Figures the pattern, what was found and allowed, and details.
template <class Why, class... Figures>
struct refused {
#if defined(MMM_DETAIL_SENTENCES)
  constexpr operator bool() const {
    static_assert(false, detail::sentence<Why, Figures...>());
    return true;
  }
#elif defined(__clang__)
  static constexpr bool accepted = detail::never<Why>;
  constexpr operator bool() const {
    static_assert(refused<Why, Figures...>::accepted,
                  "mmm: the requirement names the reason and the figures");
    return true;
  }
#else
  constexpr operator bool() const = delete;
#endif
};

//! Reasons of a refusal.
struct bank_conflict {};
struct uncoalesced_access {};
struct too_slow {};
struct outside_of_layout {};
struct negative_word {};
struct negative_warp {};
//! An address or the cost overflows 64 bits, divides by 0, or shifts by a number of bits that C++
//! does not have; of a time, also a number of items or threads that is not accepted.
struct not_computable {};
struct access_of_other_gpus {};

//! Figures of a refusal.
template <index Stages>
struct found_stages {};
template <index Stages>
struct allowed_stages {};
template <index Units>
struct found_time {};
template <index Units>
struct allowed_time {};
//! The bank with the longest queue.
template <index Bank>
struct worst_bank {};
//! Lanes that ask the worst bank for different addresses; lanes that share an address are named
//! once.
template <index... Lanes>
struct colliding_lanes {};
//! The address groups asked for, in the order of the lanes.
template <index... Groups>
struct address_groups {};
//! The first lane that asks for each address group, in the same order.
template <index... Lanes>
struct first_lanes {};
template <index Items>
struct over_items {};
template <index Threads>
struct by_threads {};
template <index Lane>
struct in_lane {};
//! An address in words.
template <index Word>
struct word_address {};
//! The number of a warp.
template <index Warp>
struct warp_number {};
//! The row and the column that a lane asks a layout for, and those that the layout has.
template <index Row>
struct found_row {};
template <index Column>
struct found_column {};
template <index Rows>
struct allowed_rows {};
template <index Columns>
struct allowed_columns {};

}  // namespace mmm

#undef MMM_DETAIL_SENTENCES
#undef MMM_DETAIL_WORDS
