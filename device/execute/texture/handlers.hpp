// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/texture/sampling.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

//! The builders of instructions on textures and surfaces, and what they share.
namespace device::texture_detail {

void build_fetch(ptx::instruction const&, decode::context&);              // tex
void build_gather(ptx::instruction const&, decode::context&);             // tld4
void build_query(ptx::instruction const&, decode::context&);              // txq, suq
void build_surface_load(ptx::instruction const&, decode::context&);       // suld
void build_surface_store(ptx::instruction const&, decode::context&);      // sust
void build_surface_reduction(ptx::instruction const&, decode::context&);  // sured

//! True if the modifier names a shape, which `to` becomes.
[[nodiscard]] bool read_geometry(std::string_view modifier, geometry& to);

//! The slot of the number of a texture or surface, the base of a memory operand `[a, {…}]`. Refuses
//! references, which are variables: CUDA 12 has none any more.
[[nodiscard]] slot object_slot(ptx::instruction const&, ptx::operand const&, decode::context&);

//! The parts of a vector operand, or the one operand; refuses fewer than `count`, drops those that
//! follow.
[[nodiscard]] std::vector<ptx::operand const*> parts_of(ptx::operand const&, std::size_t count,
                                                        ptx::instruction const&, decode::context&);
//! Appends the slots of 32-bit sources; decimal literals of a floating type become floats.
void append_sources(std::vector<ptx::operand const*> const&, bool floating, decode::context&,
                    std::vector<slot>& to);

//! The coordinates of an operand `[a, {layer, x, y, z}]`.
void append_coordinates(ptx::instruction const&, geometry, bool floating, decode::context&,
                        ptx::operand const&, std::vector<slot>& to);

//! The object that a lane names. Throws device_fault, after a finding, if there is none, if it was
//! destroyed, or if it has another shape than the instruction.
[[nodiscard]] texture_object const& object_of(warp&, operation const&, int lane, bool is_surface,
                                              geometry);

//! Tells the observers of texels at the lanes' addresses, without a request to count. `values` as
//! memory_access has them.
void announce_texels(warp&, operation const&, access_kind, int bytes, lane_mask,
                     memory_access_detail::request const&, std::byte const* values = nullptr);

//! Looks up the objects of a warp's lanes, which are mostly one.
class lane_objects {
 public:
  lane_objects(warp& w, operation const& op, bool is_surface, geometry g)
      : w_(w), op_(op), is_surface_(is_surface), g_(g) {}
  [[nodiscard]] texture_object const& at(int lane) {
    std::uint64_t const number = w_.source<std::uint64_t>(op_.a)[lane];
    if (latest_ == nullptr || number != number_) {
      latest_ = &object_of(w_, op_, lane, is_surface_, g_);
      number_ = number;
    }
    return *latest_;
  }

 private:
  warp& w_;
  operation const& op_;
  bool is_surface_;
  geometry g_;
  std::uint64_t number_ = 0;
  texture_object const* latest_ = nullptr;
};

}  // namespace device::texture_detail
