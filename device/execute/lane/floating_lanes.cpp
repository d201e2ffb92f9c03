// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/floating_math.hpp>
#include <device/execute/lane/lane_tables.hpp>

// f32 and f64, rounded to nearest.
namespace device::DEVICE_ISA {

namespace {

using f32 = float;
using f64 = double;
using namespace math;

constexpr instruction_kind single = instruction_kind::float32;
constexpr instruction_kind fused_single = instruction_kind::fma32;
constexpr instruction_kind twice = instruction_kind::float64;

#define DEVICE_BOTH(name, f, allowed) \
  row_of<f<f32>>(name ".f32", single, allowed), row_of<f<f64>>(name ".f64", twice, allowed)

constexpr row rows[] = {
    DEVICE_BOTH("add", add, may_round),
    DEVICE_BOTH("sub", sub, may_round),
    DEVICE_BOTH("mul", mul, may_round),
    row_of<fused<f32>>("fma.f32", fused_single, may_round),
    row_of<fused<f32>>("mad.f32", fused_single, may_round),
    row_of<fused<f64>>("fma.f64", twice, may_round),
    row_of<fused<f64>>("mad.f64", twice, may_round),
    row_of<add<f32>, 2>("add.f32x2", single, may_round),
    row_of<sub<f32>, 2>("sub.f32x2", single, may_round),
    row_of<mul<f32>, 2>("mul.f32x2", single, may_round),
    row_of<fused<f32>, 2>("fma.f32x2", fused_single, may_round),
    DEVICE_BOTH("div", div, may_round),
    row_of<div<f32>>("div.approx.f32", single),
    row_of<div<f32>>("div.full.f32", single),
    DEVICE_BOTH("rcp", rcp, may_round),
    row_of<rcp<f32>>("rcp.approx.f32", single),
    row_of<gross_rcp>("rcp.approx.ftz.f64", twice),
    DEVICE_BOTH("sqrt", sqrt, may_round),
    row_of<sqrt<f32>>("sqrt.approx.f32", single),
    row_of<reciprocal_root<f32>>("rsqrt.approx.f32", single),
    row_of<reciprocal_root<f64>>("rsqrt.approx.f64", twice),
    row_of<gross_rsqrt>("rsqrt.approx.ftz.f64", twice),
    DEVICE_BOTH("neg", neg, 0),
    DEVICE_BOTH("abs", abs, 0),
    DEVICE_BOTH("min", minimum, 0),
    DEVICE_BOTH("max", maximum, 0),
    row_of<minimum_nan<f32>>("min.NaN.f32", single),
    row_of<maximum_nan<f32>>("max.NaN.f32", single),
    row_of<xor_sign<minimum<f32>, f32>>("min.xorsign.abs.f32", single),
    row_of<xor_sign<maximum<f32>, f32>>("max.xorsign.abs.f32", single),
    row_of<xor_sign<minimum_nan<f32>, f32>>("min.NaN.xorsign.abs.f32", single),
    row_of<xor_sign<maximum_nan<f32>, f32>>("max.NaN.xorsign.abs.f32", single),
    row_of<minimum3<f32>>("min.f32/3", single),
    row_of<maximum3<f32>>("max.f32/3", single),
    row_of<minimum3_nan<f32>>("min.NaN.f32/3", single),
    row_of<maximum3_nan<f32>>("max.NaN.f32/3", single),
    row_of<minimum3_abs<f32>>("min.abs.f32/3", single),
    row_of<maximum3_abs<f32>>("max.abs.f32/3", single),
    row_of<minimum3_nan_abs<f32>>("min.NaN.abs.f32/3", single),
    row_of<maximum3_nan_abs<f32>>("max.NaN.abs.f32/3", single),
    DEVICE_BOTH("copysign", copysign, 0),
    costly_row_of<sine>("sin.approx.f32", single),
    costly_row_of<cosine>("cos.approx.f32", single),
    costly_row_of<math::log2>("lg2.approx.f32", single),
    costly_row_of<math::exp2>("ex2.approx.f32", single),
    costly_row_of<math::tanh>("tanh.approx.f32", single),
    DEVICE_BOTH("testp.finite", is_finite, 0),
    DEVICE_BOTH("testp.infinite", is_infinite, 0),
    DEVICE_BOTH("testp.number", is_number, 0),
    DEVICE_BOTH("testp.notanumber", is_no_number, 0),
    DEVICE_BOTH("testp.normal", is_normal, 0),
    DEVICE_BOTH("testp.subnormal", is_subnormal, 0),
};

}  // namespace

row_list floating_rows() { return {rows, sizeof rows / sizeof rows[0]}; }

}  // namespace device::DEVICE_ISA
