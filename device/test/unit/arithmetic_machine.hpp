// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/failure.hpp>
#include <device/decode/context.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/lane/special_register.hpp>
#include <device/execute/warp.hpp>
#include <device/ptx/module.hpp>

#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace checks {

//! Executes single arithmetic instructions on the registers of one warp, without memory and control
//! flow: `%h0` … `%h7` have 16 bits, `%r0` … 32, `%d0` … 64, `%q0` … 128, and `%p0` … are
//! predicates.
class lane_machine : private device::decode::context {
 public:
  using program = std::vector<device::operation>;

  lane_machine() {
    warp_.base[0] = frame_.data();
    warp_.base[1] = constants_.data();
    device::add_integer_instructions(table_);
    device::add_floating_instructions(table_);
    device::add_half_instructions(table_);
    device::add_move_instructions(table_);
    device::add_comparison_instructions(table_);
  }

  //! Compiles instructions into operations. Throws device::unsupported.
  [[nodiscard]] program compile(std::string const& instructions) {
    modules_.push_back(std::make_unique<device::ptx::module>());
    device::ptx::module& m = *modules_.back();
    device::ptx::parse(".version 9.0\n.target sm_100a\n.address_size 64\n.func f() {\n"
                       ".reg .b16 %h<8>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n.reg .b128 "
                       "%q<8>;\n.reg .pred %p<8>;\n" +
                           instructions + "\nret;\n}\n",
                       m);
    body_ = device::ptx::parse_body(m, m.functions.front());
    made_.clear();
    for (device::ptx::instruction const& i : body_.instructions) {
      if (i.opcode == "ret") continue;
      auto const builder = table_.find(i.opcode);
      if (builder == table_.end()) refuse(i, "no such opcode");
      builder->second(i, *this);
    }
    return made_;
  }
  [[nodiscard]] bool knows(std::string_view opcode) const { return table_.count(opcode) != 0; }

  void run(program const& p, device::lane_mask active = device::all_lanes) {
    warp_.active = active;
    for (device::operation const& o : p) o.run(warp_, o);
  }
  void run(std::string const& instructions, device::lane_mask active = device::all_lanes) {
    run(compile(instructions), active);
  }

  //! The values of a register, one per lane.
  template <class T>
  [[nodiscard]] std::array<T, 32> get(std::string const& name) {
    std::array<T, 32> values{};
    std::memcpy(values.data(), frame_.data() + slot_of(name, kept<T>), sizeof values);
    return values;
  }
  template <class T>
  void set(std::string const& name, std::array<T, 32> const& values) {
    std::memcpy(frame_.data() + slot_of(name, kept<T>), values.data(), sizeof values);
  }
  template <class T>
  void fill(std::string const& name, T value) {
    std::array<T, 32> values{};
    values.fill(value);
    set(name, values);
  }
  [[nodiscard]] device::lane_mask predicate(std::string const& name) {
    device::lane_mask m = 0;
    std::memcpy(&m, frame_.data() + slot_of(name, 0), sizeof m);
    return m;
  }
  void set_predicate(std::string const& name, device::lane_mask m) {
    std::memcpy(frame_.data() + slot_of(name, 0), &m, sizeof m);
  }
  [[nodiscard]] device::lane_mask carry_flag() { return predicate("carry"); }
  void set_carry_flag(device::lane_mask m) { set_predicate("carry", m); }

  //! The warp, whose block and launch the special registers describe.
  [[nodiscard]] device::warp& warp() { return warp_; }

 private:
  using operand = device::ptx::operand;
  using slot = device::slot;

  template <class T>
  static constexpr int kept = static_cast<int>(sizeof(T));

  slot slot_of(std::string const& name, int bytes) {
    auto const [found, is_new] = slots_.try_emplace(name, 0U);
    if (is_new) found->second = scratch(bytes);
    return found->second;
  }
  std::string name_of(operand const& o) const {
    return std::string(body_.registers.at(o.reg).name) + number_of(o);
  }
  std::string number_of(operand const& o) const {
    std::uint32_t const n = body_.registers.at(o.reg).number;
    return n == device::ptx::none ? "" : std::to_string(n);
  }

  slot source(operand const& o, int bytes) override {
    switch (o.kind) {
      case operand::kind_type::reg: {
        int const has = register_bytes(o);
        if (has < bytes) throw device::unsupported("a register is too narrow");
        slot const s = slot_of(name_of(o), has);
        return has == bytes ? s : narrowed(s, has, bytes);
      }
      case operand::kind_type::integer:
      case operand::kind_type::floating:
        return constant(o.bits, bytes);
      case operand::kind_type::special: {
        slot const d = scratch(bytes);
        device::emit_special(*this, o.name, d, bytes);
        return d;
      }
      default:
        throw std::runtime_error("no source");
    }
  }
  slot destination(operand const& o, int bytes) override {
    if (o.kind == operand::kind_type::sink) return scratch(bytes);
    return slot_of(name_of(o), register_bytes(o));
  }
  slot predicate(operand const& o) override {
    if (o.kind == operand::kind_type::integer)
      return constant(o.bits != 0 ? device::all_lanes : 0, 4);
    slot const s = slot_of(name_of(o), 0);
    if (!o.negated) return s;
    device::operation negation;
    negation.run = [](device::warp& w, device::operation const& op) {
      w.set_predicate(op.d, ~w.predicate(op.a));
    };
    negation.a = s;
    negation.d = scratch(0);
    emit(negation);
    return negation.d;
  }
  slot predicate_destination(operand const& o) override {
    return o.kind == operand::kind_type::sink ? scratch(0) : slot_of(name_of(o), 0);
  }
  int register_bytes(operand const& o) const override {
    if (o.kind != operand::kind_type::reg) return 0;
    int const n = device::ptx::bytes_of(body_.registers.at(o.reg).type);
    return n == 1 ? 2 : n;
  }
  slot scratch(int bytes) override {
    used_ = (used_ + 31) / 32 * 32;
    auto const s = static_cast<slot>(used_);
    used_ += bytes == 0 ? 4 : static_cast<std::size_t>(bytes) * 32;
    if (used_ > frame_.size()) throw std::runtime_error("too many registers");
    return s;
  }
  slot carry() override { return slot_of("carry", 0); }
  slot constant(std::uint64_t value, int bytes) override {
    auto const n = static_cast<std::size_t>(bytes);
    constants_used_ = (constants_used_ + 31) / 32 * 32;
    auto const s = static_cast<slot>(constants_used_);
    constants_used_ += 32 * n;
    if (constants_used_ > constants_.size()) throw std::runtime_error("too many constants");
    for (std::size_t t = 0; t < 32; ++t)
      std::memcpy(constants_.data() + s + t * n, &value, n < 8 ? n : 8);
    return s | device::in_constants;
  }
  address address_of(operand const&) override { throw std::runtime_error("no memory"); }
  slot const* list(std::vector<slot> l) override {
    return lists_.emplace_back(std::move(l)).data();
  }
  void emit(device::operation o) override { made_.push_back(o); }
  std::uint64_t add_call(device::ptx::instruction const&) override {
    throw std::runtime_error("no calls");
  }
  std::optional<std::uint32_t> function_number(std::string_view) const override { return {}; }
  device::ptx::body const& body() const override { return body_; }
  void refuse(device::ptx::instruction const& i, std::string const& why) override {
    std::string text(i.opcode);
    for (std::string_view const m : i.modifiers) text.append(".").append(m);
    throw device::unsupported(text + ": " + why);
  }

  slot narrowed(slot from, int has, int bytes) {
    device::operation narrowing;
    narrowing.run = [](device::warp& w, device::operation const& op) {
      auto const* const a = w.source<std::byte>(op.a);
      auto* const d = w.destination<std::byte>(op.d);
      w.each_active([&](int t) { std::memcpy(d + t * op.bytes, a + t * op.flags, op.bytes); });
    };
    narrowing.a = from;
    narrowing.flags = static_cast<std::uint8_t>(has);
    narrowing.bytes = static_cast<std::uint8_t>(bytes);
    narrowing.d = scratch(bytes);
    emit(narrowing);
    return narrowing.d;
  }

  device::decode::instruction_table table_;
  device::warp warp_;
  std::vector<std::byte> frame_ = std::vector<std::byte>(1U << 22);
  std::vector<std::byte> constants_ = std::vector<std::byte>(1U << 20);
  std::size_t used_ = 0;
  std::size_t constants_used_ = 0;
  std::map<std::string, slot> slots_;
  std::deque<std::vector<slot>> lists_;
  std::vector<std::unique_ptr<device::ptx::module>> modules_;
  device::ptx::body body_;
  program made_;
};

}  // namespace checks
