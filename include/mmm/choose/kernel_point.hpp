// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/choose/best.hpp>
#include <mmm/core/config.hpp>

#include <cstddef>

//! Points of a tuning space: kernels with their tiling and their launch, each a type.
namespace mmm {

//! A string as a template argument.
template <std::size_t N>
struct static_text {
  char text[N]{};
  constexpr static_text(char const (&given)[N]) {  // NOLINT: "sum" is one
    for (std::size_t k = 0; k < N; ++k) text[k] = given[k];
  }
};

//! The name of a point, put together in a constant expression: 127 characters at most.
class point_name {
 public:
  constexpr point_name& add(char const* part) {
    for (; *part != 0; ++part) add_character(*part);
    return *this;
  }
  constexpr point_name& add(index number) {
    if (number >= 10) add(number / 10);
    add_character(static_cast<char>('0' + number % 10));
    return *this;
  }
  [[nodiscard]] constexpr char const* c_str() const { return text_; }

 private:
  static constexpr int capacity = 127;
  constexpr void add_character(char c) {
    if (length_ < capacity) text_[length_++] = c;
  }
  int length_ = 0;
  char text_[capacity + 1] = {};
};

//! The element of a list that a space does not use: one tile, layout or number of stages.
struct unused {};

//! Launches, the elements of a space's list of threads: `BlocksPerSm` blocks of `Threads` threads
//! on each multiprocessor, for values of `ValueBytes` bytes.
template <index BlocksPerSm, index Threads, index ValueBytes = 4>
struct blocks {
  static constexpr grid_plan plan{
      BlocksPerSm, Threads, false, {.written_cache = false, .value_bytes = ValueBytes}};
  static constexpr void add_name(point_name& name) {
    name.add(", ").add(BlocksPerSm).add(BlocksPerSm == 1 ? " block of " : " blocks of ");
    name.add(Threads);
  }
};
//! One block of `Threads` threads in all, for programs that use no other.
template <index Threads>
struct one_block {
  static constexpr grid_plan plan{1, Threads};
  static constexpr void add_name(point_name& name) { name.add(", ").add(Threads).add(" threads"); }
};
//! The same, for programs of one DMM, whose names say it.
template <index Threads>
struct one_dmm {
  static constexpr grid_plan plan{1, Threads};
  static constexpr void add_name(point_name&) {}
};
//! A launch of a program for a UMM.
template <index BlocksPerSm, index Threads>
struct on_umm {
  static constexpr grid_plan plan{BlocksPerSm, Threads, true};
  static constexpr void add_name(point_name& name) { name.add(" on a UMM"); }
};

//! A variant that is an algorithm, with its name in namespace mmm and its parameters besides those
//! of the problem: `kernel<"matrix_multiply", matrix_multiply, tile(16)>`.
template <static_text Name, auto Algorithm, auto... Parameters>
struct kernel {
  template <class Point, class Use>
  [[nodiscard]] static constexpr auto with(Use const& use) {
    return use(Algorithm, Parameters...);
  }
  template <class Point>
  static constexpr void add_name(point_name& name) {
    name.add(Name.text);
    (add_parameter(name, Parameters), ...);
  }

 private:
  static constexpr void add_parameter(point_name& name, tile t) { name.add(", m = ").add(t.side); }
  static constexpr void add_parameter(point_name&, radius) {}
};

//! A variant of several kernels, or with conditions of its own: `Predict(more...)` is an object
//! whose call returns the prediction, as that of mmm::candidate; `more` are the problem's
//! parameters besides its size.
template <static_text Name, template <class...> class Predict, class... Fixed>
struct kernels {
  template <class Point, class... More>
  [[nodiscard]] static constexpr auto predictor(More const&... more) {
    return Predict<Fixed...>{more...};
  }
  template <class Point>
  static constexpr void add_name(point_name& name) {
    name.add(Name.text);
  }
};

namespace detail {

template <class Point>
inline constexpr point_name name_of_point = [] {
  point_name name;
  Point::variant::template add_name<Point>(name);
  Point::threads::add_name(name);
  return name;
}();

}  // namespace detail

//! A point of a space: the kernel of `Variant` with this tile, launch, layout and number of stages.
//! A variant is a class with
//! - `with<Point>(use)`, which returns `use(algorithm, parameters...)`, or `predictor<Point>(more
//!   ...)` as in mmm::kernels;
//! - `add_name<Point>(name)`, which adds to a mmm::point_name what precedes the launch;
//! - properties that filters read, if it has them (choose/space_filters.hpp).
template <class Tile, class Threads, class Layout, class Stages, class Variant>
struct kernel_point {
  using tile = Tile;
  using threads = Threads;
  using layout = Layout;
  using stages = Stages;
  using variant = Variant;
  static constexpr grid_plan plan = Threads::plan;

  [[nodiscard]] static constexpr char const* name() {
    return detail::name_of_point<kernel_point>.c_str();
  }
  //! Returns `use(algorithm, parameters..., more...)`; `more` are the problem's parameters besides
  //! its size.
  template <class Use, class... More>
  [[nodiscard]] static constexpr auto with(Use const& use, More const&... more) {
    return Variant::template with<kernel_point>(
        [&](auto const& algorithm, auto const&... own) { return use(algorithm, own..., more...); });
  }
  //! The object that predicts the kernel's time, as in mmm::candidate.
  template <class... More>
  [[nodiscard]] static constexpr auto predictor(More const&... more) {
    if constexpr (requires { Variant::template predictor<kernel_point>(more...); }) {
      return Variant::template predictor<kernel_point>(more...);
    } else {
      auto const bound = [=](auto const& use) { return with(use, more...); };
      return detail::predict_algorithm{bound};
    }
  }
};

//! A list of points.
template <class... Points>
struct point_list {
  static constexpr index count = sizeof...(Points);
};

}  // namespace mmm
