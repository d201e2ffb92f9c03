# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For <mmm/mpi.hpp>: finds MPI. Sets mmm_mpi_missing to what is not found. Sources and installed copies use this file.

find_package(MPI QUIET COMPONENTS CXX)
set(mmm_mpi_missing "")
if(NOT TARGET MPI::MPI_CXX)
  set(mmm_mpi_missing "MPI (on Debian: libopenmpi-dev and openmpi-bin)")
endif()

# mmm_describe_mpi(<target>): what mmm::mpi adds to mmm::mmm. MPI's own C++ classes, which MPI 3 removed, are left out.
function(mmm_describe_mpi target)
  target_link_libraries(${target} INTERFACE mmm::mmm MPI::MPI_CXX)
  target_compile_definitions(${target} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endfunction()
