/// Matrices that are mostly zeros, and products with them.
#ifndef TG_TENSOR_SPARSE_H
#define TG_TENSOR_SPARSE_H

#include "tensor.h"

namespace tg {

/// A matrix by its elements: places [k, 2], integers, a row and a column each,
/// and values [k]. Elements at one place add up; all others are 0.
struct SparseTensor {
  Tensor indices, values;
  /// The extents of the matrix: numbers, or names of inputs' extents.
  Shape denseShape;
};

/// [rows, e] from a matrix [rows, columns] and a dense one [columns, e], e
/// known. A place outside of the matrix is an error at run time. Work and
/// gradients are those of the k elements.
Tensor sparseTensorDenseMatmul(const SparseTensor &sparse, Operand dense);

/// The combination of rows: their sum, the sum over the sum of the weights, or
/// the sum over the square root of the sum of the weights' squares.
enum class Combiner { sum, mean, sqrtn };

struct LookupOptions {
  Combiner combiner = Combiner::mean;
  /// Weights [k] of the ids, of the table's type. None: 1 each.
  Tensor weights = {};
};
/// For each row of a matrix of ids, integers in place of values, the rows of a
/// table [v, e] that they name, combined: [rows, e]; zeros for a row without
/// ids. An id that is not in [0, v) is an error at run time.
Tensor embeddingLookupSparse(Operand table, const SparseTensor &ids,
                             const LookupOptions &options = {});

} // namespace tg

#endif // TG_TENSOR_SPARSE_H
