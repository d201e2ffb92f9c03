// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/value_flow_step.hpp>

//! The undefined elements of products of matrices.
namespace device::check {
namespace {

//! The bits of 1 in each element of a matrix's operand, as a register of 4 or 8 bytes holds them; 0
//! for a type that is not followed.
[[nodiscard]] std::uint64_t ones_of(std::string_view type) {
  if (type == "f16") return 0x3c003c00U;
  if (type == "bf16") return 0x3f803f80U;
  if (type == "tf32" || type == "f32") return 0x3f800000U;
  if (type == "f64") return 0x3ff0000000000000U;
  if (type == "e4m3") return 0x38383838U;
  if (type == "e5m2") return 0x3c3c3c3cU;
  if (type == "s8" || type == "u8") return 0x01010101U;
  if (type == "s4" || type == "u4") return 0x11111111U;
  if (type == "s32") return 1;
  if (type == "b1") return 0xffffffffU;
  return 0;
}
//! Bytes of the elements that the bits of a matrix's operand are followed in.
[[nodiscard]] int element_bytes(std::string_view type) {
  if (type == "f64") return 8;
  if (type == "f32" || type == "tf32" || type == "s32") return 4;
  return type == "f16" || type == "bf16" ? 2 : 1;
}

}  // namespace

//! A product of matrices: the elements of the result that undefined elements of the operands reach
//! are those that are not 0 if undefined elements are 1, the defined ones of the same matrix 0, and
//! those of the other matrix 1. The instruction itself multiplies them.
class value_flow::product {
 public:
  explicit product(step const& s) : s_(s) {
    for (std::string_view const m : s.i.modifiers)
      if (ones_of(m) != 0) types_.push_back(m);
    if (types_.size() == 2) types_.insert(types_.begin() + 1, 2, "f16");
    for (std::uint32_t const d : s.p.destinations) add(d, 0);
    for (std::size_t k = 0; k < s.p.sources.size(); ++k)
      each_register(*s.p.sources[k], [&](std::uint32_t reg) { add(reg, k + 1); });
  }

  //! True if the result is known element by element.
  [[nodiscard]] bool is_followed() const {
    if (types_.size() != 4 || s_.p.sources.size() < 3 || s_.i.has("block_scale") ||
        s_.op.list == nullptr)
      return false;
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (all_[k].operand < 4 && s_.op.list[k] != s_.code().register_slots[all_[k].reg])
        return false;
    return true;
  }

  //! Adds the undefined bytes of the result that come from those of operand `n`, from 1 on.
  void add_from(std::size_t n, std::vector<std::array<std::uint32_t, lanes>>& missing) {
    std::size_t const size = s_.code().register_bytes;
    std::vector<std::uint64_t> storage((size + all_.size() * place_bytes) / 8 + 8);
    auto* const begin = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(storage.data()) + 63) / 64 * 64);
    std::memcpy(begin, s_.in()->registers, size);  // metadata of sparse operands
    std::vector<slot> places;
    for (std::size_t k = 0; k < all_.size(); ++k)
      places.push_back(static_cast<slot>(size + k * place_bytes));
    bool undefined = false;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (all_[k].operand == 0 || all_[k].operand > 3) continue;
      int const bytes = bytes_of_register(s_.code(), all_[k].reg);
      for (std::size_t t = 0; t < lanes; ++t) {
        std::uint64_t const bits =
            all_[k].operand == n ? ones_where_undefined(k, t) : background(all_[k].operand, n);
        undefined = undefined || (all_[k].operand == n && bits != 0);
        std::memcpy(begin + places[k] + t * static_cast<std::size_t>(bytes), &bits,
                    static_cast<std::size_t>(bytes));
      }
    }
    if (!undefined) return;
    operation op = s_.op;
    op.list = places.data();
    std::byte* const real = s_.w.base[0];
    lane_mask const active = s_.w.active;
    s_.w.base[0] = begin;
    s_.w.active = s_.active;
    op.run(s_.w, op);
    s_.w.base[0] = real;
    s_.w.active = active;
    for (std::size_t k = 0; k < missing.size(); ++k) {
      int const bytes = bytes_of_register(s_.code(), all_[k].reg);
      int const element = element_bytes(types_[0]);
      for (std::size_t t = 0; t < lanes; ++t) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, begin + places[k] + t * static_cast<std::size_t>(bytes),
                    static_cast<std::size_t>(bytes));
        for (int b = 0; b < bytes; b += element)
          if ((bits >> 8 * b & bits_of(element)) != 0) missing[k][t] |= all_bytes(element) << b;
      }
    }
  }

 private:
  static constexpr std::size_t place_bytes = 8 * lanes;
  struct operand_register {
    std::uint32_t reg;
    std::size_t operand;  //!< 0: the result
  };
  step const& s_;
  std::vector<std::string_view> types_;  //!< of the result, of A, B and C
  std::vector<operand_register> all_;

  void add(std::uint32_t reg, std::size_t operand) { all_.push_back({reg, operand}); }
  [[nodiscard]] static std::uint64_t bits_of(int bytes) {
    return bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  }
  [[nodiscard]] std::uint64_t background(std::size_t operand, std::size_t n) const {
    bool const by_xor = s_.i.has("b1") && s_.i.has("xor");
    return n == 3 || operand == 3 || by_xor ? 0 : ones_of(types_[operand]);
  }
  [[nodiscard]] std::uint64_t ones_where_undefined(std::size_t k, std::size_t t) const {
    undefined_register const* const r = s_.find(all_[k].reg);
    if (r == nullptr) return 0;
    int const element = element_bytes(types_[all_[k].operand]);
    std::uint64_t bits = 0;
    for (int b = 0; b < 8; b += element)
      if ((r->missing[t] >> b & all_bytes(element)) != 0)
        bits |= ones_of(types_[all_[k].operand]) & bits_of(element) << 8 * b;
    return bits;
  }
};

void value_flow::multiply(step const& s) {
  bool any = false;
  for (ptx::operand const* const o : s.p.sources)
    each_register(*o, [&](std::uint32_t reg) { any = any || s.find(reg) != nullptr; });
  std::vector<std::array<std::uint32_t, lanes>> missing(s.p.destinations.size());
  if (any) {
    product result(s);
    if (result.is_followed())
      for (std::size_t n = 1; n <= 3; ++n) result.add_from(n, missing);
    else
      for (std::size_t k = 0; k < missing.size(); ++k)
        missing[k].fill(all_bytes(bytes_of_register(s.code(), s.p.destinations[k])));
  }
  provenance const origins = computed_from(s);
  for (std::size_t k = 0; k < missing.size(); ++k) set(s, s.p.destinations[k], missing[k], origins);
}

}  // namespace device::check
