// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/declaration.hpp>
#include <device/ptx/labels.hpp>
#include <device/ptx/lexer.hpp>
#include <device/ptx/locations.hpp>
#include <device/ptx/module.hpp>
#include <device/ptx/names.hpp>
#include <device/ptx/operands.hpp>

#include <iterator>
#include <string>
#include <utility>

namespace device::ptx {

namespace {

class body_reader {
 public:
  body_reader(module const& source, function const& f)
      : text_(f.text, f.text_line),
        locations_(source, result_.locations),
        operand_(text_, names_, result_, source) {
    result_.instructions.reserve(f.text.size() / 64);
  }

  body read() {
    while (text_.peek() != '\0') statement();
    if (!names_.is_outermost()) text_.fail("a `{` without its `}`");
    labels_.resolve(result_);
    return std::move(result_);
  }

 private:
  body result_;
  lexer text_;
  names names_;
  label_table labels_;
  location_table locations_;
  operand_reader operand_;
  std::uint32_t location_ = none;
  std::vector<std::string_view> modifiers_;  // of the instruction at hand; kept for their memory
  std::vector<operand> operands_;

  void statement() {
    switch (text_.peek()) {
      case '{':
        text_.expect('{');
        names_.enter();
        labels_.enter();
        return;
      case '}':
        if (names_.is_outermost()) text_.fail("a `}` without its `{`");
        text_.expect('}');
        names_.leave();
        labels_.leave();
        return;
      case '.':
        directive();
        return;
      case ';':
        text_.expect(';');
        return;  // an empty statement, of inline assembly
      case '@':
        guarded();
        return;
      default:
        break;
    }
    std::uint32_t const line = text_.line();
    std::string_view const word = text_.word();
    if (text_.peek() == ':' && text_.second() != ':')
      label(word);
    else
      read_instruction(word, none, false, line);
  }

  void directive() {
    if (text_.accept_dotted("loc")) {
      // LLVM numbers the lines of inline assembly on from the source line of the statement.
      bool const of_assembly = text_.in_inline_assembly();
      std::uint32_t const location = locations_.read(text_);
      if (!of_assembly) location_ = location;
    } else if (text_.accept_dotted("reg")) {
      registers();
    } else if (text_.accept_dotted("pragma")) {
      do static_cast<void>(text_.quoted());
      while (text_.accept(','));
      text_.expect(';');
    } else {
      linkage const link = read_linkage(text_);
      state_space const space = accept_space(text_);
      if (space == state_space::none) text_.fail("unknown directive of a body");
      auto next = static_cast<std::uint32_t>(result_.variables.size());
      read_variables(text_, link, space, result_.variables);
      for (; next != result_.variables.size(); ++next)
        declare(result_.variables[next].name, {names::found::kind_type::variable, next, 1});
    }
  }

  void declare(std::string_view name, names::found meaning) {
    if (!names_.add(name, meaning)) text_.fail("a second declaration in the same scope", name);
  }

  //! `.reg .b32 %r<17>, %x;` or `.reg .v2 .b32 %v;`
  void registers() {
    scalar type = scalar::none;
    std::uint32_t components = 1;
    while (text_.peek() == '.') {
      std::string_view const word = text_.dotted();
      if (word == "v2" || word == "v4")
        components = static_cast<std::uint32_t>(word[1] - '0');
      else if (word == "align")
        static_cast<void>(text_.small_number());
      else
        type = scalar_of(word);
      if (type == scalar::other) text_.fail("a register of this type", word);
    }
    if (type == scalar::none) text_.fail("expected the type of a register");
    do {
      std::string_view const name = text_.word();
      auto const first = static_cast<std::uint32_t>(result_.registers.size());
      bool const is_range = text_.accept('<');
      std::uint32_t const count = is_range ? text_.small_number() : components;
      if (count > 1U << 24U) text_.fail("more than 2^24 registers", name);
      if (is_range && components != 1) text_.fail("a range of vector registers", name);
      bool const is_numbered = is_range || components != 1;
      for (std::uint32_t i = 0; i < count; ++i)
        result_.registers.push_back({name, is_numbered ? i : none, type});
      if (is_range) {
        text_.expect('>');
        names_.add_range(name, first, count);
      } else {
        using kind = names::found::kind_type;
        declare(name, {components == 1 ? kind::reg : kind::reg_vector, first, components});
      }
    } while (text_.accept(','));
    text_.expect(';');
  }

  void label(std::string_view name) {
    text_.expect(':');
    if (text_.accept_dotted("branchtargets")) {
      labels_.branches(text_, result_, name);
    } else if (text_.accept_dotted("calltargets")) {
      std::vector<std::string_view>& targets = fresh(result_.call_targets, name);
      do targets.push_back(text_.word());
      while (text_.accept(','));
      text_.expect(';');
    } else if (text_.accept_dotted("callprototype")) {
      prototype(fresh(result_.prototypes, name));
    } else {
      labels_.define(text_, result_, name);
    }
  }

  template <class Value>
  Value& fresh(std::map<std::string_view, Value>& in, std::string_view name) const {
    auto const [place, is_new] = in.try_emplace(name);
    if (!is_new) text_.fail("a second table or prototype of this name", name);
    return place->second;
  }

  //! `(.param .b32 _) _ (.param .b64 _, .param .b64 _) .noreturn;`
  void prototype(body::prototype& into) {
    into.returns = read_parameters(text_);
    static_cast<void>(text_.word());
    into.parameters = read_parameters(text_);
    while (text_.peek() == '.') {
      std::string_view const word = text_.dotted();
      if (word == "noreturn")
        into.noreturn = true;
      else if (word.starts_with("abi_preserve"))
        static_cast<void>(text_.small_number());
      else
        text_.fail("unknown directive of a prototype", word);
    }
    text_.expect(';');
  }

  void guarded() {
    std::uint32_t const line = text_.line();
    text_.expect('@');
    bool const negated = text_.accept('!');
    std::uint32_t const guard = operand_.read_register();
    read_instruction(text_.word(), guard, negated, line);
  }

  void read_instruction(std::string_view opcode, std::uint32_t guard, bool negated,
                        std::uint32_t line) {
    instruction& i = result_.instructions.emplace_back();
    i.opcode = opcode;
    i.guard = guard;
    i.guard_negated = negated;
    i.location = location_;
    i.text_line = line;
    modifiers_.clear();
    while (text_.peek() == '.') modifiers_.push_back(text_.dotted());
    i.modifiers.assign(modifiers_.begin(), modifiers_.end());
    if (opcode == "call") {
      read_call(i);
    } else {
      operands_.clear();
      operand_.read_list(';', operands_);
      i.operands.assign(std::make_move_iterator(operands_.begin()),
                        std::make_move_iterator(operands_.end()));
      if (opcode == "bra") labels_.refer(result_);
    }
    text_.expect(';');
  }

  //! `(returns), target, (arguments), prototype`: all but the target may be missing.
  void read_call(instruction& i) {
    if (text_.accept('(')) {
      operand_.read_list(')', i.call_returns);
      text_.expect(')');
      text_.expect(',');
    }
    i.operands.push_back(operand_.read());
    while (text_.accept(',')) {
      if (i.operands.size() == 1 && text_.accept('(')) {
        operand_.read_list(')', i.call_arguments);
        text_.expect(')');
      } else {
        i.operands.push_back(operand_.read());
      }
    }
  }
};

}  // namespace

body parse_body(module const& source, function const& f) { return body_reader{source, f}.read(); }

}  // namespace device::ptx
