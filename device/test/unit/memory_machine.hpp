// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "catch.hpp"

#include <device/core/failure.hpp>
#include <device/core/finding.hpp>
#include <device/decode/context.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/launch.hpp>
#include <device/memory/weak_memory.hpp>
#include <device/ptx/module.hpp>

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

//! Blocks and warps that execute single memory instructions of PTX, without decoder and scheduler.
namespace memory_test {

using namespace device;

//! Checks preconditions of the test itself, also from several threads, for which Catch2's
//! assertions are not made.
inline void expect(bool holds) {
  if (!holds) throw std::logic_error("the test's machine is used in a way that it is not made for");
}

//! An access as an observer received it, with a copy of the addresses.
struct seen_access {
  access_kind kind;
  device::space where;
  int bytes;
  lane_mask active;
  std::vector<std::uint64_t> address;
  bool changes;
  std::vector<std::byte> values;
  device::lane_pattern pattern;
  std::uint64_t begin, end;
};

struct recorder : observer {
  std::vector<seen_access> seen;
  int fences = 0;
  void access(memory_access const& a) override {
    seen.push_back({a.kind,
                    a.where,
                    a.bytes,
                    a.active,
                    {a.address, a.address + lanes},
                    a.changes,
                    {},
                    a.pattern,
                    a.begin,
                    a.end});
    if (a.values != nullptr) seen.back().values.assign(a.values, a.values + lanes * a.bytes);
  }
  void fence(warp&, operation const&, strength, device::scope) override { ++fences; }
};

inline constexpr std::uint32_t local_bytes = 64;
inline constexpr std::uint32_t param_bytes = 64;

//! The state of a thread block, and one program that all its warps run.
class machine {
 public:
  static constexpr std::size_t frame_bytes = 1U << 16;

  explicit machine(int warps = 1, std::uint32_t shared_bytes = 4096, int workers = 1)
      : memory_owner_(std::make_unique<global_memory>(std::uint64_t{1} << 30, 1)),
        memory(*memory_owner_) {
    setup(warps, shared_bytes, workers);
  }
  //! Another block with its own number, which shares the memory of `other`.
  machine(machine& other, std::uint64_t number, int warps = 1, std::uint32_t shared_bytes = 4096,
          int workers = 1)
      : memory(other.memory) {
    setup(warps, shared_bytes, workers);
    self.number = number;
    self.index.x = static_cast<std::uint32_t>(number);
    self.weak = other.self.weak;
  }
  machine(machine const&) = delete;
  machine& operator=(machine const&) = delete;

  //! The 32 values of a warp's register.
  template <class T>
  T* values(std::string const& name, int warp_number = 0) {
    return reinterpret_cast<T*>(frames_.at(static_cast<std::size_t>(warp_number)).data() +
                                slot_of(name));
  }
  //! Sets the value of lane t to f(t).
  template <class T, class F>
  void set(std::string const& name, F const& f, int warp_number = 0) {
    for (int t = 0; t < lanes; ++t) values<T>(name, warp_number)[t] = static_cast<T>(f(t));
  }

  //! Executes instructions for some lanes of a warp.
  void run(std::string const& text, lane_mask active = all_lanes, int warp_number = 0) {
    execute(decoded(text), active, warp_number);
  }
  //! Executes instructions repeatedly.
  void repeat(std::string const& text, std::uint32_t times) {
    std::vector<operation> const& operations = decoded(text);
    for (std::uint32_t k = 0; k < times; ++k) execute(operations, all_lanes, 0);
  }

  //! Adds a name that memory operands may use.
  void name_parameter(std::string const& name, std::uint64_t offset, bool of_kernel) {
    parameters_[name] = {offset, of_kernel};
  }

  //! Runs an instruction, expects a fault, and returns the finding that reports it.
  finding fault(std::string const& text, lane_mask active = all_lanes) {
    findings.clear();
    REQUIRE_THROWS_AS(run(text, active), device_fault);
    REQUIRE(findings.size() == 1);
    return findings[0];
  }

  void observe() { observers_ = {&record}; }

 private:
  std::unique_ptr<global_memory> memory_owner_;

 public:
  global_memory& memory;
  launch of;
  program code;
  block self;
  recorder record;
  std::vector<finding> findings;

 private:
  struct parameter {
    std::uint64_t offset;
    bool of_kernel;
  };
  class fake_context;

  //! A parsed instruction, which refers to the text.
  struct instruction_text {
    ptx::module module;
    ptx::body body;
    std::vector<operation> operations;
  };

  void setup(int warps, std::uint32_t shared_bytes, int workers) {
    code.name = code.demangled = "tested()";
    code.param_bytes = param_bytes;
    of.kernel = &code;
    of.memory = &memory;
    of.workers = workers;
    of.block = {static_cast<std::uint32_t>(warps) * lanes, 1, 1};
    of.params.resize(64);
    of.report = [this](finding const& f) { findings.push_back(f); };
    self.of_launch = &of;
    self.shared.resize(shared_bytes);
    self.observers = &observers_;
    self.warps.resize(static_cast<std::size_t>(warps));
    for (int k = 0; k < warps; ++k) {
      warp& w = self.warps[static_cast<std::size_t>(k)];
      frames_.emplace_back(frame_bytes);
      params_.emplace_back(param_bytes * lanes);
      frame& f = current_.emplace_back();
      f.code = &code;
      f.registers = frames_.back().data();
      f.params = params_.back().data();
      w.current = &f;
      w.base[0] = frames_.back().data();
      w.of_block = &self;
      w.number = static_cast<std::uint32_t>(k);
      w.alive = w.present = all_lanes;
      w.local.resize(local_bytes * lanes);
      w.local_stride = w.local_bytes = local_bytes;
    }
  }

  slot slot_of(std::string const& name) {
    auto const found = slots_.find(name);
    if (found != slots_.end()) return found->second;
    auto const at = static_cast<slot>(slots_.size() * 512);
    expect(at + 512 <= frame_bytes);
    return slots_[name] = at;
  }

  std::vector<operation> const& decoded(std::string const& text);

  void execute(std::vector<operation> const& operations, lane_mask active, int warp_number) {
    for (operation const& op : operations) {
      warp& w = self.warps.at(static_cast<std::size_t>(warp_number));
      w.active = w.mask = active;
      op.run(w, op);
    }
  }

  std::deque<std::vector<std::byte>> frames_;
  std::deque<std::vector<std::byte>> params_;
  std::deque<frame> current_;
  std::map<std::string, slot> slots_;
  std::map<std::string, parameter> parameters_;
  std::map<std::string, std::unique_ptr<instruction_text>> decoded_;
  std::vector<observer*> observers_;
};

//! Assigns registers by name; each constant gets a register with that value in every warp.
class machine::fake_context : public decode::context {
 public:
  fake_context(machine& of, instruction_text& text) : of_(of), text_(text) {}

  slot source(ptx::operand const& o, int bytes) override {
    if (o.kind == ptx::operand::kind_type::reg) {
      expect(register_bytes(o) == bytes);
      return of_.slot_of(name_of(o));
    }
    return constant(o.bits, bytes);
  }
  slot destination(ptx::operand const& o, int) override {
    return of_.slot_of(o.kind == ptx::operand::kind_type::reg ? name_of(o) : "_");
  }
  slot predicate(ptx::operand const& o) override { return of_.slot_of(name_of(o)); }
  slot predicate_destination(ptx::operand const& o) override { return of_.slot_of(name_of(o)); }
  int register_bytes(ptx::operand const& o) const override {
    if (o.kind != ptx::operand::kind_type::reg && o.reg == ptx::none) return 0;
    ptx::scalar const type = text_.body.registers[o.reg].type;
    return type == ptx::scalar::pred ? 0 : std::max(ptx::bytes_of(type), 2);
  }
  slot scratch(int) override { return of_.slot_of("scratch" + std::to_string(of_.slots_.size())); }
  slot carry() override { return of_.slot_of("carry"); }
  slot constant(std::uint64_t value, int bytes) override {
    std::string const name = "constant " + std::to_string(value) + " " + std::to_string(bytes);
    slot const at = of_.slot_of(name);
    for (std::vector<std::byte>& f : of_.frames_)
      for (int t = 0; t < lanes; ++t)
        std::memcpy(f.data() + at + t * bytes, &value,
                    static_cast<std::size_t>(std::min(bytes, 8)));
    return at;
  }
  address address_of(ptx::operand const& o) override {
    address a;
    a.offset = o.bits;
    if (o.reg != ptx::none) {
      a.base = of_.slot_of(name_of(o));
      a.base_bytes = register_bytes(o);
    } else if (!o.name.empty()) {
      parameter const& p = of_.parameters_.at(std::string(o.name));
      a.offset += p.offset;
      a.variable_space = space::param;
      a.of_kernel = p.of_kernel;
    }
    return a;
  }
  slot const* list(std::vector<slot> slots) override {
    lists_->push_back(std::move(slots));
    return lists_->back().data();
  }
  void emit(operation op) override {
    op.index = static_cast<std::uint32_t>(of_.decoded_.size());
    text_.operations.push_back(op);
  }
  std::uint64_t add_call(ptx::instruction const&) override { throw unsupported("call"); }
  std::optional<std::uint32_t> function_number(std::string_view) const override {
    return std::nullopt;
  }
  ptx::body const& body() const override { return text_.body; }
  void refuse(ptx::instruction const& i, std::string const& why) override {
    throw unsupported(std::string(i.opcode) + ": " + why);
  }

 private:
  [[nodiscard]] std::string name_of(ptx::operand const& o) const {
    ptx::register_declaration const& r = text_.body.registers.at(o.reg);
    return std::string(r.name) + (r.number == ptx::none ? "" : std::to_string(r.number));
  }

  machine& of_;
  instruction_text& text_;
  std::deque<std::vector<slot>>* lists_ = &of_.code.lists;
};

inline std::vector<operation> const& machine::decoded(std::string const& text) {
  std::unique_ptr<instruction_text>& found = decoded_[text];
  if (found) return found->operations;
  static decode::instruction_table const table = [] {
    decode::instruction_table all;
    add_memory_instructions(all);
    add_atomic_instructions(all);
    add_asynchronous_instructions(all);
    add_fence_instructions(all);
    add_mbarrier_instructions(all);
    add_matrix_instructions(all);
    return all;
  }();
  auto made = std::make_unique<instruction_text>();
  ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry tested()\n{\n.reg "
             ".pred %p<4>;\n"
             ".reg .b16 %rs<16>;\n.reg .b32 %r<32>;\n.reg .f32 %f<16>;\n.reg .b64 %rd<16>;\n.reg "
             ".f64 %fd<8>;\n"
             ".reg .b128 %rq<4>;\n" +
                 text + "\n}\n",
             made->module);
  made->body = ptx::parse_body(made->module, made->module.functions.at(0));
  fake_context c(*this, *made);
  for (ptx::instruction const& i : made->body.instructions) {
    auto const builder = table.find(i.opcode);
    expect(builder != table.end());
    builder->second(i, c);
  }
  found = std::move(made);
  return found->operations;
}

}  // namespace memory_test
