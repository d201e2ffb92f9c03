// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor_cores.hpp"

#include <mmm/report/fragment_picture.hpp>
#include <mmm/report/layout_picture.hpp>
#include <mmm/tensor_cores.hpp>

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/output_file.hpp>
#include <common/text.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace explore::tensor_cores {

namespace {

namespace gpu = mmm::gpu;
using gpu::data_type;
using gpu::tensor_swizzle;
using json = nlohmann::ordered_json;
using mmm::index;

//! The options that the three commands share, and how they are read.
class command {
 public:
  std::string type = "f16";
  std::string swizzle = "none";
  bool as_json = false;

  command(std::string const& name, std::string const& description) : app_{description} {
    app_.name("mmm-explore " + name);
    add("--type", type, "TYPE", "of the elements, as PTX names it (default: f16)");
    add("--svg", svg_, "FILE.svg", "draw it");
    app_.add_flag("--json", as_json, "print one JSON object");
  }
  //! The end of --help; `may_break` where the answer may be that a rule is broken.
  void explain_status(bool may_break) {
    app_.footer(std::string("Exit status: 0") + (may_break ? "; 1 if a rule is broken" : "") +
                "; 2 if an option cannot be used.");
  }
  void add(char const* name, std::string& to, char const* type_name, std::string const& text) {
    app_.add_option(name, to, text)->type_name(type_name);
  }
  void add_swizzle(std::string const& more) {
    add("--swizzle", swizzle, "BYTES", "none, 32, 64, 128" + more + " (default: none)");
  }
  CLI::App& app() { return app_; }
  //! False if only `help` is to be printed.
  [[nodiscard]] bool parse(int argc, char const* const* argv, std::string& help) {
    return tool::parse(app_, argc, argv, help);
  }
  [[nodiscard]] data_type element() const {
    std::vector<data_type> all;
    for (int k = 0; k < gpu::data_types; ++k) all.push_back(static_cast<data_type>(k));
    return element_among(all);
  }
  [[nodiscard]] data_type element_among(std::vector<data_type> const& accepted) const {
    std::vector<std::string> names;
    for (data_type const t : accepted) {
      names.emplace_back(gpu::text_of(t));
      if (names.back() == type) return t;
    }
    throw tool::no_such_name("--type", type, names);
  }
  [[nodiscard]] static tensor_swizzle swizzling(char const* option, std::string const& swizzle,
                                                std::size_t names_accepted) {
    std::vector<std::string> names{
        "none", "32", "64", "128", "128-atom-32", "128-atom-32-flip-8", "128-atom-64"};
    names.resize(names_accepted);
    auto const found = std::find(names.begin(), names.end(), swizzle);
    if (found == names.end()) throw tool::no_such_name(option, swizzle, names);
    return static_cast<tensor_swizzle>(found - names.begin());
  }
  void draw(std::string const& picture) const {
    tool::output_file file(
        "--svg", svg_.empty() ? std::nullopt : std::optional<std::filesystem::path>(svg_));
    file.write([&](std::ofstream& out) { out << picture; });
  }

 private:
  CLI::App app_;
  std::string svg_;
};

index number(char const* option, std::string_view text, index least, index greatest) {
  index value = 0;
  if (!tool::read_whole(text, value) || value < least || value > greatest)
    throw tool::failure(std::string(option) + " is " + tool::shortened(text) +
                        "; accepted: " + std::to_string(least) + " to " + std::to_string(greatest));
  return value;
}

//! Numbers with an x between them, up to `most`; returns how many.
template <std::size_t N>
int numbers(char const* option, std::string const& text, index (&to)[N]) {
  std::size_t count = 0;
  std::string_view rest = text;
  for (;;) {
    std::size_t const end = std::min(rest.find('x'), rest.size());
    if (count == N)
      throw tool::failure(std::string(option) + " is " + tool::shortened(text) +
                          "; accepted: up to " + std::to_string(N) +
                          " numbers with an x between them");
    if (!tool::read_whole(rest.substr(0, end), to[count++]))
      throw tool::failure(std::string(option) + " is " + tool::shortened(text) +
                          "; accepted: numbers up to 2^63 - 1 with an x between them");
    if (end == rest.size()) return static_cast<int>(count);
    rest.remove_prefix(end + 1);
  }
}

// --- fragment ---

//! An operand of a multiplication, and the wavefronts of its loads from a tile whose rows are 128
//! bytes, with each swizzle; -1 where no ldmatrix moves it.
struct operand_view {
  int registers = 0;
  int matrices = 0;
  index wavefronts[4] = {-1, -1, -1, -1};
  mmm::report::fragment_picture picture;
};

template <class F, int Matrices>
index loads_from(tensor_swizzle s) {
  auto const cost = [](auto const& tile) {
    return gpu::wavefronts<gpu::ldmatrix<Matrices>>(
        gpu::fragment_addresses<F, gpu::ldmatrix<Matrices>>(tile));
  };
  constexpr index columns = 1024 / F::bits;
  using enum tensor_swizzle;
  constexpr int bytes = F::bits / 8;
  if (s == none) return cost(gpu::tensor_box<none>{64, columns, 128, bytes});
  if (s == bytes_32) return cost(gpu::tensor_box<bytes_32>{64, columns, 128, bytes});
  if (s == bytes_64) return cost(gpu::tensor_box<bytes_64>{64, columns, 128, bytes});
  return cost(gpu::tensor_box<bytes_128>{64, columns, 128, bytes});
}

template <class F>
operand_view view_of() {
  operand_view v;
  v.registers = F::registers;
  if constexpr (F::packed * F::bits == 32 && F::bits >= 8) {
    constexpr int matrices = F::registers >= 4 ? 4 : F::registers >= 2 ? 2 : 1;
    v.matrices = matrices;
    for (int s = 0; s < 4; ++s)
      v.wavefronts[s] = loads_from<F, matrices>(static_cast<tensor_swizzle>(s));
  }
  v.picture = mmm::report::picture_of_fragment<F>("");
  return v;
}

struct named_mma {
  char const* shape;
  data_type type;
  int capability;
  operand_view (*view)(char operand);
};

template <int M, int N, int K, data_type A>
constexpr named_mma entry(char const* shape) {
  using one = gpu::mma<M, N, K, A>;
  return {shape, A, one::capability, [](char operand) {
            return operand == 'a'   ? view_of<typename one::a>()
                   : operand == 'b' ? view_of<typename one::b>()
                                    : view_of<typename one::c>();
          }};
}
using enum data_type;
constexpr named_mma shapes[] = {
    entry<16, 8, 16, f16>("m16n8k16"),  entry<16, 8, 8, f16>("m16n8k8"),
    entry<16, 8, 16, bf16>("m16n8k16"), entry<16, 8, 8, bf16>("m16n8k8"),
    entry<16, 8, 8, tf32>("m16n8k8"),   entry<16, 8, 4, tf32>("m16n8k4"),
    entry<8, 8, 4, f64>("m8n8k4"),      entry<16, 8, 4, f64>("m16n8k4"),
    entry<16, 8, 8, f64>("m16n8k8"),    entry<16, 8, 16, f64>("m16n8k16"),
    entry<8, 8, 16, s8>("m8n8k16"),     entry<16, 8, 16, s8>("m16n8k16"),
    entry<16, 8, 32, s8>("m16n8k32"),   entry<8, 8, 16, u8>("m8n8k16"),
    entry<16, 8, 16, u8>("m16n8k16"),   entry<16, 8, 32, u8>("m16n8k32"),
    entry<8, 8, 32, s4>("m8n8k32"),     entry<16, 8, 32, s4>("m16n8k32"),
    entry<16, 8, 64, s4>("m16n8k64"),   entry<8, 8, 32, u4>("m8n8k32"),
    entry<16, 8, 32, u4>("m16n8k32"),   entry<16, 8, 64, u4>("m16n8k64"),
    entry<8, 8, 128, b1>("m8n8k128"),   entry<16, 8, 128, b1>("m16n8k128"),
    entry<16, 8, 256, b1>("m16n8k256"), entry<16, 8, 16, e4m3>("m16n8k16"),
    entry<16, 8, 32, e4m3>("m16n8k32"), entry<16, 8, 16, e5m2>("m16n8k16"),
    entry<16, 8, 32, e5m2>("m16n8k32"), entry<16, 8, 32, e3m2>("m16n8k32"),
    entry<16, 8, 32, e2m3>("m16n8k32"), entry<16, 8, 32, e2m1>("m16n8k32"),
    entry<16, 8, 64, e2m1>("m16n8k64"),
};

//! The types of the factors of mma.sync, each once.
std::vector<data_type> multiplied_types() {
  std::vector<data_type> types;
  for (named_mma const& m : shapes)
    if (std::find(types.begin(), types.end(), m.type) == types.end()) types.push_back(m.type);
  return types;
}

named_mma const& shape_of(std::string const& shape, data_type type) {
  std::vector<std::string> of_type;
  for (named_mma const& m : shapes)
    if (m.type == type) {
      if (m.shape == shape) return m;
      of_type.emplace_back(m.shape);
    }
  throw tool::no_such_name(std::string("SHAPE, for ") + gpu::text_of(type), shape, of_type);
}

constexpr char const* swizzle_names[] = {"none", "32", "64", "128"};

// --- a box and its picture ---

//! The chunks of 16 bytes of a box: which chunk of which row is where.
template <tensor_swizzle S>
struct chunk_layout {
  gpu::tensor_box<S> box;
  [[nodiscard]] index rows() const { return box.rows(); }
  [[nodiscard]] index columns() const { return box.columns() * box.element_bytes / 16; }
  [[nodiscard]] index words() const { return (box.bytes() + 127) / 128 * 8; }
  [[nodiscard]] index operator()(index row, index chunk) const {
    return gpu::swizzled_byte<S>(row * box.pitch + chunk * 16) / 16;
  }
};

//! Bytes of shared memory that a block can have, on compute capability 9.0; larger boxes are not
//! drawn.
constexpr index max_bytes = 227 * 1024;

//! The picture of a layout of chunks, of which 8 are in all banks.
template <class Chunks>
mmm::report::layout_picture chunk_picture(Chunks const& chunks, std::string const& title) {
  auto picture = mmm::report::picture_of(chunks, 8, title);
  picture.column_name = "chunk";
  picture.row_name = "byte";
  picture.row_step = 16;
  picture.caption =
      "A cell is a chunk of 16 bytes, in four banks, with its row and its number in the row; "
      "number "
      "0 is dark. 8 rows that are read at once have no conflict in different columns.";
  return picture;
}

struct box_view {
  index rows, columns, bytes, written, alignment;
  mmm::report::layout_picture picture;
};
template <tensor_swizzle S>
box_view view_box(gpu::tensor_box<S> const& box, std::string const& title) {
  box_view v{box.rows(), box.columns(), box.bytes(), box.bytes_written(), box.alignment(), {}};
  if (v.bytes <= max_bytes) v.picture = chunk_picture(chunk_layout<S>{box}, title);
  return v;
}
box_view view_box(gpu::tensor_map const& m, std::string const& title) {
  using enum tensor_swizzle;
  switch (m.swizzle) {
    case none:
      return view_box(gpu::box_of<none>(m), title);
    case bytes_32:
      return view_box(gpu::box_of<bytes_32>(m), title);
    case bytes_64:
      return view_box(gpu::box_of<bytes_64>(m), title);
    case bytes_128:
      return view_box(gpu::box_of<bytes_128>(m), title);
    case bytes_128_atom_32:
      return view_box(gpu::box_of<bytes_128_atom_32>(m), title);
    case bytes_128_atom_32_flip_8:
      return view_box(gpu::box_of<bytes_128_atom_32_flip_8>(m), title);
    case bytes_128_atom_64:
      break;
  }
  return view_box(gpu::box_of<bytes_128_atom_64>(m), title);
}

json json_of(gpu::broken_rule const& r) {
  if (!r) return nullptr;
  return {{"field", gpu::text_of(r.field)},
          {"dimension", r.dimension},
          {"value", r.value},
          {"accepted", gpu::text_of(r.accepted)}};
}
std::string text_of(gpu::broken_rule const& r) {
  std::string const value = r.field == gpu::descriptor_field::type
                                ? gpu::text_of(static_cast<data_type>(r.value))
                                : std::to_string(r.value);
  return std::string("no: ") + gpu::text_of(r.field) + "[" + std::to_string(r.dimension) + "] is " +
         value + "; accepted: " + gpu::text_of(r.accepted) + "\n";
}

// --- wgmma ---

//! A tile written with a swizzle that only a run knows; along the rows, with rows and columns
//! exchanged.
struct written_tile {
  index row_count;
  index column_count;
  int element_bytes;
  tensor_swizzle swizzle;
  bool along_rows;
  [[nodiscard]] index rows() const { return along_rows ? column_count : row_count; }
  [[nodiscard]] index columns() const { return along_rows ? row_count : column_count; }
  [[nodiscard]] index words() const { return row_count * column_count; }
  [[nodiscard]] index operator()(index row, index column) const {
    using enum tensor_swizzle;
    index const x =
        (along_rows ? column * column_count + row : row * column_count + column) * element_bytes;
    index const place = swizzle == none       ? x
                        : swizzle == bytes_32 ? gpu::swizzled_byte<bytes_32>(x)
                        : swizzle == bytes_64 ? gpu::swizzled_byte<bytes_64>(x)
                                              : gpu::swizzled_byte<bytes_128>(x);
    return place / element_bytes;
  }
};

//! The chunks of 16 bytes of a tile: those that begin in each row of the memory.
struct written_chunks {
  written_tile tile;
  [[nodiscard]] index rows() const { return tile.row_count; }
  [[nodiscard]] index columns() const { return tile.column_count * tile.element_bytes / 16; }
  [[nodiscard]] index words() const {
    return (tile.words() * tile.element_bytes + 1023) / 1024 * 64;  // whole patterns of swizzles
  }
  [[nodiscard]] index operator()(index row, index chunk) const {
    index const element = chunk * 16 / tile.element_bytes;
    return (tile.along_rows ? tile(element, row) : tile(row, element)) * tile.element_bytes / 16;
  }
};

template <class Operand>
gpu::wgmma_descriptor described(tensor_swizzle read, written_tile const& tile, index row,
                                index column) {
  using enum tensor_swizzle;
  if (read == none) return gpu::describe<Operand, none>(tile, row, column);
  if (read == bytes_32) return gpu::describe<Operand, bytes_32>(tile, row, column);
  if (read == bytes_64) return gpu::describe<Operand, bytes_64>(tile, row, column);
  return gpu::describe<Operand, bytes_128>(tile, row, column);
}
using describing = gpu::wgmma_descriptor (*)(tensor_swizzle, written_tile const&, index, index);
template <data_type T, gpu::major Major>
describing describing_of(index rows) {
  if (rows == 8) return described<gpu::wgmma_operand<T, 8, Major>>;
  if (rows == 64) return described<gpu::wgmma_operand<T, 64, Major>>;
  if (rows == 128) return described<gpu::wgmma_operand<T, 128, Major>>;
  return described<gpu::wgmma_operand<T, 256, Major>>;
}

}  // namespace

std::string fragment(int argc, char const* const* argv) {
  command c("fragment",
            "The lane and the register that hold each element of an operand of mma.sync, "
            "and the cost of loading it by ldmatrix.");
  std::string shape;
  std::string operand = "a";
  c.app().add_option("SHAPE", shape, "m16n8k16, for example")->required();
  c.add("--operand", operand, "OPERAND", "a, b (as n x k) or c (default: a)");
  c.explain_status(false);
  std::string help;
  if (!c.parse(argc, argv, help)) return help;
  named_mma const& m = shape_of(shape, c.element_among(multiplied_types()));
  if (operand != "a" && operand != "b" && operand != "c")
    throw tool::no_such_name("--operand", operand, {"a", "b", "c"});
  operand_view v = m.view(operand[0]);
  v.picture.title = std::string("Operand ") + operand + " of mma.sync." + shape + ", " + c.type +
                    ": " + std::to_string(v.picture.rows) + " x " +
                    std::to_string(v.picture.columns) + ", lane.element";
  c.draw(mmm::report::svg(v.picture));
  std::string const load = "ldmatrix.x" + std::to_string(v.matrices);
  if (c.as_json) {
    json lanes = json::array();
    for (auto const& h : v.picture.held) lanes.push_back({h.lane, h.element});
    json object{{"shape", shape},           {"type", c.type},
                {"operand", operand},       {"compute_capability", m.capability},
                {"rows", v.picture.rows},   {"columns", v.picture.columns},
                {"registers", v.registers}, {"held", lanes}};
    if (v.matrices != 0) {
      object["load"] = load;
      for (int s = 0; s < 4; ++s) object["wavefronts"][swizzle_names[s]] = v.wavefronts[s];
    }
    return object.dump() + "\n";
  }
  std::string out = text(v.picture) + "registers of a lane: " + std::to_string(v.registers) +
                    "; compute capability " + std::to_string(m.capability / 10) + "." +
                    std::to_string(m.capability % 10) + " and later\n";
  if (v.matrices != 0) {
    out += load + " from rows of 128 bytes takes";
    for (int s = 0; s < 4; ++s)
      out += std::string(s == 0 ? " " : ", ") + std::to_string(v.wavefronts[s]) + " (" +
             (s == 0 ? "no swizzle" : std::string("swizzle ") + swizzle_names[s]) + ")";
    out += " wavefronts; ideal " + std::to_string(v.matrices) + "\n";
  }
  return out;
}

answer tensor_map(int argc, char const* const* argv) {
  command c("tensor-map",
            "The rules of cuTensorMapEncodeTiled, and the image of a box in shared memory "
            "in chunks of 16 bytes.");
  std::string sizes, strides, box, steps;
  c.add("--sizes", sizes, "NxN...", "elements of the tensor in each dimension, neighbours first");
  c.add("--strides", strides, "BxB...",
        "bytes from an element to the next one of dimensions 1 and up (default: no padding)");
  c.add("--box", box, "NxN...", "elements of a box in each dimension");
  c.add("--element-strides", steps, "NxN...", "default: 1 in each dimension");
  c.add_swizzle(", 128-atom-32, 128-atom-32-flip-8 or 128-atom-64");
  c.explain_status(true);
  std::string help;
  if (!c.parse(argc, argv, help)) return help;
  if (sizes.empty() || box.empty())
    throw tool::failure("--sizes and --box are needed, as --sizes 4096x4096 --box 64x128");
  gpu::tensor_map m{};
  m.type = c.element();
  m.swizzle = command::swizzling("--swizzle", c.swizzle, 7);
  m.rank = numbers("--sizes", sizes, m.sizes);
  auto const as_many = [&](char const* option, int count, int wanted) {
    if (count != wanted)
      throw tool::failure(std::string(option) + " has " + std::to_string(count) +
                          (count == 1 ? " number; accepted: " : " numbers; accepted: ") +
                          std::to_string(wanted));
  };
  as_many("--box", numbers("--box", box, m.box), m.rank);
  if (!strides.empty()) {
    as_many("--strides", numbers("--strides", strides, m.strides), m.rank - 1);
  } else {
    index bytes = gpu::bits_of(m.type) / 8;
    for (int d = 0; d + 1 < m.rank; ++d)
      m.strides[d] = bytes = mmm::detail::checked_multiply(bytes, m.sizes[d]);
  }
  if (!steps.empty())
    as_many("--element-strides", numbers("--element-strides", steps, m.element_strides), m.rank);
  gpu::broken_rule const broken = gpu::broken_rule_of(m);
  if (broken) {
    if (!c.as_json) return {text_of(broken), false};
    return {json{{"valid", false}, {"broken", json_of(broken)}}.dump() + "\n", false};
  }
  std::string const title =
      "Box " + box + " of " + c.type + ", swizzle " + c.swizzle + ": row and chunk of 16 bytes";
  box_view const v = view_box(m, title);
  if (v.bytes > max_bytes)
    throw tool::failure("--box is " + box + ", " + std::to_string(v.bytes) +
                        " bytes of shared memory; accepted: up to " + std::to_string(max_bytes));
  c.draw(mmm::report::svg(v.picture));
  index const first[5] = {};
  index const sectors = gpu::sectors_of_box(m, first);
  if (c.as_json)
    return json{{"valid", true},
                {"broken", nullptr},
                {"rows", v.rows},
                {"columns", v.columns},
                {"bytes", v.bytes},
                {"transaction_bytes", v.written},
                {"alignment", v.alignment},
                {"sectors_of_first_box", sectors}}
               .dump() +
           "\n";
  return text(v.picture) + "valid: " + std::to_string(v.bytes) +
         " bytes of shared memory at a multiple of " + std::to_string(v.alignment) + "; " +
         std::to_string(v.written) + " bytes for the barrier; the first box touches " +
         std::to_string(sectors) + " sectors of 32 bytes\n";
}

answer wgmma(int argc, char const* const* argv) {
  command c("wgmma",
            "The matrix descriptor of an operand of wgmma in a tile of shared memory, or the "
            "reason why it cannot be read.");
  std::string tile = "64x64";
  std::string rows = "64";
  std::string written;
  std::string major = "k";
  std::string row = "0";
  std::string column = "0";
  c.add("--rows", rows, "ROWS", "of A, or n of B: 8, 64, 128 or 256 (default: 64)");
  c.add("--major", major, "DIRECTION",
        "of neighbours in memory: k, or mn for 16 bits (default: k)");
  c.add("--tile", tile, "NxROWS", "elements of a row in memory, and rows (default: 64x64)");
  c.add_swizzle("; that of the descriptor");
  c.add("--written", written, "BYTES",
        "the swizzle with which the tile was written (default: the same)");
  c.add("--row", row, "R", "of the tile, where the operand begins (default: 0)");
  c.add("--column", column, "K", "of the tile, where the operand begins (default: 0)");
  c.explain_status(true);
  std::string help;
  if (!c.parse(argc, argv, help)) return help;
  data_type const type = c.element_among({f16, bf16, tf32, e4m3, e5m2, s8, u8});
  if (major != "k" && major != "mn") throw tool::no_such_name("--major", major, {"k", "mn"});
  bool const along_rows = major == "mn";
  int const bytes = gpu::bits_of(type) / 8;
  if (along_rows && bytes != 2)
    throw tool::failure("--major is mn; accepted: k, for elements of 8 and 32 bits");
  index sides[2] = {};
  if (numbers("--tile", tile, sides) != 2 || sides[0] < 1 || sides[1] < 1 || sides[0] > 1024 ||
      sides[1] > 1024)
    throw tool::failure("--tile is " + tool::shortened(tile) +
                        "; accepted: two numbers from 1 to 1024, as 64x64");
  index const operand_rows = number("--rows", rows, 8, 256);
  if (operand_rows != 8 && operand_rows != 64 && operand_rows != 128 && operand_rows != 256)
    throw tool::failure("--rows is " + rows + "; accepted: 8, 64, 128 or 256");
  tensor_swizzle const read = command::swizzling("--swizzle", c.swizzle, 4);
  written_tile const in_memory{sides[1], sides[0], bytes,
                               written.empty() ? read : command::swizzling("--written", written, 4),
                               along_rows};
  c.draw(mmm::report::svg(
      mmm::report::picture_of(written_chunks{in_memory}, 8,
                              "Tile " + tile + " of " + c.type + ": row and chunk of 16 bytes")));
  describing const describe_operand = along_rows ? describing_of<f16, gpu::major::mn>(operand_rows)
                                      : bytes == 2 ? describing_of<f16, gpu::major::k>(operand_rows)
                                      : bytes == 1
                                          ? describing_of<s8, gpu::major::k>(operand_rows)
                                          : describing_of<tf32, gpu::major::k>(operand_rows);
  gpu::wgmma_descriptor const d = describe_operand(read, in_memory, number("--row", row, 0, 1024),
                                                   number("--column", column, 0, 1024));
  char bits[20] = "";
  if (!d.broken)
    static_cast<void>(
        std::snprintf(bits, sizeof bits, "0x%016llx", static_cast<unsigned long long>(d.bits())));
  if (c.as_json)
    return {json{{"valid", !d.broken},
                 {"broken", json_of(d.broken)},
                 {"start_address", d.start_address},
                 {"leading_byte_offset", d.leading_byte_offset},
                 {"stride_byte_offset", d.stride_byte_offset},
                 {"bits", d.broken ? json(nullptr) : json(bits)}}
                    .dump() +
                "\n",
            !d.broken};
  if (d.broken) return {text_of(d.broken), false};
  return "descriptor " + std::string(bits) + ": start address " + std::to_string(d.start_address) +
         ", leading byte offset " + std::to_string(d.leading_byte_offset) +
         ", stride byte offset " + std::to_string(d.stride_byte_offset) + "\n";
}

}  // namespace explore::tensor_cores
