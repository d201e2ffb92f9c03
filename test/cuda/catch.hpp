// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of Catch2 that the checks of kernels use, in its words: quick to compile with nvcc, and
// there where Catch2 is not. Comes before test/catch.hpp on the include path.
#pragma once

#include <exception>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace checks {

//! A test case: what `TEST_CASE` makes, and the program's list of them.
struct test_case {
  char const* name;
  void (*run)();
  [[nodiscard]] static std::vector<test_case>& all() {
    static std::vector<test_case> list;
    return list;
  }
  test_case(char const* text, void (*function)()) : name(text), run(function) {
    all().push_back(*this);
  }
};

//! How many checks there were, and how many failed; those that hold are counted only.
struct tally {
  long long checks = 0;
  long long failures = 0;
  std::vector<std::string> context{};  //!< what CAPTURE has noted, outermost first
  [[nodiscard]] static tally& now() {
    static tally one;
    return one;
  }
  void note(bool holds, char const* text, char const* file, int line,
            std::string const& found = {});
};

template <class T>
void print(std::ostringstream& out, T const& x) {
  if constexpr (std::is_convertible_v<T const&, std::string>)
    out << std::string(x);
  else if constexpr (std::is_arithmetic_v<T>)
    out << +x;
  else
    out << '?';
}

//! `names = values`, while it lives.
class capture {
 public:
  template <class... Values>
  explicit capture(char const* names, Values const&... values) {
    std::ostringstream out;
    out << names << " =";
    ((out << ' ', print(out, values)), ...);
    tally::now().context.push_back(out.str());
  }
  capture(capture const&) = delete;
  capture& operator=(capture const&) = delete;
  ~capture() { tally::now().context.pop_back(); }
};

//! The message of the exception that `call` throws, if it is an `Exception`; otherwise `otherwise`.
template <class Exception, class Call>
[[nodiscard]] std::string thrown(Call const& call, char const* otherwise) {
  try {
    call();
  } catch (Exception const& e) {
    return e.what();
  } catch (std::exception const& e) {
    return std::string(otherwise) + " (another exception: " + e.what() + ")";
  }
  return otherwise;
}

}  // namespace checks

#define MMM_JOIN_NAMES(a, b) a##b
#define MMM_UNIQUE_NAME(a, b) MMM_JOIN_NAMES(a, b)

#define TEST_CASE(text)                                                  \
  static void MMM_UNIQUE_NAME(mmm_test_, __LINE__)();                    \
  static ::checks::test_case const MMM_UNIQUE_NAME(mmm_case_, __LINE__)( \
      text, &MMM_UNIQUE_NAME(mmm_test_, __LINE__));                      \
  static void MMM_UNIQUE_NAME(mmm_test_, __LINE__)()

#define CAPTURE(...) \
  ::checks::capture const MMM_UNIQUE_NAME(mmm_capture_, __LINE__)(#__VA_ARGS__, __VA_ARGS__)

#define CHECK(...) \
  ::checks::tally::now().note(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

//! The message of an `exception` thrown by `call` contains `words`.
#define CHECK_THROWS_SAYING(call, exception, words)                                          \
  do {                                                                                       \
    std::string const mmm_found =                                                            \
        ::checks::thrown<exception>([&] { static_cast<void>(call); }, "no " #exception);     \
    ::checks::tally::now().note(mmm_found.find(words) != std::string::npos, #call, __FILE__, \
                                __LINE__, mmm_found);                                        \
  } while (false)
