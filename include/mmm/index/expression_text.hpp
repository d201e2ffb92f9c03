// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>

//! Index expressions as people write them, for messages and reports.
namespace mmm {

//! A text that can be a template argument, so that compilers print it. `N` characters and the
//! closing 0.
template <int N>
struct text {
  char characters[N + 1] = {};
  [[nodiscard]] constexpr char const* c_str() const { return characters; }
  friend constexpr bool operator==(text const&, text const&) = default;
};

namespace detail {

//! Writes expressions; with no room given it only counts the characters.
class expression_writer {
 public:
  constexpr expression_writer(char* out, int room) : out_(out), room_(room) {}
  [[nodiscard]] constexpr int length() const { return length_; }

  constexpr void write(variable const& v) {
    if (v.slot == item_slot) return put("item");
    if (v.slot == dmm_slot) return put("dmm");
    put("loop");
    put_number(v.slot - first_loop_slot);
  }
  constexpr void write(constant const& c) { put_number(c.number); }
  template <index Number>
  constexpr void write(literal_constant<Number> const&) {
    put_number(Number);
  }
  template <operation Op, class L, class R>
  constexpr void write(binary_expression<Op, L, R> const& e) {
    if constexpr (Op == operation::minimum || Op == operation::maximum) {
      put(symbol(Op));
      put("(");
      write(e.left);
      put(", ");
      write(e.right);
      put(")");
    } else {
      write_operand(e.left, binding<L> < binding_of(Op));
      put(" ");
      put(symbol(Op));
      put(" ");
      write_operand(e.right, binding<R> <= binding_of(Op));
    }
  }
  template <class C, class A, class B>
  constexpr void write(select_expression<C, A, B> const& e) {
    put("select(");
    write(e.condition);
    put(", ");
    write(e.then_value);
    put(", ");
    write(e.else_value);
    put(")");
  }
  template <relation Relation, class L, class R>
  constexpr void write(comparison<Relation, L, R> const& p) {
    write(p.left);
    put(Relation == relation::less ? " < " : " == ");
    write(p.right);
  }
  template <connective Connective, class L, class R>
  constexpr void write(combination<Connective, L, R> const& p) {
    put("(");
    write(p.left);
    put(Connective == connective::both ? ") && (" : ") || (");
    write(p.right);
    put(")");
  }
  template <class P>
  constexpr void write(negation<P> const& p) {
    put("!(");
    write(p.inner);
    put(")");
  }

 private:
  char* out_;
  int room_;
  int length_ = 0;

  //! How tightly an operator binds; bit operations and shifts always get parentheses around and
  //! inside them.
  static constexpr int leaf = 9;
  static constexpr int binding_of(operation op) {
    if (op == operation::minimum || op == operation::maximum) return leaf;
    if (op == operation::multiply || op == operation::divide || op == operation::modulo) return 5;
    return op == operation::add || op == operation::subtract ? 4 : 0;
  }
  template <class E>
  struct binding_in {
    static constexpr int value = leaf;
  };
  template <operation Op, class L, class R>
  struct binding_in<binary_expression<Op, L, R>> {
    static constexpr int value = binding_of(Op);
  };
  template <class E>
  static constexpr int binding = binding_in<E>::value;

  static constexpr char const* symbol(operation op) {
    switch (op) {
      case operation::add:
        return "+";
      case operation::subtract:
        return "-";
      case operation::multiply:
        return "*";
      case operation::divide:
        return "/";
      case operation::modulo:
        return "%";
      case operation::bit_and:
        return "&";
      case operation::bit_or:
        return "|";
      case operation::bit_xor:
        return "^";
      case operation::shift_left:
        return "<<";
      case operation::shift_right:
        return ">>";
      case operation::minimum:
        return "min";
      default:
        return "max";
    }
  }

  template <class E>
  constexpr void write_operand(E const& e, bool in_parentheses) {
    if (in_parentheses) put("(");
    write(e);
    if (in_parentheses) put(")");
  }
  constexpr void put(char const* string) {
    for (; *string != 0; ++string) put_character(*string);
  }
  constexpr void put_character(char c) {
    if (length_ < room_) out_[length_] = c;
    ++length_;
  }
  constexpr void put_number(index n) {
    if (n < 0) put("-");
    char digits[20] = {};
    int count = 0;
    do {
      index const digit = n % 10;
      digits[count++] = static_cast<char>('0' + (digit < 0 ? -digit : digit));
      n /= 10;
    } while (n != 0);
    while (count > 0) put_character(digits[--count]);
  }
};

template <class E>
[[nodiscard]] constexpr int text_length(E const& e) {
  expression_writer counter(nullptr, 0);
  counter.write(e);
  return counter.length();
}

//! An expression's text, as a value whose type knows its length.
template <auto E>
[[nodiscard]] constexpr auto text_of() {
  text<text_length(E)> result;
  expression_writer writer(result.characters, text_length(E));
  writer.write(E);
  return result;
}

}  // namespace detail
}  // namespace mmm
