// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

//! Notes of what a process does, compared between processes before they communicate.
namespace mmm::detail {

//! The 64-bit hash FNV-1a of a text, from the hash of what stands before it on.
[[nodiscard]] inline std::uint64_t hash_after(std::uint64_t hash, char const* text) {
  for (; *text != '\0'; ++text)
    hash = (hash ^ static_cast<unsigned char>(*text)) * std::uint64_t{0x100000001b3};
  return hash;
}
//! The same for 64 bits.
[[nodiscard]] constexpr std::uint64_t hash_after(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) * std::uint64_t{0x100000001b3};
  return hash ^ (hash >> 32);
}
inline constexpr std::uint64_t empty_hash = 0xcbf29ce484222325;

//! True for words whose bits are compared between processes: numbers, and classes of integers
//! without padding.
template <class T>
inline constexpr bool has_comparable_bits =
    std::is_arithmetic_v<T> || std::has_unique_object_representations_v<T>;
//! The hash of a word, from the hash of what stands before it on.
template <class T>
[[nodiscard]] std::uint64_t hash_after_word(std::uint64_t hash, T const& x) {
  if constexpr (std::is_integral_v<T>) {
    return hash_after(hash, static_cast<std::uint64_t>(x));
  } else if constexpr (std::is_floating_point_v<T>) {
    return hash_after(hash, std::bit_cast<std::uint64_t>(static_cast<double>(x)));
  } else {
    for (unsigned char const byte : std::bit_cast<std::array<unsigned char, sizeof(T)>>(x))
      hash = hash_after(hash, std::uint64_t{byte});
    return hash;
  }
}

//! The name of a type as it is written in C++, where the compiler's library can tell.
[[nodiscard]] inline std::string type_text(std::type_info const& type) {
#if __has_include(<cxxabi.h>)
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  if (text) return text.get();
#endif
  return type.name();
}

//! Names, numbers and types in the order in which they were added. Processes of one program that
//! add the same have the same signature.
class call_notes {
 public:
  void clear() {
    signature_ = empty_hash;
    count_ = 0;
  }
  //! The call that the notes belong to, which stays when they are cleared.
  void begin_call(char const* name) {
    call_ = name;
    add("called");
    signature_ = hash_after(signature_, name);
  }
  void add(char const* name) { add({.name = name}, hash_after(signature_, name)); }
  void add(char const* name, index number) {
    add({.name = name, .number = number, .has_number = true},
        hash_with(name, static_cast<std::uint64_t>(number)));
  }
  void add(char const* name, double number) {
    add({.name = name, .real = number, .has_real = true},
        hash_with(name, std::bit_cast<std::uint64_t>(number)));
  }
  template <class T>
  void add_type(char const* name) {
    static std::uint64_t const of_type = hash_after(empty_hash, typeid(T).name());
    add(name, typeid(T), of_type);
  }
  [[nodiscard]] std::uint64_t signature() const { return signature_; }
  //! All notes, those over the 16th left out.
  [[nodiscard]] std::string text() const {
    std::string all = call_;
    for (std::size_t i = 0; i < count_ && i < notes_.size(); ++i) {
      note const& x = notes_[i];
      all += i > 0 ? ", " : ": ";
      all += x.name;
      if (x.type != nullptr) all += " " + type_text(*x.type);
      if (x.has_number) all += " " + std::to_string(x.number);
      if (x.has_real) all += " " + std::to_string(x.real);
    }
    if (count_ > notes_.size()) all += ", …";
    return all;
  }

 private:
  struct note {
    char const* name = "";
    std::type_info const* type = nullptr;
    index number = 0;
    double real = 0;
    bool has_number = false;
    bool has_real = false;
  };
  [[nodiscard]] std::uint64_t hash_with(char const* name, std::uint64_t bits) const {
    return hash_after(hash_after(signature_, name), bits);
  }
  // nvcc writes the designators of a template in an old form, at which clang as its host compiler
  // warns: so this is no part of add_type.
  void add(char const* name, std::type_info const& type, std::uint64_t hash_of_type) {
    std::uint64_t const hash = hash_after(signature_, name) ^ hash_of_type;
    add({.name = name, .type = &type}, hash * std::uint64_t{0x100000001b3});
  }
  void add(note const& x, std::uint64_t signature) {
    if (count_ < notes_.size()) notes_[count_] = x;
    ++count_;
    signature_ = signature;
  }

  std::uint64_t signature_ = empty_hash;
  char const* call_ = "";
  std::size_t count_ = 0;
  std::array<note, 16> notes_{};
};

}  // namespace mmm::detail
