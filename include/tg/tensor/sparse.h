/// Sparse matrices, and products with them.
#ifndef TG_TENSOR_SPARSE_H
#define TG_TENSOR_SPARSE_H

#include "tensor.h"

namespace tg {

/// A matrix in coordinate format: indices [k, 2], integer pairs of row and
/// column, and values [k]. Elements with equal indices add up; all other
/// elements are 0.
struct SparseTensor {
  Tensor indices, values;
  /// The extents of the matrix: numbers, or named extents of inputs.
  Shape denseShape;
};

/// Returns the product [rows, e] of a sparse matrix [rows, columns] and a dense
/// matrix [columns, e], where e is static. An index outside of the matrix is an
/// error at run time. Computation and gradients cover only the k elements.
Tensor sparseTensorDenseMatmul(const SparseTensor &sparse, Operand dense);

/// The combination of rows: their weighted sum, this sum divided by the sum of
/// the weights, or this sum divided by the square root of the sum of the
/// squared weights.
enum class Combiner { sum, mean, sqrtn };

struct LookupOptions {
  Combiner combiner = Combiner::mean;
  /// The weights [k] of the ids, of the table's element type. None: every
  /// weight is 1.
  Tensor weights = {};
};
/// Looks up and combines rows of a table [v, e]. `ids` is a sparse matrix whose
/// values are integer ids, which are row indices of the table. Returns [rows,
/// e]: for each row of `ids`, its looked-up rows combined, or zeros if the row
/// has no ids. An id outside [0, v) is an error at run time.
Tensor embeddingLookupSparse(Operand table, const SparseTensor &ids,
                             const LookupOptions &options = {});

} // namespace tg

#endif // TG_TENSOR_SPARSE_H
