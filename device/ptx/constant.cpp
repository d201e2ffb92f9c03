// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/constant.hpp>

#include <bit>
#include <cstddef>

namespace device::ptx {

namespace {

//! A binary operator and how strongly it binds.
struct binary {
  int strength = 0;
  char symbol = 0;       //!< its first character
  std::size_t size = 1;  //!< in characters
  bool or_equal = false;
};

//! Expressions of integers, as PTX defines them: 64 bits, signed unless an operand is unsigned.
class expression {
 public:
  explicit expression(lexer& text) : text_(text) {}

  literal conditional() {
    literal const condition = binary_from(1);
    if (!text_.accept('?')) return condition;
    literal const yes = conditional();
    text_.expect(':');
    literal const no = conditional();
    return whole(condition).bits != 0 ? yes : no;
  }

  literal unary() {
    switch (text_.peek()) {
      case '+':
        take(1);
        return unary();
      case '-': {
        take(1);
        literal value = unary();
        if (value.float_bits == 0)
          value.bits = 0 - value.bits;
        else
          value.bits ^= std::uint64_t{1} << (value.float_bits - 1);
        return value;
      }
      case '!':
        take(1);
        return {whole(unary()).bits == 0 ? 1U : 0U, 0, false};
      case '~': {
        take(1);
        literal value = whole(unary());
        value.bits = ~value.bits;
        return value;
      }
      case '(':
        return in_parentheses();
      default:
        break;
    }
    if (is(text_.peek(), digit)) return text_.number();
    auto const before = text_.where();
    if (is(text_.peek(), word_start)) {
      if (text_.word() == "WARP_SZ") return {32, 0, false};
      text_.go_back(before);
    }
    text_.fail("expected a constant");
  }

  literal binary_from(int strength) {
    literal left = unary();
    for (;;) {
      binary const op = next_operator();
      if (op.strength < strength || op.strength == 0) return left;
      take(op.size);
      literal const right = binary_from(op.strength + 1);
      left = apply(op, whole(left), whole(right));
    }
  }

 private:
  lexer& text_;

  void take(std::size_t characters) {
    for (; characters != 0; --characters) static_cast<void>(text_.accept(text_.peek()));
  }

  literal whole(literal const& value) const {
    if (value.float_bits != 0) text_.fail("arithmetic on floating-point constants");
    return value;
  }

  literal in_parentheses() {
    text_.expect('(');
    bool const is_signed = text_.accept_dotted("s64");
    if (is_signed || text_.accept_dotted("u64")) {
      text_.expect(')');
      literal value = whole(unary());
      value.is_unsigned = !is_signed;
      return value;
    }
    literal const value = conditional();
    text_.expect(')');
    return value;
  }

  binary next_operator() const {
    char const c = text_.peek();
    char const d = text_.second();
    switch (c) {
      case '*':
      case '/':
      case '%':
        return {10, c};
      case '+':
      case '-':
        return {9, c};
      case '<':
      case '>':
        if (d == c) return {8, c == '<' ? 'l' : 'r', 2};
        return d == '=' ? binary{7, c, 2, true} : binary{7, c};
      case '=':
      case '!':
        return d == '=' ? binary{6, c, 2} : binary{};
      case '&':
        return d == '&' ? binary{2, 'a', 2} : binary{5, c};
      case '^':
        return {4, c};
      case '|':
        return d == '|' ? binary{1, 'o', 2} : binary{3, c};
      default:
        return {};
    }
  }

  literal apply(binary const& op, literal const& a, literal const& b) const {
    bool const is_unsigned = a.is_unsigned || b.is_unsigned;
    auto const sa = static_cast<std::int64_t>(a.bits);
    auto const sb = static_cast<std::int64_t>(b.bits);
    auto const number = [&](std::uint64_t bits) { return literal{bits, 0, is_unsigned}; };
    auto const truth = [](bool value) { return literal{value ? 1U : 0U, 0, false}; };
    bool const less = is_unsigned ? a.bits < b.bits : sa < sb;
    bool const greater = is_unsigned ? a.bits > b.bits : sa > sb;
    switch (op.symbol) {
      case '*':
        return number(a.bits * b.bits);
      case '/':
      case '%': {
        if (b.bits == 0) text_.fail("a constant divided by zero");
        bool const divide = op.symbol == '/';
        if (is_unsigned) return number(divide ? a.bits / b.bits : a.bits % b.bits);
        // the least number divided by -1 overflows
        if (sb == -1) return number(divide ? 0 - a.bits : 0);
        return number(static_cast<std::uint64_t>(divide ? sa / sb : sa % sb));
      }
      case '+':
        return number(a.bits + b.bits);
      case '-':
        return number(a.bits - b.bits);
      case 'l':
        return {b.bits > 63 ? 0 : a.bits << b.bits, 0, a.is_unsigned};
      case 'r':
        if (a.is_unsigned) return {b.bits > 63 ? 0 : a.bits >> b.bits, 0, true};
        return {static_cast<std::uint64_t>(sa >> (b.bits > 63 ? 63 : b.bits)), 0, false};
      case '<':
        return truth(less || (op.or_equal && !greater));
      case '>':
        return truth(greater || (op.or_equal && !less));
      case '=':
        return truth(a.bits == b.bits);
      case '!':
        return truth(a.bits != b.bits);
      case '&':
        return number(a.bits & b.bits);
      case '^':
        return number(a.bits ^ b.bits);
      case '|':
        return number(a.bits | b.bits);
      case 'a':
        return truth(a.bits != 0 && b.bits != 0);
      case 'o':
        return truth(a.bits != 0 || b.bits != 0);
      default:
        text_.fail("unknown operator");
    }
  }
};

}  // namespace

literal read_constant(lexer& text) {
  // Nearly all constants are single literals with at most a sign.
  auto const begin = text.where();
  bool const minus = text.accept('-');
  if (is(text.peek(), digit)) {
    literal value = text.number();
    switch (text.peek()) {
      case ',':
      case ';':
      case ']':
      case '}':
      case ')':
        if (minus && value.float_bits == 0) value.bits = 0 - value.bits;
        if (minus && value.float_bits != 0)
          value.bits ^= std::uint64_t{1} << (value.float_bits - 1);
        return value;
      default:
        break;
    }
  }
  text.go_back(begin);
  return expression{text}.conditional();
}

std::uint64_t read_addend(lexer& text) {
  std::uint64_t sum = 0;
  for (;;) {
    char const sign = text.peek();
    if (sign != '+' && sign != '-') return sum;
    static_cast<void>(text.accept(sign));
    literal const value = expression{text}.binary_from(10);  // products bind stronger
    if (value.float_bits != 0) text.fail("a floating-point number added to an address");
    sum = sign == '+' ? sum + value.bits : sum - value.bits;
  }
}

}  // namespace device::ptx
