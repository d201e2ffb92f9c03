// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/matrix/handlers.hpp>

namespace device {

void add_matrix_instructions(decode::instruction_table& table) {
  using namespace matrix_detail;
  table["ldmatrix"] = build_load_matrix;
  table["stmatrix"] = build_store_matrix;
  table["movmatrix"] = build_move_matrix;
  table["mma"] = build_multiply;
  table["wmma"] = build_wmma;
  table["wgmma"] = build_warpgroup;
}

}  // namespace device
