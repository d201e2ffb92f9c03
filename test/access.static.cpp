// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <mmm/access.hpp> and <mmm/model.hpp> have what they promise, without large headers of the
// standard library.
#include <mmm/access.hpp>

namespace {

using shared = mmm::dmm<32, 1>;
using global = mmm::umm<32, 400>;
constexpr auto lane = mmm::item;

static_assert(mmm::stages<shared>(mmm::row_major(32, 32)(lane, 0)) == 32);
static_assert(mmm::conflict_free<shared>(mmm::row_major(32, 33)(lane, 0)));
static_assert(mmm::coalesced<global>(lane + 64));
static_assert(mmm::assert_conflict_free<shared, mmm::xor_swizzled(32, 32)(lane, 0)>);
static_assert(mmm::is_bijective(mmm::xor_swizzled(32, 32)));
static_assert(mmm::cost_of<global>(lane * 2, mmm::size(64), mmm::threads(64)).stages == 4);

namespace gpu = mmm::gpu;
static_assert(gpu::assert_conflict_free<gpu::load<16>, lane * 16>);
static_assert(gpu::sectors<gpu::load<4>>(lane * 4) == 4);
constexpr mmm::index addresses[] = {0, 128, 256};
static_assert(gpu::shared_request_cost(gpu::load<4>{}, addresses).wavefronts == 3);
static_assert(gpu::global_request_cost(gpu::load<4>{}, {addresses, 2}).sectors == 2);

}  // namespace

#include <mmm/model.hpp>

namespace {

using machine = mmm::hmm<4, 32, 1, 400, 12288>;
static_assert(mmm::cost_of<global>(mmm::sum, mmm::size(64), mmm::threads(64)).closed_form);
static_assert(mmm::lower_bound<machine>(mmm::sum, mmm::size(1 << 20), mmm::threads(512)).time > 0);
static_assert(mmm::cost_of<mmm::umm<4, 1>>(mmm::triangulation, mmm::size(8), mmm::threads(4)).time >
              0);
static_assert(
    mmm::cost_of<gpu::h200>(mmm::contiguous, mmm::size(1 << 20), mmm::threads(132 * 256)).time > 0);

template <mmm::index N>
struct number {
  static constexpr mmm::index value = N;
};
template <class... Numbers>
struct list {};
static_assert(mmm::best_tile<machine>(list<number<8>, number<16>>{}, 64, mmm::threads(512)).side ==
              mmm::best_tile<machine, 8, 16>(64, mmm::threads(512)).side);

}  // namespace

// The guards of libstdc++'s large headers; nvcc includes some by itself.
#if !defined(__CUDACC__) &&                                                                       \
    (defined(_GLIBCXX_STRING) || defined(_GLIBCXX_STDEXCEPT) || defined(_GLIBCXX_VECTOR) ||       \
     defined(_GLIBCXX_ITERATOR) || defined(_GLIBCXX_FUNCTIONAL) || defined(_GLIBCXX_ALGORITHM) || \
     defined(_GLIBCXX_SPAN) || defined(_GLIBCXX_CMATH) || defined(_GLIBCXX_MEMORY))
#error a large header of the standard library is included
#endif
