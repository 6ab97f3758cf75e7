/// The places of the elements of matrices in the registers of a warp, as the
/// tables of the PTX ISA state them.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_FRAGMENTS_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_FRAGMENTS_H

#include <array>
#include <cstdint>
#include <string_view>

namespace tg::ptx {

/// An element of a matrix.
struct Place {
  uint32_t row, column;
};

/// An index that depends on the lane: `group` times lane / 4, plus `member`
/// times lane % 4, plus a number for each element that a lane holds.
struct FragmentIndex {
  uint32_t group, member;
  std::array<uint32_t, 4> elements;

  constexpr uint32_t at(uint32_t lane, uint32_t element) const {
    return group * (lane / 4) + member * (lane % 4) + elements[element];
  }
};

/// The elements of a matrix that each lane holds.
struct Fragment {
  /// The number of elements of a lane.
  uint32_t count;
  FragmentIndex row, column;

  constexpr Place at(uint32_t lane, uint32_t element) const {
    return {row.at(lane, element), column.at(lane, element)};
  }
};

/// A matrix of 8 x 8 elements of ldmatrix, two in a register.
inline constexpr Fragment loadedMatrix = {2, {1, 0, {0, 0}}, {0, 2, {0, 1}}};

/// C and D of 16 x 8 elements of type f32.
inline constexpr Fragment accumulators = {
    4, {1, 0, {0, 0, 8, 8}}, {0, 2, {0, 1, 0, 1}}};

/// mma.m16n8k4 of tf32.
struct TensorFloat4 {
  static constexpr std::string_view operands = "Q21q";
  static constexpr uint32_t depth = 4;
  static constexpr Fragment a = {2, {1, 0, {0, 8}}, {0, 1, {0, 0}}};
  static constexpr Fragment b = {1, {0, 1, {0}}, {1, 0, {0}}};
};

/// mma.m16n8k8 of tf32.
struct TensorFloat8 {
  static constexpr std::string_view operands = "Q42q";
  static constexpr uint32_t depth = 8;
  static constexpr Fragment a = {4, {1, 0, {0, 8, 0, 8}}, {0, 1, {0, 0, 4, 4}}};
  static constexpr Fragment b = {2, {0, 1, {0, 4}}, {1, 0, {0, 0}}};
};

} // namespace tg::ptx

#endif
