// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts that are proved to be the best compared with all linear maps and all paddings, each
// costed byte by byte; their certificates, and what must not pass for one.
#include <mmm/gpu/optimal_layout.hpp>

#include "catch.hpp"
#include "support/naive_gpu.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

using namespace mmm::gpu;
using Catch::Matchers::Contains;
using mmm::index;
using mmm::item;

namespace {

//! A small GPU, of whose phases the last may be larger than the banks serve at once.
template <int Banks, int Lanes = 8>
struct small_gpu {
  static constexpr int lanes = Lanes;
  static constexpr int banks = Banks;
  [[nodiscard]] static constexpr phase_table phases(warp_access const& a) {
    return a.bytes <= 4 ? consecutive_phases(1, Lanes)
                        : consecutive_phases(a.bytes / 4, 4 * Lanes / a.bytes);
  }
  [[nodiscard]] static constexpr bool merges_pairs(warp_access const&) { return false; }
};

//! An access of a certificate, element by element.
struct request {
  index times;
  int bytes;
  std::vector<std::vector<std::pair<index, index>>> phases;  // row and column of each lane
};

template <bank_rules Rules, class Access, class Row, class Column>
request request_of(tile_access_pattern<Access, Row, Column> const& a) {
  request r{a.times, Access{}.bytes, {}};
  auto const table = Rules::phases(Access{});
  for (index warp = 0; warp < a.items; warp += Rules::lanes)
    for (int p = 0; p < table.phases; ++p) {
      r.phases.emplace_back();
      for (int t = 0; t < Rules::lanes && warp + t < a.items; ++t)
        if ((table.lanes[p] >> t & 1) != 0)
          r.phases.back().emplace_back(a.row(warp + t), a.column(warp + t));
    }
  return r;
}

//! The wavefronts of requests by the banks of bytes alone; -1 if an access is not aligned.
template <class Place>
index naive_cost(std::vector<request> const& requests, index element_bytes, int banks,
                 Place place) {
  index sum = 0;
  std::vector<index> words;
  for (request const& r : requests)
    for (auto const& phase : r.phases) {
      words.clear();
      for (auto const& [row, column] : phase) {
        index const first = place(row, column) * element_bytes;
        if (first % r.bytes != 0) return -1;
        for (index byte = first; byte < first + r.bytes; byte += std::min<index>(4, r.bytes))
          words.push_back(byte / 4);
      }
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
      std::vector<index> in_bank(static_cast<std::size_t>(banks));
      for (index const word : words) ++in_bank[static_cast<std::size_t>(word % banks)];
      sum += r.times * *std::max_element(in_bank.begin(), in_bank.end());
    }
  return sum;
}

//! Calls `use` with all invertible linear maps of `bits` bits that keep 2^low elements together.
template <class Use>
void for_each_map(mmm::linear_map& map, int low, int bit, Use use) {
  if (bit == map.bits) {
    use(map);
    return;
  }
  std::vector<bool> taken(std::size_t{1} << map.bits);
  for (index x = 0; x < index{1} << bit; ++x) {
    index sum = 0;
    for (int i = 0; i < bit; ++i) sum ^= (x >> i & 1) != 0 ? map.image[i] : 0;
    taken[static_cast<std::size_t>(sum)] = true;
  }
  for (index image = 0; image < index{1} << map.bits; image += index{1} << low) {
    if (taken[static_cast<std::size_t>(image)]) continue;
    map.image[bit] = image;
    for_each_map(map, low, bit + 1, use);
  }
}

//! The least wavefronts over all linear maps and all paddings, one after the other.
index exhaustive(std::vector<request> const& requests, tile_shape const& area,
                 tile_limits const& limits, int banks, int widest) {
  int const bits = mmm::detail::bit_width(area.rows * area.columns) - 1;
  int const low = mmm::detail::bit_width(std::max<index>(4, widest) / area.element_bytes) - 1;
  index least = std::numeric_limits<index>::max();
  mmm::linear_map map(bits);
  for_each_map(map, low, low, [&](mmm::linear_map const& by) {
    least = std::min(least, naive_cost(requests, area.element_bytes, banks,
                                       [&](index r, index c) { return by(r * area.columns + c); }));
  });
  for (index padding = 0; padding <= limits.max_padding; ++padding) {
    if ((area.columns + padding) * area.element_bytes % limits.alignment != 0) continue;
    index const cost = naive_cost(requests, area.element_bytes, banks, [&](index r, index c) {
      return r * (area.columns + padding) + c;
    });
    if (cost >= 0) least = std::min(least, cost);
  }
  return least;
}

//! Claims that cannot be true, and the same certificate with another layout.
template <class Certificate, class... Accesses>
int surviving_mutants(Certificate const& c, int& mutants, Accesses const&... accesses) {
  int survivors = 0;
  auto const tried = [&](Certificate const& mutant) {
    ++mutants;
    survivors += mutant.verify(accesses...) ? 1 : 0;
  };
  Certificate m = c;
  --m.wavefronts;
  tried(m);
  m = c;
  ++m.bound;
  tried(m);
  m = c;
  --m.cost[0];
  tried(m);
  m = c;
  ++m.plain;
  tried(m);
  m = c;
  m.price += 4;
  tried(m);
  if (c.wavefronts != c.bound) {
    m = c;
    m.proof = layout_proof::capacity;
    tried(m);
  }
  if (c.layout.padding != 0) return survivors;
  for (int i = 0; i < c.bits; ++i)  // the layout is not injective
    for (int k = 0; k < c.bits; ++k) {
      m = c;
      m.layout.map.image[i] = k == i ? 0 : c.layout.map.image[k];
      tried(m);
    }
  return survivors;
}

//! The layout's mutants: one bit of the map flipped, another padding. Each that has other costs
//! must not verify with the old ones, and with its own must not pass for the best: it is worse, or
//! splits what maps keep together.
template <class Certificate, class Costs, class... Accesses>
void check_layout_mutants(Certificate const& c, index element_bytes, int& told_apart, Costs costs,
                          Accesses const&... accesses) {
  auto const tried = [&](auto const& layout) {
    Certificate m = c;
    m.layout = layout;
    m.bytes = layout.words() * element_bytes;
    m.price = m.bytes - layout.rows() * layout.columns() * element_bytes;
    costs(m);
    if (m.wavefronts == c.wavefronts) return;
    Certificate old = m;
    std::copy(std::begin(c.cost), std::end(c.cost), old.cost);
    old.wavefronts = c.wavefronts;
    CHECK_FALSE(old.verify(accesses...));
    m.proof = layout_proof::search;
    m.steps = 1000000;
    CHECK_FALSE(m.verify(accesses...));
    ++told_apart;
  };
  for (int i = 0; i < c.bits; ++i)
    for (int k = 0; k < c.bits; ++k) {
      mmm::linear_map map = c.layout.map;
      map.image[i] ^= index{1} << k;
      if (map.rank() == map.bits)
        tried(decltype(c.layout)(c.layout.rows(), c.layout.columns(), map));
    }
  for (index padding = 1; padding < 6; ++padding)
    tried(decltype(c.layout)(c.layout.rows(), c.layout.columns(), padding));
}

struct tally {
  int sets = 0;
  int by_capacity = 0;
  int by_search = 0;
  int mutants = 0;
  int told_apart = 0;
};

template <tile_shape Area, bank_rules Rules, class... Access, class... Row, class... Column>
void agrees_with_all(tally& t, tile_access_pattern<Access, Row, Column> const&... accesses) {
  constexpr tile_limits limits{.max_padding = Rules::banks + 1};
  auto const c = optimal_layout<Area, limits, Rules, 10000000>(accesses...);
  std::vector<request> const requests{request_of<Rules>(accesses)...};
  index const widest = std::max({index{Access{}.bytes}...});
  REQUIRE(c.optimal());
  CHECK(c.wavefronts == exhaustive(requests, Area, limits, Rules::banks, static_cast<int>(widest)));
  CHECK(c.wavefronts == naive_cost(requests, Area.element_bytes, Rules::banks, c.layout));
  CHECK(c.verify(accesses...));
  CHECK(surviving_mutants(c, t.mutants, accesses...) == 0);
  ++t.sets;
  ++(c.proof == layout_proof::capacity ? t.by_capacity : t.by_search);
  check_layout_mutants(
      c, Area.element_bytes, t.told_apart,
      [&](auto& m) {
        int k = 0;
        m.wavefronts = 0;
        for (request const& r : requests)
          m.wavefronts += m.cost[k++] = naive_cost({r}, Area.element_bytes, Rules::banks, m.layout);
      },
      accesses...);
}

constexpr tile_shape square{4, 4, 4};
constexpr tile_shape wide{2, 8, 4};
constexpr tile_shape halves{4, 8, 2};

}  // namespace

TEST_CASE("no linear map and no padding of a small tile is better than the proved layout") {
  std::mt19937 random(1);
  auto const below = [&](index n) { return static_cast<index>(random() % std::uint64_t(n)); };
  tally t;
  // Patterns that are linear over F2, as the lane's bits in any order, and patterns that are not.
  auto const linear = [&](index rows) {
    return ((item * (index{1} << below(3))) ^ (item >> below(3)) ^ below(rows)) % rows;
  };
  auto const affine = [&](index rows) { return (item * below(5) + item / 4 + below(rows)) % rows; };
  for (int k = 0; k < 16; ++k) {
    auto const weight = [&] { return 1 + below(3); };
    mmm::size const warp(4);
    agrees_with_all<square, small_gpu<4, 4>>(
        t, tile_access<load<4>>(linear(4), linear(4), weight(), warp),
        tile_access<store<4>>(linear(4), linear(4), weight(), warp),
        tile_access<load<4>>(0, item, 1, warp), tile_access<load<4>>(item, 0, 1, warp),
        tile_access<load<4>>(item, item, weight(), warp),
        tile_access<load<4>>(linear(4), linear(4), weight(), warp));
    agrees_with_all<square, small_gpu<8>>(t, tile_access<load<4>>(affine(4), linear(4)),
                                          tile_access<store<4>>(affine(4), affine(4), weight()),
                                          tile_access<load<4>>(affine(4), affine(4), weight()));
    agrees_with_all<wide, small_gpu<4>>(
        t, tile_access<load<8>>(linear(2), linear(4) * 2, weight()),
        tile_access<store<4>>(affine(2), affine(8), 1, mmm::size(1 + below(20))),
        tile_access<load<4>>(linear(2), linear(8)));
    agrees_with_all<halves, small_gpu<4>>(t, tile_access<load<2>>(affine(4), affine(8), weight()),
                                          tile_access<store<2>>(linear(4), linear(8), weight()),
                                          tile_access<load<4>>(linear(4), affine(4) * 2));
  }
  INFO(t.by_capacity << " by capacity, " << t.by_search << " by search, " << t.mutants << " and "
                     << t.told_apart << " mutants");
  CHECK(t.sets == 64);
  CHECK(t.by_capacity >= 40);
  CHECK(t.by_search >= 10);
  CHECK(t.told_apart > 500);
}

namespace {

//! The least wavefronts over CuTe's swizzles and Triton's, whose parameters are the elements of a
//! vector, the rows of a phase and the phases after which they repeat.
template <tile_shape Area, class... Accesses>
index best_swizzle(int low, int& count, Accesses const&... accesses) {
  std::vector<request> const requests{request_of<nvidia>(accesses)...};
  index least = std::numeric_limits<index>::max();
  auto const tried = [&](auto place) {
    index const cost = naive_cost(requests, Area.element_bytes, 32, place);
    if (cost < 0) return;
    ++count;
    least = std::min(least, cost);
  };
  for (int base = low; base < 8; ++base)
    for (int bits = 0; bits <= 5; ++bits)
      for (int shift = bits; shift <= 8; ++shift)
        tried([&](index row, index column) {
          index const x = row * Area.columns + column;
          return x ^ ((x >> (base + shift) & ((index{1} << bits) - 1)) << base);
        });
  for (index vector = index{1} << low; vector <= 16; vector *= 2)
    for (index rows = 1; rows <= 8; rows *= 2)
      for (index phases = 1; phases * vector <= Area.columns; phases *= 2)
        tried([&](index row, index column) {
          index const chunk = (column / vector) ^ (row / rows % phases);
          return row * Area.columns + chunk * vector + column % vector;
        });
  return least;
}

//! The elements of an access whose addresses are linear over F2, as a basis.
struct access_basis {
  bool linear = true;
  int elements = 0;         //!< log2 of those of a vector
  std::vector<index> lane;  //!< what each bit of a lane's number adds to the number of its element
};

template <tile_shape Area, class Access, class Row, class Column>
access_basis basis_of(tile_access_pattern<Access, Row, Column> const& a) {
  int const bytes = Access{}.of_matrices() ? 16 : Access{}.bytes;
  access_basis b{a.items == 32, mmm::detail::bit_width(bytes / Area.element_bytes) - 1, {}};
  if (!b.linear) return b;
  auto const lanes = mmm::gpu::detail::lanes_of_tile<nvidia>(Area, a, 0);
  auto const number = [&](int t) { return lanes.row[t] * Area.columns + lanes.column[t]; };
  for (int bit = 1; bit < 32; bit *= 2) b.lane.push_back(number(bit) ^ number(0));
  for (int t = 0; t < 32; ++t) {
    index sum = number(0);
    for (std::size_t k = 0; k < 5; ++k) sum ^= (t >> k & 1) != 0 ? b.lane[k] : 0;
    b.linear = b.linear && sum == number(t);
  }
  return b;
}

//! The unit vectors that make a basis of the whole space of vectors that are independent.
std::vector<index> complement(std::vector<index> rows, int bits) {
  std::vector<index> units;
  std::size_t rank = 0;
  for (int bit = 0; bit < bits; ++bit) {
    index const unit = index{1} << bit;
    auto const has_bit = [&](index row) { return (row & unit) != 0; };
    auto const begin = rows.begin() + static_cast<std::ptrdiff_t>(rank);
    auto const pivot = std::find_if(begin, rows.end(), has_bit);
    if (pivot == rows.end()) {
      units.push_back(unit);
      continue;
    }
    std::iter_swap(begin, pivot);
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (k != rank && has_bit(rows[k])) rows[k] ^= rows[rank];
    ++rank;
  }
  return units;
}

bool contains(std::vector<index> const& list, index x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

//! The swizzle that Triton's pass for layout conversions (optimalSwizzling) makes for a store and a
//! load: what each bit of an offset in the shared memory adds to an element's number. Vectors hold
//! the elements that both accesses have in one lane, and then those that one has in a lane and the
//! other in several; segments, the bits above the banks, first the directions that neither access
//! has in its lanes, then sums of a direction of each, then, with conflicts, single ones.
std::vector<index> swizzle_by_triton(access_basis const& store, access_basis const& load, int bits,
                                     int element_bytes) {
  std::vector<index> vector;
  auto const add_elements = [&](access_basis const& a, int end, access_basis const* other) {
    for (int k = 0; k < a.elements && static_cast<int>(vector.size()) < end; ++k)
      if (index const x = index{1} << k;
          !contains(vector, x) && (other == nullptr || contains(other->lane, x)))
        vector.push_back(x);
  };
  int const common = std::min(store.elements, load.elements);
  add_elements(store, common, nullptr);
  int const of_word = element_bytes < 4 ? mmm::detail::bit_width(4 / element_bytes) - 1 : 0;
  access_basis const& wider = store.elements >= load.elements ? store : load;
  access_basis const& other = &wider == &store ? load : store;
  add_elements(wider, of_word, nullptr);
  add_elements(wider, wider.elements, &other);

  //! Directions of the lanes that are served at once, and of the vector.
  auto const served = [&](access_basis const& a) {
    int const words = std::max(0, a.elements - of_word);
    std::vector<index> all = vector;
    for (std::size_t k = 0; k + static_cast<std::size_t>(words) < a.lane.size(); ++k)
      if (a.lane[k] != 0 && !contains(all, a.lane[k])) all.push_back(a.lane[k]);
    return all;
  };
  std::vector<index> const by_store = served(store);
  std::vector<index> const by_load = served(load);
  int const in_vector = static_cast<int>(vector.size());
  int const of_banks = std::min(
      mmm::detail::bit_width(index{128} / (element_bytes << in_vector)) - 1, bits - in_vector);
  std::size_t const length = static_cast<std::size_t>(bits - of_banks - in_vector);
  std::vector<index> segment;
  for (int k = 0; k < bits && segment.size() < length; ++k)
    if (index const x = index{1} << k; !contains(by_store, x) && !contains(by_load, x))
      segment.push_back(x);
  std::vector<index> a, b;
  for (index const x : by_store)
    if (!contains(by_load, x)) a.push_back(x);
  for (index const x : by_load)
    if (!contains(by_store, x)) b.push_back(x);
  if (a.size() > b.size()) std::swap(a, b);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::size_t const missing = length - segment.size();
  std::size_t const conflicts = missing > a.size() ? std::min(missing - a.size(), a.size()) : 0;
  for (std::size_t k = conflicts; k < a.size(); ++k) segment.push_back(a[k] ^ b[k]);
  segment.insert(segment.end(), a.begin(), a.begin() + static_cast<std::ptrdiff_t>(conflicts));
  segment.insert(segment.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(conflicts));
  if (segment.size() > length) segment.resize(length);

  std::vector<index> result = vector;
  result.insert(result.end(), segment.begin(), segment.end());
  std::vector<index> const banks = complement(result, bits);
  result.insert(result.begin() + in_vector, banks.begin(), banks.end());
  return result;
}

//! The least wavefronts over the swizzles that Triton's pass makes for any two of the accesses.
template <tile_shape Area, class... Accesses>
index best_by_triton(int& count, Accesses const&... accesses) {
  constexpr int bits = mmm::detail::bit_width(Area.rows * Area.columns) - 1;
  std::vector<request> const requests{request_of<nvidia>(accesses)...};
  std::vector<access_basis> const bases{basis_of<Area>(accesses)...};
  index least = std::numeric_limits<index>::max();
  for (access_basis const& store : bases)
    for (access_basis const& load : bases) {
      if (&store == &load || !store.linear || !load.linear) continue;
      std::vector<index> const basis =
          swizzle_by_triton(store, load, bits, static_cast<int>(Area.element_bytes));
      REQUIRE(basis.size() == std::size_t{bits});
      std::vector<index> offset(std::size_t{1} << bits, -1);
      for (index o = 0; o < index{1} << bits; ++o) {
        index element = 0;
        for (std::size_t k = 0; k < basis.size(); ++k) element ^= (o >> k & 1) != 0 ? basis[k] : 0;
        offset[static_cast<std::size_t>(element)] = o;
      }
      REQUIRE(std::find(offset.begin(), offset.end(), -1) == offset.end());
      index const cost = naive_cost(requests, Area.element_bytes, 32, [&](index row, index column) {
        return offset[static_cast<std::size_t>(row * Area.columns + column)];
      });
      if (cost < 0) continue;  // a vector of another access is not kept together
      ++count;
      least = std::min(least, cost);
    }
  return least;
}

struct swizzle_tally {
  int better = 0;             //!< sets of accesses for which no swizzle is as good
  int triton = 0;             //!< swizzles that Triton's pass made
  int as_good_by_triton = 0;  //!< sets for which one of them is as good
};

template <tile_shape Area, class... Accesses>
void beats_swizzles(int low, swizzle_tally& t, Accesses const&... accesses) {
  auto const c = optimal_layout<Area, tile_limits{}, nvidia, 10000000>(accesses...);
  int count = 0;
  index const swizzle = best_swizzle<Area>(low, count, accesses...);
  CHECK(c.verify(accesses...));
  CHECK(c.optimal());
  CHECK(count > 100);
  CHECK(c.wavefronts <= swizzle);
  index const by_triton = best_by_triton<Area>(t.triton, accesses...);
  CHECK(c.wavefronts <= by_triton);
  t.as_good_by_triton += c.wavefronts == by_triton ? 1 : 0;
  t.better += c.wavefronts < std::min(swizzle, by_triton) ? 1 : 0;
}

}  // namespace

TEST_CASE("CuTe's swizzles and Triton's are never better than the proved layout") {
  swizzle_tally t;
  auto const row = tile_access<store<4>>(3, item);
  auto const column = tile_access<load<4>>(item, 3);
  constexpr tile_shape floats{32, 32, 4};
  constexpr tile_shape large{64, 64, 4};
  constexpr tile_shape half_tile{64, 64, 2};
  constexpr tile_shape long_rows{16, 128, 4};
  beats_swizzles<floats>(0, t, row, column);
  beats_swizzles<floats>(0, t, row, column, tile_access<load<4>>(item % 8, item / 8 * 8),
                         tile_access<load<4>>(item / 8 * 8, item % 8));
  beats_swizzles<large>(0, t, row, column, tile_access<load<4>>(item % 16 * 4, item / 16 * 32),
                        tile_access<load<4>>(item, item), tile_access<load<4>>(item % 8, item / 8));
  beats_swizzles<large>(2, t, tile_access<store<16>>(item / 16, item % 16 * 4),
                        tile_access<load<16>>(item, 8), column);
  beats_swizzles<half_tile>(3, t, tile_access<store<16>>(item / 8, item % 8 * 8),
                            tile_access<ldmatrix<4>>(item % 16, item / 16 * 8, 4),
                            tile_access<ldmatrix<4>>(item % 16 * 4, item / 16 * 32));
  beats_swizzles<half_tile>(1, t, tile_access<store<4>>(item / 4, item % 4 * 2),
                            tile_access<load<2>>(item, 7),
                            tile_access<load<4>>(item % 8 * 8, item / 8 * 2));
  beats_swizzles<long_rows>(0, t, tile_access<store<4>>(item % 16, item / 16),
                            tile_access<load<4>>(item / 4, item % 4 * 32), row);
  beats_swizzles<long_rows>(1, t, tile_access<store<8>>(item % 16, item / 16 * 2),
                            tile_access<load<8>>(item / 4, item % 4 * 32), row);
  // two accesses, as the pass is made for
  beats_swizzles<large>(0, t, row, column);
  beats_swizzles<large>(2, t, tile_access<store<16>>(item / 16, item % 16 * 4), column);
  beats_swizzles<half_tile>(3, t, tile_access<store<16>>(item / 8, item % 8 * 8),
                            tile_access<ldmatrix<4>>(item % 16, item / 16 * 8, 4));
  INFO(t.better << " better, " << t.triton << " by Triton, " << t.as_good_by_triton << " as good");
  CHECK(t.better > 0);
  CHECK(t.triton == 64);
  CHECK(t.as_good_by_triton == 5);
}

TEST_CASE("tiles and accesses that have no certificate are refused by value") {
  auto const row = tile_access<load<4>>(0, item);
  CHECK_THROWS_WITH((optimal_layout<tile_shape{32, 48, 4}>(row)),
                    Contains("columns") && Contains("48") && Contains("power of two"));
  CHECK_THROWS_WITH((optimal_layout<tile_shape{12, 32, 4}>(row)),
                    Contains("rows") && Contains("12") && Contains("power of two"));
  CHECK_THROWS_WITH((optimal_layout<tile_shape{32, 16, 4}>(row)),
                    Contains("column") && Contains("16"));
  CHECK_THROWS_WITH((optimal_layout<tile_shape{32, 32, 3}>(row)), Contains("3"));
  CHECK_THROWS_WITH((optimal_layout<tile_shape{32, 32, 4}>(tile_access<load<16>>(item, 1))),
                    Contains("16-byte") && Contains("4"));
  CHECK_THROWS_WITH((optimal_layout<tile_shape{32, 32, 4}, tile_limits{.alignment = 256}>(row)),
                    Contains("256") && Contains("alignment"));
  CHECK_THROWS_AS((optimal_layout<tile_shape{32, 32, 4}, tile_limits{.budget = 4095}>(row)),
                  std::length_error);
}
