// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/failure.hpp>
#include <common/file.hpp>
#include <common/image.hpp>
#include <common/text.hpp>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

namespace tool {

namespace {

constexpr std::array<std::string_view, 9> extensions{".png", ".jpg", ".jpeg", ".bmp", ".gif",
                                                     ".tga", ".pgm", ".ppm",  ".psd"};

constexpr mmm::index max_pixels = mmm::index{1} << 27;

std::size_t count_of(mmm::index n) { return static_cast<std::size_t>(n); }

//! A file's bytes as stb reads them. stb takes zeros for the bytes after the end and may succeed;
//! `missing` says how many bytes at least it asked for there.
struct picture_bytes {
  std::string_view rest;
  char* buffer = nullptr;  //!< stb's own, which it fills ahead of need
  int missing = 0;

  static int read(void* user, char* to, int wanted) {
    auto& self = *static_cast<picture_bytes*>(user);
    auto const count =
        static_cast<int>(std::min(self.rest.size(), static_cast<std::size_t>(wanted)));
    std::memcpy(to, self.rest.data(), static_cast<std::size_t>(count));
    self.rest.remove_prefix(static_cast<std::size_t>(count));
    if (self.buffer == nullptr) self.buffer = to;  // the first read fills the buffer
    if (to == self.buffer)
      self.missing = std::max(self.missing, count == 0 ? 1 : 0);
    else
      self.missing = std::max(self.missing, wanted - count);
    return count;
  }
  static void skip(void* user, int count) {
    auto& self = *static_cast<picture_bytes*>(user);
    if (count > 0)
      self.rest.remove_prefix(std::min(self.rest.size(), static_cast<std::size_t>(count)));
  }
  static int at_end(void* user) { return static_cast<picture_bytes*>(user)->rest.empty() ? 1 : 0; }
};

[[noreturn]] void reject_picture(std::filesystem::path const& file, std::string const& reason) {
  throw failure("the picture " + shown_path(file.string()) + " " + reason);
}

void demand_size(std::filesystem::path const& file, mmm::index width, mmm::index height) {
  if (width < 1 || height < 1 || width > max_pixels / height)
    reject_picture(file, "has " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels; accepted: 1 to " + std::to_string(max_pixels) + " of them");
}

//! The next number in the header of a PGM or PPM, after white space and comments.
mmm::index header_number(std::string_view& bytes, char const* name,
                         std::filesystem::path const& file) {
  auto const blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!bytes.empty() && (blank(bytes.front()) || bytes.front() == '#'))
    bytes.remove_prefix(bytes.front() == '#' ? std::min(bytes.find('\n'), bytes.size()) : 1);
  std::size_t length = 0;
  while (length < bytes.size() && !blank(bytes[length])) ++length;
  if (length == bytes.size())
    reject_picture(file, std::string("is cut off: it ends within its header, at the ") + name);
  mmm::index number = 0;
  if (!read_whole(bytes.substr(0, length), number) || number < 1)
    reject_picture(file, std::string("has the ") + name + " " + in_quotes(bytes.substr(0, length)) +
                             "; accepted: a whole number from 1 on");
  bytes.remove_prefix(length);
  return number;
}

//! Decodes a PGM or PPM of type P5 or P6: stb reads beyond its buffers where a sample has 16 bits.
//! Samples are scaled to 0 … 255.
image decoded_pnm(std::string_view bytes, std::filesystem::path const& file, int channels) {
  int const in_file = bytes[1] == '5' ? 1 : 3;
  bytes.remove_prefix(2);
  mmm::index const width = header_number(bytes, "width", file);
  mmm::index const height = header_number(bytes, "height", file);
  mmm::index const most = header_number(bytes, "largest sample", file);
  demand_size(file, width, height);
  if (most > 65535)
    reject_picture(file,
                   "has the largest sample " + std::to_string(most) + "; accepted: 1 to 65535");
  bytes.remove_prefix(1);  // one white space
  std::size_t const sample_bytes = most > 255 ? 2 : 1;
  std::size_t const needed = count_of(width * height * in_file) * sample_bytes;
  if (bytes.size() < needed)
    reject_picture(file, "is cut off: it has " + std::to_string(bytes.size()) + " of the " +
                             std::to_string(needed) + " bytes of its pixels");
  image read{width, height, channels, {}};
  read.samples.reserve(count_of(width * height * channels));
  auto const sample = [&](std::size_t at) {
    mmm::index value = 0;
    for (std::size_t k = 0; k < sample_bytes; ++k)
      value = value << 8 | static_cast<unsigned char>(bytes[at * sample_bytes + k]);
    return std::min(value, most) * 255 / most;
  };
  for (std::size_t pixel = 0; pixel < count_of(width * height); ++pixel) {
    mmm::index colour[3];
    for (std::size_t c = 0; c < 3; ++c) colour[c] = sample(in_file == 1 ? pixel : pixel * 3 + c);
    if (channels == 1)
      colour[0] = (colour[0] * 77 + colour[1] * 150 + colour[2] * 29) >> 8;  // as stb does
    for (int c = 0; c < channels; ++c) read.samples.push_back(static_cast<std::uint8_t>(colour[c]));
  }
  return read;
}

}  // namespace

std::string image_extensions() {
  std::string text;
  for (std::string_view e : extensions) text += (text.empty() ? "" : " ") + std::string(e);
  return text;
}

bool has_image_extension(std::filesystem::path const& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

image read_image(std::filesystem::path const& file, int channels) {
  return decoded_image(file_contents(file), file, channels);
}

image decoded_image(std::string_view bytes, std::filesystem::path const& file, int channels) {
  if (bytes.starts_with("P5") || bytes.starts_with("P6")) return decoded_pnm(bytes, file, channels);
  int width = 0;
  int height = 0;
  int in_file = 0;
  if (stbi_info_from_memory(reinterpret_cast<stbi_uc const*>(bytes.data()),
                            static_cast<int>(bytes.size()), &width, &height, &in_file) != 0)
    demand_size(file, width, height);
  picture_bytes from{bytes};
  stbi_io_callbacks const calls{picture_bytes::read, picture_bytes::skip, picture_bytes::at_end};
  std::unique_ptr<stbi_uc, void (*)(void*)> const pixels(
      stbi_load_from_callbacks(&calls, &from, &width, &height, &in_file, channels),
      stbi_image_free);
  if (from.missing > 0)
    reject_picture(file, "is cut off: it ends after " + std::to_string(bytes.size()) +
                             " bytes, where at least " + std::to_string(from.missing) +
                             " more must follow");
  if (!pixels)
    reject_picture(file, "cannot be read: " + shortened(stbi_failure_reason()) + "; known: " +
                             image_extensions() + ", of .pgm and .ppm those of type P5 and P6");
  image read{width, height, channels, {}};
  read.samples.assign(pixels.get(), pixels.get() + count_of(read.width * read.height * channels));
  return read;
}

image centred_square(image const& from, mmm::index side) {
  image to{side, side, from.channels,
           std::vector<std::uint8_t>(count_of(side * side * from.channels))};
  // Rows and columns to skip in the picture, or, negative, to leave black in the square.
  mmm::index const top = (from.height - side) / 2;
  mmm::index const left = (from.width - side) / 2;
  for (mmm::index row = 0; row < side; ++row) {
    for (mmm::index column = 0; column < side; ++column) {
      mmm::index const y = row + top;
      mmm::index const x = column + left;
      if (y < 0 || y >= from.height || x < 0 || x >= from.width) continue;
      for (int c = 0; c < from.channels; ++c)
        to.samples[count_of((row * side + column) * from.channels + c)] =
            from.samples[count_of((y * from.width + x) * from.channels + c)];
    }
  }
  return to;
}

image shrunk(image const& from, mmm::index most) {
  mmm::index factor = (std::max(from.width, from.height) + most - 1) / most;
  factor = std::min({factor, from.width, from.height});
  image to{from.width / factor, from.height / factor, from.channels, {}};
  to.samples.reserve(count_of(to.width * to.height * to.channels));
  for (mmm::index y = 0; y < to.height; ++y)
    for (mmm::index x = 0; x < to.width; ++x)
      for (int c = 0; c < from.channels; ++c) {
        mmm::index sum = factor * factor / 2;  // to round
        for (mmm::index row = y * factor; row < (y + 1) * factor; ++row)
          for (mmm::index column = x * factor; column < (x + 1) * factor; ++column)
            sum += from.samples[count_of((row * from.width + column) * from.channels + c)];
        to.samples.push_back(static_cast<std::uint8_t>(sum / (factor * factor)));
      }
  return to;
}

void write_png(std::filesystem::path const& file, image const& from) {
  // stb can write to a file, but it does not notice a full disk.
  std::ofstream out(file, std::ios::binary);
  auto const put = [](void* stream, void* bytes, int size) {
    static_cast<std::ofstream*>(stream)->write(static_cast<char const*>(bytes), size);
  };
  int const encoded =
      stbi_write_png_to_func(put, &out, static_cast<int>(from.width), static_cast<int>(from.height),
                             from.channels, from.samples.data(), 0);
  out.close();
  if (encoded == 0 || !out) throw failure("the file " + file.string() + " cannot be written");
}

}  // namespace tool
