/// The instructions of PTX on matrices in the registers of a warp.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_MATRICES_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_MATRICES_H

#include "Arithmetic.h"
#include "Forms.h"
#include "Fragments.h"

namespace tg::ptx {

/// Loads matrices of 8 rows of 8 elements of 16 bits. Lane i holds the address
/// of row i % 8 of matrix i / 8.
struct LoadMatrices {
  static constexpr std::string_view operands = "XH";
  static constexpr bool isAligned = true;
  static void meet(Lanes &lanes, const Step &s) {
    std::array<std::array<uint16_t, 8>, warpSize> rows = {};
    Addresses addresses = {};
    lanes.forEach([&](uint32_t lane, const Thread &t) {
      addresses[lane] = t.sharedAddressOf(s);
      if (lane < 8u * s.count)
        std::memcpy(&rows[lane], lanes.warp.accessShared(t, s, 16), 16);
    });
    for (uint32_t matrix = 0; matrix < s.count; ++matrix)
      lanes.warp.observe({Space::Shared, AccessKind::Read, 0xffu << 8 * matrix,
                          16, addresses});
    lanes.forEach([&](uint32_t lane, const Thread &t) {
      for (uint32_t matrix = 0; matrix < s.count; ++matrix) {
        uint32_t pair = 0;
        for (uint32_t i = 0; i < 2; ++i) {
          auto [row, column] = loadedMatrix.at(lane, i);
          if (s.isTransposed)
            std::swap(row, column);
          pair |= uint32_t(rows[8 * matrix + row][column]) << (16 * i);
        }
        t.set<Type::U32>(s.slots[matrix], pair);
      }
    });
  }
};

/// D = A B + C, where A and B have 10 bits of mantissa: the bits behind are not
/// read.
///
/// NVIDIA leaves the order of the sum open. Here it is C plus the products in
/// the order of columns of A, each sum rounded to f32; the products are exact.
template <class Shape> struct MultiplyMatrices {
  static constexpr std::string_view operands = Shape::operands;
  static constexpr uint8_t multiplyAdds = 16 * 8 * Shape::depth / warpSize;
  static constexpr bool isAligned = true;
  static void meet(Lanes &lanes, const Step &s) {
    constexpr uint32_t inA = 4, inB = inA + Shape::a.count,
                       inC = inB + Shape::b.count;
    Matrix a, b, c;
    lanes.forEach([&](uint32_t, const Thread &t) {
      read(t, s, inA, Shape::a, ~0x1fffu, a);
      read(t, s, inB, Shape::b, ~0x1fffu, b);
      read(t, s, inC, accumulators, ~0u, c);
    });
    for (uint32_t row = 0; row < 16; ++row)
      for (uint32_t column = 0; column < 8; ++column)
        for (uint32_t k = 0; k < Shape::depth; ++k)
          c[row][column] =
              FusedMultiplyAdd::apply(a[row][k], b[k][column], c[row][column]);
    lanes.forEach([&](uint32_t lane, const Thread &t) {
      for (uint32_t i = 0; i < accumulators.count; ++i) {
        Place place = accumulators.at(lane, i);
        t.set<Type::F32>(s.slots[i], c[place.row][place.column]);
      }
    });
  }

private:
  using Matrix = std::array<std::array<float, 16>, 16>;

  /// Stores the elements of a lane, whose slots begin at `first`.
  static void read(const Thread &t, const Step &s, uint32_t first,
                   const Fragment &fragment, uint32_t mask, Matrix &matrix) {
    for (uint32_t i = 0; i < fragment.count; ++i) {
      Place place = fragment.at(t.lane, i);
      uint32_t bits = t.get<Type::U32>(s.slots[first + i]) & mask;
      matrix[place.row][place.column] = std::bit_cast<float>(bits);
    }
  }
};

} // namespace tg::ptx

#endif
