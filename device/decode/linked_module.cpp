// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linked_module.hpp"

#include "device_runtime.hpp"
#include "function_decoder.hpp"
#include "instruction_text.hpp"

#include <device/core/demangled.hpp>
#include <device/core/failure.hpp>
#include <device/ptx/modifiers.hpp>
#include <device/ptx/opcodes.hpp>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstring>
#include <unordered_set>

namespace device {

namespace {

[[nodiscard]] bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
[[nodiscard]] bool continues_name(char c) { return begins_name(c) || (c >= '0' && c <= '9'); }

//! `use(name)` for every identifier of a PTX text; registers and directives are not identifiers.
template <class Use>
void each_name(std::string_view text, Use const& use) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!begins_name(text[k])) {
      if (text[k] == '%' || text[k] == '.')
        while (k + 1 < text.size() && continues_name(text[k + 1])) ++k;
      continue;
    }
    std::size_t const begin = k;
    while (k + 1 < text.size() && continues_name(text[k + 1])) ++k;
    use(text.substr(begin, k + 1 - begin));
  }
}

//! True if a body may declare a variable in shared memory: `.shared` stands alone.
[[nodiscard]] bool declares_shared(ptx::function const& f) {
  constexpr std::string_view word = ".shared";
  for (std::size_t place = f.text.find(word); place != std::string_view::npos;
       place = f.text.find(word, place + 1))
    if (place + word.size() < f.text.size() && std::isspace(f.text[place + word.size()]) != 0)
      return true;
  return false;
}

//! A function or variable of one text.
struct function_place {
  std::size_t module = 0;
  ptx::function const* source = nullptr;
};

//! The meaning of the names of one text: its own definitions first, then those of other texts.
class module_symbols final : public decode::symbols {
 public:
  std::unordered_map<std::string_view, linked_module::symbol> variables;
  std::unordered_map<std::string_view, ptx::variable const*> shared;
  std::unordered_map<std::string_view, std::uint32_t> functions;

  [[nodiscard]] std::optional<std::uint64_t> address_of(std::string_view name) const override {
    auto const found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second.address);
  }
  [[nodiscard]] ptx::variable const* shared_variable(std::string_view name) const override {
    auto const found = shared.find(name);
    return found == shared.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::optional<std::uint32_t> function_number(std::string_view name) const override {
    auto const found = functions.find(name);
    return found == functions.end() ? std::nullopt : std::optional(found->second);
  }
};

}  // namespace

struct linked_module::state {
  global_memory* memory = nullptr;
  int device = 0;
  decode::services const* execution = nullptr;
  std::vector<std::unique_ptr<ptx::module>> modules;
  std::deque<module_symbols> names;                               // of each module
  std::unordered_map<std::string_view, symbol> variables;         // those that the host may name
  std::unordered_map<std::string_view, std::uint32_t> functions;  // the same
  std::vector<function_place> places;                             // of each function with a body
  std::deque<std::atomic<program const*>> decoded;
  std::deque<program> programs;
  std::vector<std::uint64_t> allocations;
  shared_layout shared_of_functions;  // what device functions use
  std::vector<bool> uses_shared;      // of each function: itself, without callees
  std::vector<bool> uses_reserved;    // the same; empty if none does
  std::mutex decoding;

  void add_text(std::string);
  [[nodiscard]] bool needs_device_runtime() const;
  void add_functions();
  void add_variables();
  void initialize_variables();
  void find_shared_variables_of_functions();
  [[nodiscard]] bool reaches(std::vector<bool> const& chosen, std::uint32_t kernel) const;
  program const& decode(std::uint32_t number);
};

void linked_module::state::add_text(std::string text) {
  modules.push_back(std::make_unique<ptx::module>());
  ptx::parse(std::move(text), *modules.back());
  names.emplace_back();
}

bool linked_module::state::needs_device_runtime() const {
  bool needed = false;
  for (auto const& m : modules)
    for (ptx::function const& f : m->functions)
      if (f.name == "cudaCGGetIntrinsicHandle" || f.name == "cudaCGSynchronize") {
        if (!f.is_extern) return false;
        needed = true;
      }
  return needed;
}

void linked_module::state::add_functions() {
  for (std::size_t m = 0; m < modules.size(); ++m)
    for (ptx::function const& f : modules[m]->functions) {
      if (f.is_extern) continue;
      auto const same = functions.find(f.name);
      if (f.is_weak && same != functions.end()) {  // one of several equal ones is enough
        names[m].functions.emplace(f.name, same->second);
        continue;
      }
      auto const number = static_cast<std::uint32_t>(places.size());
      places.push_back({m, &f});
      names[m].functions.emplace(f.name, number);
      functions.emplace(f.name, number);
    }
  for (std::size_t m = 0; m < modules.size(); ++m) {
    for (auto const& [name, target] : modules[m]->aliases)
      if (auto const found = names[m].functions.find(target); found != names[m].functions.end()) {
        names[m].functions.emplace(name, found->second);
        functions.emplace(name, found->second);
      }
    for (ptx::function const& f : modules[m]->functions)  // declared here, defined elsewhere
      if (auto const found = functions.find(f.name); found != functions.end())
        names[m].functions.emplace(f.name, found->second);
  }
  decoded.resize(places.size());
}

void linked_module::state::add_variables() {
  for (std::size_t m = 0; m < modules.size(); ++m)
    for (ptx::variable const& v : modules[m]->variables) {
      if (v.space == ptx::state_space::shared) {
        names[m].shared.emplace(v.name, &v);
        continue;
      }
      if (v.is_extern) continue;
      if (auto const same = variables.find(v.name); v.is_weak && same != variables.end()) {
        names[m].variables.emplace(v.name, same->second);
        continue;
      }
      std::uint64_t const bytes = std::max<std::uint64_t>(v.bytes, 1);
      std::uint64_t const address =
          memory->allocate(bytes, allocation_kind::module_variable, device, std::max(256U, v.align),
                           std::string(v.name));
      if (address == 0) throw unsupported("no memory for the variable " + std::string(v.name));
      allocations.push_back(address);
      symbol const found{address, v.bytes, v.is_managed};
      names[m].variables.emplace(v.name, found);
      variables.emplace(v.name, found);
    }
  for (std::size_t m = 0; m < modules.size(); ++m)
    for (ptx::variable const& v : modules[m]->variables)
      if (v.is_extern && v.space != ptx::state_space::shared)
        if (auto const found = variables.find(v.name); found != variables.end())
          names[m].variables.emplace(v.name, found->second);
}

void linked_module::state::initialize_variables() {
  for (std::size_t m = 0; m < modules.size(); ++m)
    for (ptx::variable const& v : modules[m]->variables) {
      if (v.space == ptx::state_space::shared || v.is_extern) continue;
      auto* const bytes = reinterpret_cast<std::byte*>(names[m].variables.at(v.name).address);
      std::memset(bytes, 0, v.bytes);
      if (!v.initial.empty()) std::memcpy(bytes, v.initial.data(), v.initial.size());
      for (ptx::variable::address const& a : v.addresses) {
        std::uint64_t value = 0;
        if (auto const address = names[m].address_of(a.symbol))
          value = *address;
        else if (auto const number = names[m].function_number(a.symbol))
          value = function_window + *number;
        else
          throw unsupported("PTX: the variable " + std::string(v.name) +
                            " is initialized with the address of " + std::string(a.symbol) +
                            ", which is not there");
        value += static_cast<std::uint64_t>(a.addend);
        std::memcpy(bytes + a.offset, &value, static_cast<std::size_t>(a.width));
      }
    }
}

void linked_module::state::find_shared_variables_of_functions() {
  // Places are by name: two variables of one name, each of its own function, would be one.
  std::unordered_set<std::string_view> own;
  auto const refuse_second = [](function_place const& p, ptx::variable const& v) {
    throw unsupported("PTX: " + std::string(p.source->name) + " declares the .shared variable " +
                      std::string(v.name) + " as another function does");
  };
  for (std::uint32_t n = 0; n < places.size(); ++n)
    if (places[n].source->text.find("%reserved_smem_offset") != std::string_view::npos) {
      uses_reserved.resize(places.size());
      uses_reserved[n] = true;
    }
  uses_shared.assign(places.size(), false);
  for (std::uint32_t n = 0; n < places.size(); ++n) {
    function_place const& p = places[n];
    if (p.source->is_entry) continue;
    each_name(p.source->text, [&](std::string_view name) {
      ptx::variable const* const v = names[p.module].shared_variable(name);
      if (v == nullptr || v->elements == 0) return;
      shared_of_functions.place(*v);
      uses_shared[n] = true;
    });
    if (!declares_shared(*p.source)) continue;
    for (ptx::variable const& v : ptx::parse_body(*modules[p.module], *p.source).variables)
      if (v.space == ptx::state_space::shared && v.elements != 0) {
        if (!own.insert(v.name).second || shared_of_functions.offsets.contains(v.name))
          refuse_second(p, v);
        shared_of_functions.place(v);
        uses_shared[n] = true;
      }
  }
  if (own.empty()) return;
  for (function_place const& p : places) {
    if (!p.source->is_entry || !declares_shared(*p.source)) continue;
    for (ptx::variable const& v : ptx::parse_body(*modules[p.module], *p.source).variables)
      if (v.space == ptx::state_space::shared && own.contains(v.name)) refuse_second(p, v);
  }
}

//! True if a kernel may call one of these functions, which are those with their bit set.
bool linked_module::state::reaches(std::vector<bool> const& chosen, std::uint32_t kernel) const {
  std::unordered_set<std::uint32_t> visited{kernel};
  std::vector<std::uint32_t> left{kernel};
  while (!left.empty()) {
    function_place const& p = places[left.back()];
    left.pop_back();
    // whatever it calls
    if (p.source->text.find(".callprototype") != std::string_view::npos) return true;
    bool found = false;
    each_name(p.source->text, [&](std::string_view name) {
      auto const number = names[p.module].function_number(name);
      if (!number || !visited.insert(*number).second) return;
      found = found || chosen[*number];
      left.push_back(*number);
    });
    if (found) return true;
  }
  return false;
}

program const& linked_module::state::decode(std::uint32_t number) {
  std::lock_guard const lock(decoding);
  if (program const* const there = decoded[number].load(std::memory_order_acquire)) return *there;
  function_place const& place = places[number];
  program made;
  made.name = place.source->name;
  made.demangled = demangled(made.name);
  made.source_module = modules[place.module].get();
  made.source = place.source;
  made.number = number;
  made.body = ptx::parse_body(*made.source_module, *made.source);
  programs.push_back(std::move(made));
  program& p = programs.back();
  bool const with_functions =
      !p.source->is_entry || (shared_of_functions.bytes != 0 && reaches(uses_shared, number));
  decode::decode_function(p, *execution, names[place.module],
                          with_functions ? shared_of_functions : shared_layout{});
  decoded[number].store(&p, std::memory_order_release);
  return p;
}

linked_module::linked_module(std::vector<std::string> texts, global_memory& memory, int device,
                             decode::services const& execution)
    : state_(std::make_unique<state>()) {
  state_->memory = &memory;
  state_->device = device;
  state_->execution = &execution;
  for (std::string& text : texts) state_->add_text(std::move(text));
  if (state_->needs_device_runtime()) state_->add_text(std::string(decode::device_runtime));
  state_->add_functions();
  state_->add_variables();
  state_->initialize_variables();
  state_->find_shared_variables_of_functions();
}

linked_module::~linked_module() { free_variables(); }

void linked_module::free_variables() {
  for (std::uint64_t const address : state_->allocations) state_->memory->free(address);
  state_->allocations.clear();
}

bool linked_module::uses_reserved_shared(program const& kernel) const {
  auto const& used = state_->uses_reserved;
  return !used.empty() && (used[kernel.number] || state_->reaches(used, kernel.number));
}

std::vector<std::string> linked_module::kernels() const {
  std::vector<std::string> found;
  for (function_place const& p : state_->places)
    if (p.source->is_entry) found.emplace_back(p.source->name);
  return found;
}

void linked_module::read_bodies() const {
  for (function_place const& p : state_->places) {
    ptx::body const body = ptx::parse_body(*state_->modules[p.module], *p.source);
    for (ptx::instruction const& i : body.instructions) {
      if (!ptx::is_opcode(i.opcode))
        throw unreadable_ptx("PTX line " + std::to_string(i.text_line) + ": `" +
                             std::string(i.opcode) + "` is no instruction of PTX");
      for (std::string_view const m : i.modifiers)
        if (!ptx::is_modifier(m))
          throw unreadable_ptx("PTX line " + std::to_string(i.text_line) + ": `." + std::string(m) +
                               "` is no modifier of an instruction of PTX");
    }
  }
}

program const* linked_module::find(std::string_view name) {
  auto const found = state_->functions.find(name);
  return found == state_->functions.end() ? nullptr : &function(found->second);
}

program const* linked_module::describe(std::string_view name) {
  auto const found = state_->functions.find(name);
  return found == state_->functions.end() ? nullptr : &describe(found->second);
}

bool linked_module::has_kernel(std::string_view name) const {
  auto const found = state_->functions.find(name);
  return found != state_->functions.end() && state_->places[found->second].source->is_entry;
}

program const& linked_module::function(std::uint32_t number) {
  program const& p = describe(number);
  if (!p.refused.empty()) {
    refused_instruction const& first = p.refused.front();
    throw unsupported(decode::place_text(p, p.body.instructions[first.instruction]) + ": " +
                      first.why);
  }
  return p;
}

program const& linked_module::describe(std::uint32_t number) {
  if (program const* const there = state_->decoded.at(number).load(std::memory_order_acquire))
    return *there;
  return state_->decode(number);
}

std::uint32_t linked_module::functions() const {
  return static_cast<std::uint32_t>(state_->places.size());
}

std::string linked_module::name_of(std::uint32_t number) const {
  return demangled(std::string(state_->places.at(number).source->name));
}

std::optional<std::uint32_t> linked_module::number_of(std::string_view name) const {
  auto const found = state_->functions.find(name);
  return found == state_->functions.end() ? std::nullopt : std::optional(found->second);
}

std::optional<linked_module::symbol> linked_module::variable(std::string_view name) const {
  auto const found = state_->variables.find(name);
  return found == state_->variables.end() ? std::nullopt : std::optional(found->second);
}

int linked_module::version() const {
  return state_->modules.empty() ? 0 : state_->modules.front()->version;
}

int linked_module::target() const {
  if (state_->modules.empty()) return 0;
  std::string const& name = state_->modules.front()->target;
  std::size_t const digits = name.find_first_of("0123456789");
  return digits == std::string::npos ? 0 : std::atoi(name.c_str() + digits);
}

void linked_module::set_machine_code(std::string_view cubin) {
  resources_ = ptx::resources_of(cubin);
}

std::optional<ptx::machine_resources> linked_module::resources_of(std::string const& name) const {
  auto const found = resources_.find(name);
  return found == resources_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace device
