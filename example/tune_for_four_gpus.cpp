// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tunes a product, a transpose and a convolution for four GPUs while it is compiled: the best point
// is a type, and the program asserts it. With a folder as argument, it draws docs/tuning_space.svg
// there. Constant expressions of this length need -fconstexpr-ops-limit=1000000000 (g++) or
// -fconstexpr-steps=1000000000 (clang).
#include <mmm/choose/tuning_spaces.hpp>
#include <mmm/space.hpp>

#include <fstream>
#include <iostream>
#include <string>
#include <type_traits>

namespace {

namespace gpu = mmm::gpu;
using mmm::blocks;
using mmm::elements_of_thread;
using mmm::tile_shape;

// Every combination of these tiles, launches, layouts, stages and variants, 16 in all. The filters
// leave three: those whose launch has the tile's threads, and whose instructions are counted.
constexpr auto products =
    mmm::space(mmm::types<tile_shape<64, 64, 16>, tile_shape<128, 128, 16>>,
               mmm::types<blocks<2, 128>, blocks<2, 256>>,
               mmm::types<elements_of_thread<8, 4>, elements_of_thread<8, 8>>, mmm::numbers<2>,
               mmm::types<mmm::register_products<false>, mmm::register_products<true>>)
        .where(mmm::thread_limit{}, mmm::threads_of_tile{}, mmm::fits_shared_memory{},
               mmm::instructions_counted{}, mmm::fits_registers{});
constexpr auto transposes = mmm::space(mmm::types<tile_shape<32>, tile_shape<64>>,
                                       mmm::types<blocks<4, 256>, blocks<2, 256>>,
                                       mmm::types<mmm::swizzled_vecs, mmm::vecs_in_order>,
                                       mmm::numbers<1>, mmm::types<mmm::tiled_transposes>)
                                .where(mmm::thread_limit{}, mmm::fits_shared_memory{},
                                       mmm::divides_problem{}, mmm::without_conflicts{});
constexpr auto convolutions =
    mmm::space(mmm::types<tile_shape<1, 16>, tile_shape<1, 32>>,
               mmm::types<blocks<3, 256>, blocks<1, 256>>, mmm::types<mmm::unused>, mmm::numbers<1>,
               mmm::types<mmm::register_convolutions>)
        .where(mmm::thread_limit{}, mmm::instructions_counted{});

// The best kernels for a GPU.
template <class G>
struct tuned {
  static constexpr auto product = mmm::best<G>(products, mmm::problem_c<mmm::size(2048)>);
  static constexpr auto transpose = mmm::best<G>(transposes, mmm::problem_c<mmm::size(1024)>);
  static constexpr auto convolution =
      mmm::best<G>(convolutions, mmm::problem_c<mmm::size(1 << 22), mmm::taps(64)>);

  template <mmm::index ProductSide, bool InParts, mmm::index TransposeSide,
            mmm::index ConvolutionBlocks>
  static constexpr bool is() {
    using of_product = typename decltype(product)::point;
    using of_transpose = typename decltype(transpose)::point;
    using of_convolution = typename decltype(convolution)::point;
    return of_product::tile::rows == ProductSide &&
           std::is_same_v<typename of_product::variant, mmm::register_products<InParts>> &&
           of_transpose::tile::rows == TransposeSide &&
           std::is_same_v<typename of_transpose::layout, mmm::swizzled_vecs> &&
           of_convolution::plan.blocks_per_sm == ConvolutionBlocks;
  }
  static void print() {
    auto const line = [](char const* what, auto const& best) {
      std::cout << "  " << what << best.name() << ": "
                << mmm::report::microseconds(best.time.microseconds) << " µs, limited by "
                << mmm::report::words(best.time.limit) << '\n';
    };
    std::cout << G::name << '\n';
    line("product of 2048 x 2048 matrices: ", product);
    line("transpose of 1024 x 1024 words: ", transpose);
    line("convolution of 2^22 words, 64 taps: ", convolution);
  }
};

static_assert(tuned<gpu::v100>::is<64, true, 32, 3>());
static_assert(tuned<gpu::a100>::is<64, true, 64, 3>());
static_assert(tuned<gpu::rtx4090>::is<128, false, 64, 3>());
static_assert(tuned<gpu::h200>::is<128, false, 64, 3>());

}  // namespace

int main(int count, char** values) {
  tuned<gpu::v100>::print();
  tuned<gpu::a100>::print();
  tuned<gpu::rtx4090>::print();
  tuned<gpu::h200>::print();
  if (count == 2)
    std::ofstream(std::string(values[1]) + "/tuning_space.svg") << mmm::report::space_svg(
        "Transposes of 4096 x 4096 words on an H200",
        mmm::rank(gpu::h200::facts, mmm::spaces::transposes, mmm::size(4096)));
}
