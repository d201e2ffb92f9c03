// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "function_decoder.hpp"

#include "flow.hpp"
#include "instruction_text.hpp"
#include "shared_arrays.hpp"

#include <device/core/failure.hpp>

#include <algorithm>
#include <cstring>
#include <functional>

namespace device {

namespace {

[[nodiscard]] std::uint32_t aligned(std::uint32_t x, std::uint32_t to) {
  return (x + to - 1) / to * to;
}

}  // namespace

std::uint32_t shared_layout::place(ptx::variable const& v) {
  auto const found = offsets.find(v.name);
  if (found != offsets.end()) return found->second;
  std::uint32_t const place = aligned(bytes, v.align);
  offsets.emplace(v.name, place);
  bytes = place + static_cast<std::uint32_t>(v.bytes);
  return place;
}

namespace decode {

namespace {

using kind = ptx::operand::kind_type;

//! The context of one function.
class function_context final : public context {
 public:
  function_context(program& into, services const& execution, symbols const& names,
                   shared_layout shared)
      : into_(into),
        execution_(execution),
        names_(names),
        shared_(std::move(shared)),
        graph_(make_flow_graph(into.body)) {}

  void decode() {
    register_places const places = place_registers(into_.body, graph_);
    register_offsets_ = places.offset;
    into_.register_bytes = places.bytes;
    into_.registers_per_thread = std::clamp(places.max_live + 10, 16, 255);
    place_parameters();
    place_variables();
    constants_.reserve(4096);

    std::vector<std::uint32_t> first_operation;
    for (ptx::instruction const& i : into_.body.instructions) {
      first_operation.push_back(static_cast<std::uint32_t>(into_.operations.size()));
      try {
        decode(i);
      } catch (unsupported const& e) {
        std::string_view why = e.what();
        std::string const place = place_text(into_, i) + ": ";
        if (why.starts_with(place)) why.remove_prefix(place.size());
        into_.refused.push_back({number_of_instruction(), std::string(why)});
      }
    }
    now_ = nullptr;
    first_operation.push_back(static_cast<std::uint32_t>(into_.operations.size()));
    emit_end();
    find_arrays(first_operation);
    find_arguments(first_operation);
    resolve(first_operation);
    find_straight_runs();
    into_.register_slots = std::move(register_offsets_);
    into_.register_bytes = aligned(into_.register_bytes, 64);
    into_.constants = std::move(constants_);
    into_.constants.resize(aligned(static_cast<std::uint32_t>(into_.constants.size()), 64));
    into_.shared_bytes = shared_.bytes;
    into_.dynamic_shared_offset = aligned(shared_.bytes, std::max(16U, dynamic_align_));
  }

  // --- of context --------------------------------------------------------------------------------

  slot source(ptx::operand const& o, int bytes) override {
    switch (o.kind) {
      case kind::reg: {
        int const stored = register_bytes(o);
        if (stored == bytes) return register_offsets_[o.reg];
        if (stored == 0 || stored < bytes)
          refuse(*now_, "a register is narrower than the instruction's type");
        return narrowed(register_offsets_[o.reg], stored, bytes);
      }
      case kind::integer:
      case kind::floating:
        return constant(o.bits, bytes);
      case kind::special: {
        slot const d = scratch(bytes);
        execution_.emit_special(*this, o.name, d, bytes);
        return d;
      }
      case kind::symbol:
        return symbol_address(o, bytes);
      default:
        refuse(*now_, "an operand is neither a register nor a constant");
    }
  }

  slot destination(ptx::operand const& o, int bytes) override {
    if (o.kind == kind::sink) return scratch(bytes);
    if (o.kind != kind::reg) refuse(*now_, "a destination is no register");
    if (register_bytes(o) == 0 && bytes != 0) refuse(*now_, "a destination is a predicate");
    return register_offsets_[o.reg];
  }

  slot predicate(ptx::operand const& o) override {
    if (o.kind == kind::integer) return predicate_constant((o.bits != 0) != o.negated);
    if (o.kind != kind::reg || register_bytes(o) != 0) refuse(*now_, "an operand is no predicate");
    if (!o.negated) return register_offsets_[o.reg];
    operation op;
    op.run = execution_.negate_predicate;
    op.a = register_offsets_[o.reg];
    op.d = scratch(0);
    op.simple = true;
    emit(op);
    return op.d;
  }

  slot predicate_destination(ptx::operand const& o) override {
    if (o.kind == kind::sink) return scratch(0);
    if (o.kind != kind::reg || register_bytes(o) != 0 || o.negated)
      refuse(*now_, "a destination is no predicate");
    return register_offsets_[o.reg];
  }

  int register_bytes(ptx::operand const& o) const override {
    return o.kind == kind::reg ? register_bytes_of(into_.body.registers[o.reg].type) : 0;
  }

  slot scratch(int bytes) override {
    std::uint32_t& used = into_.register_bytes;
    if (bytes != 0) used = aligned(used, 32);
    slot const place = used;
    used += bytes == 0 ? 4U : static_cast<std::uint32_t>(std::max(2, bytes)) * lanes;
    return place;
  }

  slot carry() override {
    if (carry_ == no_slot) carry_ = scratch(0);
    return carry_;
  }

  slot constant(std::uint64_t value, int bytes) override {
    bytes = std::max(2, bytes);
    if (bytes < 8) value &= (std::uint64_t{1} << 8 * bytes) - 1;
    auto const [found, is_new] = known_constants_.try_emplace({value, bytes}, 0U);
    if (is_new) {
      constants_.resize((constants_.size() + 31) / 32 * 32);
      found->second = static_cast<slot>(constants_.size()) | in_constants;
      auto const size = static_cast<std::size_t>(bytes);
      std::size_t const begin = constants_.size();
      constants_.resize(begin + size * lanes);
      for (std::size_t t = 0; t < lanes; ++t)
        std::memcpy(constants_.data() + begin + t * size, &value, std::min(size, sizeof value));
    }
    return found->second;
  }

  address address_of(ptx::operand const& memory) override {
    address found;
    found.offset = memory.bits;
    if (memory.kind != kind::memory) refuse(*now_, "an operand is no address");
    if (memory.reg != ptx::none) {
      found.base_bytes = register_bytes_of(into_.body.registers[memory.reg].type);
      if (found.base_bytes != 4 && found.base_bytes != 8)
        refuse(*now_, "an address is neither 32 nor 64 bits wide");
      found.base = register_offsets_[memory.reg];
      return found;
    }
    if (memory.variable != ptx::none) {
      add_body_variable(memory.variable, found);
    } else if (!memory.name.empty()) {
      add_module_name(memory.name, found);
    }
    return found;
  }

  slot const* list(std::vector<slot> slots) override {
    into_.lists.push_back(std::move(slots));
    return into_.lists.back().data();
  }

  void emit(operation op) override {
    op.index = static_cast<std::uint32_t>(into_.operations.size());
    if (now_ != nullptr) {
      if (now_->guard != ptx::none && op.guard == no_slot) {
        op.guard = register_offsets_[now_->guard];
        op.guard_negated = now_->guard_negated;
      }
      if (op.kind == instruction_kind::other) op.kind = kind_of(*now_);
      op.auxiliary = !first_of_instruction_;
      first_of_instruction_ = false;
    }
    into_.operations.push_back(op);
    into_.location_of.push_back(now_ == nullptr ? ptx::none : now_->location);
    into_.text_line_of.push_back(now_ == nullptr ? 0 : now_->text_line);
    into_.instruction_of.push_back(number_of_instruction());
    if (now_ != nullptr && (now_->opcode == "bra" || now_->opcode == "brx"))
      branches_.push_back({op.index, now_});
  }

  ptx::body const& body() const override { return into_.body; }

  [[noreturn]] void refuse(ptx::instruction const& i, std::string const& why) override {
    throw unsupported(place_text(into_, i) + ": " + why);
  }

  std::uint64_t add_call(ptx::instruction const& i) override {
    call_site site;
    auto const value = [&](ptx::operand const& o) {
      call_site::value v;
      if (o.variable == ptx::none) {
        v.bytes = static_cast<std::uint32_t>(register_bytes(o));
        if (o.kind == kind::reg && v.bytes != 0)
          v.in_slot = register_offsets_[o.reg];
        else if (o.kind == kind::integer || o.kind == kind::floating)
          v.in_slot = constant(o.bits, static_cast<int>(v.bytes = 8));
        else
          refuse(i,
                 "an argument of a call is neither a .param variable, a register nor a constant");
        return v;
      }
      v.offset = variable_offsets_[o.variable];
      v.bytes = static_cast<std::uint32_t>(into_.body.variables[o.variable].bytes);
      return v;
    };
    for (ptx::operand const& o : i.call_arguments) site.arguments.push_back(value(o));
    for (ptx::operand const& o : i.call_returns) site.results.push_back(value(o));
    if (i.operands.at(0).kind == kind::symbol) site.callee = i.operands[0].name;
    into_.calls.push_back(std::move(site));
    return into_.calls.size() - 1;
  }

  std::optional<std::uint32_t> function_number(std::string_view name) const override {
    return names_.function_number(name);
  }

 private:
  void decode(ptx::instruction const& i) {
    now_ = &i;
    auto const found = execution_.instructions->find(i.opcode);
    if (found == execution_.instructions->end()) refuse(i, "this instruction is not supported");
    first_of_instruction_ = true;
    found->second(i, *this);
  }

  //! The number of the instruction at hand in the body; none for the end that is added to it.
  [[nodiscard]] std::uint32_t number_of_instruction() const {
    std::vector<ptx::instruction> const& all = into_.body.instructions;
    auto const is_inside =
        !std::less<>()(now_, all.data()) && std::less<>()(now_, all.data() + all.size());
    return is_inside ? static_cast<std::uint32_t>(now_ - all.data()) : ptx::none;
  }

  struct branch {
    std::uint32_t operation;
    ptx::instruction const* instruction;
  };

  slot narrowed(slot wide, int stored, int bytes) {
    operation op;
    op.run = execution_.narrow;
    op.a = wide;
    op.d = scratch(bytes);
    op.bytes = static_cast<std::uint8_t>(bytes);
    op.flags = static_cast<std::uint8_t>(stored);
    op.simple = true;
    emit(op);
    return op.d;
  }

  slot predicate_constant(bool value) {
    auto const [found, is_new] = known_constants_.try_emplace({value ? 1U : 0U, 0}, 0U);
    if (is_new) {
      found->second = static_cast<slot>(constants_.size()) | in_constants;
      constants_.resize(constants_.size() + 4, value ? std::byte{0xff} : std::byte{0});
    }
    return found->second;
  }

  //! Kernels' parameters are in the launch; a device function's, and its results, in its thread's
  //! part of the frame.
  void place_parameters() {
    if (into_.source->is_entry) return;
    auto const place = [&](ptx::parameter const& p) {
      into_.param_bytes = aligned(into_.param_bytes, std::max(p.align, 8U));
      std::uint32_t const offset = into_.param_bytes;
      into_.param_bytes += static_cast<std::uint32_t>(p.bytes);
      return offset;
    };
    for (ptx::parameter const& p : into_.source->parameters)
      into_.parameter_offsets.push_back(place(p));
    for (ptx::parameter const& p : into_.source->returns) into_.result_offsets.push_back(place(p));
  }

  void place_variables() {
    for (ptx::variable const& v : into_.body.variables) {
      auto const bytes = static_cast<std::uint32_t>(v.bytes);
      switch (v.space) {
        case ptx::state_space::local:
          into_.local_bytes = aligned(into_.local_bytes, v.align);
          variable_offsets_.push_back(into_.local_bytes);
          into_.local_bytes += bytes;
          break;
        case ptx::state_space::param:
          into_.param_bytes = aligned(into_.param_bytes, std::max(v.align, 8U));
          variable_offsets_.push_back(into_.param_bytes);
          into_.param_bytes += bytes;
          break;
        case ptx::state_space::shared:
          if (v.elements == 0) dynamic_align_ = std::max(dynamic_align_, v.align);
          variable_offsets_.push_back(v.elements == 0 ? 0 : shared_.place(v));
          break;
        default:
          variable_offsets_.push_back(0);  // .global and .const ones are the module's
      }
    }
    into_.local_bytes = aligned(into_.local_bytes, 16);
    into_.param_bytes = aligned(into_.param_bytes, 16);
  }

  void add_shared(ptx::variable const& v, std::uint32_t offset, address& to) {
    to.variable_space = space::shared;
    if (v.elements != 0) {
      to.offset += offset;
      return;
    }
    dynamic_align_ = std::max(dynamic_align_, v.align);
    to.base = computed_address(execution_.shared_address, 0);
  }

  void add_body_variable(std::uint32_t number, address& to) {
    ptx::variable const& v = into_.body.variables[number];
    std::uint32_t const offset = variable_offsets_[number];
    switch (v.space) {
      case ptx::state_space::local:
        to.variable_space = space::local;
        to.base = computed_address(execution_.local_address, offset);
        break;
      case ptx::state_space::param:
        to.variable_space = space::param;
        to.offset += offset;
        break;
      case ptx::state_space::shared:
        add_shared(v, offset, to);
        break;
      default:
        add_module_name(v.name, to);
    }
  }

  void add_module_name(std::string_view name, address& to) {
    ptx::function const& self = *into_.source;
    for (std::size_t k = 0; k < self.parameters.size(); ++k)
      if (self.parameters[k].name == name) {
        to.variable_space = space::param;
        to.of_kernel = self.is_entry;
        to.offset += self.is_entry ? self.parameters[k].offset : into_.parameter_offsets[k];
        return;
      }
    for (std::size_t k = 0; k < self.returns.size(); ++k)
      if (self.returns[k].name == name) {
        to.variable_space = space::param;
        to.offset += into_.result_offsets[k];
        return;
      }
    if (ptx::variable const* const v = names_.shared_variable(name)) {
      add_shared(*v, v->elements == 0 ? 0 : shared_.place(*v), to);
      return;
    }
    if (auto const place = names_.address_of(name)) {
      to.variable_space = space::global;
      to.offset += *place;
      return;
    }
    if (auto const number = names_.function_number(name)) {
      to.offset += function_window + *number;
      return;
    }
    refuse(*now_, "no variable or function is called " + std::string(name));
  }

  //! A register with an address that is known when the operation is executed.
  slot computed_address(handler run, std::uint32_t offset) {
    operation op;
    op.run = run;
    op.d = scratch(8);
    op.immediate = offset;
    op.kind = instruction_kind::move;
    op.simple = true;
    emit(op);
    return op.d;
  }

  slot symbol_address(ptx::operand const& o, int bytes) {
    address found;
    found.offset = o.bits;
    if (o.variable != ptx::none)
      add_body_variable(o.variable, found);
    else
      add_module_name(o.name, found);
    if (found.variable_space == space::param && !found.of_kernel)
      refuse(*now_, "the address of a parameter of a device function is not supported");
    if (found.base == no_slot) return constant(found.offset, bytes);
    if (o.bits != 0) into_.operations.back().immediate += o.bits;
    return bytes == 8 ? found.base : narrowed(found.base, 8, bytes);
  }

  //! The number of the shared array that an operand names.
  std::uint32_t number_of_array(ptx::operand const& o) {
    ptx::variable const* const v = o.variable != ptx::none ? &into_.body.variables[o.variable]
                                                           : names_.shared_variable(o.name);
    if (v == nullptr || v->space != ptx::state_space::shared || v->elements == 0) return 0;
    std::vector<shared_array>& all = into_.arrays;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name == v->name) return static_cast<std::uint32_t>(k + 1);
    std::uint32_t const begin = shared_.place(*v);
    all.push_back({v->name, begin, begin + static_cast<std::uint32_t>(v->bytes)});
    return static_cast<std::uint32_t>(all.size());
  }

  void find_arrays(std::vector<std::uint32_t> const& first_operation) {
    into_.array_of.assign(into_.operations.size(), 0);
    if (shared_.bytes == 0) return;
    number_accesses([&](ptx::operand const& o) { return number_of_array(o); }, first_operation,
                    into_.array_of);
  }

  //! Gives the operations of each access the number of the object from which its address is
  //! computed.
  void number_accesses(array_number const& number,
                       std::vector<std::uint32_t> const& first_operation,
                       std::vector<std::uint32_t>& of_operation) const {
    std::vector<std::uint32_t> const of_register = arrays_of_registers(into_.body, number);
    for (std::size_t k = 0; k < into_.body.instructions.size(); ++k) {
      ptx::operand const* const o = accessed_by(into_.body.instructions[k]);
      if (o == nullptr) continue;
      std::uint32_t const n = o->reg != ptx::none ? of_register[o->reg] : number(*o);
      std::fill(of_operation.begin() + first_operation[k],
                of_operation.begin() + first_operation[k + 1], n);
    }
  }

  //! Pointers that a kernel gets are its parameters that it converts to addresses of global memory.
  void find_arguments(std::vector<std::uint32_t> const& first_operation) {
    into_.argument_of.assign(into_.operations.size(), 0);
    if (!into_.source->is_entry) return;
    std::map<std::uint32_t, std::uint32_t> loaded;  // register -> 1 + index of the parameter
    for (ptx::instruction const& i : into_.body.instructions) {
      if (i.opcode != "ld" || !i.has("param") || i.operands.size() != 2) continue;
      std::vector<ptx::parameter> const& all = into_.source->parameters;
      auto const named = std::find_if(all.begin(), all.end(), [&](ptx::parameter const& p) {
        return p.name == i.operands[1].name;
      });
      if (named != all.end() && i.operands[0].kind == ptx::operand::kind_type::reg)
        loaded.emplace(i.operands[0].reg, static_cast<std::uint32_t>(named - all.begin()) + 1);
    }
    auto const number = [&](ptx::operand const& o) {
      auto const found = o.kind == ptx::operand::kind_type::reg ? loaded.find(o.reg) : loaded.end();
      return found == loaded.end() ? 0 : found->second;
    };
    if (!loaded.empty()) number_accesses(number, first_operation, into_.argument_of);
  }

  //! A function that ends without `ret`, as one does whose last call never returns.
  void emit_end() {
    static ptx::instruction const end{
        .opcode = "ret", .modifiers = {}, .operands = {}, .call_returns = {}, .call_arguments = {}};
    now_ = &end;
    execution_.instructions->at("ret")(end, *this);
    now_ = nullptr;
  }

  //! A block of a kernel that does nothing but end its threads.
  [[nodiscard]] bool only_ends(std::uint32_t number) const {
    for (std::size_t steps = 0; steps <= graph_.blocks.size(); ++steps) {
      auto const& b = graph_.blocks[number];
      for (std::uint32_t k = b.begin; k < b.end; ++k) {
        ptx::instruction const& i = into_.body.instructions[k];
        if (i.opcode == "ret" || i.opcode == "exit") return i.guard == ptx::none;
        if (i.opcode != "bra") return false;
      }
      if (b.next.size() != 1) return false;
      number = b.next.front();
      if (number == graph_.exit()) return true;
    }
    return false;  // an endless loop
  }

  //! A block of a kernel that computes and stores at most, and after which its threads end.
  [[nodiscard]] bool only_stores(std::uint32_t number,
                                 std::vector<std::uint32_t> const& first_operation) const {
    auto const& b = graph_.blocks[number];
    for (std::uint32_t k = b.begin; k < b.end; ++k) {
      ptx::instruction const& i = into_.body.instructions[k];
      if (i.opcode == "ret" || i.opcode == "exit") return i.guard == ptx::none;
      operation const& op = into_.operations[first_operation[k]];
      bool const reads = op.kind == instruction_kind::load && op.where != space::param &&
                         op.where != space::constant;
      if (reads || op.kind == instruction_kind::atomic || op.kind == instruction_kind::barrier ||
          op.kind == instruction_kind::warp || op.kind == instruction_kind::control ||
          op.kind == instruction_kind::other || op.kind == instruction_kind::texture)
        return false;
    }
    return b.next.size() == 1 && (b.next.front() == graph_.exit() || only_ends(b.next.front()));
  }

  //! Branches lead to operations, now that all are there.
  void resolve(std::vector<std::uint32_t> const& first_operation) {
    std::vector<bool> ends(graph_.exit() + 1);
    for (std::uint32_t k = 0; k < ends.size() && into_.source->is_entry; ++k)
      ends[k] = k == graph_.exit() || only_ends(k);
    std::vector<std::uint32_t> const of_others = post_dominators(graph_, ends);
    for (branch const& b : branches_) {
      operation& op = into_.operations[b.operation];
      auto const place = static_cast<std::size_t>(b.instruction - into_.body.instructions.data());
      std::uint32_t const block = graph_.block_of[place];
      std::uint32_t meets = graph_.post_dominator[block];
      // The others meet without the lanes that end early.
      auto const& next = graph_.blocks[block].next;
      if (ends[meets] && std::none_of(next.begin(), next.end(), [&](auto n) { return ends[n]; }))
        meets = of_others[block];
      // Lanes that only end where they meet need not wait for the others there: they may be waited
      // for at a barrier.
      bool const apart = meets == graph_.exit() || ends[meets];
      op.reconverge = apart ? ptx::none : first_operation[graph_.blocks[meets].begin];
      if (!apart && into_.source->is_entry && only_stores(meets, first_operation))
        into_.storing_ends.push_back(op.reconverge);
      std::vector<slot> places;
      for (std::string_view const label : targets_of(*b.instruction, into_.body))
        places.push_back(first_operation[into_.body.labels.at(label)]);
      if (b.instruction->opcode == "bra") {
        op.target = places.at(0);
      } else {
        op.list_size = 0;
        op.immediate = places.size();
        op.list = list(std::move(places));
      }
    }
  }

  void find_straight_runs() {
    std::uint16_t behind = 0;
    for (auto op = into_.operations.rbegin(); op != into_.operations.rend(); ++op) {
      bool const goes_on = op->simple && op->guard == no_slot;
      behind = goes_on ? static_cast<std::uint16_t>(std::min(behind + 1, 0xffff)) : 0;
      op->straight = behind;
    }
  }

  struct constant_hash {
    std::size_t operator()(std::pair<std::uint64_t, int> const& c) const {
      return static_cast<std::size_t>(c.first * 0x9E3779B97F4A7C15U +
                                      static_cast<unsigned>(c.second));
    }
  };

  program& into_;
  services const& execution_;
  symbols const& names_;
  shared_layout shared_;
  flow_graph graph_;
  std::vector<std::uint32_t> register_offsets_;
  std::vector<std::uint32_t> variable_offsets_;  // of the body's variables, each in its space
  std::vector<std::byte> constants_;
  std::unordered_map<std::pair<std::uint64_t, int>, slot, constant_hash> known_constants_;
  std::vector<branch> branches_;
  ptx::instruction const* now_ = nullptr;
  bool first_of_instruction_ = true;
  slot carry_ = no_slot;
  std::uint32_t dynamic_align_ = 16;
};

}  // namespace

void decode_function(program& into, services const& execution, symbols const& names,
                     shared_layout shared) {
  function_context(into, execution, names, std::move(shared)).decode();
}

}  // namespace decode
}  // namespace device
