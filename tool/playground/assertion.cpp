// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assertion.hpp"

#include <mmm/index/algebra.hpp>
#include <mmm/index/expression_text.hpp>

#include <cstdint>

namespace playground {

namespace {

using explore::pattern::memory;
using mmm::index;
using mmm::detail::connective;
using mmm::detail::operation;
using mmm::detail::relation;
namespace binding = mmm::detail::binding;

constexpr index max_items_asserted = index{1} << 16;  // compilers limit a constant's steps
constexpr std::size_t longest_code = 4000;            // characters

//! A part of an expression as C++, and its outermost operator.
struct cpp_part {
  std::string text;
  int outermost = binding::call;  //!< its strength: see mmm::detail::binding
  bool number = false;            //!< an integer of C++, which is no index expression yet
  bool zero = false;
};

//! The algebra of texts in C++. Unlike report::text it writes index expressions and nothing else:
//! mmm::select instead of `?:`, and mmm::constant where both operands are numbers.
class cpp_writer : public mmm::detail::algebra<cpp_writer> {
 public:
  using element = cpp_part;
  using truth = cpp_part;

  //! True if an operator was written that the closed form may refuse: a division or a shift by
  //! something that is not a constant.
  [[nodiscard]] bool doubtful() const { return doubtful_; }

  template <class Variable>
  [[nodiscard]] cpp_part variable(Variable const&) const {
    return {"mmm::item"};
  }
  [[nodiscard]] cpp_part number(index n) const {
    std::string const text = n == INT64_MIN ? "(-9223372036854775807 - 1)"
                             : n < 0        ? "(" + std::to_string(n) + ")"
                                            : std::to_string(n);
    return {text, binding::call, true, n == 0};
  }
  template <operation Op>
  [[nodiscard]] cpp_part operate(cpp_part const& x, cpp_part const& y) {
    constexpr int own = mmm::detail::binding_of_operation[static_cast<int>(Op)];
    std::string const symbol = mmm::detail::symbol_of_operation[static_cast<int>(Op)];
    constexpr bool divides = Op == operation::divide || Op == operation::modulo;
    if ((divides || own == binding::shift) && (!y.number || (divides && y.zero))) doubtful_ = true;
    std::string const left = x.number && y.number ? expression(x) : x.text;
    if (own == binding::call) return {"mmm::" + symbol + "(" + left + ", " + y.text + ")"};
    bool const bits = own != binding::sum && own != binding::product;
    auto const side = [&](std::string const& text, int outermost, bool tighter) {
      bool const bare = outermost == binding::call ||
                        (!bits && (outermost > own || (!tighter && outermost == own)));
      return bare ? text : "(" + text + ")";
    };
    return {side(left, x.outermost, false) + " " + symbol + " " + side(y.text, y.outermost, true),
            own};
  }
  template <relation Relation>
  [[nodiscard]] cpp_part relate(cpp_part const& x, cpp_part const& y) {
    std::string const left = x.number && y.number ? expression(x) : x.text;
    return {"(" + left + " " + mmm::detail::symbol_of_relation[static_cast<int>(Relation)] + " " +
            y.text + ")"};
  }
  template <connective Connective>
  [[nodiscard]] cpp_part combine(cpp_part const& p, cpp_part const& q) const {
    return {"(" + p.text + (Connective == connective::both ? " && " : " || ") + q.text + ")"};
  }
  [[nodiscard]] cpp_part negate(cpp_part const& p) const { return {"!" + p.text}; }
  [[nodiscard]] cpp_part everywhere() const { return {"mmm::item >= 0"}; }
  [[nodiscard]] cpp_part choose(cpp_part const& p, cpp_part const& x, cpp_part const& y) const {
    return {"mmm::select(" + p.text + ", " + x.text + ", " + y.text + ")"};
  }

  [[nodiscard]] static std::string expression(cpp_part const& x) {
    return x.number ? "mmm::constant(" + x.text + ")" : x.text;
  }

 private:
  bool doubtful_ = false;
};

std::string number_of(char const* type, index n) {
  return std::string("mmm::") + type + "(" + std::to_string(n) + ")";
}

//! The addresses of a request, for where the library's function has no condition on the item.
std::string address_list(explore::pattern::warp_request const& r) {
  std::string list;
  for (index const address : r.address)
    list += (list.empty() ? "" : ", ") + std::to_string(address);
  return "{" + list + "}";
}

}  // namespace

assertion assertion_of(explore::pattern::options const& o, explore::pattern::addresses const& of,
                       explore::pattern::figures const& f) {
  assertion result;
  cpp_writer writer;
  std::string const e = cpp_writer::expression(of.of_item.fold(writer));
  std::string const p = of.active ? of.active->fold(writer).text : "";
  if (o.items > max_items_asserted) {
    result.reason = "there are more than " + std::to_string(max_items_asserted) + " items";
  } else if (writer.doubtful()) {
    result.reason = "it divides or shifts by what is not a constant";
  } else if (f.requests == 0) {
    result.reason = "no item accesses anything";
  }
  if (!result.reason.empty()) return result;

  std::string call;
  if (!o.on_gpu()) {
    std::string const machine = std::string(o.where == memory::dmm ? "mmm::dmm<" : "mmm::umm<") +
                                std::to_string(o.width) + ", 1>";
    bool const one_warp = o.items == o.width && o.threads >= o.items;
    if (of.active && o.items <= o.width && o.threads >= o.items)
      call = "mmm::stages<" + machine + ">(" + address_list(f.worst) + ")";
    else if (of.active)
      result.reason = "some items of several warps access nothing";
    else if (one_warp)
      call = "mmm::stages<" + machine + ">(" + e + ")";
    else
      call = "mmm::cost_of<" + machine + ">(" + e + ", " + number_of("size", o.items) + ", " +
             number_of("threads", o.threads) + ").stages";
  } else {
    std::string const access = std::string(o.store ? "mmm::gpu::store<" : "mmm::gpu::load<") +
                               std::to_string(o.bytes) + ">";
    bool const shared = o.where == memory::gpu_shared;
    std::string const size = o.items == 32 && p.empty() ? "" : ", " + number_of("size", o.items);
    call = std::string("mmm::gpu::") + (shared ? "wavefronts<" : "sectors<") + access +
           (shared && merges_pairs(o) ? ", mmm::gpu::nvidia_merging" : "") + ">(" + e + size +
           (p.empty() ? "" : ", " + p) + ")";
  }
  if (result.reason.empty() && call.size() > longest_code)
    result.reason = "it is longer than " + std::to_string(longest_code) + " characters";
  if (result.reason.empty())
    result.code = "#include <mmm/access.hpp>\n\nstatic_assert(" + call +
                  " == " + std::to_string(f.takes) + ");\n";
  return result;
}

}  // namespace playground
