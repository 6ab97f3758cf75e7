//===- Product.h - products of matrices, summed in double -----------------===//
#ifndef TG_DIALECTS_TG_EVALUATION_PRODUCT_H
#define TG_DIALECTS_TG_EVALUATION_PRODUCT_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tg {

/// A matrix whose elements lie at these distances.
template <typename T> struct StridedMatrix {
  const T *data;
  int64_t rows, columns, rowStride, columnStride;

  double at(int64_t row, int64_t column) const {
    return double(data[row * rowStride + column * columnStride]);
  }
};

/// Rows and columns of the part of a product that is summed in registers, and
/// how many products are added before the next part is.
inline constexpr int64_t kTileRows = 4, kTileColumns = 16, kTileDepth = 256;

/// tile[i][j] += the sum of lhs[k][i] * rhs[k][j], with the instructions of the
/// processor it runs on.
void addTile(const double *lhs, const double *rhs, int64_t depth, double *tile);

/// Copies a part of a matrix as addTile() reads it: `step` elements for each of
/// `depth` places of the summed dimension, zeros beyond the matrix.
template <typename At>
void packTiles(std::vector<double> &packed, int64_t step, int64_t extent,
               int64_t depth, At at) {
  int64_t tiles = (extent + step - 1) / step;
  packed.resize(tiles * depth * step);
  double *into = packed.data();
  for (int64_t first = 0; first < tiles * step; first += step)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t i = first; i < first + step; ++i)
        *into++ = i < extent ? at(i, k) : 0;
}

/// store(i, j, sum) for each element of the product of two matrices. Sums are
/// doubles, of parts of kTileDepth products in order.
template <typename T, typename Store>
void multiply(const StridedMatrix<T> &lhs, const StridedMatrix<T> &rhs,
              Store store) {
  int64_t rows = lhs.rows, columns = rhs.columns;
  int64_t tileColumns = (columns + kTileColumns - 1) / kTileColumns;
  int64_t tileRows = (rows + kTileRows - 1) / kTileRows;
  constexpr int64_t tileSize = kTileRows * kTileColumns;
  std::vector<double> left, right, tiles(tileRows * tileColumns * tileSize);
  for (int64_t k = 0; k < lhs.columns; k += kTileDepth) {
    int64_t depth = std::min(kTileDepth, lhs.columns - k);
    packTiles(left, kTileRows, rows, depth,
              [&](int64_t i, int64_t j) { return lhs.at(i, k + j); });
    packTiles(right, kTileColumns, columns, depth,
              [&](int64_t i, int64_t j) { return rhs.at(k + j, i); });
    for (int64_t column = 0; column < tileColumns; ++column)
      for (int64_t row = 0; row < tileRows; ++row)
        addTile(left.data() + row * depth * kTileRows,
                right.data() + column * depth * kTileColumns, depth,
                tiles.data() + (row * tileColumns + column) * tileSize);
  }
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      store(
          i, j,
          tiles[((i / kTileRows) * tileColumns + j / kTileColumns) * tileSize +
                i % kTileRows * kTileColumns + j % kTileColumns]);
}

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_PRODUCT_H
