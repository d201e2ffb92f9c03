// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

//! PTX as it is written: what the reader of a program's text finds, before anything is decoded.
//! All string_views point into the module's own text, which lives as long as the module.
namespace device::ptx {

enum class scalar : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  other  //!< named by PTX, unknown here (e4m3x2, tf32, …): instruction::modifiers has its name
};

//! Bytes of one value; 0 for none, pred and other.
[[nodiscard]] int bytes_of(scalar);
//! The type of that name ("u32"), scalar::other if it is a type's name that has no value above,
//! scalar::none otherwise.
[[nodiscard]] scalar scalar_of(std::string_view name);

enum class state_space : std::uint8_t { none, reg, global, constant, shared, local, param };

inline constexpr std::uint32_t none = 0xffffffffU;

//! One operand of an instruction.
struct operand {
  enum class kind_type : std::uint8_t {
    nothing,
    reg,       //!< `%r1`: reg; `!%p1`: negated
    integer,   //!< `42`, `-1`, `0x10U`: bits (two's complement, 64 bits)
    floating,  //!< `0f3F800000`, `0d…`, `1.5`: bits; float_bits = 32 for `0f`, 64 otherwise
    special,   //!< `%tid.x`: name without `%`
    //! the name of a variable, function, or label: name, or `variable` for one that the body
    //! declares; bits = addend
    symbol,
    //! `[base+offset]`: base is reg, or name/variable, or neither (an absolute address); bits =
    //! offset
    memory,
    vector,  //!< `{a, b, c, d}`: parts
    sink     //!< `_`
  };
  kind_type kind = kind_type::nothing;
  bool negated = false;
  std::uint8_t float_bits = 0;
  std::uint32_t reg = none;       //!< index into body::registers
  std::uint32_t variable = none;  //!< index into body::variables
  std::uint64_t bits = 0;
  std::string_view name{};
  //! of a vector; of a `a|b` pair of destinations (kind = vector, pair = true)
  std::vector<operand> parts{};
  bool pair = false;
};

//! `opcode.modifier.modifier operand, operand;` with an optional guard `@!%p`.
struct instruction {
  std::string_view opcode;  //!< "ld"
  //! "global", "v4", "u32"; "::" stays inside: "shared::cta", "L2::128B"
  std::vector<std::string_view> modifiers;
  std::uint32_t guard = none;  //!< index into body::registers
  bool guard_negated = false;
  std::vector<operand> operands;
  //! for a call only, `call (returns), target, (arguments), prototype`: the operands in parentheses
  std::vector<operand> call_returns;
  std::vector<operand> call_arguments;
  std::uint32_t location = none;  //!< index into body::locations
  std::uint32_t text_line = 0;    //!< line of the PTX text, from 1

  [[nodiscard]] bool has(std::string_view modifier) const {
    for (std::string_view const m : modifiers)
      if (m == modifier) return true;
    return false;
  }
};

//! `.loc file line column [, function_name label+offset, inlined_at file line column]`
struct location {
  std::uint32_t file = 0;  //!< number of the `.file`
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;             //!< mangled name of the inlined function; empty otherwise
  std::uint32_t inlined_at = none;  //!< index into body::locations of the place of the call
};

struct register_declaration {
  std::string_view name;        //!< with `%`
  std::uint32_t number = none;  //!< of `%r<17>`: its number; none for a register declared alone
  scalar type = scalar::none;
};

//! A variable of the module or of a body: `.global .align 4 .b8 name[16] = {…};`
struct variable {
  std::string_view name;
  state_space space = state_space::none;
  scalar type = scalar::none;
  int vector = 1;              //!< 2 or 4 of `.v2`, `.v4`
  std::uint64_t elements = 1;  //!< of an array; 0 of an unsized one (`[]`)
  std::uint64_t bytes = 0;     //!< of all
  std::uint32_t align = 1;
  bool is_extern = false;
  bool is_visible = false;
  bool is_weak = false;     //!< `.weak` or `.common`
  bool is_managed = false;  //!< `.attribute(.managed)`
  //! bytes from the start on; shorter than `bytes`: the rest is zero
  std::vector<std::uint8_t> initial{};
  //! Addresses among the initial values: at byte `offset`, the address of `symbol` plus `addend`,
  //! in `width` bytes, as a generic address if `generic` (`generic(symbol)`), else as an address of
  //! the symbol's space.
  struct address {
    std::uint64_t offset;
    std::string_view symbol;
    std::int64_t addend;
    int width;
    bool generic;
  };
  std::vector<address> addresses{};
};

//! A parameter or a returned value: `.param .align 8 .b8 name[16]`, `.param .u32 name`.
struct parameter {
  std::string_view name;
  scalar type = scalar::none;
  std::uint64_t bytes = 0;
  std::uint32_t align = 1;
  //! from the start of the list, each aligned: a kernel's parameters lie so in its buffer
  std::uint64_t offset = 0;
};

//! A function's instructions, parsed at need (a program of CUB has hundreds of functions and runs a
//! few).
struct body {
  std::deque<register_declaration> registers;
  //! variables that the body declares, in any scope: .local, .shared, .param, .const
  std::deque<variable> variables;
  std::vector<instruction> instructions;
  std::map<std::string_view, std::uint32_t> labels;  //!< label -> index of the instruction after it
  //! `name: .branchtargets a, b;`
  std::map<std::string_view, std::vector<std::string_view>> branch_targets;
  //! `name: .callprototype (…) _ (…);`: bytes of returned values and parameters
  struct prototype {
    std::vector<parameter> returns;
    std::vector<parameter> parameters;
    bool noreturn = false;
  };
  std::map<std::string_view, prototype> prototypes;
  //! `name: .calltargets f, g;`
  std::map<std::string_view, std::vector<std::string_view>> call_targets;
  std::vector<location> locations;
  //! Names that the text does not hold: labels of the same name in several scopes (`LOOP` and
  //! `LOOP@2`). Operands refer to a label by its name in `labels`. Copies of the body share them,
  //! since views point into them.
  std::shared_ptr<std::deque<std::string>> own_names;
};

struct function {
  std::string_view name;
  bool is_entry = false;
  bool is_extern = false;  //!< declared only
  bool is_weak = false;
  bool noreturn = false;
  std::vector<parameter> returns;
  std::vector<parameter> parameters;
  int max_threads[3] = {0, 0, 0};       //!< .maxntid; 0 if not given
  int required_threads[3] = {0, 0, 0};  //!< .reqntid
  int min_blocks = 0;                   //!< .minnctapersm
  int max_registers = 0;                //!< .maxnreg
  int cluster[3] = {0, 0, 0};           //!< .reqnctapercluster
  //! .explicitcluster: the launch must say the cluster's size
  bool explicit_cluster = false;
  bool blocks_are_clusters = false;  //!< .blocksareclusters: the launch's grid counts clusters
  std::string_view text;             //!< between the braces of its body
  std::uint32_t text_line = 0;       //!< where that begins, from 1
};

struct module {
  std::string text;    //!< what all string_views point into
  int version = 0;     //!< 90 of 9.0
  std::string target;  //!< "sm_90"
  bool debug = false;  //!< `.target sm_90, debug`
  std::deque<function> functions;
  std::deque<variable> variables;
  std::map<std::string_view, std::string_view> aliases;  //!< `.alias a, b;`
  std::map<std::uint32_t, std::string> files;            //!< `.file 1 "a.cu"`
  //! `$L__info_string0` of `.section .debug_str` -> text
  std::map<std::string, std::string> debug_strings;
  std::string debug_bytes;  //!< all of that section
  //! `$L__info_string0` -> where it begins in debug_bytes
  std::map<std::string, std::size_t> debug_offsets;

  module() = default;
  module(module const&) = delete;  // views point into the text
  module& operator=(module const&) = delete;
};

//! Reads a module but for its functions' bodies. Throws device::unsupported that names line and
//! token otherwise. Time: linear in the text.
void parse(std::string text, module& into);

//! Reads a function's body. Throws as parse.
[[nodiscard]] body parse_body(module const&, function const&);

}  // namespace device::ptx
