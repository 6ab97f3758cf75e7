//===- Product.h - products of matrices, summed in double -----------------===//
#ifndef TG_DIALECTS_TG_EVALUATION_PRODUCT_H
#define TG_DIALECTS_TG_EVALUATION_PRODUCT_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace tg {

/// A matrix with row and column strides.
template <typename T> struct StridedMatrix {
  const T *data;
  int64_t rows, columns, rowStride, columnStride;
};

/// The rows and columns of a register tile, and the greatest number of products
/// that are summed before the sum is added to the result.
inline constexpr int64_t kTileRows = 4, kTileColumns = 16, kTileDepth = 256;

/// Adds the sum over k of lhs[k][i] * rhs[k][j] to each tile[i][j]. Uses the
/// vector instructions of the CPU on which it runs.
void addTile(const double *lhs, const double *rhs, int64_t depth, double *tile);

/// Packs a block of a matrix into tiles [depth, width], in the order in which
/// addTile() reads them. `depth` counts positions of the reduced dimension,
/// with stride `depthStride`. The tiles together have the `extent` elements of
/// the other dimension, with stride `stride`; the last tile is padded with
/// zeros.
template <int64_t width, typename T>
void packTiles(const T *data, int64_t extent, int64_t stride, int64_t depth,
               int64_t depthStride, double *packed) {
  auto copy = [&](const T *from, int64_t count, int64_t stride) {
    for (int64_t i = 0; i < count; ++i)
      packed[i] = double(from[i * stride]);
  };
  for (int64_t first = 0; first < extent; first += width)
    for (int64_t k = 0; k < depth; ++k, packed += width) {
      const T *from = data + first * stride + k * depthStride;
      int64_t count = std::min(width, extent - first);
      if (count < width)
        std::fill(packed + count, packed + width, 0.0);
      // The compiler vectorizes a loop with a constant count.
      if (count == width && stride == 1)
        copy(from, width, 1);
      else
        copy(from, count, stride);
    }
}

/// Calls store(i, j, sum) for each element of the product of two matrices. Sums
/// are doubles. Partial sums of kTileDepth products are added in order.
template <typename T, typename Store>
void multiply(const StridedMatrix<T> &lhs, const StridedMatrix<T> &rhs,
              Store store) {
  int64_t rows = lhs.rows, columns = rhs.columns;
  int64_t tileColumns = (columns + kTileColumns - 1) / kTileColumns;
  int64_t tileRows = (rows + kTileRows - 1) / kTileRows;
  constexpr int64_t tileSize = kTileRows * kTileColumns;
  int64_t maxDepth = std::min(kTileDepth, lhs.columns);
  auto left =
      std::make_unique_for_overwrite<double[]>(tileRows * kTileRows * maxDepth);
  auto right = std::make_unique_for_overwrite<double[]>(
      tileColumns * kTileColumns * maxDepth);
  std::vector<double> tiles(tileRows * tileColumns * tileSize);
  for (int64_t k = 0; k < lhs.columns; k += kTileDepth) {
    int64_t depth = std::min(kTileDepth, lhs.columns - k);
    packTiles<kTileRows>(lhs.data + k * lhs.columnStride, rows, lhs.rowStride,
                         depth, lhs.columnStride, left.get());
    packTiles<kTileColumns>(rhs.data + k * rhs.rowStride, columns,
                            rhs.columnStride, depth, rhs.rowStride,
                            right.get());
    for (int64_t column = 0; column < tileColumns; ++column)
      for (int64_t row = 0; row < tileRows; ++row)
        addTile(left.get() + row * depth * kTileRows,
                right.get() + column * depth * kTileColumns, depth,
                tiles.data() + (row * tileColumns + column) * tileSize);
  }
  const double *tile = tiles.data();
  for (int64_t row = 0; row < rows; row += kTileRows)
    for (int64_t column = 0; column < columns; column += kTileColumns) {
      int64_t tileRowCount = std::min(kTileRows, rows - row);
      int64_t tileColumnCount = std::min(kTileColumns, columns - column);
      for (int64_t i = 0; i < tileRowCount; ++i)
        for (int64_t j = 0; j < tileColumnCount; ++j)
          store(row + i, column + j, tile[i * kTileColumns + j]);
      tile += tileSize;
    }
}

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_PRODUCT_H
