// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/best.hpp>
#include <mmm/choose/space.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/timing/clocks.hpp>

//! The ranking of a tuning space's points by predicted time, and the best one.
namespace mmm {

//! A point's rating. Without a removal it has a time; else the filter that removed it, and the
//! condition that it does not meet.
struct rated_point {
  char const* name = "";
  grid_plan plan{};
  char const* filter = nullptr;  //!< nullptr: passed all
  unmet_condition unmet{};
  index stage = 0;  //!< filters that the point passed
  prediction time{};

  [[nodiscard]] constexpr bool removed() const { return filter != nullptr; }
};

//! The ratings of all points, in the order of the space.
template <index Count>
struct space_ranking {
  static constexpr index count = Count;
  rated_point points[Count > 0 ? Count : 1]{};
  index order[Count > 0 ? Count : 1]{};  //!< numbers of points: by time, then those removed

  //! The rating of the point in this place, 0 for the best.
  [[nodiscard]] constexpr rated_point const& at(index place) const { return points[order[place]]; }
  //! The number of points that were not removed: the first ones by `at`.
  [[nodiscard]] constexpr index remaining() const {
    index n = 0;
    for (index k = 0; k < Count; ++k) n += points[k].removed() ? 0 : 1;
    return n;
  }
  //! The number of a point that passed more filters than, or as many as, any other that was
  //! removed: if no point remains, of the last one.
  [[nodiscard]] constexpr index last_removed() const {
    index last = 0;
    for (index k = 1; k < Count; ++k)
      if (points[k].removed() && points[k].stage > points[last].stage) last = k;
    return last;
  }
};

namespace detail {

template <class Filter>
inline constexpr bool reads_predictions =
    requires(candidate_prediction const& found) { Filter::unmet(found); };

//! Filters of every space: the kernel runs on the GPU, and its arrays fit the memory.
struct runs_on_gpu {
  static constexpr char const* name = "runs on the GPU";
  [[nodiscard]] static constexpr unmet_condition unmet(candidate_prediction const& found) {
    if (found.possible) return {};
    return found.unmet ? found.unmet : unmet_condition{"kernels that can run", 1, 0};
  }
};
struct fits_global_memory {
  static constexpr char const* name = "fits the global memory";
  [[nodiscard]] static constexpr unmet_condition unmet(candidate_prediction const& found) {
    if (found.time.fits()) return {};
    return {"bytes of arrays", static_cast<index>(smaller_of(found.time.memory_bytes, 9e18)),
            static_cast<index>(found.time.gpu_bytes)};
  }
};

template <class Filter, class Point>
inline constexpr bool reads_type = requires { Filter::template unmet<Point>(); };

template <class... Lists>
struct joined;
template <class... A>
struct joined<point_list<A...>> {
  using type = point_list<A...>;
};
template <class... A, class... B, class... More>
struct joined<point_list<A...>, point_list<B...>, More...>
    : joined<point_list<A..., B...>, More...> {};
template <bool Chosen, class Filter>
using list_if = conditional_t<Chosen, point_list<Filter>, point_list<>>;

//! Filters in the order of their work: those that read a point's type, those that read the GPU and
//! the problem, then those that read predictions.
template <class Point, class... Filters>
struct ordered_filters {
  using types =
      typename joined<point_list<>, list_if<reads_type<Filters, Point>, Filters>...>::type;
  using gpus = typename joined<
      point_list<>,
      list_if<!reads_type<Filters, Point> && !reads_predictions<Filters>, Filters>...>::type;
  using predictions = typename joined<point_list<runs_on_gpu, fits_global_memory>,
                                      list_if<reads_predictions<Filters>, Filters>...>::type;
  using all = typename joined<types, gpus, predictions>::type;
};

//! Records the first condition that is not met; `unmet_by` returns that of a filter.
template <class... Filters, class Unmet>
constexpr void pass(rated_point& rated, point_list<Filters...> const&, Unmet const& unmet_by) {
  [[maybe_unused]] auto const passes = [&](auto const& filter) {
    rated.unmet = unmet_by(filter);
    if (rated.unmet)
      rated.filter = filter.name;
    else
      ++rated.stage;
    return !rated.removed();
  };
  static_cast<void>((passes(Filters{}) && ...));
}

//! The rating of a point by the filters that read its type.
template <class Point, class... Filters>
inline constexpr rated_point rated_type = [] {
  rated_point rated;
  rated.name = Point::name();
  rated.plan = Point::plan;
  pass(rated, typename ordered_filters<Point, Filters...>::types{},
       []<class Filter>(Filter const&) { return Filter::template unmet<Point>(); });
  return rated;
}();

//! The rating of a point without its time.
template <class Point, class... Filters, class... Problem>
[[nodiscard]] constexpr rated_point filter_point(gpu::device_facts const& facts,
                                                 Problem const&... problem) {
  rated_point rated = rated_type<Point, Filters...>;
  if (!rated.removed())
    pass(rated, typename ordered_filters<Point, Filters...>::gpus{},
         [&]<class Filter>(Filter const&) {
           return Filter::template unmet<Point>(facts, problem...);
         });
  return rated;
}

//! The rating of a point that passed the filters before.
template <class Point, class... Filters, class Size, class... More>
[[nodiscard]] constexpr rated_point time_point(rated_point rated, gpu::device_facts const& facts,
                                               Size const& n, More const&... more) {
  candidate_prediction const found = Point::predictor(more...)(facts, Point::plan, n);
  rated.time = found.time;
  pass(rated, typename ordered_filters<Point, Filters...>::predictions{},
       [&]<class Filter>(Filter const&) { return Filter::unmet(found); });
  return rated;
}

//! The rating of a point on a GPU with these facts.
template <class Point, class... Filters, class Size, class... More>
[[nodiscard]] constexpr rated_point rate_point(gpu::device_facts const& facts, Size const& n,
                                               More const&... more) {
  if constexpr (rated_type<Point, Filters...>.removed()) {
    return rated_type<Point, Filters...>;
  } else {
    rated_point const rated = filter_point<Point, Filters...>(facts, n, more...);
    return rated.removed() ? rated : time_point<Point, Filters...>(rated, facts, n, more...);
  }
}

//! Sorts the ratings: a stable insertion.
template <index Count>
constexpr void sort_ratings(space_ranking<Count>& all) {
  auto const before = [&](index a, index b) {
    rated_point const &x = all.points[a], &y = all.points[b];
    if (x.removed() || y.removed()) return !x.removed() && y.removed();
    return x.time.microseconds < y.time.microseconds;
  };
  for (index k = 0; k < Count; ++k) {
    index place = k;
    for (; place > 0 && before(k, all.order[place - 1]); --place)
      all.order[place] = all.order[place - 1];
    all.order[place] = k;
  }
}

}  // namespace detail

//! The ranking of a space's points for a problem on a GPU with these facts: `rank(gpu::h200::facts,
//! space, size(1024))`; further parameters of the problem follow the size, or the shape, as in
//! mmm::predict. Time: an estimate or two for each point that passes the filters which read points.
template <class... Points, class... Filters, class Size, class... More>
[[nodiscard]] constexpr auto rank(gpu::device_facts const& facts,
                                  tuning_space<point_list<Points...>, Filters...> const&,
                                  Size const& n, More const&... more) {
  space_ranking<sizeof...(Points)> all;
  index k = 0;
  ((all.points[k++] = detail::rate_point<Points, Filters...>(facts, n, more...)), ...);
  detail::sort_ratings(all);
  return all;
}

//! A problem with constant parameters: `problem_c<size(1024)>`, `problem_c<size(1 << 20),
//! taps(64)>`.
template <auto Size, auto... More>
struct constant_problem {};
template <auto Size, auto... More>
inline constexpr constant_problem<Size, More...> problem_c{};

namespace detail {

//! Each rating is a constant of its own, which a compiler evaluates once for all tables.
template <class G, class Problem, class Point, class... Filters>
inline constexpr int constant_rating = 0;
template <class G, auto Size, auto... More, class Point, class... Filters>
inline constexpr rated_point
    constant_rating<G, constant_problem<Size, More...>, Point, Filters...> = [] {
      constexpr rated_point rated = filter_point<Point, Filters...>(G::facts, Size, More...);
      if constexpr (rated.removed())
        return rated;
      else
        return time_point<Point, Filters...>(rated, G::facts, Size, More...);
    }();

template <class G, class Problem, class Space>
inline constexpr int constant_ranking = 0;
template <class G, class Problem, class... Points, class... Filters>
inline constexpr auto
    constant_ranking<G, Problem, tuning_space<point_list<Points...>, Filters...>> = [] {
      space_ranking<sizeof...(Points)> all;
      index k = 0;
      ((all.points[k++] = constant_rating<G, Problem, Points, Filters...>), ...);
      sort_ratings(all);
      return all;
    }();

//! The type in a place of a list.
template <index Place, class First, class... More>
[[nodiscard]] constexpr auto type_in(point_list<First, More...> const&) {
  if constexpr (Place == 0)
    return type_identity<First>{};
  else
    return type_in<Place - 1>(point_list<More...>{});
}

}  // namespace detail

//! Names in the compile error of mmm::best for a space, which shows the numbers in them.
template <index Number>
struct needed {};
template <index Number>
struct available {};

namespace detail {

template <bool Any, class Point, class Filter, class Needed, class Available>
struct space_has_candidate {
  static_assert(Any,
                "mmm: no point of the space fits the problem: the arguments are the last point, "
                "the filter that removed it, and the figures");
  static constexpr bool value = true;
};

//! Instantiated for a ranking without a point that remains.
template <class G, class Problem, class Space>
inline constexpr bool ranking_rejected = false;
template <class G, class Problem, class... Points, class... Filters>
inline constexpr bool
    ranking_rejected<G, Problem, tuning_space<point_list<Points...>, Filters...>> = [] {
      constexpr auto const& all =
          constant_ranking<G, Problem, tuning_space<point_list<Points...>, Filters...>>;
      constexpr index last = all.last_removed();
      constexpr rated_point removed = all.points[last];
      using point = typename decltype(type_in<last>(point_list<Points...>{}))::type;
      using filter = typename decltype(type_in<removed.stage>(
          typename ordered_filters<point, Filters...>::all{}))::type;
      return space_has_candidate<false, point, filter, needed<removed.unmet.needed>,
                                 available<removed.unmet.available>>::value;
    }();

}  // namespace detail

//! The best point of a space: its type, and its predicted time.
template <class Point>
struct best_point {
  using point = Point;
  prediction time;

  [[nodiscard]] static constexpr char const* name() { return Point::name(); }
};

//! The ranking of a space for a constant problem on GPU `G`: a constant.
template <class G, class Points, class... Filters, auto Size, auto... More>
[[nodiscard]] constexpr auto const& rank(tuning_space<Points, Filters...> const&,
                                         constant_problem<Size, More...> const&) {
  return detail::constant_ranking<G, constant_problem<Size, More...>,
                                  tuning_space<Points, Filters...>>;
}

//! The point of a space with the least predicted time for a constant problem on GPU `G`, the first
//! one of equals: `decltype(best<gpu::h200>(space, problem_c<size(1024)>))::point` is its type. A
//! compile error for an empty space, and if no point passes the filters: it has the last point, the
//! filter that removed it, and the figures.
template <class G, class... Points, class... Filters, auto Size, auto... More>
[[nodiscard]] constexpr auto best(tuning_space<point_list<Points...>, Filters...> const&,
                                  constant_problem<Size, More...> const&) {
  static_assert(sizeof...(Points) > 0, "mmm: the space is empty: one of its lists has no element");
  if constexpr (sizeof...(Points) > 0) {
    using problem = constant_problem<Size, More...>;
    using space_type = tuning_space<point_list<Points...>, Filters...>;
    constexpr auto const& ranking = detail::constant_ranking<G, problem, space_type>;
    if constexpr (ranking.remaining() == 0) {
      static_assert(detail::ranking_rejected<G, problem, space_type>);
    } else {
      using point =
          typename decltype(detail::type_in<ranking.order[0]>(point_list<Points...>{}))::type;
      return best_point<point>{ranking.at(0).time};
    }
  }
}

//! The point with the least predicted time on a GPU with these facts, for sizes that are known at
//! run time. Parameters as for `rank`. Errors: std::invalid_argument for an empty space, and if no
//! point passes the filters, which names the last point, the filter that removed it, and the
//! figures.
template <class... Points, class... Filters, class Size, class... More>
[[nodiscard]] constexpr choice best(gpu::device_facts const& facts,
                                    tuning_space<point_list<Points...>, Filters...> const& all,
                                    Size const& n, More const&... more) {
  auto const ranking = rank(facts, all, n, more...);
  if (sizeof...(Points) == 0) detail::reject("the number of points of a space", 0, "1 or more");
  if (ranking.remaining() == 0) {
    rated_point const& last = ranking.points[ranking.last_removed()];
    detail::throw_invalid_argument(detail::failure_text(
        "mmm: no point of the space fits the problem: the last one, ", last.name,
        ", was removed by the filter \"", last.filter, "\": ", last.unmet.quantity, ", ",
        last.unmet.needed, " needed, ", last.unmet.available, " available"));
  }
  rated_point const& found = ranking.at(0);
  return {ranking.order[0], found.name, found.plan, found.time};
}

}  // namespace mmm
