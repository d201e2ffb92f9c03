// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse.hpp"

#include <mmm/cost/for_all.hpp>

#include <common/failure.hpp>
#include <common/text.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace explore::pattern {

namespace {

using tool::branch;
using tool::kind;
using tool::operation;

constexpr int deepest = 200;             // nested operators and parentheses
constexpr std::size_t longest = 100000;  // characters

branch both(branch const& p, branch const& q) {
  if (!p || !q) return p ? p : q;
  return tool::make({kind::both, {}, 0, p, q, {}});
}
branch negation(branch const& p) { return tool::make({kind::negation, {}, 0, p, {}, {}}); }
branch select(branch const& p, branch const& x, branch const& y) {
  return tool::make({kind::select, {}, 0, p, x, y});
}

//! A part of the expression: a number or a condition, and the condition `active` under which it is
//! defined; empty: everywhere.
struct part {
  branch number;
  branch truth;
  branch active;
  bool never = false;  //!< `none`
};

part of_number(branch x, branch active = {}) { return {std::move(x), {}, std::move(active)}; }
part of_truth(branch p, branch active = {}) { return {{}, std::move(p), std::move(active)}; }

branch as_number(part const& x) {
  return x.number ? x.number : select(x.truth, tool::number(1), tool::number(0));
}
branch as_truth(part const& x) {
  if (x.truth) return x.truth;
  return negation(tool::make({kind::equal, {}, 0, x.number, tool::number(0), {}}));
}
//! The part that covers both of two parts.
part joined(part result, part const& x, part const& y) {
  result.active = both(x.active, y.active);
  result.never = x.never || y.never;
  return result;
}

//! The binary operators, from those that bind least; the longer symbol stands before the shorter.
enum class symbol {
  either,
  both,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  unequal,
  at_most,
  at_least,
  less,
  greater,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  modulo
};
struct binary_operator {
  std::string_view text;
  symbol what;
  int binding;
};
constexpr std::array<binary_operator, 18> operators{{{"||", symbol::either, 1},
                                                     {"&&", symbol::both, 2},
                                                     {"|", symbol::bit_or, 3},
                                                     {"^", symbol::bit_xor, 4},
                                                     {"&", symbol::bit_and, 5},
                                                     {"==", symbol::equal, 6},
                                                     {"!=", symbol::unequal, 6},
                                                     {"<<", symbol::shift_left, 8},
                                                     {">>", symbol::shift_right, 8},
                                                     {"<=", symbol::at_most, 7},
                                                     {">=", symbol::at_least, 7},
                                                     {"<", symbol::less, 7},
                                                     {">", symbol::greater, 7},
                                                     {"+", symbol::add, 9},
                                                     {"-", symbol::subtract, 9},
                                                     {"*", symbol::multiply, 10},
                                                     {"/", symbol::divide, 10},
                                                     {"%", symbol::modulo, 10}}};

part combined(symbol what, part const& x, part const& y) {
  auto const number = [&](operation op) {
    return joined(of_number(tool::operate(op, as_number(x), as_number(y))), x, y);
  };
  auto const truth = [&](kind of, branch const& p, branch const& q, bool negated = false) {
    branch const found = tool::make({of, {}, 0, p, q, {}});
    return joined(of_truth(negated ? negation(found) : found), x, y);
  };
  switch (what) {
    case symbol::either:
      return truth(kind::either, as_truth(x), as_truth(y));
    case symbol::both:
      return truth(kind::both, as_truth(x), as_truth(y));
    case symbol::bit_or:
      return number(operation::bit_or);
    case symbol::bit_xor:
      return number(operation::bit_xor);
    case symbol::bit_and:
      return number(operation::bit_and);
    case symbol::equal:
      return truth(kind::equal, as_number(x), as_number(y));
    case symbol::unequal:
      return truth(kind::equal, as_number(x), as_number(y), true);
    case symbol::less:
      return truth(kind::less, as_number(x), as_number(y));
    case symbol::greater:
      return truth(kind::less, as_number(y), as_number(x));
    case symbol::at_most:
      return truth(kind::less, as_number(y), as_number(x), true);
    case symbol::at_least:
      return truth(kind::less, as_number(x), as_number(y), true);
    case symbol::shift_left:
      return number(operation::shift_left);
    case symbol::shift_right:
      return number(operation::shift_right);
    case symbol::add:
      return number(operation::add);
    case symbol::subtract:
      return number(operation::subtract);
    case symbol::multiply:
      return number(operation::multiply);
    case symbol::divide:
      return number(operation::divide);
    default:
      return number(operation::modulo);
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class parser {
 public:
  parser(std::string_view text, names const& known, bool one_warp,
         std::vector<std::string> const& symbols)
      : text_(text), known_(known), one_warp_(one_warp), symbols_(symbols) {}

  [[nodiscard]] part whole() {
    part const x = expression();
    if (at_ != text_.size()) expected("an operator or the end");
    return x;
  }

 private:
  [[noreturn]] void expected(std::string const& what) const {
    std::string const found =
        at_ == text_.size() ? "ends" : "has " + tool::in_quotes(text_.substr(at_, 20));
    throw tool::failure("the pattern " + found + " in column " + std::to_string(at_ + 1) +
                        ", where " + what + " is expected");
  }
  //! Every rule of the grammar that calls others begins so; at its end it takes one from the depth.
  void go_deeper() {
    if (++depth_ > deepest)
      throw tool::failure("the pattern is nested more than " + std::to_string(deepest) + " deep");
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  [[nodiscard]] bool take(std::string_view symbol) {
    skip_blanks();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
  }
  void demand(std::string_view symbol) {
    if (!take(symbol)) expected(tool::in_quotes(symbol));
  }

  part expression() {
    go_deeper();
    part const p = binary(1);
    part result = p;
    if (take("?")) {
      part const x = expression();
      demand(":");
      part const y = expression();
      result = chosen(p, x, y);
    }
    --depth_;
    return result;
  }
  part chosen(part const& p, part const& x, part const& y) const {
    if (p.never) return p;
    branch const holds = as_truth(p);
    part result = of_number(x.never   ? as_number(y)
                            : y.never ? as_number(x)
                                      : select(holds, as_number(x), as_number(y)));
    result.never = x.never && y.never;
    // where the chosen side is active
    auto const side = [](branch const& when, part const& of) {
      return of.never ? branch() : of.active ? both(when, of.active) : when;
    };
    if (x.active || y.active || x.never || y.never) {
      branch const first = side(holds, x);
      branch const second = side(negation(holds), y);
      result.active = !first    ? second
                      : !second ? first
                                : tool::make({kind::either, {}, 0, first, second, {}});
    }
    result.active = both(p.active, result.active);
    return result;
  }

  part binary(int least) {
    go_deeper();
    part x = unary();
    for (binary_operator const* op = next(least); op != nullptr; op = next(least)) {
      at_ += op->text.size();
      x = combined(op->what, x, binary(op->binding + 1));
    }
    --depth_;
    return x;
  }
  //! The operator that comes next, if it binds at least so tightly.
  [[nodiscard]] binary_operator const* next(int least) {
    skip_blanks();
    for (binary_operator const& op : operators)
      if (text_.substr(at_, op.text.size()) == op.text) return op.binding < least ? nullptr : &op;
    return nullptr;
  }

  part unary() {
    go_deeper();
    part result;
    if (take("-")) {
      part const x = unary();
      result = joined(of_number(tool::operate(operation::subtract, tool::number(0), as_number(x))),
                      x, x);
    } else if (take("+")) {
      result = unary();
    } else if (take("~")) {
      part const x = unary();
      result = joined(of_number(tool::operate(operation::subtract, tool::number(-1), as_number(x))),
                      x, x);
    } else if (take("!")) {
      part const x = unary();
      result = joined(of_truth(negation(as_truth(x))), x, x);
    } else {
      result = primary();
    }
    --depth_;
    return result;
  }

  part primary() {
    if (take("(")) {
      part const x = expression();
      demand(")");
      return x;
    }
    if (at_ < text_.size() && is_digit(text_[at_])) return number();
    if (at_ < text_.size() && is_letter(text_[at_])) return name();
    expected("a number, a name or \"(\"");
  }

  part number() {
    std::size_t const begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_letter(text_[at_]))) ++at_;
    std::string_view const digits = text_.substr(begin, at_ - begin);
    bool const hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    index value = 0;
    bool const octal = digits.size() > 1 && digits[0] == '0' && !hexadecimal;
    if (octal || !tool::read_whole(digits, value, hexadecimal ? 16 : 10)) {
      at_ = begin;
      expected("a whole number of 64 bits, decimal without a 0 in front, or 0x…");
    }
    return of_number(tool::number(value));
  }

  part name() {
    std::size_t const begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_letter(text_[at_]))) ++at_;
    std::string const word(text_.substr(begin, at_ - begin));
    if (word == "i" || word == "item" || (word == "lane" && one_warp_))
      return of_number(tool::variable(mmm::detail::item_slot));
    if (word == "none") return {tool::number(0), {}, {}, true};
    if (word == "min" || word == "max") {
      demand("(");
      part const x = expression();
      demand(",");
      part const y = expression();
      demand(")");
      operation const op = word == "min" ? operation::minimum : operation::maximum;
      return joined(of_number(tool::operate(op, as_number(x), as_number(y))), x, y);
    }
    auto const symbol = std::find(symbols_.begin(), symbols_.end(), word);
    if (symbol != symbols_.end())
      return of_number(tool::variable(mmm::symbols[symbol - symbols_.begin()].slot));
    auto const found = known_.find(word);
    if (found != known_.end()) return of_number(tool::number(found->second));
    at_ = begin;
    std::string all = one_warp_ ? "i, item, lane, none, min, max" : "i, item, none, min, max";
    for (auto const& [known, value] : known_) all += ", " + known;
    throw tool::failure("the pattern has the name " + tool::in_quotes(word) + " in column " +
                        std::to_string(begin + 1) +
                        (word == "lane" ? ", and the items of several warps" : "") +
                        "; accepted: " + all + " and names that --let NAME=VALUE gives");
  }

  std::string_view text_;
  names const& known_;
  bool one_warp_;
  std::vector<std::string> const& symbols_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool is_reserved(std::string const& name) {
  constexpr std::array<std::string_view, 6> reserved{"i", "item", "lane", "none", "min", "max"};
  return std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

addresses parse(std::string const& text, names const& known, bool one_warp,
                std::vector<std::string> const& symbols) {
  if (text.size() > longest)
    throw tool::failure("the pattern has " + std::to_string(text.size()) +
                        " characters; accepted: up to " + std::to_string(longest));
  part const x = parser(text, known, one_warp, symbols).whole();
  addresses result{tool::tree(as_number(x)), {}};
  if (x.never)
    result.active =
        tool::condition(tool::make({kind::less, {}, 0, tool::number(1), tool::number(0), {}}));
  else if (x.active)
    result.active = tool::condition(x.active);
  return result;
}

}  // namespace explore::pattern
