// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/index/algebra.hpp>
#include <mmm/index/expression.hpp>

//! The text of index expressions in C++ syntax, for compile errors and for reports
//! (report/expression.hpp) alike.
namespace mmm {

//! A text that can be a template argument, so that compilers print it. `N` characters and the
//! closing 0.
template <int N>
struct expression_text {
  char characters[N + 1] = {};
  [[nodiscard]] constexpr char const* c_str() const { return characters; }
  friend constexpr bool operator==(expression_text const&, expression_text const&) = default;
};

//! The names of the variables in an expression's text.
struct variable_names {
  char const* item = "item";
  char const* dmm = "dmm";
  char const* loop = "loop";  //!< and the loop's depth, 0 for the outermost one
  char const* row = "row";    //!< of a trapezoid's item, as is the column
  char const* column = "column";
};

namespace detail {

//! Precedence of operators, as in C++, the loosest first; a call and a leaf bind tightest. Numbers:
//! see `is` of index/algebra.hpp.
namespace binding {
inline constexpr int choice = 0;
inline constexpr int either = 1;
inline constexpr int both = 2;
inline constexpr int bit_or = 3;
inline constexpr int bit_xor = 4;
inline constexpr int bit_and = 5;
inline constexpr int equality = 6;
inline constexpr int order = 7;
inline constexpr int shift = 8;
inline constexpr int sum = 9;
inline constexpr int product = 10;
inline constexpr int call = 11;
}  // namespace binding

#define MMM_DETAIL_BINDING(function, name, symbol, strength) binding::strength,
#define MMM_DETAIL_SYMBOL(function, name, symbol, strength) symbol,
inline constexpr int binding_of_operation[] = {MMM_DETAIL_OPERATORS(MMM_DETAIL_BINDING)};
inline constexpr int binding_of_relation[] = {MMM_DETAIL_RELATIONS(MMM_DETAIL_BINDING)};
inline constexpr char const* symbol_of_operation[] = {MMM_DETAIL_OPERATORS(MMM_DETAIL_SYMBOL)};
inline constexpr char const* symbol_of_relation[] = {MMM_DETAIL_RELATIONS(MMM_DETAIL_SYMBOL)};
#undef MMM_DETAIL_BINDING
#undef MMM_DETAIL_SYMBOL

//! The text of a part of an expression: where it begins (it ends where the text ends so far, or
//! where the part after it begins) and its outermost operator.
struct text_part {
  int begin;
  int outermost = binding::call;
  operation op = operation::add;  //!< where an operator is outermost
  bool zero = false;              //!< the text is `0`
};

//! The algebra of texts. It writes at most `room` characters, and counts all of them: with no room
//! it only measures. Parts are written one after the other, and what comes before or between parts
//! that are there is inserted. Time: O(length^2).
template <class Character>
class expression_writer : public algebra<expression_writer<Character>> {
 public:
  using element = text_part;
  using truth = text_part;

  constexpr expression_writer(Character* out, int room, variable_names const& names = {})
      : out_(out), room_(room), names_(names) {}
  [[nodiscard]] constexpr int length() const { return length_; }
  //! Writes an expression or a predicate.
  template <class E>
  constexpr void write(E const& e) {
    static_cast<void>(e.fold(*this));
  }

  template <class Variable>
  [[nodiscard]] constexpr text_part variable(Variable const& v) {
    text_part const whole{length_};
    if (v.slot == item_slot) {
      insert(length_, names_.item);
    } else if (v.slot == dmm_slot) {
      insert(length_, names_.dmm);
    } else if (v.slot >= row_slot) {
      insert(length_, v.slot == row_slot ? names_.row : names_.column);
    } else {
      insert(length_, names_.loop);
      append_digits(v.slot - first_loop_slot);
    }
    return whole;
  }
  [[nodiscard]] constexpr text_part number(index n) {
    text_part whole{length_};
    whole.zero = n == 0;
    if (n < 0) {
      whole.outermost = binding::sum;
      whole.op = operation::subtract;
      insert(length_, "-");
    }
    append_digits(n);
    return whole;
  }
  template <operation Op>
  [[nodiscard]] constexpr text_part operate(text_part const& x, text_part const& y) {
    constexpr int own = binding_of_operation[static_cast<int>(Op)];
    constexpr char const* symbol = symbol_of_operation[static_cast<int>(Op)];
    if constexpr (own == binding::call) {
      insert(y.begin, ", ");
      insert(x.begin, symbol, "(");
      insert(length_, ")");
    } else if (is(Op, operation::subtract) && x.zero) {
      bool const close = in_parentheses<Op>(y, true);
      if (room_ > x.begin) out_[x.begin] = '-';
      if (close) insert(y.begin, "(");
      if (close) insert(length_, ")");
    } else {
      join(x, in_parentheses<Op>(x, false), symbol, y, in_parentheses<Op>(y, true));
    }
    return {x.begin, own, Op};
  }
  [[nodiscard]] constexpr text_part choose(text_part const& p, text_part const& x,
                                           text_part const& y) {
    join(x, x.outermost == binding::choice, ":", y, y.outermost == binding::choice);
    join(p, p.outermost == binding::choice, "?", {x.begin}, false);
    return {p.begin, binding::choice};
  }

  [[nodiscard]] constexpr text_part everywhere() {
    text_part const whole{length_};
    insert(length_, "true");
    return whole;
  }
  template <relation Relation>
  [[nodiscard]] constexpr text_part relate(text_part const& x, text_part const& y) {
    join(x, x.outermost < binding::shift, symbol_of_relation[static_cast<int>(Relation)], y,
         y.outermost < binding::shift);
    return {x.begin, binding_of_relation[static_cast<int>(Relation)]};
  }
  template <connective Connective>
  [[nodiscard]] constexpr text_part combine(text_part const& p, text_part const& q) {
    constexpr bool both = is(Connective, connective::both);
    constexpr int own = both ? binding::both : binding::either;
    auto const close = [](text_part const& x) {
      return x.outermost < binding::bit_or && x.outermost != own;
    };
    join(p, close(p), both ? "&&" : "||", q, close(q));
    return {p.begin, own};
  }
  [[nodiscard]] constexpr text_part negate(text_part const& p) {
    bool const close = p.outermost != binding::call;
    insert(p.begin, close ? "!(" : "!");
    if (close) insert(length_, ")");
    return {p.begin};
  }

 private:
  Character* out_;
  int room_;
  int length_ = 0;
  variable_names names_;

  //! True if an operand stands in parentheses, that is where C++ or the eye needs them, as in
  //! `(item % 32) * 33` and `(item << 2) | 1`.
  template <operation Op>
  [[nodiscard]] static constexpr bool in_parentheses(text_part const& x, bool right) {
    constexpr int outer = binding_of_operation[static_cast<int>(Op)];
    if (outer != binding::sum && outer != binding::product)
      return x.outermost != binding::call && (x.op != Op || right);
    if (x.outermost != outer) return x.outermost < outer;
    return right || (outer == binding::product && x.op != Op);
  }

  //! `x symbol y`, for the last two parts.
  constexpr void join(text_part const& x, bool close_x, char const* symbol, text_part const& y,
                      bool close_y) {
    if (close_y) insert(length_, ")");
    insert(y.begin, close_x ? ") " : " ", symbol, close_y ? " (" : " ");
    if (close_x) insert(x.begin, "(");
  }

  [[nodiscard]] static constexpr int length_of(char const* string) {
    int n = 0;
    while (string[n] != 0) ++n;
    return n;
  }
  //! Inserts strings at a place of the text.
  constexpr void insert(int place, char const* first, char const* second = "",
                        char const* third = "") {
    int const more = length_of(first) + length_of(second) + length_of(third);
    for (int k = length_; k-- > place;)
      if (k + more < room_) out_[k + more] = out_[k];
    char const* const pieces[] = {first, second, third};
    for (char const* string : pieces)
      for (; *string != 0; ++string, ++place)
        if (place < room_) out_[place] = *string;
    length_ += more;
  }
  //! Appends the digits of a number, without its sign.
  constexpr void append_digits(index n) {
    int count = 1;
    for (index rest = n / 10; rest != 0; rest /= 10) ++count;
    length_ += count;
    for (int place = length_; count > 0; --count, n /= 10) {
      index const digit = n % 10;
      if (--place < room_) out_[place] = static_cast<char>('0' + (digit < 0 ? -digit : digit));
    }
  }
};

//! The number of characters of an expression's text.
template <class E>
[[nodiscard]] constexpr int text_length(E const& e) {
  expression_writer<char> counter(nullptr, 0);
  counter.write(e);
  return counter.length();
}

//! An expression's text, as a value whose type knows its length.
template <auto E>
[[nodiscard]] constexpr auto text_of() {
  expression_text<text_length(E)> result;
  expression_writer writer(result.characters, text_length(E));
  writer.write(E);
  return result;
}

}  // namespace detail
}  // namespace mmm
