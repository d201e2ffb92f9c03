// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor cores as CUTLASS has them: every element of every fragment is in the lane and at the place
// of CuTe's traits, and wgmma reads exactly the layouts for which CuTe makes a descriptor, with the
// same fields.
#include <mmm/gpu/fragment.hpp>
#include <mmm/gpu/wgmma.hpp>
#include <mmm/interop/cute.hpp>

#include "catch.hpp"

#include <cute/atom/mma_traits_sm120.hpp>
#include <cute/atom/mma_traits_sm75.hpp>
#include <cute/atom/mma_traits_sm80.hpp>
#include <cute/atom/mma_traits_sm89.hpp>
#include <cute/atom/mma_traits_sm90.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>

#include <random>

namespace {

using namespace mmm::gpu;
using enum data_type;
using mmm::index;

//! Compares a fragment with CuTe's layout, which maps (lane, element) to row + rows * column.
template <class Fragment, class Cute>
void fragment_agrees(Cute const& theirs) {
  REQUIRE(static_cast<int>(cute::size<0>(theirs)) == 32);
  REQUIRE(static_cast<int>(cute::size<1>(theirs)) == Fragment::elements);
  int wrong = 0;
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < Fragment::elements; ++e) {
      int const row = Fragment::row(lane, e);
      int const column = Fragment::column(lane, e);
      wrong += static_cast<int>(theirs(lane, e)) != row + Fragment::rows * column;
      wrong += Fragment::lane_of(row, column) != lane || Fragment::element_of(row, column) != e;
    }
  INFO(Fragment::rows << " x " << Fragment::columns << " of " << Fragment::bits << " bits");
  CHECK(wrong == 0);
}

template <class Mma, class Operation>
void traits_agree() {
  using traits = cute::MMA_Traits<Operation>;
  CHECK(cute::Shape<cute::Int<Mma::m>, cute::Int<Mma::n>, cute::Int<Mma::k>>{} ==
        typename traits::Shape_MNK{});
  fragment_agrees<typename Mma::a>(typename traits::ALayout{});
  fragment_agrees<typename Mma::b>(typename traits::BLayout{});
  fragment_agrees<typename Mma::c>(typename traits::CLayout{});
}

TEST_CASE("fragments are those of CuTe's traits") {
  using namespace cute;
  traits_agree<mma<16, 8, 8, f16>, SM75_16x8x8_F32F16F16F32_TN>();
  traits_agree<mma<8, 8, 16, s8>, SM75_8x8x16_S32S8S8S32_TN>();
  traits_agree<mma<16, 8, 8, f16, f16, f16>, SM80_16x8x8_F16F16F16F16_TN>();
  traits_agree<mma<16, 8, 16, f16, f16, f16>, SM80_16x8x16_F16F16F16F16_TN>();
  traits_agree<mma<16, 8, 16, f16>, SM80_16x8x16_F32F16F16F32_TN>();
  traits_agree<mma<16, 8, 8, bf16>, SM80_16x8x8_F32BF16BF16F32_TN>();
  traits_agree<mma<16, 8, 16, bf16>, SM80_16x8x16_F32BF16BF16F32_TN>();
  traits_agree<mma<16, 8, 4, tf32>, SM80_16x8x4_F32TF32TF32F32_TN>();
  traits_agree<mma<16, 8, 8, tf32>, SM80_16x8x8_F32TF32TF32F32_TN>();
  traits_agree<mma<8, 8, 4, f64>, SM80_8x8x4_F64F64F64F64_TN>();
  traits_agree<mma<16, 8, 16, s8>, SM80_16x8x16_S32S8S8S32_TN>();
  traits_agree<mma<16, 8, 32, s8>, SM80_16x8x32_S32S8S8S32_TN>();
  traits_agree<mma<16, 8, 32, u8, s8>, SM80_16x8x32_S32U8S8S32_TN>();
  traits_agree<mma<8, 8, 32, s4>, SM80_8x8x32_S32S4S4S32_TN>();
  // m16n8k32 of s4: CUTLASS 4.2 gives two lanes the same elements of B; A and C are compared
  fragment_agrees<mma<16, 8, 32, s4>::a>(MMA_Traits<SM80_16x8x32_S32S4S4S32_TN>::ALayout{});
  fragment_agrees<mma<16, 8, 32, s4>::c>(MMA_Traits<SM80_16x8x32_S32S4S4S32_TN>::CLayout{});
  traits_agree<mma<16, 8, 64, u4>, SM80_16x8x64_S32U4U4S32_TN>();
  traits_agree<mma<8, 8, 128, b1>, SM80_8x8x128_S32U1U1S32_TN_XORPOPC>();
  // m16n8k128 of b1: the strides of CUTLASS 4.2 have fewer modes than its shape
  traits_agree<mma<16, 8, 256, b1>, SM80_16x8x256_S32U1U1S32_TN_XORPOPC>();
  traits_agree<mma<16, 8, 32, e4m3>, SM89_16x8x32_F32E4M3E4M3F32_TN>();
  traits_agree<mma<16, 8, 32, e5m2, e4m3, f16>, SM89_16x8x32_F16E5M2E4M3F16_TN>();
  traits_agree<mma<16, 8, 4, f64>, SM90_16x8x4_F64F64F64F64_TN>();
  traits_agree<mma<16, 8, 8, f64>, SM90_16x8x8_F64F64F64F64_TN>();
  traits_agree<mma<16, 8, 16, f64>, SM90_16x8x16_F64F64F64F64_TN>();
  traits_agree<mma<16, 8, 32, e2m1, e3m2>,
               SM120_16x8x32_TN<cute::float_e2m1_t, cute::float_e3m2_t, float>>();
}

//! A layout of an operand with CuTe's swizzle of B bits before it.
template <int Bits, class Cute>
struct operand_tile {
  Cute below;
  [[nodiscard]] index rows() const { return static_cast<index>(cute::size<0>(below)); }
  [[nodiscard]] index columns() const { return static_cast<index>(cute::size<1>(below)); }
  [[nodiscard]] static index words() { return index{1} << 20; }
  [[nodiscard]] index operator()(index row, index column) const {
    auto const place = static_cast<int>(below(static_cast<int>(row), static_cast<int>(column)));
    return cute::Swizzle<Bits, 3, 3>{}(place);  // of elements of 2 bytes
  }
};

//! CuTe's conditions for a descriptor (make_gmma_desc), for a layout of 16-byte units whose strides
//! are values: the divided layout has the canonical strides.
template <bool AlongK, int Bits, class Units>
bool cute_accepts(Units const& units) {
  using namespace cute;
  constexpr int chunks = 1 << Bits;
  if constexpr (AlongK) {
    auto const canonical = logical_divide(units, Tile<Layout<_8, _1>, Layout<_2, _1>>{});
    return static_cast<int>(stride<0, 0>(canonical)) == chunks &&
           (Bits == 0 || static_cast<int>(stride<1, 0>(canonical)) == 1);
  } else {
    auto const canonical = logical_divide(units, Tile<Layout<Int<chunks>, _1>, Layout<_8, _1>>{});
    return (Bits == 0 || static_cast<int>(stride<0, 0>(canonical)) == 1) &&
           static_cast<int>(stride<1, 0>(canonical)) == chunks;
  }
}

constexpr tensor_swizzle swizzle_of_bits(int bits) { return static_cast<tensor_swizzle>(bits); }

int compared = 0;
int accepted_by_both = 0;

//! Compares on 64 halves by 16 whose strides, in units of 16 bytes, are given.
template <int Bits>
void along_k_agrees(int of_row, int of_eight_rows, int of_chunk) {
  using namespace cute;
  auto halves = make_layout(
      make_shape(make_shape(_8{}, _8{}), make_shape(_8{}, _2{})),
      make_stride(make_stride(8 * of_row, 8 * of_eight_rows), make_stride(_1{}, 8 * of_chunk)));
  auto const units = make_layout(make_shape(make_shape(_8{}, _8{}), _2{}),
                                 make_stride(make_stride(of_row, of_eight_rows), of_chunk));
  operand_tile<Bits, decltype(halves)> const tile{halves};
  auto const found = describe<wgmma_operand<f16, 64>, swizzle_of_bits(Bits)>(tile);
  bool const theirs = cute_accepts<true, Bits>(units);
  INFO("along k, swizzle of " << Bits << " bits, strides " << of_row << ", " << of_eight_rows
                              << ", " << of_chunk);
  CHECK(!found.broken == theirs);
  if (theirs && !found.broken) {
    CHECK(found.stride_byte_offset == 16 * of_eight_rows);
    CHECK(found.leading_byte_offset == 16 * of_chunk);
    ++accepted_by_both;
  }
  ++compared;
}

//! Compares on 128 halves by 16 that are neighbours along the rows.
template <int Bits>
void along_rows_agrees(int of_chunk, int of_span, int of_k, int of_eight_k) {
  using namespace cute;
  constexpr int chunks = 1 << Bits;
  auto halves = make_layout(
      make_shape(make_shape(_8{}, Int<chunks>{}, Int<16 / chunks>{}), make_shape(_8{}, _2{})),
      make_stride(make_stride(_1{}, 8 * of_chunk, 8 * of_span),
                  make_stride(8 * of_k, 8 * of_eight_k)));
  auto const units =
      make_layout(make_shape(make_shape(Int<chunks>{}, Int<16 / chunks>{}), make_shape(_8{}, _2{})),
                  make_stride(make_stride(of_chunk, of_span), make_stride(of_k, of_eight_k)));
  operand_tile<Bits, decltype(halves)> const tile{halves};
  auto const found = describe<wgmma_operand<f16, 128, major::mn>, swizzle_of_bits(Bits)>(tile);
  bool const theirs = cute_accepts<false, Bits>(units);
  INFO("along rows, swizzle of " << Bits << " bits, strides " << of_chunk << ", " << of_span << ", "
                                 << of_k << ", " << of_eight_k);
  CHECK(!found.broken == theirs);
  if (theirs && !found.broken) {
    CHECK(found.stride_byte_offset == 16 * (Bits == 0 ? of_span : of_eight_k));
    CHECK(found.leading_byte_offset == 16 * (Bits == 0 ? of_eight_k : of_span));
    ++accepted_by_both;
  }
  ++compared;
}

template <int Bits>
void layouts_agree(std::mt19937& random) {
  auto const one_of = [&](std::initializer_list<int> list) {
    return list.begin()[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
  };
  for (int k = 0; k < 700; ++k) {
    // One of the strides is off in about half of the cases.
    int const chunks = 1 << Bits;
    int const row = one_of({chunks, chunks, chunks, 1, 2, 4, 8, 16, 3});
    int const eight = one_of({8, 16, 64, 128, 256, 40, 24});
    along_k_agrees<Bits>(row, eight, one_of({1, 1, 1, 2, 8, 512}));
    along_rows_agrees<Bits>(one_of({1, 1, 1, 2, 16}), one_of({8, 16, 64, 128, 256, 40}), row,
                            one_of({64, 128, 256, 512, 72}));
  }
}

TEST_CASE("wgmma reads the layouts for which CuTe makes descriptors") {
  std::mt19937 random(35);  // NOLINT: the same layouts in every run
  layouts_agree<0>(random);
  layouts_agree<1>(random);
  layouts_agree<2>(random);
  layouts_agree<3>(random);
  CHECK(compared >= 5000);
  CHECK(accepted_by_both > 1000);
}

//! Compares all 64 bits with those of CuTe for one of its own layouts.
template <tensor_swizzle Swizzle, class Atom, class Rows>
void bits_agree(Atom const& atom, Rows rows) {
  using namespace cute;
  auto const layout = tile_to_shape(atom, make_shape(rows, Int<64>{}));
  auto const ours = mmm::layout_of(layout);
  auto const d = describe<wgmma_operand<f16, Rows::value>, Swizzle>(ours);
  INFO(text_of(d.broken.field) << ' ' << d.broken.dimension << ' ' << d.broken.value);
  CHECK(!d.broken);
  GmmaDescriptor theirs;
  theirs.desc_ = 0;
  theirs.bitfield.start_address_ = 0;
  theirs.bitfield.leading_byte_offset_ = static_cast<std::uint16_t>(d.leading_byte_offset >> 4);
  theirs.bitfield.stride_byte_offset_ = static_cast<std::uint16_t>(d.stride_byte_offset >> 4);
  theirs.bitfield.layout_type_ = static_cast<std::uint8_t>(
      Swizzle == tensor_swizzle::bytes_128  ? SM90::GMMA::LayoutType::B128
      : Swizzle == tensor_swizzle::bytes_64 ? SM90::GMMA::LayoutType::B64
      : Swizzle == tensor_swizzle::bytes_32 ? SM90::GMMA::LayoutType::B32
                                            : SM90::GMMA::LayoutType::INTERLEAVE);
  CHECK(d.bits() == theirs.desc_);
}

TEST_CASE("descriptors have the bits of CuTe's, for its own atoms") {
  using namespace cute::SM90::GMMA;
  bits_agree<tensor_swizzle::none>(Layout_K_INTER_Atom<cute::half_t>{}, cute::Int<64>{});
  bits_agree<tensor_swizzle::bytes_32>(Layout_K_SW32_Atom<cute::half_t>{}, cute::Int<64>{});
  bits_agree<tensor_swizzle::bytes_64>(Layout_K_SW64_Atom<cute::half_t>{}, cute::Int<64>{});
  bits_agree<tensor_swizzle::bytes_128>(Layout_K_SW128_Atom<cute::half_t>{}, cute::Int<128>{});
}

}  // namespace
