// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of NCCL that the library calls, by MPI and copies through the host's memory: NCCL's
// own kernels are machine code, which the device in software cannot execute. It refuses memory that
// is not a device's, messages whose sizes differ, and calls that NCCL would wait for. The
// environment variable MMM_NCCL_STAND_IN_FAILS names a function that fails.
#include <cuda_runtime_api.h>
#include <mpi.h>
#include <nccl.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

struct ncclComm {
  std::vector<int> processes;  // their ranks in MPI_COMM_WORLD
  int rank;
  int tag;
};

namespace {

struct operation {
  bool sends;
  void* words;
  std::size_t bytes;
  int other;  // its rank in the communicator
  ncclComm_t communicator;
  cudaStream_t stream;
};
std::vector<operation> noted;
int depth = 0;
ncclResult_t error_of_group = ncclSuccess;

bool fails(char const* function) {
  char const* const named = std::getenv("MMM_NCCL_STAND_IN_FAILS");
  return named != nullptr && std::string(named) == function;
}
bool is_of_device(void const* words) {
  cudaPointerAttributes found{};
  return cudaPointerGetAttributes(&found, words) == cudaSuccess &&
         found.type == cudaMemoryTypeDevice;
}
ncclResult_t note(char const* function, bool sends, void* words, std::size_t bytes,
                  ncclDataType_t type, int other, ncclComm_t communicator, cudaStream_t stream) {
  if (fails(function)) return error_of_group = ncclInternalError;
  bool const known = other >= 0 && other < static_cast<int>(communicator->processes.size()) &&
                     other != communicator->rank;
  if (depth == 0 || type != ncclUint8 || !known || !is_of_device(words))
    return error_of_group = ncclInvalidArgument;
  noted.push_back({sends, words, bytes, other, communicator, stream});
  return ncclSuccess;
}
// All at the same time: the words of a message are read before, and written after, those of others.
ncclResult_t carry(std::vector<operation> const& all) {
  std::vector<std::vector<char>> rooms;
  std::vector<MPI_Request> requests;
  for (operation const& x : all) {
    auto& room = rooms.emplace_back(x.bytes + (x.sends ? 0 : 1));
    int const other = x.communicator->processes[static_cast<std::size_t>(x.other)];
    int const tag = x.communicator->tag;
    auto& request = requests.emplace_back(MPI_REQUEST_NULL);
    if (x.sends) {
      if (cudaMemcpyAsync(room.data(), x.words, x.bytes, cudaMemcpyDeviceToHost, x.stream) !=
              cudaSuccess ||
          cudaStreamSynchronize(x.stream) != cudaSuccess)
        return ncclUnhandledCudaError;
      MPI_Isend(room.data(), static_cast<int>(room.size()), MPI_BYTE, other, tag, MPI_COMM_WORLD,
                &request);
    } else {
      MPI_Irecv(room.data(), static_cast<int>(room.size()), MPI_BYTE, other, tag, MPI_COMM_WORLD,
                &request);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    MPI_Status status;
    MPI_Wait(&requests[i], &status);
    if (all[i].sends) continue;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (static_cast<std::size_t>(bytes) != all[i].bytes) return ncclInvalidUsage;
    if (cudaMemcpyAsync(all[i].words, rooms[i].data(), all[i].bytes, cudaMemcpyHostToDevice,
                        all[i].stream) != cudaSuccess)
      return ncclUnhandledCudaError;
  }
  return ncclSuccess;
}

}  // namespace

// 0: no version of NCCL.
ncclResult_t ncclGetVersion(int* version) {
  *version = 0;
  return ncclSuccess;
}
char const* ncclGetErrorString(ncclResult_t result) {
  return result == ncclInternalError ? "internal error" : "another error";
}
char const* ncclGetLastError(ncclComm_t) { return "from the stand-in"; }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  static int made = 0;
  if (fails("ncclGetUniqueId")) return ncclInternalError;
  int numbers[2] = {0, ++made};
  MPI_Comm_rank(MPI_COMM_WORLD, numbers);
  std::memset(id, 0, sizeof(*id));
  std::memcpy(id, numbers, sizeof(numbers));
  return ncclSuccess;
}
// Process 0 of the new communicator tells the others who all are.
ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int processes, ncclUniqueId id, int rank) {
  int first[2];
  std::memcpy(first, &id, sizeof(first));
  int own = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  int const tag = 100 * first[1] + first[0];
  std::vector<int> all(static_cast<std::size_t>(processes), own);
  if (rank == 0) {
    for (int r = 1; r < processes; ++r) {
      int pair[2];
      MPI_Recv(pair, 2, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      all[static_cast<std::size_t>(pair[0])] = pair[1];
    }
    for (int r = 1; r < processes; ++r)
      MPI_Send(all.data(), processes, MPI_INT, all[static_cast<std::size_t>(r)], tag,
               MPI_COMM_WORLD);
  } else {
    int const pair[2] = {rank, own};
    MPI_Send(pair, 2, MPI_INT, first[0], tag, MPI_COMM_WORLD);
    MPI_Recv(all.data(), processes, MPI_INT, first[0], tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  *communicator = nullptr;
  if (fails("ncclCommInitRank")) return ncclInternalError;
  *communicator = new ncclComm{all, rank, tag};
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  delete communicator;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t communicator) { return ncclCommDestroy(communicator); }
ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* error) {
  if (communicator == nullptr) return ncclInvalidArgument;
  *error = fails("asynchronously") ? ncclInternalError : ncclSuccess;
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (--depth > 0) return ncclSuccess;
  auto const all = std::move(noted);
  noted.clear();
  ncclResult_t const code = std::exchange(error_of_group, ncclSuccess);
  if (code != ncclSuccess) return code;
  return fails("ncclGroupEnd") ? ncclInternalError : carry(all);
}
ncclResult_t ncclSend(void const* words, std::size_t bytes, ncclDataType_t type, int other,
                      ncclComm_t communicator, cudaStream_t stream) {
  return note("ncclSend", true, const_cast<void*>(words), bytes, type, other, communicator, stream);
}
ncclResult_t ncclRecv(void* words, std::size_t bytes, ncclDataType_t type, int other,
                      ncclComm_t communicator, cudaStream_t stream) {
  return note("ncclRecv", false, words, bytes, type, other, communicator, stream);
}
ncclResult_t ncclBroadcast(void const* words, void* out, std::size_t bytes, ncclDataType_t type,
                           int root, ncclComm_t communicator, cudaStream_t stream) {
  if (fails("ncclBroadcast")) return ncclInternalError;
  if (type != ncclUint8 || !is_of_device(out)) return ncclInvalidArgument;
  std::vector<operation> all;
  if (communicator->rank != root)
    all.push_back({false, out, bytes, root, communicator, stream});
  else
    for (int r = 0; r < static_cast<int>(communicator->processes.size()); ++r)
      if (r != root)
        all.push_back({true, const_cast<void*>(words), bytes, r, communicator, stream});
  return carry(all);
}
