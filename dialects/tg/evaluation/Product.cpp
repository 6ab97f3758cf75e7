//===- Product.cpp - products of matrices, summed in double ---------------===//
#include "dialects/tg/evaluation/Product.h"

namespace {
/// Half a row of a tile; the compiler splits it into the available registers.
/// It is read from memory with the alignment of doubles.
typedef double Lanes __attribute__((vector_size(64), aligned(8)));
} // namespace

// A loop over vectors with all sums in registers, compiled for several CPUs.
// Eigen is not used, because its loops are compiled for one CPU only.
__attribute__((target_clones(TG_HOST_CLONES))) void
tg::addTile(const double *lhs, const double *rhs, int64_t depth, double *tile) {
  Lanes sums[kTileRows][2];
  auto *target = reinterpret_cast<Lanes *>(tile);
  for (int64_t i = 0; i < kTileRows; ++i)
    for (int64_t half = 0; half < 2; ++half)
      sums[i][half] = target[2 * i + half];
  for (int64_t k = 0; k < depth; ++k) {
    auto *row = reinterpret_cast<const Lanes *>(rhs + k * kTileColumns);
    Lanes low = row[0], high = row[1];
#pragma clang loop unroll(full)
    for (int64_t i = 0; i < kTileRows; ++i) {
      double factor = lhs[k * kTileRows + i];
      sums[i][0] += low * factor;
      sums[i][1] += high * factor;
    }
  }
  for (int64_t i = 0; i < kTileRows; ++i)
    for (int64_t half = 0; half < 2; ++half)
      target[2 * i + half] = sums[i][half];
}
