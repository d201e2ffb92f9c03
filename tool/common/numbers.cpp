// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/failure.hpp>
#include <common/file.hpp>
#include <common/image.hpp>
#include <common/numbers.hpp>
#include <common/text.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tool {

namespace {

using mmm::index;

[[noreturn]] void reject_numbers(std::filesystem::path const& file, std::string const& reason) {
  throw failure("the file " + file.string() + " " + reason);
}

//! The number that `sizeof(T)` bytes of the given byte order are.
template <class T>
double number_from(char const* bytes, bool little_endian) {
  char ordered[sizeof(T)];
  std::copy(bytes, bytes + sizeof(T), ordered);
  if (little_endian != (std::endian::native == std::endian::little))
    std::reverse(ordered, ordered + sizeof(T));
  T value;
  std::memcpy(&value, ordered, sizeof(T));
  return static_cast<double>(value);
}

using reader = double (*)(char const*, bool);

std::vector<double> unpacked(std::string_view bytes, std::size_t size, reader read,
                             bool little_endian, std::filesystem::path const& file) {
  if (std::size_t const rest = bytes.size() % size; rest != 0)
    reject_numbers(file, "has " + std::to_string(bytes.size()) + " bytes, not a multiple of the " +
                             std::to_string(size) + " of one number: " +
                             std::to_string(size - rest) + " are missing after the last");
  std::vector<double> values(bytes.size() / size);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = read(bytes.data() + i * size, little_endian);
  return values;
}

numbers sequence(std::vector<double> values, std::string format) {
  auto const columns = static_cast<index>(values.size());
  return {std::move(values), 1, columns, std::move(format)};
}

// --- text ----------------------------------------------------------------------------------------

bool separates(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r' || c == '\v' || c == '\f';
}

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    auto const u = static_cast<unsigned char>(c);
    return (u >= 0x20 && u < 0x7f) || (u >= 0x09 && u <= 0x0d);
  });
}

//! Appends the numbers of one line to `values`.
void read_line(std::string_view line, std::size_t line_number, std::vector<double>& values,
               std::filesystem::path const& file) {
  char const* at = line.data();
  char const* const end = at + std::min(line.size(), line.find('#'));
  while (true) {
    while (at != end && separates(*at)) ++at;
    if (at == end) return;
    char const* const word = at;
    while (at != end && !separates(*at)) ++at;
    double value = 0;
    bool const plus = *word == '+' && word + 1 != at && word[1] != '-';
    auto const [rest, error] = std::from_chars(word + (plus ? 1 : 0), at, value);
    if (error != std::errc() || rest != at || !std::isfinite(value))
      reject_numbers(
          file, "has `" + shortened({word, static_cast<std::size_t>(at - word)}) + "` in line " +
                    std::to_string(line_number) +
                    "; accepted: finite numbers between white space, commas or semicolons");
    values.push_back(value);
  }
}

numbers read_text(std::string_view text, std::filesystem::path const& file) {
  numbers read;
  index lines = 0;
  bool rectangular = true;
  std::size_t line_number = 0;
  while (!text.empty()) {
    std::string_view const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    std::size_t const before = read.values.size();
    read_line(line, ++line_number, read.values, file);
    auto const found = static_cast<index>(read.values.size() - before);
    if (found == 0) continue;
    ++lines;
    if (lines == 1) read.columns = found;
    rectangular = rectangular && found == read.columns;
  }
  if (read.values.empty()) reject_numbers(file, "has no number in it");
  if (rectangular && read.columns > 1) {
    read.rows = lines;
    read.format = "text";
    return read;
  }
  return sequence(std::move(read.values), "text");
}

// --- NumPy's .npy --------------------------------------------------------------------------------

struct element_type {
  std::string_view code;
  std::size_t size;
  reader read;
};

constexpr element_type element_types[] = {
    {"f4", 4, number_from<float>},         {"f8", 8, number_from<double>},
    {"i1", 1, number_from<std::int8_t>},   {"i2", 2, number_from<std::int16_t>},
    {"i4", 4, number_from<std::int32_t>},  {"i8", 8, number_from<std::int64_t>},
    {"u1", 1, number_from<std::uint8_t>},  {"u2", 2, number_from<std::uint16_t>},
    {"u4", 4, number_from<std::uint32_t>}, {"u8", 8, number_from<std::uint64_t>},
    {"b1", 1, number_from<std::uint8_t>},
};

//! The text after `'name':` in the header's dictionary.
std::string_view field(std::string_view header, std::string_view name,
                       std::filesystem::path const& file) {
  std::size_t const at = header.find("'" + std::string(name) + "':");
  if (at == std::string_view::npos)
    reject_numbers(file, "is no .npy file: its header has no `" + std::string(name) + "`");
  std::string_view value = header.substr(at + name.size() + 3);
  while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  return value;
}

//! The extents in the text `(4, 3), …`; none in `(), …`, which is the shape of a single number.
std::vector<index> shape_of(std::string_view text, std::filesystem::path const& file) {
  std::vector<index> shape;
  std::size_t const end = text.find(')');
  bool well_formed = text.starts_with('(') && end != std::string_view::npos;
  for (std::string_view list = well_formed ? text.substr(1, end - 1) : ""; !list.empty();) {
    std::string_view extent = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), extent.size() + 1));
    while (extent.starts_with(' ')) extent.remove_prefix(1);
    if (extent.empty() && list.empty()) break;  // after the last comma
    shape.emplace_back();
    well_formed = well_formed && read_whole(extent, shape.back());
  }
  if (!well_formed)
    reject_numbers(file, "has the shape " + in_quotes(text) + "; accepted: extents as in (4, 3)");
  return shape;
}

std::string text_of(std::vector<index> const& shape) {
  std::string text;
  for (index const extent : shape) text += (text.empty() ? "(" : ", ") + std::to_string(extent);
  return text.empty() ? "()" : shortened(text + ")");
}

numbers read_npy(std::string_view bytes, std::filesystem::path const& file) {
  if (!bytes.starts_with("\x93NUMPY"))
    reject_numbers(file, "is no .npy file; accepted: one that begins with the byte 0x93 and NUMPY");
  std::size_t const length_bytes = bytes.size() > 6 && bytes[6] > 1 ? 4 : 2;
  if (bytes.size() < 8 + length_bytes)
    reject_numbers(file, "is cut off: it ends within the " + std::to_string(8 + length_bytes) +
                             " bytes before its header");
  std::size_t header_size = 0;
  for (std::size_t k = 0; k < length_bytes; ++k)
    header_size |= std::size_t{static_cast<unsigned char>(bytes[8 + k])} << (8 * k);
  if (bytes.size() - 8 - length_bytes < header_size)
    reject_numbers(file, "is cut off: it has " + std::to_string(bytes.size() - 8 - length_bytes) +
                             " of the " + std::to_string(header_size) + " bytes of its header");
  std::string_view const header = bytes.substr(8 + length_bytes, header_size);
  std::string_view const data = bytes.substr(8 + length_bytes + header_size);

  std::string_view type = field(header, "descr", file).substr(0, 5);
  element_type const* element = nullptr;
  if (type.size() == 5 && type.front() == '\'' && type.back() == '\'')
    for (element_type const& e : element_types)
      if (e.code == type.substr(2, 2)) element = &e;
  if (element == nullptr)
    reject_numbers(file, "has elements of type " + in_quotes(type) +
                             "; accepted: f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1");
  bool const columns_first = field(header, "fortran_order", file).substr(0, 4) == "True";

  std::vector<index> const shape = shape_of(field(header, "shape", file), file);
  std::size_t const elements = data.size() / element->size;
  std::size_t count = 1;
  bool cut_off = false;  // `count` is not to overflow
  for (index const extent : shape) {
    auto const n = static_cast<std::size_t>(extent);
    if (n == 0) reject_numbers(file, "is an empty array");
    cut_off = cut_off || count > elements / n;
    if (!cut_off) count *= n;
  }
  if (cut_off)
    reject_numbers(file, "is cut off: it has " + std::to_string(data.size()) + " bytes of data, " +
                             std::to_string(elements) + " elements of " +
                             std::string(element->code) + ", fewer than its shape " +
                             text_of(shape) + " needs");
  if (data.size() != count * element->size)
    reject_numbers(file, "has " + std::to_string(data.size()) + " bytes of data; its shape " +
                             text_of(shape) + " needs " + std::to_string(count * element->size));

  numbers read = sequence(unpacked(data, element->size, element->read, type[1] != '>', file),
                          "NumPy array of " + std::string(element->code));
  if (shape.size() == 2) {
    read.rows = shape[0];
    read.columns = shape[1];
    if (columns_first) {
      std::vector<double> by_row(read.values.size());
      for (index r = 0; r < read.rows; ++r)
        for (index c = 0; c < read.columns; ++c)
          by_row[static_cast<std::size_t>(r * read.columns + c)] =
              read.values[static_cast<std::size_t>(c * read.rows + r)];
      read.values = std::move(by_row);
    }
  } else if (shape.size() > 2 && columns_first) {
    reject_numbers(
        file, "is an array of more than two dimensions in Fortran order, which is not known here");
  }
  return read;
}

numbers read_by_extension(std::filesystem::path const& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::string const bytes = file_contents(file);
  if (has_image_extension(file)) {
    image const grey = decoded_image(bytes, file, 1);
    return {{grey.samples.begin(), grey.samples.end()},
            grey.height,
            grey.width,
            "grey values of a picture"};
  }
  if (extension == ".npy") return read_npy(bytes, file);
  if (extension == ".bin" || extension == ".f32")
    return sequence(unpacked(bytes, 4, number_from<float>, true, file), "little-endian float32");
  std::optional<std::string_view> const text = utf8_text(bytes);
  bool const readable = text && is_text(*text);
  if (extension == ".f64" || (extension == ".dat" && !readable))
    return sequence(unpacked(bytes, 8, number_from<double>, true, file), "little-endian float64");
  if (!text) reject_numbers(file, utf16_refused);
  if (!readable)
    reject_numbers(
        file, "is not text; other formats are known by their extension: .npy .bin .f32 .f64 .dat " +
                  image_extensions());
  return read_text(*text, file);
}

}  // namespace

numbers read_numbers(std::filesystem::path const& file) {
  numbers read = read_by_extension(file);
  auto const odd = std::find_if(read.values.begin(), read.values.end(),
                                [](double x) { return !std::isfinite(x); });
  if (odd != read.values.end())
    reject_numbers(file, "(" + read.format + ") has a number that is not finite, at position " +
                             std::to_string(odd - read.values.begin()));
  return read;
}

index largest_square(numbers const& from) {
  if (from.rows > 1) return std::min(from.rows, from.columns);
  auto side = static_cast<index>(std::sqrt(static_cast<double>(from.columns)));
  while (side * side > from.columns) --side;
  while ((side + 1) * (side + 1) <= from.columns) ++side;
  return side;
}

std::vector<double> middle_square(numbers const& from, index side) {
  index const row_length = from.rows > 1 ? from.columns : side;
  index const top = from.rows > 1 ? (from.rows - side) / 2 : 0;
  index const left = from.rows > 1 ? (from.columns - side) / 2 : 0;
  std::vector<double> square;
  square.reserve(static_cast<std::size_t>(side * side));
  for (index row = 0; row < side; ++row) {
    auto const first = from.values.begin() + (top + row) * row_length + left;
    square.insert(square.end(), first, first + side);
  }
  return square;
}

}  // namespace tool
