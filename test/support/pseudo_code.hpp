// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/handle.hpp>

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

//! A back end that writes a program down as pseudo-code. It shows what a back end is made of: an
//! index, a reference and a value with their operations, and a handle with the vocabulary's
//! primitives. A test compares what it writes (test/execution/pseudo_code.cpp).
namespace pseudo {

using mmm::index;

//! The lines that have been written.
class listing {
 public:
  void line(std::string const& what) {
    text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + what + '\n';
  }
  //! Writes a line, and what `inside` writes a level deeper.
  template <class F>
  void block(std::string const& head, F const& inside) {
    line(head);
    ++depth_;
    inside();
    --depth_;
  }
  [[nodiscard]] std::string fresh(char const* prefix) { return prefix + std::to_string(names_++); }
  [[nodiscard]] std::string const& text() const { return text_; }

 private:
  std::string text_;
  int depth_ = 0;
  int names_ = 0;
};

//! An index, a condition or a value: its text.
struct term : mmm::detail::interpreted {
  std::string text;
  bool atom = true;  //!< needs no parentheses
};

//! A word of an array, or a register. Reading it writes a line that gives the value a name.
class reference : public mmm::detail::interpreted {
 public:
  reference(listing& code, std::string const& place) : code_(&code), place_(place) {}
  [[nodiscard]] term load(std::string const& condition = "") const {
    std::string const name = code_->fresh("x");
    code_->line(name + " = " + place_ + condition);
    return {{}, name};
  }
  template <class X>
  void store(X const& x, std::string const& condition = "") const;
  term update(std::string const& name, std::vector<std::string> const& operands,
              std::string const& condition = "") const {
    std::string const old = code_->fresh("x");
    std::string list = place_;
    for (std::string const& x : operands) list += ", " + x;
    code_->line(old + " = " + name + "(" + list + ")" + condition);
    return {{}, old};
  }
  template <class X>
  void operator=(X const& x) const {
    store(x);
  }
  void operator=(reference const& x) const { store(x.load()); }

 private:
  listing* code_;
  std::string place_;
};

template <class X>
concept written = std::same_as<X, term> || std::same_as<X, reference>;
template <class X>
concept operand = written<X> || std::is_arithmetic_v<X>;

template <operand X>
[[nodiscard]] term term_of(X const& x) {
  if constexpr (std::same_as<X, term>)
    return x;
  else if constexpr (std::same_as<X, reference>)
    return x.load();
  else
    return {{}, std::to_string(x)};
}
[[nodiscard]] inline std::string inner(term const& x) {
  return x.atom ? x.text : '(' + x.text + ')';
}

template <class X>
void reference::store(X const& x, std::string const& condition) const {
  code_->line(place_ + " = " + term_of(x).text + condition);
}

#define PSEUDO_OPERATOR(symbol)                                       \
  template <operand X, operand Y>                                     \
  requires(written<X> || written<Y>)                                  \
  [[nodiscard]] term operator symbol(X const& x, Y const& y) {        \
    term const left = term_of(x);                                     \
    term const right = term_of(y);                                    \
    return {{}, inner(left) + " " #symbol " " + inner(right), false}; \
  }
PSEUDO_OPERATOR(+)
PSEUDO_OPERATOR(-)
PSEUDO_OPERATOR(*)
PSEUDO_OPERATOR(/)
PSEUDO_OPERATOR(%)
PSEUDO_OPERATOR(<)
PSEUDO_OPERATOR(>)
#undef PSEUDO_OPERATOR

template <written X>
[[nodiscard]] term load(X const& x) {
  return term_of(x);
}
template <operand Otherwise>
[[nodiscard]] term load_if(term const& condition, reference const& x, Otherwise const& otherwise) {
  return x.load(" if " + condition.text + " else " + inner(term_of(otherwise)));
}
template <operand X>
void store_if(term const& condition, reference const& to, X const& x) {
  to.store(x, " if " + condition.text);
}
template <class Update, operand... X>
term update_atomically(Update const&, reference const& word, X const&... x) {
  return word.update(Update::name, {term_of(x).text...});
}
template <class Update, operand X>
void update_atomically_if(term const& condition, Update const&, reference const& word, X const& x) {
  word.update(Update::name, {term_of(x).text}, " if " + condition.text);
}
template <operand X, operand Y>
[[nodiscard]] term select(term const& condition, X const& x, Y const& y) {
  term const left = term_of(x);
  term const right = term_of(y);
  return {{}, inner(left) + " if " + condition.text + " else " + inner(right), false};
}
template <class Operator, operand X, operand Y>
requires(written<X> || written<Y>)
[[nodiscard]] term apply(Operator const& op, X const& x, Y const& y) {
  return op(term_of(x), term_of(y));
}

//! An array or a thread's registers: a name, and an offset of the first word.
template <class T>
class named {
 public:
  using value_type = T;
  named(listing& code, std::string const& name) : code_(&code), name_(name) {}
  [[nodiscard]] std::string const& name() const { return name_; }
  template <operand I>
  [[nodiscard]] reference operator[](I const& i) const {
    return {*code_, name_ + '[' + (offset_.text.empty() ? term_of(i) : offset_ + i).text + ']'};
  }
  template <operand I, operand K>
  [[nodiscard]] reference operator()(I const& i, K const& k) const {
    return {*code_, name_ + '[' + term_of(i).text + ", " + term_of(k).text + ']'};
  }
  template <operand I>
  [[nodiscard]] friend named operator+(named a, I const& n) {
    a.offset_ = a.offset_.text.empty() ? term_of(n) : a.offset_ + n;
    return a;
  }

 private:
  listing* code_;
  std::string name_;
  term offset_{};
};

//! The handle.
template <mmm::machine M, bool Whole>
class handle : public mmm::detail::vocabulary<handle<M, Whole>, M, Whole> {
 public:
  static constexpr bool refuses = true;

  handle(M const& m, index threads, listing& code) : machine_(m), threads_(threads), code_(&code) {}
  [[nodiscard]] M const& machine() const { return machine_; }
  [[nodiscard]] index threads() const { return threads_; }
  [[nodiscard]] index dmms() const
  requires Whole
  {
    return machine_.dmms();
  }
  [[nodiscard]] index threads_per_dmm() const
  requires Whole
  {
    return threads_ / machine_.dmms();
  }

  template <class Items, class Body>
  void run_items(Items const& items, Body const& body, bool barrier) const {
    std::string const end = barrier ? ":" : ", without a barrier:";
    if constexpr (std::same_as<Items, mmm::trapezoid>)
      code_->block("for (row, column) in a trapezoid, parallel" + end,
                   [&] { body(term{{}, "row"}, term{{}, "column"}); });
    else
      code_->block("for i in 0.." + std::to_string(items.count()) + " parallel" + end,
                   [&] { mmm::detail::call_body(items, term{{}, "i"}, body); });
  }
  void run_barrier() const { code_->line("barrier"); }
  template <class Body>
  void run_loop(index count, Body& body) const {
    term const k{{}, code_->fresh("k")};
    code_->block("for " + k.text + " in 0.." + std::to_string(count) + ":", [&] { body(k); });
  }
  template <class T>
  [[nodiscard]] named<T> make_array(index n) const {
    std::string const name = code_->fresh(Whole ? "global" : "array");
    code_->line(name + ": " + std::to_string(n) + " words");
    return {*code_, name};
  }
  template <class T, index N>
  [[nodiscard]] named<T> make_registers() const {
    return {*code_, code_->fresh("r")};
  }
  template <class T, index Max>
  [[nodiscard]] named<T> make_registers(mmm::thread_items<Max> const&) const {
    return {*code_, code_->fresh("r")};
  }
  template <index, class T, class Operator>
  void run_scan_lanes(named<T> const& upto, named<T> const& before, Operator const&) const {
    code_->line(upto.name() + ", " + before.name() + ": scan by " + std::to_string(this->lanes()) +
                " lanes");
  }
  template <class T, class Operator>
  void run_fold_lanes(named<T> const& r, index n, Operator const&) const {
    code_->line(r.name() + ": fold of " + std::to_string(n) + " by " +
                std::to_string(this->lanes()) + " lanes");
  }
  template <class Body>
  void run_dmms(index count, Body& body) const {
    handle<M, false> const block(machine_, threads_per_dmm(), *code_);
    code_->block("for dmm in 0.." + std::to_string(count) + " at the same time:",
                 [&] { body(block, term{{}, "dmm"}); });
  }
  template <class Body>
  void run_tiles(mmm::dmm_range const& dmms, index first, index count, Body& body, bool) const {
    handle<M, false> const block(machine_, threads_per_dmm(), *code_);
    code_->block("for tile in " + std::to_string(first) + ".." + std::to_string(first + count) +
                     ", assigned to the DMMs " + range_of(dmms) + "round-robin:",
                 [&] { body(block, term{{}, "tile"}); });
  }
  template <class T>
  [[nodiscard]] named<T> make_look_back_state(index tiles) const {
    return make_array<T>(tiles);
  }

 private:
  //! The range of DMMs, unless it is all of them.
  [[nodiscard]] std::string range_of(mmm::dmm_range const& dmms) const {
    if (dmms.count == this->dmms()) return "";
    return std::to_string(dmms.first) + ".." + std::to_string(dmms.first + dmms.count) + " ";
  }
  M machine_;
  index threads_;
  listing* code_;
};

//! The pseudo-code of `program(on)`.
template <mmm::machine M, class Program>
[[nodiscard]] std::string pseudo_code(mmm::threads p, Program const& program) {
  listing code;
  handle<M, mmm::hierarchical_machine<M>> on(M{}, p.count, code);
  program(on);
  return code.text();
}

}  // namespace pseudo
