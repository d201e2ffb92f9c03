// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::atomic_ref and cuda::atomic: types, operations, memory orders, scopes.
#include "../checked.cuh"

#include <cuda/atomic>

#include <algorithm>

namespace {

using namespace checked;

constexpr int blocks = 5;
constexpr int threads = 96;
constexpr int total = blocks * threads;

//! Every thread performs every operation once. Word 0: add, 1: sub, 2: min, 3: max, 4: and, 5: or,
//! 6: xor, 7: CAS loop.
template <class T, cuda::thread_scope Scope>
__global__ void integers(T* word, T* tickets, cuda::memory_order order) {
  auto const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  auto const x = static_cast<T>(i);
  auto const at = [&](int k) { return cuda::atomic_ref<T, Scope>(word[k]); };
  tickets[i] = at(0).fetch_add(T{1}, order);
  at(1).fetch_sub(T{2}, order);
  at(2).fetch_min(x - T{7}, order);
  at(3).fetch_max(x * T{3}, order);
  at(4).fetch_and(static_cast<T>(~(T{1} << (i % 31))), order);
  at(5).fetch_or(static_cast<T>(T{1} << (i % 30)), order);
  at(6).fetch_xor(x, order);
  auto last = at(7);
  T old = last.load(cuda::memory_order_relaxed);
  while (!last.compare_exchange_weak(old, old + x, order, cuda::memory_order_relaxed)) {
  }
}

template <class T, cuda::thread_scope Scope>
void check_integers(cuda::memory_order order) {
  device_array<T> word(std::vector<T>{0, T(3 * total), 0, 0, T(-1), 0, 0, 0}), tickets(total);
  integers<T, Scope><<<blocks, threads>>>(word.data(), tickets.data(), order);
  WAIT();
  auto const found = word.host();
  T and_ = T(-1), or_ = 0, xor_ = 0, sum = 0;
  for (int i = 0; i < total; ++i) {
    and_ &= static_cast<T>(~(T{1} << (i % 31)));
    or_ |= static_cast<T>(T{1} << (i % 30));
    xor_ ^= static_cast<T>(i);
    sum += static_cast<T>(i);
  }
  T const least = std::is_signed_v<T> ? T(-7) : T(0);
  T const expected[8] = {total, T(total), least, T((total - 1) * 3), and_, or_, xor_, sum};
  for (int k = 0; k < 8; ++k) EXPECT_AT(k, found[k] == expected[k]);
  auto order_of = tickets.host();
  std::sort(order_of.begin(), order_of.end());
  for (int i = 0; i < total; ++i) EXPECT_AT(i, order_of[i] == static_cast<T>(i));
}

template <class T>
void check_all_orders() {
  for (auto const order :
       {cuda::memory_order_relaxed, cuda::memory_order_acquire, cuda::memory_order_release,
        cuda::memory_order_acq_rel, cuda::memory_order_seq_cst}) {
    check_integers<T, cuda::thread_scope_device>(order);
    check_integers<T, cuda::thread_scope_system>(order);
  }
}

template <class T>
__global__ void reals(T* word) {
  cuda::atomic_ref<T, cuda::thread_scope_device> sum(word[0]);
  sum.fetch_add(T(0.5));
  cuda::atomic_ref<T, cuda::thread_scope_device> most(word[1]);
  most.fetch_max(static_cast<T>(threadIdx.x));
  __shared__ T own;
  if (threadIdx.x == 0) own = T(1);
  __syncthreads();
  cuda::atomic_ref<T, cuda::thread_scope_block> within(own);
  within.fetch_add(T(2), cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) word[2 + blockIdx.x] = own;
}

template <class T>
void check_reals() {
  device_array<T> word(2 + blocks);
  word.fill_bytes(0);
  reals<<<blocks, threads>>>(word.data());
  WAIT();
  auto const found = word.host();
  EXPECT(found[0] == T(total) / 2);
  EXPECT(found[1] == T(threads - 1));
  for (int b = 0; b < blocks; ++b) EXPECT_AT(b, found[2 + b] == T(1 + 2 * threads));
}

//! exchange and store: each value is taken exactly once. The kernel also uses a cuda::atomic in
//! shared memory.
__global__ void exchanges(int* slot, int* taken, unsigned* turns) {
  auto const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  cuda::atomic_ref<int, cuda::thread_scope_device> s(*slot);
  taken[i] = s.exchange(i, cuda::memory_order_acq_rel);
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> turn;
  if (threadIdx.x == 0) turn.store(0u, cuda::memory_order_relaxed);
  __syncthreads();
  turn++;
  turn += 2u;
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
  __syncthreads();
  if (threadIdx.x == 0) turns[blockIdx.x] = turn.load(cuda::memory_order_acquire);
}

void check_exchanges() {
  device_array<int> slot(std::vector<int>{-1}), taken(total);
  device_array<unsigned> turns(blocks);
  exchanges<<<blocks, threads>>>(slot.data(), taken.data(), turns.data());
  WAIT();
  auto values = taken.host();
  values.push_back(slot.host()[0]);
  std::sort(values.begin(), values.end());
  for (int i = 0; i <= total; ++i) EXPECT_AT(i, values[i] == i - 1);
  for (auto const t : turns.host()) EXPECT(t == 3 * threads);
}

}  // namespace

int main() {
  check_all_orders<int>();
  check_all_orders<unsigned>();
  check_all_orders<long long>();
  check_all_orders<unsigned long long>();
  check_integers<int, cuda::thread_scope_device>(cuda::memory_order_seq_cst);
  check_reals<float>();
  check_reals<double>();
  check_exchanges();
  return finish(41 * (8 + total) + 2 * (2 + blocks) + total + 1 + blocks);
}
